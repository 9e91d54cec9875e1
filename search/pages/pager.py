"""Links to other pages of results: never one that can't exist."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from search.domain.found import FoundStays

from .links import Links
from .reader import Reader

NEIGHBOURS = 2


@dataclass(frozen=True, slots=True)
class PageLink:
    """`href` is empty for the page we are on, and for a gap (`number` is then empty too)."""

    number: str
    href: str


@dataclass(frozen=True, slots=True)
class Pager:
    """Parameters of components/pager.html. Empty addresses are links that don't exist."""

    previous: str
    next: str
    pages: tuple[PageLink, ...]
    position: str

    @classmethod
    def of(cls, found: FoundStays, links: Links, reader: Reader) -> Pager | None:
        """The pager of an answer, or None when everything is on one page."""
        page, last = found.page, found.last_page
        has_next = page < last if last is not None else found.more
        if page == 1 and not has_next:
            return None
        known = last if last is not None else page + (1 if has_next else 0)
        current = _("Page %(page)s") if last is None else _("Page %(page)s of %(last)s")
        return cls(
            previous=links.results(min(page - 1, known)) if page > 1 else "",
            next=links.results(page + 1) if has_next else "",
            pages=tuple(
                PageLink("", "") if number is None
                else PageLink(reader.number(number), "" if number == page else links.results(number))
                for number in _window(page, known)
            ),
            position=current % {"page": reader.number(page), "last": reader.number(known)},
        )  # fmt: skip


def _window(page: int, last: int) -> list[int | None]:
    """First, last, the neighbours of `page`, and None for each gap between them."""
    wanted = {1, last, *range(max(1, page - NEIGHBOURS), min(last, page + NEIGHBOURS) + 1)}
    numbers: list[int | None] = []
    before = 0
    for number in sorted(one for one in wanted if 1 <= one <= max(last, 1)):
        if number == before + 2:
            numbers.append(number - 1)
        elif number > before + 2:
            numbers.append(None)
        numbers.append(number)
        before = number
    return numbers
