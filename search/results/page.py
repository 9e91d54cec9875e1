"""One page of results, with links to the others: never one that can't exist."""

from __future__ import annotations

from dataclasses import dataclass

from search.domain.context import SearchContext
from search.domain.query import StaySearch
from search.web import formatting
from search.web.formatting import Reader, chosen_stars, guests, nights
from search.web.links import Links, home_path, results_path
from search.web.meta import Head
from search.web.search_bar import SearchBar
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .card import CardMaker, ListingCard
from .listings import FoundStays
from .toolbar import RefineView

NEIGHBOURS = 2


@dataclass(frozen=True, slots=True)
class PageLink:
    """`href` is empty for the page we are on, and for a gap (`number` is then empty too)."""

    number: str
    href: str


@dataclass(frozen=True, slots=True)
class Pager:
    """Parameters of results/pager.html. Empty addresses are links that don't exist."""

    previous: str
    next: str
    pages: tuple[PageLink, ...]
    position: str

    @classmethod
    def of(cls, found: FoundStays, links: Links, reader: Reader) -> Pager | None:
        """The pager of the results, or None when everything is on one page."""
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


@dataclass(frozen=True, slots=True)
class ResultsBeginning:
    """Parameters of results/skeleton.html: what a page of results says before anything is found."""

    head: Head
    bar: SearchBar
    title: str
    summary: str

    @classmethod
    def build(cls, context: SearchContext, page: int) -> ResultsBeginning:
        search, reader = context.search, Reader.for_search(context)
        days = formatting.stay_days(search.dates, reader.texts)
        title = _("Hotels in %(place)s") % {"place": search.place}
        return cls(
            head=_head(title, days, Links.of(context, page)),
            bar=SearchBar.of_search(context),
            title=title,
            summary=_summary(search, days),
        )


def _summary(search: StaySearch, days: str) -> str:
    facts = (days, nights(search.dates.nights), guests(search.guests), chosen_stars(search.stars))
    return " · ".join(filter(None, facts))


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Parameters of results/page.html. Empty strings are notices that don't apply.

    `nothing` is true for results without a single property, `beyond` for a page after the last one.
    """

    head: Head
    bar: SearchBar
    title: str
    count: str
    summary: str
    cards: tuple[ListingCard, ...]
    pager: Pager | None
    order_note: str
    refine: RefineView
    stale_note: str
    foreign_note: str
    searched_note: str
    nothing: bool
    beyond: bool
    with_map: bool
    map_search: str
    map_area: str
    first_page: str
    home: str

    @classmethod
    def build(cls, context: SearchContext, found: FoundStays) -> ResultsPage:
        search = context.search
        maker = CardMaker.of(context, found.page)
        reader, links, cards = maker.reader, maker.prices.links, maker.cards(found.listings)
        days = formatting.stay_days(search.dates, reader.texts)
        title = _("Hotels in %(place)s") % {"place": search.place}
        refine = RefineView(context, found, reader)
        return cls(
            head=_head(title, days, links),
            bar=SearchBar.of_search(context),
            title=title,
            count=refine.matching or _count(found, reader),
            summary=_summary(search, days),
            cards=cards,
            pager=Pager.of(found, links, reader),
            order_note=_("In the order the providers' gateway gives, which isn't by price.")
            if found.refined is None
            else "",
            refine=refine,
            stale_note=stale_note(found, reader),
            foreign_note=_foreign_note(search, found),
            searched_note=_searched_note(context),
            nothing=not found.listings and found.page == 1,
            beyond=not found.listings and found.page > 1,
            with_map=context.site.map_enabled and any(card.coordinates for card in cards),
            map_search=results_path(search, context.refinement.without("bbox")),
            map_area=str(context.refinement.bbox or ""),
            first_page=links.results(1),
            home=home_path(search.market),
        )


def _head(title: str, days: str, links: Links) -> Head:
    return Head(
        title=f"{title}, {days}",
        description=_("%(title)s for %(days)s: every provider's offer with its whole price.")
        % {"title": title, "days": days},
        canonical=links.results(),
        robots="noindex",
    )


def stale_note(found: FoundStays, reader: Reader) -> str:
    return reader.stale_note(found.fetched_at) if found.stale else ""


def _count(found: FoundStays, reader: Reader) -> str:
    if found.total is None:
        return ""
    return ngettext("%(count)s place to stay", "%(count)s places to stay", found.total) % {
        "count": reader.number(found.total)
    }


def _foreign_note(search: StaySearch, found: FoundStays) -> str:
    foreign = any(
        one.offers and one.offers[0].total and one.offers[0].total.total.currency != search.currency
        for one in found.listings
    )
    if not foreign:
        return ""
    return _(
        "Some prices are in another currency than %(currency)s. They are shown as they are, and not compared."
    ) % {"currency": search.currency}


def _searched_note(context: SearchContext) -> str:
    """Says what was searched when an airport was chosen: the gateway knows places, not airports."""
    if context.anchor is None:
        return ""
    return _("We searched %(place)s, for %(airport)s (%(code)s).") % {
        "place": context.search.place,
        "airport": context.anchor.name,
        "code": context.anchor.code,
    }
