"""A page as its reader has it: the text between the tags."""

from __future__ import annotations

from html.parser import HTMLParser


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style", "template", "title")
        named = dict(attrs)
        for name in ("alt", "aria-label"):
            if named.get(name):
                self.parts.append(str(named[name]))

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style", "template", "title")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)


def text_of(html: str) -> str:
    """All visible text and names for screen readers, spaces folded (no-break spaces too)."""
    reader = _Text()
    reader.feed(html)
    return " ".join(" ".join(reader.parts).split())


def words(response) -> str:
    return text_of(response.content.decode())
