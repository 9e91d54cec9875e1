"""Upstream text, cleaned once at the edge: nothing after this module sees a control character."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

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
