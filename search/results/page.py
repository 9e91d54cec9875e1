"""One page of results, with links to the others: never one that can't exist."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Self

import msgspec
from django.core.paginator import Paginator

from search.destinations import service as destinations
from search.destinations.destination import Destination
from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.text import fold
from search.web import formatting
from search.web.articles import after_hotels
from search.web.formatting import Reader, chosen_stars
from search.web.links import Links, results_path, view_pairs
from search.web.meta import Head
from search.web.search_bar import SearchBar
from search.web.translation import gettext as _
from search.web.translation import ngettext

from . import typical_totals
from .card import CardMaker, ListingCard
from .full_results import FullResults
from .listings import FoundStays
from .place_shown import PlaceShown, located
from .plot import TradeoffsPlot
from .toolbar import RefineView

NEIGHBOURS = 2
# Nothing is worth so many times what is like it: then the middle is no price.
MOST_SHARE = 1_000_000


class PageLink(msgspec.Struct, frozen=True):
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
    def of(cls, found: FoundStays, links: Links, reader: Reader) -> Self | None:
        """The pager of the results, or None when everything is on one page."""
        page, last = found.page, found.last_page
        if page == 1 and not found.has_next:
            return None
        known = page + 1 if last is None else last
        current = _("Page %(page)s") if last is None else _("Page %(page)s of %(last)s")
        pages = Paginator(range(known), 1)
        shown = pages.get_elided_page_range(min(page, known), on_each_side=NEIGHBOURS, on_ends=1)
        return cls(
            previous=links.results(min(page - 1, known)) if page > 1 else "",
            next=links.results(page + 1) if found.has_next else "",
            pages=tuple(
                PageLink(reader.number(number), "" if number == page else links.results(number))
                if isinstance(number, int)
                else PageLink("", "")
                for number in shown
            ),
            position=current % {"page": reader.number(page), "last": reader.number(known)},
        )


@dataclass(frozen=True, slots=True)
class ResultsBeginning:
    """Parameters of results/skeleton.html: what a page of results says before anything is found.

    `namesakes` are other places of the same name, each with the address of its search.
    """

    head: Head
    bar: SearchBar
    title: str
    summary: str
    namesakes: tuple[tuple[str, str], ...]

    @classmethod
    def build(cls, context: SearchContext, page: int, *, place: PlaceShown | None = None) -> Self:
        """`place` is which one the hotels are in that were found; None as long as none are."""
        search, reader = context.search, Reader.for_search(context)
        days = formatting.stay_days(search.dates, reader.texts)
        shown = place or PlaceShown.of(context, None, reader)
        title = _("Hotels in %(place)s") % {"place": after_hotels(shown.title)}
        text = _("%(title)s for %(days)s: every provider's offer with its whole price.")
        facts = (reader.stay_line(search), chosen_stars(search.stars))
        asked = context.refinement if context.anchor else context.refinement.without("near")
        return cls(
            head=Head(
                title=f"{formatting.before_days(title)}, {days}",
                description=text % {"title": formatting.before_days(title), "days": days},
                canonical=results_path(search, asked, page),
                robots="noindex",
            ),
            bar=SearchBar.of_search(context, typical_totals.for_calendar(context)),
            title=title,
            summary=" · ".join(filter(None, facts)),
            namesakes=_namesakes(shown.others, context, reader),
        )


def _namesakes(
    others: Iterable[Destination], context: SearchContext, reader: Reader
) -> tuple[tuple[str, str], ...]:
    """Where other places of this name are (`Texas, United States`), each with the address of its search."""
    return tuple(
        (
            ", ".join(filter(None, (one.region, reader.country(one.country)))),
            results_path(context.with_search(place=one.place).search, one.anchor),
        )
        for one in others
    )


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Parameters of results/page.html. Empty strings are notices that don't apply.

    `elsewhere` says where the hotels are, if not in the place that was asked for.
    `near_name` is what an unknown place was perhaps meant to be: name, address and count, which may be empty.
    `other_currency`: some prices are in another currency than the one asked for.
    `chosen` are the parameters of the search, to which a form adds the hotels that are chosen.
    `example` is how good value comes out for the first card.
    """

    head: Head
    bar: SearchBar
    title: str
    count: str
    summary: str
    namesakes: tuple[tuple[str, str], ...]
    elsewhere: str
    near_name: tuple[str, str, str] | None
    cards: tuple[ListingCard, ...]
    pager: Pager | None
    refine: RefineView
    plot: TradeoffsPlot | None
    example: str
    stale_note: str
    other_currency: bool
    with_map: bool
    first_page: str
    chosen: tuple[tuple[str, str], ...]

    @classmethod
    def build(cls, context: SearchContext, found: FoundStays) -> Self:
        search, maker = context.search, CardMaker.of(context, found.page)
        reader, links, cards = maker.reader, maker.prices.links, maker.cards(found.listings)
        place = PlaceShown.of(context, located(found), reader)
        beginning = ResultsBeginning.build(context, found.page, place=place)
        refine = RefineView(context, found, reader)
        return cls(
            head=beginning.head,
            bar=beginning.bar,
            title=beginning.title,
            summary=beginning.summary,
            namesakes=beginning.namesakes,
            elsewhere=place.elsewhere,
            near_name=_near_name(context, found, reader),
            count=refine.matching or _count(found, reader),
            cards=cards,
            pager=Pager.of(found, links, reader),
            refine=refine,
            plot=_plot(found, reader, links),
            example=_value_example(found, reader, search.currency),
            stale_note=_stale_note(found, reader),
            other_currency=any(
                one.offers and one.offers[0].total and one.offers[0].total.total.currency != search.currency
                for one in found.listings
            ),
            with_map=context.site.map_enabled and any(card.coordinates for card in cards),
            first_page=links.results(1),
            chosen=view_pairs(context),
        )


def _stale_note(found: FoundStays, reader: Reader) -> str:
    if not found.stale or found.newer_coming:
        return ""
    return (reader.stale_note_of_none if found.is_empty else reader.stale_note)(found.fetched_at)


def _plot(found: FoundStays, reader: Reader, links: Links) -> TradeoffsPlot | None:
    """The best trade-offs, above the first page of an order or a filter that is about them."""
    tradeoffs = found.refined.tradeoffs if found.refined and found.page == 1 else None
    return TradeoffsPlot(tradeoffs, reader, links) if tradeoffs and tradeoffs.best else None


def _value_example(found: FoundStays, reader: Reader, currency: str) -> str:
    """`€126.00 ÷ €157.00 = 0.80`; empty where nothing is like the first card, or its middle is no price."""
    standing = found.listings[0].standing if found.listings else None
    if standing is None or standing.share > MOST_SHARE:
        return ""
    total, middle = (reader.money(Money(one, currency)) for one in (standing.total, standing.middle))
    return f"{total} ÷ {middle} = {reader.number(standing.share.quantize(Decimal('0.01')))}"


def _near_name(context: SearchContext, found: FoundStays, reader: Reader) -> tuple[str, str, str] | None:
    """What an unknown place was perhaps meant to be: its name, the address of its search, and how many places
    to stay it has, empty where that wasn't fetched of late. None where the gateway knows it by this name."""
    meant = destinations.did_you_mean(context.search.place, context.deadline)
    if meant is None or _is_city_of_any(context.search.place, found):
        return None
    known, names = destinations.index(context.deadline), context.site.place_name_language
    sent_place = destinations.sent_name(meant, known, names, context.search.market)
    other = replace(context.with_search(place=meant.place), sent_place=sent_place)
    coverage = FullResults(other).fresh_coverage()
    count = reader.number(coverage.total) if coverage and coverage.total else ""
    return meant.text, results_path(other.search, meant.anchor), count


def _is_city_of_any(place: str, found: FoundStays) -> bool:
    return fold(place) in {fold(one.listing.property.city) for one in found.listings}


def _count(found: FoundStays, reader: Reader) -> str:
    # Some gateways count hotels of which they give none: over an empty list such a number is no count.
    if not found.total or (found.page == 1 and not found.listings):
        return ""
    text = ngettext("%(count)s place to stay", "%(count)s places to stay", found.total)
    return text % {"count": reader.number(found.total)}
