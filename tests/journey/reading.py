"""A page as its reader has it: the text between the tags."""

from __future__ import annotations

import re
from html import unescape

# A parser of the standard library takes ten times as long, which is longer than to make the page.
_UNSEEN = re.compile(r"<!--.*?-->|<(script|style|template|title)\b.*?</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_NAME = re.compile(r'\s(?:alt|aria-label)="([^"]+)"')


def text_of(html: str) -> str:
    """All visible text and names for screen readers, spaces folded (no-break spaces too)."""
    seen = _TAG.sub(lambda tag: f" {' '.join(_NAME.findall(tag[0]))} ", _UNSEEN.sub(" ", html))
    return " ".join(unescape(seen).split())


def words(response) -> str:
    return text_of(response.content.decode())
