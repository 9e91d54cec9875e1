"""Upstream text, cleaned once at the edge: nothing after this module sees a control character.

Fields whose shape the interface doesn't show (2.6) -> lines of readable text.

A string, a number, a list, an object such as `{type, description}` or `{from, to}`: whatever comes, the
result never holds Python or JSON syntax, and nothing readable is lost within the bounds below.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from search.domain.text import humanise

# Control characters except tab and newline, lone surrogates, noncharacters, and the characters that
# embed or override text direction (an unclosed one would turn our own words around).
_HOSTILE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_MAX_URL = 2_000
# What nearly every picture's address looks like; any other one is taken apart.
_PLAIN_URL = re.compile(r"https://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?/[\x21-\x7e]{0,1000}")


def clean(text: str, limit: int) -> str:
    """`text` without hostile characters, at most `limit` characters, newlines as `\\n`."""
    if len(text) > 2 * limit:
        text = text[: 2 * limit]
    if not text.isascii() or not text.isprintable():
        text = _HOSTILE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def clean_line(text: str, limit: int) -> str:
    """`clean`, on one line."""
    text = clean(text, limit)
    return " ".join(text.split()) if "\n" in text or "\t" in text else text


def https_address(text: str) -> str | None:
    """`text` as an https address without user information, or None."""
    if _PLAIN_URL.fullmatch(text):
        return text
    address = "".join(text.split()) if not text.isprintable() else text.strip()
    if _HOSTILE.search(address) or len(address) > _MAX_URL:
        return None
    try:
        parts = urlsplit(address)
        usable = parts.scheme == "https" and bool(parts.hostname) and parts.username is None
    except ValueError:
        return None
    return address if usable else None


MAX_LINES = 60
MAX_LINE = 1_000
MAX_DEPTH = 6

_SECONDS = re.compile(r"^(\d{1,2}:\d{2}):\d{2}(?:\.\d+)?Z?$")
_CODE = re.compile(r"[A-Z0-9]+(?:_[A-Z0-9]+)+|[A-Z]{5,}")
_RANGES = (("from", "to"), ("from", "until"), ("start", "end"), ("begin", "end"), ("earliest", "latest"))
_HEADINGS = ("title", "name", "label", "heading")
_TEXTS = ("description", "text", "value", "content", "message", "policy")
_CODES = ("type", "code", "id")
_COUNTS = ("count", "quantity", "number")
_ASIDES = frozenset({"availability"})  # says where a facility is, not what


def lines_of(value: Any) -> tuple[str, ...]:
    """At most `MAX_LINES` different lines; empty for null, empty and unreadable values."""
    return tuple(dict.fromkeys(line for line in _lines(value, 0) if line))[:MAX_LINES]


def times_of(value: Any) -> tuple[str, ...]:
    """`lines_of` for a time of day, where a bare whole number is an hour."""
    return tuple(f"{line}:00" if line.isdigit() and int(line) <= 24 else line for line in lines_of(value))


def _lines(value: Any, depth: int) -> list[str]:
    if depth > MAX_DEPTH or value is None or isinstance(value, bool):
        return []
    if isinstance(value, str):
        return [_readable(line) for line in clean(value, MAX_LINE * MAX_LINES).split("\n")]
    if isinstance(value, int | float | Decimal):
        return [_number(value)]
    if isinstance(value, list):
        return [line for one in value[: 4 * MAX_LINES] for line in _lines(one, depth + 1)]
    if isinstance(value, dict):
        return _object_lines(value, depth)
    return []


def _readable(line: str) -> str:
    line = clean_line(line, MAX_LINE)
    if timed := _SECONDS.match(line):
        return timed[1]
    return humanise(line) if _CODE.fullmatch(line) else line


def _number(value: float | Decimal) -> str:
    number = Decimal(str(value))
    if not number.is_finite() or abs(number.adjusted()) > 15:
        return ""
    return format(number.normalize(), "f")


def _object_lines(value: dict[str, Any], depth: int) -> list[str]:
    keys = {key.lower(): key for key in value if isinstance(key, str)}
    if "value" in keys and "currencycode" in keys:
        amount = " ".join(_lines(value[keys["value"]], depth + 1))
        return (
            [f"{amount} {clean_line(str(value[keys['currencycode']] or ''), 10)}".strip()] if amount else []
        )
    for first, last in _RANGES:
        if first in keys or last in keys:
            return [
                _span(_one(value.get(keys.get(first, "")), depth), _one(value.get(keys.get(last, "")), depth))
            ]
    heading = next((text for key in _HEADINGS if (text := _one(value.get(keys.get(key, "")), depth))), "")
    texts = [line for key in _TEXTS if key in keys for line in _lines(value[keys[key]], depth + 1) if line]
    if heading or texts:
        return _headed(heading, [*texts, *_rest(value, keys, depth)])
    code = next((text for key in _CODES if (text := _one(value.get(keys.get(key, "")), depth))), "")
    count = next((text for key in _COUNTS if (text := _one(value.get(keys.get(key, "")), depth))), "")
    if code and count:
        return [f"{count} × {humanise(code)}"]
    return _headed(humanise(code) if code else "", _rest(value, keys, depth))


def _rest(value: dict[str, Any], keys: dict[str, str], depth: int) -> list[str]:
    """The members no rule above knows, each under its own name."""
    known = {*_HEADINGS, *_TEXTS, *_CODES, *_ASIDES}
    found: list[str] = []
    for lower, key in list(keys.items())[:MAX_LINES]:
        if lower in known:
            continue
        if value[key] is True:
            found.append(humanise(clean_line(key, 100)))
        else:
            found += _headed(humanise(clean_line(key, 100)), _lines(value[key], depth + 1), needs_text=True)
    return found


def _headed(heading: str, texts: list[str], *, needs_text: bool = False) -> list[str]:
    texts = [text for text in texts if text]
    if not texts:
        return [] if needs_text or not heading else [heading]
    if not heading or heading == texts[0]:
        return texts
    return [f"{heading}: {texts[0]}", *texts[1:]]


def _one(value: Any, depth: int) -> str:
    return ", ".join(line for line in _lines(value, depth + 1) if line)


def _span(first: str, last: str) -> str:
    return f"{first} – {last}" if first and last else first or last
