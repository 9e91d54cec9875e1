"""Upstream text, cleaned once at the edge: nothing after this module sees a control character."""

import re
from html import unescape
from urllib.parse import urlsplit

# Control characters except tab and newline, lone surrogates, noncharacters, and the characters that
# embed or override text direction (an unclosed one would turn our own words around).
_HOSTILE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
# What leaves nothing to be seen of a text that has nothing else: spaces, also those of no width, and marks of
# where lines break or which way letters run.
_UNSEEN = re.compile("[\\s\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff]*")
_MAX_URL = 2_000
# The markup that descriptions are written with: tags where a line ends, other ones, entities. Whatever else
# stands between angle brackets is text.
_BREAK = re.compile(r"<(?:/?(?:p|br|div|ul|ol|h[1-6])|li)(?:\s[^<>]*|/)?>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:a|b|i|u|em|strong|span|font|small|li)(?:\s[^<>]*)?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_CUT_MARKUP = re.compile(r"(?:</?[a-zA-Z][^<>]*|&#?[a-zA-Z0-9]*)\Z")
_EMPTY_LINES = re.compile(r"\n\s*\n\s*")
# What nearly every picture's address looks like; any other one is taken apart.
_PLAIN = r"https://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?/[\x21-\x7e]{0,1000}"
_PLAIN_URLS = re.compile(rf"{_PLAIN}(?:\n{_PLAIN})*")


def clean(text: str, limit: int) -> str:
    """`text` without hostile characters, at most `limit` characters, newlines as `\\n`; empty where there is
    nothing to be seen."""
    text = text[: 2 * limit]
    if not text.isprintable():
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        # Looking for them is slow, and what nearly every text has beside printable characters is new lines.
        if not text.replace("\n", "").isprintable():
            text = _HOSTILE.sub("", text)
            text = "" if _UNSEEN.fullmatch(text) else text
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def prose(text: str, limit: int) -> str:
    """`clean` for what may be written in HTML: as its readers see it."""
    head = text[: 2 * limit]
    # Cut text may end within an entity, which is then without its semicolon.
    if "<" in head or ("&" in head and (";" in head or head != text)):
        if head == text:
            return clean(_without_markup(head), limit)
        head = _without_markup(_CUT_MARKUP.sub("", head)).rstrip() + "…"
    return clean(head, limit)


def _without_markup(text: str) -> str:
    """Entities that stand for markup are taken for it."""
    text = _ENTITY.sub(lambda entity: unescape(entity[0]), text)
    plain = _TAG.sub("", _BREAK.sub("\n", text))
    return text if plain == text else _EMPTY_LINES.sub("\n\n", plain)


def clean_line(text: str, limit: int) -> str:
    """`clean`, on one line."""
    text = clean(text, limit)
    return " ".join(text.split()) if "\n" in text or "\t" in text else text


def https_addresses(texts: list[str]) -> tuple[str, ...]:
    """The https addresses among `texts`, each once, without user information and without spaces."""
    # Matched together: one by one takes longer than all else that is read of a hotel.
    lines = "\n".join(texts)
    plain = lines.count("\n") < len(texts) and "&amp;" not in lines and _PLAIN_URLS.fullmatch(lines)
    return tuple(dict.fromkeys(texts if plain else filter(None, map(_https_address, texts))))


def _https_address(text: str) -> str | None:
    text = text.replace("&amp;", "&")  # as it stood in a page
    address = "".join(text.split()) if not text.isprintable() else text.strip()
    if _HOSTILE.search(address) or len(address) > _MAX_URL:
        return None
    try:
        parts = urlsplit(address)
        usable = parts.scheme == "https" and parts.hostname and parts.username is None
    except ValueError:
        return None
    # Lists of addresses have a space between them, and what reads them later knows the scheme in lower case.
    return f"https{address[5:]}".replace(" ", "%20") if usable else None
