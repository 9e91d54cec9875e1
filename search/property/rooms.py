"""Offers with the rooms they sell, and the rooms a provider describes, in words."""

from dataclasses import dataclass
from datetime import date
from typing import Self

from search.domain.cancellation import free_until, last_free_day, may_be_terms_of
from search.domain.context import SearchContext
from search.domain.hotels import Facility, Room, RoomType
from search.domain.offers import SoldRoom, sold_room
from search.results.card import ListingCard
from search.results.listings import FoundProperty
from search.results.offer_words import OfferView
from search.web import formatting
from search.web.facilities import facility_views
from search.web.formatting import Reader, guests
from search.web.labels import FacilityView, PolicyView, policies, policy
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


@dataclass(frozen=True, slots=True)
class RoomView:
    """One room. `free_until` is the day its words name for this stay."""

    room: Room
    sleeps: str
    too_small: str
    free_until: str
    policies: tuple[PolicyView, ...]
    cancellation: tuple[PolicyView, ...]


@dataclass(frozen=True, slots=True)
class RoomTypeView:
    """Parameters of property/room_type.html. `sold_for` are the totals of the offers that sell it; its rooms
    name no day of free cancellation if one of these offers has none."""

    described: RoomType
    photos: list[str]
    rooms: tuple[RoomView, ...]
    facilities: tuple[FacilityView, ...]
    number: int
    sold_for: tuple[str, ...]

    @classmethod
    def of(
        cls, described: RoomType, words: StayWords, number: int, sold_for: tuple[str, ...], *, free: bool
    ) -> Self:
        rooms = tuple(
            RoomView(
                room,
                words.sleeps(room.max_occupancy),
                words.too_small(room.max_occupancy),
                words.free_until(room.cancellation_policies) if free else "",
                policies(room.policies),
                words.terms(room.cancellation_policies),
            )
            for room in dict.fromkeys(described.rooms)
        )
        named = (Facility("", line) for line in described.facilities)
        facilities = facility_views(named, words.reader)
        return cls(described, photo_addresses(described.images), rooms, facilities, number, sold_for)


@dataclass(frozen=True, slots=True)
class OfferRow:
    """One offer of property/offer_table.html with the room it sells. `room` is the number of the described
    room type, 0 where that isn't sure; `policy` are the provider's words where no day is read from them and
    they don't contradict the offer."""

    offer: OfferView
    shown_here: bool
    room: int = 0
    beds: str = ""
    sleeps: str = ""
    too_small: str = ""
    free_until: str = ""
    ended: str = ""
    policy: tuple[PolicyView, ...] = ()

    @classmethod
    def of(cls, view: OfferView, sold: SoldRoom | None, words: StayWords, *, shown_here: bool) -> Self:
        if sold is None:
            return cls(view, shown_here)
        persons, cancellation = sold.agreed("max_occupancy"), sold.agreed("cancellation_policies")
        until = words.free_until(cancellation)
        unsaid = not until and may_be_terms_of(cancellation, free=view.free_cancellation)
        return cls(
            view,
            shown_here,
            room=sold.place + 1,
            beds=", ".join(sold.agreed("bed_types")),
            sleeps=words.sleeps(persons),
            too_small=words.too_small(persons),
            free_until=until if view.free_cancellation else "",
            ended=words.ended(cancellation),
            policy=policies(cancellation) if unsaid else (),
        )

    @property
    def cancellation(self) -> str:
        if not self.offer.free_cancellation:
            return self.ended or _("No free cancellation listed")
        if self.free_until:
            return _("Free cancellation until %(day)s") % {"day": self.free_until}
        return _("Free cancellation")


def offer_rows(hotel: FoundProperty, card: ListingCard, words: StayWords) -> tuple[OfferRow, ...]:
    """A row for each offer of the card. The described rooms are those of the page's provider, so only its own
    offers are joined to one."""
    rows = []
    for priced, view in zip(hotel.offers or (), card.offers, strict=True):
        offer = priced.offer
        is_own = (offer.provider, offer.property_id) == (hotel.provider, hotel.property_id)
        sold = sold_room(offer.rate, hotel.details.room_types) if is_own else None
        rows.append(OfferRow.of(view, sold, words, shown_here=is_own))
    return tuple(rows)


def room_type_views(
    hotel: FoundProperty, rows: tuple[OfferRow, ...], words: StayWords
) -> tuple[tuple[RoomTypeView, ...], tuple[RoomTypeView, ...]]:
    """The described room types that an offer with a price sells, and all others."""
    sold: dict[int, list[str]] = {}
    for row in rows:
        if row.room and row.offer.price:
            price = row.offer.price
            total = f"{price.total} ({price.apart})" if price.apart else price.total
            sold.setdefault(row.room, []).append(total)
    bound = {row.room for row in rows if not row.offer.free_cancellation}
    views = [
        RoomTypeView.of(one, words, number, tuple(sold.get(number, ())), free=number not in bound)
        for number, one in enumerate(hotel.details.room_types, 1)
    ]
    return tuple(one for one in views if one.sold_for), tuple(one for one in views if not one.sold_for)
