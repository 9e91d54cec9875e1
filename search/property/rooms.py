"""Offers with the rooms they sell, and the rooms a provider describes, in words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from search.domain.cancellation import free_until, last_free_day, may_be_terms_of
from search.domain.context import SearchContext
from search.domain.hotels import Facility, Room, RoomType
from search.domain.offers import SoldRoom, sold_room
from search.results.card import ListingCard, OfferView
from search.results.listings import FoundProperty
from search.web import formatting
from search.web.formatting import Reader, guests
from search.web.labels import PolicyView, policies, policy
from search.web.links import photo_addresses
from search.web.translation import gettext as _
from search.web.translation import ngettext


@dataclass(frozen=True)
class StayWords:
    """Puts rooms into words for one stay. `check_in` is None for an address without dates."""

    reader: Reader
    party: int
    today: date
    check_in: date | None

    @classmethod
    def of(cls, context: SearchContext, *, dated: bool) -> Self:
        check_in = context.search.dates.check_in if dated else None
        return cls(Reader.for_search(context), context.search.guests, context.day, check_in)

    def sleeps(self, lines: tuple[str, ...]) -> str:
        """`Sleeps 2` for a bare number; the provider's own words otherwise."""
        if (persons := _persons(lines)) is None:
            return ", ".join(lines)
        return ngettext("Sleeps %(count)s", "Sleeps %(count)s", persons) % {"count": persons}

    def too_small(self, lines: tuple[str, ...]) -> str:
        persons = _persons(lines)
        if persons is None or persons >= self.party:
            return ""
        return _("Too small for %(party)s") % {"party": guests(self.party)}

    def free_until(self, lines: tuple[str, ...]) -> str:
        """`28 Nov 2026, 18:00`, empty without a day or for one that is over."""
        limit = free_until(lines, self.check_in) if self.check_in else None
        if limit is None or limit.day < self.today:
            return ""
        return formatting.day_and_time(limit.day, limit.clock, self.reader.texts)

    def ended(self, lines: tuple[str, ...]) -> str:
        """`Free cancellation ended on 20 Nov 2026`, empty where it didn't."""
        last = last_free_day(lines, self.check_in) if self.check_in else None
        if last is None or not date.min < last < self.today:
            return ""
        return _("Free cancellation ended on %(day)s") % {
            "day": formatting.day_and_time(last, None, self.reader.texts)
        }

    def terms(self, lines: tuple[str, ...]) -> tuple[PolicyView, ...]:
        """The lines on cancelling, without a promise that has ended."""
        ended = {line: "" if may_be_terms_of((line,), free=False) else self.ended((line,)) for line in lines}
        return tuple(PolicyView(said, known=True) if said else policy(line) for line, said in ended.items())


def _persons(lines: tuple[str, ...]) -> int | None:
    """How many sleep in a room that says no more than that."""
    plain = len(lines) == 1 and len(lines[0]) < 4 and lines[0].isascii() and lines[0].isdigit()
    return int(lines[0]) if plain else None


class RoomView:
    """One room. `free_until` is the day its words name for this stay."""

    def __init__(self, room: Room, words: StayWords, *, free: bool) -> None:
        self.room = room
        self.sleeps = words.sleeps(room.max_occupancy)
        self.too_small = words.too_small(room.max_occupancy)
        self.free_until = words.free_until(room.cancellation_policies) if free else ""
        self.policies = policies(room.policies)
        self.cancellation = words.terms(room.cancellation_policies)


class RoomTypeView:
    """Parameters of property/room_type.html. `sold_for` are the totals of the `offers` that sell it; its
    rooms name no day of free cancellation if one of these offers has none."""

    def __init__(
        self, described: RoomType, words: StayWords, number: int, offers: Collection[OfferView]
    ) -> None:
        self.described, self.number = described, number
        self.photos = photo_addresses(described.images)
        self.facilities = words.reader.facilities.views(Facility("", line) for line in described.facilities)
        prices = [one.price for one in offers if one.price]
        self.sold_for = [f"{one.total} ({one.apart})" if one.apart else one.total for one in prices]
        is_free = all(one.free_cancellation for one in offers)
        self.rooms = [RoomView(one, words, free=is_free) for one in dict.fromkeys(described.rooms)]


class OfferRow:
    """One offer of property/offer_table.html with the room it sells. `room` is the number of the described
    room type, 0 where that isn't sure; `policy` are the provider's words where no day is read from them and
    they don't contradict the offer."""

    def __init__(self, view: OfferView, sold: SoldRoom | None, words: StayWords, *, shown_here: bool) -> None:
        sold = sold or SoldRoom(-1, ())
        persons, terms = sold.agreed("max_occupancy"), sold.agreed("cancellation_policies")
        until, ended = words.free_until(terms), words.ended(terms)
        self.offer, self.shown_here = view, shown_here
        self.room = sold.place + 1
        self.beds = ", ".join(sold.agreed("bed_types"))
        self.sleeps, self.too_small = words.sleeps(persons), words.too_small(persons)
        unsaid = not until and may_be_terms_of(terms, free=view.free_cancellation)
        self.policy = policies(terms) if unsaid else ()
        self.free_until = until if view.free_cancellation else ""
        if not view.free_cancellation:
            self.cancellation = ended or _("No free cancellation listed")
        elif until:
            self.cancellation = _("Free cancellation until %(day)s") % {"day": until}
        else:
            self.cancellation = _("Free cancellation")


def offer_rows(hotel: FoundProperty, card: ListingCard, words: StayWords) -> list[OfferRow]:
    """A row for each offer of the card; only those of the page's provider are joined to a described room."""
    rows = []
    for priced, view in zip(hotel.card.offers, card.offers, strict=True):
        offer = priced.offer
        is_own = (offer.provider, offer.property_id) == (hotel.provider, hotel.property_id)
        sold = sold_room(offer.rate, hotel.details.room_types) if is_own else None
        rows.append(OfferRow(view, sold, words, shown_here=is_own))
    return rows


def room_type_views(
    hotel: FoundProperty, rows: Sequence[OfferRow], words: StayWords
) -> tuple[list[RoomTypeView], list[RoomTypeView]]:
    """The described room types that an offer with a price sells, and all others."""
    views = [
        RoomTypeView(described, words, number, [row.offer for row in rows if row.room == number])
        for number, described in enumerate(hotel.details.room_types, 1)
    ]
    return [one for one in views if one.sold_for], [one for one in views if not one.sold_for]
