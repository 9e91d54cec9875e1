"""Two to four shared properties side by side, with what differs between them marked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

from search.domain.hotels import PropertyDetails
from search.domain.offers import price_rank
from search.property.page import stay_line
from search.results.card import CardMaker, ListingCard, OfferView
from search.results.listings import PricedListing
from search.web.facilities import facility_views, named_facilities
from search.web.formatting import Reader
from search.web.links import reverse
from search.web.meta import Head
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .entries import ThenWords
from .pages import shared_head
from .price_change import OpenedLink, ThenAndNow, details

MOST_ROOMS = 6


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One fact about each property. `rare` are the lines to mark because not all of them have them, `lowest`
    the places of the cells to mark as the lowest total."""

    label: str
    cells: list[tuple[str, ...]]
    rare: frozenset[str] = frozenset()
    lowest: frozenset[int] = frozenset()

    @property
    def differs(self) -> bool:
        return len(set(self.cells)) > 1


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Parameters of sharing/compare.html."""

    head: Head
    title: str
    stay: str
    back: str
    cards: tuple[ListingCard, ...]
    rows: tuple[CompareRow, ...]

    @classmethod
    def build(cls, opened: OpenedLink, chosen: tuple[ThenAndNow, ...]) -> Self:
        """`chosen` are there now."""
        context = opened.context
        maker, words = CardMaker.of(context, opened.link.page), ThenWords.of(opened)
        columns = tuple(
            _Column(one.now, maker.card(one.now, 0), details(one, context), words.line(one), maker.reader)
            for one in chosen
            if one.now
        )
        count = len(columns)
        return cls(
            head=shared_head(opened, chosen),
            title=ngettext("%(count)s hotel side by side", "%(count)s hotels side by side", count)
            % {"count": count},
            stay=stay_line(context.search, maker.reader),
            back=reverse("shared", args=[opened.link.code]),
            cards=tuple(one.card for one in columns),
            rows=tuple(_rows(columns, context.search.currency)),
        )


class _Column(NamedTuple):
    """One property with everything its cells are made of."""

    now: PricedListing
    card: ListingCard
    details: PropertyDetails | None
    then: str
    reader: Reader


Lines = Callable[[_Column], Iterable[str]]


def _rows(columns: tuple[_Column, ...], currency: str) -> Iterable[CompareRow]:
    """All rows without those that are empty."""
    for label, lines in _LINES:
        cells = [tuple(text for text in lines(one) if text) for one in columns]
        if any(cells):
            everywhere = frozenset(cells[0]).intersection(*cells)
            rare = frozenset().union(*cells) - everywhere if lines is _facilities else frozenset()
            lowest = _lowest(columns, currency) if lines is _total else frozenset()
            yield CompareRow(str(label), cells, rare, lowest)


def _lowest(columns: tuple[_Column, ...], currency: str) -> frozenset[int]:
    """The places of the lowest total; only complete totals in the currency asked for compete."""
    fronts = {place: one.now.offers[0] for place, one in enumerate(columns) if one.now.offers}
    ranks = {place: price_rank(front, currency) for place, front in fronts.items()}
    comparable = {rank for rank in ranks.values() if rank[0] == 0}
    lowest = min(comparable) if len(comparable) > 1 else None
    return frozenset(place for place, rank in ranks.items() if rank == lowest)


def _of_best(lines: Callable[[OfferView], Iterable[str]]) -> Lines:
    """Lines about the offer in front, none where no offer has a price."""
    return lambda column: lines(column.card.best) if column.card.best else ()


def _of_details(lines: Callable[[PropertyDetails], Iterable[str]]) -> Lines:
    return lambda column: lines(column.details) if column.details else ()


def _total(column: _Column) -> Iterable[str]:
    best = column.card.best
    return (best.price.total if best and best.price else _("No price for these dates"),)


def _cancellation(column: _Column) -> Iterable[str]:
    if column.card.best is None:
        return ()
    if column.card.best.free_cancellation:
        return (_("Free cancellation"),)
    return (_("No free cancellation at this price"), column.card.flexibility)


def _rating(column: _Column) -> Iterable[str]:
    return (f"{column.card.rating_value} {column.card.rating_words}".strip() or _("No guest rating"),)


def _facilities(column: _Column) -> Iterable[str]:
    named = named_facilities(column.details, (one.offer for one in column.now.offers))
    return sorted((view.text for view in facility_views(named, column.reader)), key=str.casefold)


def _rooms(details: PropertyDetails) -> Iterable[str]:
    names = list(dict.fromkeys(one.name for one in details.room_types if one.name))
    left = len(names) - MOST_ROOMS
    if left <= 0:
        return names
    more = ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left}
    return (*names[:MOST_ROOMS], more)


_LINES: tuple[tuple[object, Lines], ...] = (
    (gettext_lazy("Total"), _total),
    (gettext_lazy("When shared"), lambda column: [column.then]),
    (gettext_lazy("Per night"), _of_best(lambda best: [best.price.per_night] if best.price else [])),
    (gettext_lazy("Taxes and fees"), _of_best(lambda best: best.lines)),
    (gettext_lazy("Offered by"), _of_best(lambda best: [best.provider])),
    (gettext_lazy("Rate"), _of_best(lambda best: [best.rate])),
    (gettext_lazy("Cancellation"), _cancellation),
    (gettext_lazy("Good to know"), _of_best(lambda best: best.promises)),
    (gettext_lazy("Guest rating"), _rating),
    (gettext_lazy("Stars"), lambda column: [column.card.star_words]),
    (gettext_lazy("Kind"), lambda column: [column.card.kind]),
    (gettext_lazy("Where"), lambda column: [column.card.place]),
    (gettext_lazy("Distance"), lambda column: [column.card.distance, column.card.anchor_distance]),
    (gettext_lazy("Facilities"), _facilities),
    (gettext_lazy("Rooms"), _of_details(_rooms)),
    (gettext_lazy("Check-in"), _of_details(lambda details: details.check_in_time)),
    (gettext_lazy("Check-out"), _of_details(lambda details: details.check_out_time)),
)
