"""Two to four hotels side by side: looked up one by one, a row for each fact, the best of a row marked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import msgspec

from search.domain import process
from search.domain.context import SearchContext
from search.domain.hotels import Property, PropertyDetails, RoomType
from search.domain.offers import Listing, price_rank
from search.domain.words import Note, fold
from search.gateway import GatewayError, NotFound
from search.property import service as properties
from search.property.page import DatesForm
from search.results import service as results
from search.results.card import CardMaker, ListingCard
from search.results.listings import FoundProperty, NoOffers, PricedListing
from search.results.map_pins import landmarks_of
from search.web import streaming
from search.web.formatting import ONE_DECIMAL, Reader, in_whole_parts
from search.web.labels import FacilityView, without_included_breakfast
from search.web.links import Head, Links, Stay, home_path, reverse, view_pairs
from search.web.search_form import SearchBar
from search.web.translation import gettext as _
from search.web.translation import ngettext

MOST_COMPARED = 4
MOST_ROOMS = 6
# A comparison's hotels at once, for two visitors.
AT_ONCE = 8
_LARGE_CHARACTERS = 12

T = TypeVar("T")

Found = FoundProperty | GatewayError


def build_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="compare")


def of_each(work: Callable[[Stay], T], stays: Iterable[Stay]) -> dict[Stay, T | GatewayError]:
    """What the work returns for each hotel, or why it failed."""

    def result(stay: Stay) -> T | GatewayError:
        try:
            return work(stay)
        except GatewayError as error:
            return error

    each = tuple(dict.fromkeys(stays))
    return dict(zip(each, streaming.in_parallel(process.part(build_pool), result, each), strict=True))


def hotels_of(context: SearchContext, stays: Iterable[Stay]) -> dict[Stay, Found]:
    """Each hotel in full, or why not. Raises GatewayError where none is available."""

    def find(stay: Stay) -> FoundProperty:
        return properties.find_property(context, stay.provider, stay.property_id, hotel=stay.hotel)

    hotels = of_each(find, stays)
    errors = [one for one in hotels.values() if isinstance(one, GatewayError)]
    broken = [one for one in errors if not isinstance(one, NotFound)]
    if broken and len(errors) == len(hotels):
        raise broken[0].afresh()
    return hotels


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


class Fact(NamedTuple):
    """What a row says of one hotel. The best by `value` is what `choose` takes, and `mark` is the word for
    that; `logo` is a provider's."""

    label: str
    lines: Iterable[str]
    value: Decimal | float | None = None
    choose: Callable[..., Any] = max
    mark: str = ""
    logo: str = ""


class CompareRow:
    """A fact of each hotel, a cell with lines. `best` are the places of the cells to `mark`."""

    def __init__(self, columns: Sequence[Column], facts: Sequence[Fact]) -> None:
        self.label, self.mark, self.logos = facts[0].label, facts[0].mark, [one.logo for one in facts]
        self.cells = [tuple(filter(None, one.lines)) for one in facts]
        self.differs = _differs(columns, self.cells)
        self.best = _best(facts, self.cells)

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


def _rows(columns: Sequence[Column], currency: str) -> list[CompareRow]:
    """The rows that say something of at least one hotel."""
    facts = ((*_price_facts(one, currency), *_facts(one)) for one in columns)
    rows = (CompareRow(columns, one) for one in zip(*facts, strict=True))
    return [row for row in rows if any(row.cells)]


def _differs(columns: Sequence[Column], cells: Sequence[object]) -> bool:
    """Whether not all of the hotels that are there have the same."""
    return len({cell for column, cell in zip(columns, cells, strict=True) if not column.gone}) > 1


def _best(facts: Sequence[Fact], cells: Sequence[tuple[str, ...]]) -> set[int]:
    """The places of the best value and of equal texts; none where all known ones are the same."""
    best = facts[0].choose((one.value for one in facts if one.value is not None), default=None)
    read = {cell for one, cell in zip(facts, cells, strict=True) if one.value == best}
    others = {cell for one, cell in zip(facts, cells, strict=True) if one.value not in (None, best)}
    return {place for place, cell in enumerate(cells) if cell in read if others - read}


# What is said of a hotel whose price, or whose details, are not known.
_NO_OFFER: Any = SimpleNamespace(
    price=SimpleNamespace(per_night=""), lines=(), provider="", mark="", rate="", promises=()
)
_NO_DETAILS: Any = SimpleNamespace(room_types=(), check_in_time=(), check_out_time=())


def _price_facts(column: Column, currency: str) -> Iterator[Fact]:
    """What is said of the offer in front. Only complete totals in the currency asked for compete."""
    card = column.card
    best: Any = card.best or _NO_OFFER
    total, cancellation = [column.note or _("No price for these dates")], [""]
    if card.best:
        total = [best.price.total, best.price.apart]
        cancellation = [_("No free cancellation listed at this price"), card.flexibility]
        if best.free_cancellation:
            cancellation = [_("Free cancellation")]
    ranks = (price_rank(one, currency) for one in column.now.offers[:1])
    comparable = next((amount for standing, _currency, amount in ranks if standing == 0), None)
    yield Fact(_("Total"), total, comparable, min, _("lowest"))
    yield Fact(_("When shared"), [column.then])
    yield Fact(_("Per night"), [best.price.per_night])
    yield Fact(_("Taxes and fees"), best.lines)
    yield Fact(_("Offered by"), [best.provider], logo=best.mark)
    yield Fact(_("Rate"), [best.rate])
    yield Fact(_("Cancellation"), cancellation)
    yield Fact(_("Good to know"), best.promises)


def _facts(column: Column) -> Iterator[Fact]:
    """What is said of the hotel itself. Ratings are compared as they are printed, distances to one point."""
    now, card, details = column.now, column.card, column.details or _NO_DETAILS
    rating, centre_km = now.listing.property.rating, now.centre_km
    rated = rating.value.quantize(ONE_DECIMAL) if rating and rating.value is not None else None
    rating_words = f"{card.rating_value} {card.rating_words}".strip() or _("No guest rating")
    from_centre, from_destination, given_km = card.distance, "", None
    if centre_km is None:
        from_centre, from_destination = "", card.distance
        given_km = now.listing.distance.km if now.listing.distance else None
    yield Fact(_("Guest rating"), () if column.gone else [rating_words], rated, max, _("highest"))
    yield Fact(_("Stars"), [card.star_words], now.listing.property.stars, max, _("most"))
    yield Fact(_("Kind"), [card.kind])
    yield Fact(_("Where"), [card.place])
    yield Fact(_("Distance"), [from_centre], centre_km, min, _("nearest"))
    yield Fact(_("Distance"), [from_destination], given_km, min, _("nearest"))
    yield Fact(_("To the airport"), [card.anchor_distance], now.anchor_km, min, _("nearest"))
    yield Fact(_("Rooms"), _room_names(details.room_types))
    yield Fact(_("Check-in"), details.check_in_time)
    yield Fact(_("Check-out"), details.check_out_time)


def _room_names(room_types: Iterable[RoomType]) -> Iterable[str]:
    names = list(dict.fromkeys(one.name for one in room_types if one.name))
    left = len(names) - MOST_ROOMS
    if left <= 0:
        return names
    more = ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left}
    return (*names[:MOST_ROOMS], more)


def _tick_rows(columns: Sequence[Column], reader: Reader) -> Iterable[TickRow]:
    """A row for each facility of the hotels and their offers, by the code that makes two of them one."""
    of_each_column = []
    for column in columns:
        views = without_included_breakfast(reader.facilities.of_hotel(column.now.offers, column.details))
        of_each_column.append({one.code: one for one in views})
    facilities: dict[str, FacilityView] = {}
    for code, facility in chain.from_iterable(map(dict.items, of_each_column)):
        first = facilities.setdefault(code, facility)
        # A row says only what is so of all its ticks: one hotel may charge for it, another not.
        facilities[code] = first if first.note is facility.note else replace(first, note=Note.NONE)
    for code, facility in sorted(facilities.items(), key=lambda item: fold(item[1].text)):
        cells = [
            code in one or (None if column.details is None else False)
            for column, one in zip(columns, of_each_column, strict=True)
        ]
        yield TickRow(facility, cells, _differs(columns, cells))


class ComparePage:
    """Parameters of compare/page.html. `back` is an address and its words; `dates` is the form for other
    dates and the bar with its days. Given distances are the gateway's, not from the centre."""

    dates: tuple[DatesForm, SearchBar] | None = None

    def __init__(
        self,
        context: SearchContext,
        columns: Sequence[Column],
        back: tuple[str, str],
        notices: Iterable[str],
    ) -> None:
        """The page without empty notices."""
        reader, count = Reader.for_search(context), len(columns)
        text = ngettext("%(count)s hotel side by side", "%(count)s hotels side by side", count)
        self.title = text % {"count": count}
        self.head = Head(title=self.title, robots="noindex")
        self.stay = in_whole_parts(reader.stay_line(context.search))
        self.back = back
        self.columns = columns
        self.rows = _rows(columns, context.search.currency)
        self.ticks = [*_tick_rows(columns, reader)]
        self.known_everywhere = all(None not in row.cells for row in self.ticks)
        self.shows_given_distances = any(one.card.distance and one.now.centre_km is None for one in columns)
        self.landmarks = landmarks_of([one.now for one in columns], context, reader)
        self.notices = [*filter(None, notices)]


def back_link(context: SearchContext) -> tuple[str, str]:
    """Address and words of the link to the results, or to the first page for a search without a place."""
    if context.search.place:
        return Links(context).results(), _("Back to the results")
    return home_path(context.search), _("Search for hotels")


def compare_page(context: SearchContext, hotels: dict[Stay, Found], left_out: bool) -> ComparePage:
    """The comparison of hotels that an address names; `left_out`: it names more than are compared."""
    bar, reader = SearchBar.of_search(context), Reader.for_search(context)
    available = [one for one in hotels.values() if isinstance(one, FoundProperty)]
    stale_from = min(filter(None, (one.stale_from for one in available)), default=None)
    notices = (
        _("At most four hotels are compared: these are the first four.") if left_out else "",
        reader.stale_note(stale_from) if stale_from else "",
        bar.note,
    )
    page = ComparePage(context, [*_columns(context, hotels)], back_link(context), notices)
    page.dates = (DatesForm(context, reverse("compare"), *(("stay", str(stay)) for stay in hotels)), bar)
    return page


def _columns(context: SearchContext, hotels: dict[Stay, Found]) -> Iterator[Column]:
    """A column for each hotel; one at several providers has one."""
    maker = CardMaker(context)
    of_key: dict[str, list[Stay]] = {}
    for stay, hotel in hotels.items():
        key = hotel.building.key if isinstance(hotel, FoundProperty) else stay.key
        of_key.setdefault(key, []).append(stay)
    for stays in of_key.values():
        others = [("stay", str(stay)) for stay in hotels if stay not in stays]
        without = reverse("compare", pairs=[*view_pairs(context), *others])
        column = _column(stays[0], hotels[stays[0]], context, maker)
        yield column._replace(remove=without if len(others) > 1 else "")


def _column(stay: Stay, hotel: Found, context: SearchContext, maker: CardMaker) -> Column:
    """A hotel, led by the offer that leads it in the list: the cheapest that passes the filters, if any."""
    if not isinstance(hotel, FoundProperty):
        building = Property(stay.key, stay.provider, stay.property_id)
        now = PricedListing(Listing(building, (), None), (), (), None)
        is_gone = isinstance(hotel, NotFound)
        note = _("No longer offered here") if is_gone else _("Not available right now")
        return Column(now, maker.card(now), None, note=note, gone=True)
    now = properties.card_in_list(hotel)
    if hotel.listing and (led := results.filtered_card_alone(hotel.listing, context.refinement, context)):
        now = msgspec.structs.replace(now, offers=led.offers, ladder=led.ladder)
    is_known = hotel.listing or hotel.no_offers is NoOffers.NOT_OFFERED
    note = "" if is_known else _("Its price is not known right now")
    return Column(now, maker.card(now), hotel.details if hotel.details.available else None, note=note)
