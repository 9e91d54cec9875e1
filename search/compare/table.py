"""Two to four hotels side by side: a row for each fact, the best value of a row marked."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from search.domain.hotels import PropertyDetails
from search.domain.offers import price_rank
from search.domain.text import fold
from search.domain.vocabulary import Note
from search.results.card import ListingCard, OfferView
from search.results.index import kilometres
from search.results.listings import PricedListing
from search.web.facilities import facility_views, named_facilities, without_included_breakfast
from search.web.formatting import ONE_DECIMAL, Reader
from search.web.labels import FacilityView
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

MOST_COMPARED = 4
MOST_ROOMS = 6
_LARGE_CHARACTERS = 12


class Column(NamedTuple):
    """One hotel. `then` is what became of its total since it was shared, `note` why it has no total now,
    `remove` the address of the comparison without it. Of a `gone` hotel the note alone is shown."""

    now: PricedListing
    card: ListingCard
    details: PropertyDetails | None
    then: str = ""
    note: str = ""
    remove: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One fact about each hotel, a cell with lines. `best` are the places of the cells to `mark`."""

    label: str
    cells: list[tuple[str, ...]]
    differs: bool
    best: frozenset[int] = frozenset()
    mark: str = ""
    large: bool = False
    logos: tuple[str, ...] = ()

    @property
    def long(self) -> bool:
        """Whether a word is too long for large type on a phone."""
        words = (word for cell in self.cells for line in cell for word in line.split(" "))
        return any(len(word) > _LARGE_CHARACTERS for word in words)


@dataclass(frozen=True, slots=True)
class TickRow:
    """One facility: which of the hotels have it, None where that is not known."""

    facility: FacilityView
    cells: list[bool | None]
    differs: bool


class CompareTable:
    """Parameters of compare/compare_table.html. Given distances are the gateway's, not from the centre."""

    def __init__(self, columns: Sequence[Column], currency: str, reader: Reader) -> None:
        self.columns = columns
        self.rows = [*_rows(columns, currency)]
        self.ticks = [*_tick_rows(columns, reader)]
        self.known_everywhere = all(None not in row.cells for row in self.ticks)
        self.shows_given_distances = any(_cell(_from_destination, one) for one in columns)


Lines = Callable[[Column], Iterable[str]]
Choice = Callable[..., Any]


class Fact(NamedTuple):
    """A row of the table: its lines of a hotel. The best by `value` (of a hotel, in a currency) is what
    `choose` takes, and `mark` is the word for that."""

    label: object
    lines: Lines
    value: Callable[[Column, str], Decimal | float | None] = lambda _column, _currency: None
    choose: Choice = max
    mark: object = ""


def _rows(columns: Sequence[Column], currency: str) -> Iterable[CompareRow]:
    """All rows without those that are empty."""
    for fact in _FACTS:
        cells = [_cell(fact.lines, one) for one in columns]
        if any(cells):
            values = [None if one.gone else fact.value(one, currency) for one in columns]
            best, differs = _best(values, fact.choose, cells), _differs(columns, cells)
            offers = [one.card.best for one in columns] if fact.lines is _provider else []
            logos = tuple(one.mark if one else "" for one in offers)
            large = fact.lines is _total
            yield CompareRow(str(fact.label), cells, differs, best, str(fact.mark), large, logos)


def _cell(lines: Lines, column: Column) -> tuple[str, ...]:
    if column.gone:
        return (column.note,) if lines is _total else ()
    return tuple(filter(None, lines(column)))


def _differs(columns: Sequence[Column], cells: Sequence[object]) -> bool:
    """Whether not all of the hotels that are there have the same."""
    return len({cell for column, cell in zip(columns, cells, strict=True) if not column.gone}) > 1


def _best(values: Sequence[Any], choose: Choice, cells: Sequence[tuple[str, ...]]) -> frozenset[int]:
    """The places of the best value and of equal texts; none where all known ones are the same."""
    best = choose((one for one in values if one is not None), default=None)
    read = {cell for one, cell in zip(values, cells, strict=True) if one == best}
    others = {cell for one, cell in zip(values, cells, strict=True) if one not in (None, best)}
    return frozenset(place for place, cell in enumerate(cells) if cell in read if others - read)


def _comparable_total(column: Column, currency: str) -> Decimal | None:
    """Only complete totals in the currency asked for compete."""
    ranks = (price_rank(one, currency) for one in column.now.offers[:1])
    return next((amount for standing, _currency, amount in ranks if standing == 0), None)


def _rating_value(column: Column, _currency: str) -> Decimal | None:
    """As it is printed: what reads the same is the same."""
    rating = column.now.listing.property.rating
    return rating.value.quantize(ONE_DECIMAL) if rating and rating.value is not None else None


def _kilometres(column: Column, _currency: str) -> float | None:
    """The gateway's distance, where that is shown and its unit is known."""
    distance, unit = kilometres(column.now.listing.distance)
    return None if unit or column.now.centre_km is not None else distance


def _tick_rows(columns: Sequence[Column], reader: Reader) -> Iterable[TickRow]:
    of_each = [_facilities(one, reader) for one in columns]
    named: dict[str, FacilityView] = {}
    for code, facility in chain.from_iterable(map(dict.items, of_each)):
        first = named.setdefault(code, facility)
        # A row says only what is so of all its ticks: one hotel may charge for it, another not.
        named[code] = first if first.note is facility.note else replace(first, note=Note.NONE)
    for code, facility in sorted(named.items(), key=lambda item: fold(item[1].text)):
        cells = [
            code in one or (None if column.gone or column.details is None else False)
            for column, one in zip(columns, of_each, strict=True)
        ]
        yield TickRow(facility, cells, _differs(columns, cells))


def _facilities(column: Column, reader: Reader) -> dict[str, FacilityView]:
    """The facilities of a hotel and its offers by the code that makes two of them one."""
    named = named_facilities(column.details, (one.offer for one in column.now.offers))
    return {one.code: one for one in without_included_breakfast(facility_views(named, reader))}


def _of_best(lines: Callable[[OfferView], Iterable[str]]) -> Lines:
    """Lines about the offer in front, none where no offer has a price."""
    return lambda column: lines(column.card.best) if column.card.best else ()


def _of_details(lines: Callable[[PropertyDetails], Iterable[str]]) -> Lines:
    return lambda column: lines(column.details) if column.details else ()


def _total(column: Column) -> Iterable[str]:
    price = column.card.best.price if column.card.best else None
    return (price.total, price.apart) if price else (column.note or _("No price for these dates"),)


_provider = _of_best(lambda best: [best.provider])


def _cancellation(column: Column) -> Iterable[str]:
    if column.card.best is None:
        return ()
    if column.card.best.free_cancellation:
        return (_("Free cancellation"),)
    return (_("No free cancellation listed at this price"), column.card.flexibility)


def _from_centre(column: Column) -> Iterable[str]:
    return () if column.now.centre_km is None else (column.card.distance,)


def _from_destination(column: Column) -> Iterable[str]:
    return (column.card.distance,) if column.now.centre_km is None else ()


def _rooms(details: PropertyDetails) -> Iterable[str]:
    names = list(dict.fromkeys(one.name for one in details.room_types if one.name))
    left = len(names) - MOST_ROOMS
    if left <= 0:
        return names
    more = ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left}
    return (*names[:MOST_ROOMS], more)


def _rating(column: Column) -> Iterable[str]:
    return (f"{column.card.rating_value} {column.card.rating_words}".strip() or _("No guest rating"),)


_NEAREST = gettext_lazy("nearest")
_FACTS = (
    Fact(gettext_lazy("Total"), _total, _comparable_total, min, gettext_lazy("lowest")),
    Fact(gettext_lazy("When shared"), lambda column: [column.then]),
    Fact(gettext_lazy("Per night"), _of_best(lambda best: [best.price.per_night] if best.price else [])),
    Fact(gettext_lazy("Taxes and fees"), _of_best(lambda best: best.lines)),
    Fact(gettext_lazy("Offered by"), _provider),
    Fact(gettext_lazy("Rate"), _of_best(lambda best: [best.rate])),
    Fact(gettext_lazy("Cancellation"), _cancellation),
    Fact(gettext_lazy("Good to know"), _of_best(lambda best: best.promises)),
    Fact(gettext_lazy("Guest rating"), _rating, _rating_value, max, gettext_lazy("highest")),
    Fact(
        gettext_lazy("Stars"),
        lambda column: [column.card.star_words],
        lambda column, _currency: column.now.listing.property.stars,
        max,
        gettext_lazy("most"),
    ),
    Fact(gettext_lazy("Kind"), lambda column: [column.card.kind]),
    Fact(gettext_lazy("Where"), lambda column: [column.card.place]),
    Fact(gettext_lazy("Distance"), _from_centre, lambda column, _: column.now.centre_km, min, _NEAREST),
    Fact(gettext_lazy("Distance"), _from_destination, _kilometres, min, _NEAREST),
    Fact(
        gettext_lazy("To the airport"),
        lambda column: [column.card.anchor_distance],
        lambda column, _currency: column.now.anchor_km,
        min,
        _NEAREST,
    ),
    Fact(gettext_lazy("Rooms"), _of_details(_rooms)),
    Fact(gettext_lazy("Check-in"), _of_details(lambda details: details.check_in_time)),
    Fact(gettext_lazy("Check-out"), _of_details(lambda details: details.check_out_time)),
)
