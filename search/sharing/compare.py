"""Two to four shared properties side by side, with what differs between them marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from search.domain.hotels import PropertyDetails
from search.domain.query import StaySearch
from search.results.card import CardMaker, ListingCard, facilities_of
from search.web.links import reverse
from search.web.meta import Head
from search.web.translation import gettext as _
from search.web.translation import ngettext

from .entries import ThenWords
from .link import total_of
from .pages import shared_head, short_day, stay_line
from .price_change import OpenedLink, ThenAndNow

MOST_ROOMS = 6


class CompareLine(NamedTuple):
    """One line of a cell. `alone` marks what not all of them have, `note` says why it stands out."""

    text: str
    alone: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One fact about each of them; `differs` unless all cells say the same."""

    label: str
    cells: tuple[tuple[CompareLine, ...], ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Parameters of sharing/compare.html."""

    head: Head
    title: str
    stay: str
    back: str
    cards: tuple[ListingCard, ...]
    rows: tuple[CompareRow, ...]
    differs: str

    @classmethod
    def build(
        cls,
        opened: OpenedLink,
        chosen: tuple[ThenAndNow, ...],
        details: tuple[PropertyDetails | None, ...],
    ) -> ComparePage:
        """`chosen` are there now, `details` belong to them in the same order (None: can't be had)."""
        link, search = opened.link, opened.context.search
        maker = CardMaker.of(opened.context, link.shared.page)
        words = ThenWords(maker.reader, short_day(link.shared_at, maker.reader))
        facts = tuple(
            _Facts.of(one, maker.card(one.now, 0), in_full, words)
            for one, in_full in zip(chosen, details, strict=True)
            if one.now
        )
        return cls(
            head=shared_head(opened, chosen),
            title=ngettext("%(count)s hotel side by side", "%(count)s hotels side by side", len(facts))
            % {"count": len(facts)},
            stay=stay_line(search, maker.reader),
            back=reverse("shared", args=[link.code]),
            cards=tuple(one.card for one in facts),
            rows=_rows(facts, search),
            differs=_("differs"),
        )


@dataclass(frozen=True, slots=True)
class _Facts:
    """One property with everything the rows are made of."""

    one: ThenAndNow
    card: ListingCard
    details: PropertyDetails | None
    then: str
    facilities: tuple[str, ...]

    @classmethod
    def of(
        cls, one: ThenAndNow, card: ListingCard, details: PropertyDetails | None, words: ThenWords
    ) -> _Facts:
        offers = one.now.offers if one.now else ()
        named = [view.text for view in facilities_of(offers, words.reader)]
        named += details.facilities if details else ()
        by_fold = {text.casefold(): text for text in reversed(named)}
        facilities = tuple(sorted(by_fold.values(), key=str.casefold))
        return cls(one, card, details, words.line(one), facilities)


def _rows(facts: tuple[_Facts, ...], search: StaySearch) -> tuple[CompareRow, ...]:
    prices = [one.card.best.price if one.card.best else None for one in facts]
    said = [
        _row(_("Total"), [[price.total if price else _("No price for these dates")] for price in prices]),
        _row(_("When shared"), [[one.then] for one in facts]),
        _row(_("Per night"), [[price.per_night] if price else [] for price in prices]),
        _row(_("Taxes and fees"), [one.card.best.lines if one.card.best else () for one in facts]),
        _row(_("Offered by"), [[one.card.best.provider] if one.card.best else [] for one in facts]),
        _row(_("Rate"), [[one.card.best.rate] if one.card.best else [] for one in facts]),
        _row(_("Cancellation"), [_cancellation(one.card) for one in facts]),
        _row(_("Good to know"), [one.card.best.promises if one.card.best else () for one in facts]),
        _row(_("Guest rating"), [[_rating(one.card)] for one in facts]),
        _row(_("Stars"), [[one.card.star_words] for one in facts]),
        _row(_("Kind"), [[one.card.kind] for one in facts]),
        _row(_("Where"), [[one.card.place] for one in facts]),
        _row(_("Distance"), [[one.card.distance, one.card.anchor_distance] for one in facts]),
        _row(_("Facilities"), [one.facilities for one in facts], mark_alone=True),
        _row(_("Rooms"), [_rooms(one.details) for one in facts]),
        _row(_("Check-in"), [one.details.check_in_time if one.details else () for one in facts]),
        _row(_("Check-out"), [one.details.check_out_time if one.details else () for one in facts]),
    ]
    said[0] = _with_lowest(said[0], facts, search)
    return tuple(row for row in said if any(row.cells))


def _row(label: str, cells: list[tuple[str, ...]] | list[list[str]], mark_alone: bool = False) -> CompareRow:
    lines = [tuple(text for text in cell if text) for cell in cells]
    everywhere = set(lines[0]).intersection(*lines) if lines else set()
    return CompareRow(
        label=label,
        cells=tuple(
            tuple(CompareLine(text, alone=mark_alone and text not in everywhere) for text in cell)
            for cell in lines
        ),
        differs=len(set(lines)) > 1,
    )


def _with_lowest(row: CompareRow, facts: tuple[_Facts, ...], search: StaySearch) -> CompareRow:
    """The row of totals with the lowest marked; only complete totals in the currency asked for compete."""
    amounts = {
        number: money.amount
        for number, one in enumerate(facts)
        if one.one.now and (money := total_of(one.one.now.offers)) and money.currency == search.currency
        if (total := one.one.now.offers[0].total) and total.complete
    }
    if len(amounts) < 2 or len(set(amounts.values())) < 2:
        return row
    lowest = min(amounts.values())
    cells = tuple(
        (cell[0]._replace(note=_("lowest")),) if amounts.get(number) == lowest else cell
        for number, cell in enumerate(row.cells)
    )
    return CompareRow(row.label, cells, row.differs)


def _cancellation(card: ListingCard) -> tuple[str, ...]:
    if card.best is None:
        return ()
    if card.best.free_cancellation:
        return (_("Free cancellation"),)
    return (_("No free cancellation at this price"), card.flexibility)


def _rating(card: ListingCard) -> str:
    return " ".join(filter(None, (card.rating_value, card.rating_words))) or _("No guest rating")


def _rooms(details: PropertyDetails | None) -> tuple[str, ...]:
    names = list(dict.fromkeys(one.name for one in details.room_types if one.name)) if details else []
    left = len(names) - MOST_ROOMS
    if left <= 0:
        return tuple(names)
    more = ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left}
    return (*names[:MOST_ROOMS], more)
