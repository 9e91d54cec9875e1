"""The three calls of the gateway's interface as three methods, domain objects in and out."""

from datetime import date, timedelta
from urllib.parse import quote

import msgspec

from search.domain.deadline import Deadline
from search.domain.hotels import Airport, PropertyDetails
from search.domain.query import ALL_STARS, StaySearch, encode_pairs
from search.domain.site_settings import CategoriesStyle

from . import parsing
from .http import Call
from .search_page import Entry, SearchPage, page_of, search_entries
from .transport import Transport

ROOMS = "/pub/v1/rooms/ha/v2/propertyOffers"


class WireSearch(msgspec.Struct, frozen=True, kw_only=True):
    """A search as it is spelled in an address: a `categories` for each entry, no parameter for None."""

    place: str
    check_in: date
    nights: int
    guests: int
    categories: tuple[str, ...]
    currency: str
    market: str
    size: int | None
    page: int | None

    def call(self) -> Call:
        stay = [*_stay_pairs(self.check_in, self.nights, self.guests), ("place", self.place)]
        # A comma of "4,5" stays one.
        categories = [f"categories={one}" for one in self.categories]
        paging = {"size": self.size, "page": self.page}
        paging_pairs = [(name, str(value)) for name, value in paging.items() if value is not None]
        rest = encode_pairs([*_money_pairs(self.currency, self.market), *paging_pairs])
        return Call("search", ROOMS, "&".join([encode_pairs(stay), *categories, rest]))


def details_call(provider: str, property_id: str, search: StaySearch) -> Call:
    path = f"{ROOMS}/provider/{_path_part(provider)}/property/{_path_part(property_id)}"
    stay = _stay_pairs(search.dates.check_in, search.dates.nights, search.guests)
    return Call("details", path, encode_pairs([*stay, *_money_pairs(search.currency, search.market)]))


AIRPORTS_CALL = Call("airports", "/pub/v1/core/3/airports", "")


class _Entries(msgspec.Struct):
    """Some of the gateway's entries, None where one is unusable or of other stars, and its total, which may
    count other stars, too."""

    entries: list[Entry | None]
    total: int | None
    other_stars: bool

    @property
    def count(self) -> int | None:
        return None if self.other_stars else self.total


class Client:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def search(
        self,
        search: StaySearch,
        *,
        page: int,
        size: int,
        categories_style: CategoriesStyle,
        deadline: Deadline,
    ) -> SearchPage:
        """`GET /pub/v1/rooms/ha/v2/propertyOffers` (section 4.1 of the interface); `page` counts from 0.

        Properties of other stars than asked for are left out, and with them the total, which counts them.
        """
        if categories_style is CategoriesStyle.EACH and len(search.stars) != 1:
            return self._one_star_after_another(search, page, size, deadline)
        found = self._entries(search, page, size, categories_style, deadline)
        return page_of(found.entries, found.count)

    def details(
        self, provider: str, property_id: str, search: StaySearch, *, deadline: Deadline
    ) -> PropertyDetails:
        """`GET .../propertyOffers/provider/{providerId}/property/{providerPropertyId}` (section 4.2).

        Raises NotFound for a 404. An answer without usable details is `PropertyDetails` that says so.
        """
        body = self._transport.get(details_call(provider, property_id, search), deadline)
        return parsing.property_details(body, provider, property_id)

    def airports(self, *, deadline: Deadline) -> tuple[Airport, ...]:
        """`GET /pub/v1/core/3/airports` (section 4.3 of the interface)."""
        return parsing.airport_list(self._transport.get(AIRPORTS_CALL, deadline))

    def _entries(
        self, search: StaySearch, page: int, size: int, style: CategoriesStyle, deadline: Deadline
    ) -> _Entries:
        """One page as the gateway sent it: one call."""
        stars = [str(star) for star in search.stars or ALL_STARS]
        asked = WireSearch(
            place=search.place,
            check_in=search.dates.check_in,
            nights=search.dates.nights,
            guests=search.guests,
            # The interface shows no separator.
            categories=tuple(stars) if style is CategoriesStyle.REPEAT else (",".join(stars),),
            currency=search.currency,
            market=search.market,
            size=size,
            page=page,
        )
        entries, total = search_entries(self._transport.get(asked.call(), deadline))
        if not search.stars:
            return _Entries(entries, total, other_stars=False)
        kept = [one if one and one.outline.stars in search.stars else None for one in entries]
        return _Entries(kept, total, other_stars=kept.count(None) > entries.count(None))

    def _one_star_after_another(
        self, search: StaySearch, page: int, size: int, deadline: Deadline
    ) -> SearchPage:
        """One page of the answers to each star laid end to end: a call per star, and more for a page behind
        the first one of its star or one that the gateway cuts."""
        found: list[Entry | None] = []
        counts: list[int | None] = []
        skip = page * size
        for star in search.stars or ALL_STARS:
            one_star = msgspec.structs.replace(search, stars=(star,))
            part = self._stretch(one_star, skip, size - len(found), size, deadline)
            found += part.entries
            counts.append(part.count)
            skip = max(0, skip - (skip + len(part.entries) if part.total is None else part.total))
        known = [count for count in counts if count is not None]
        return page_of(found, sum(known) if len(known) == len(counts) else None)

    def _stretch(self, search: StaySearch, first: int, count: int, size: int, deadline: Deadline) -> _Entries:
        """`count` entries from position `first` on; always asks for page 0, which tells the total and how
        large a page of the gateway is, whatever `size` was asked for."""
        head = self._entries(search, 0, size, CategoriesStyle.COMMA, deadline)
        step = len(head.entries) or size
        found: list[Entry | None] = []
        other_stars = head.other_stars
        while len(found) < count and (head.total is None or first + len(found) < head.total):
            page, offset = divmod(first + len(found), step)
            answer = head if not page else self._entries(search, page, size, CategoriesStyle.COMMA, deadline)
            taken = answer.entries[offset : offset + count - len(found)]
            if not taken:
                break
            found += taken
            other_stars = other_stars or answer.other_stars
        return _Entries(found, head.total, other_stars)


def _stay_pairs(check_in: date, nights: int, guests: int) -> list[tuple[str, str]]:
    return [
        ("checkinDate", check_in.isoformat()),
        ("checkoutDate", (check_in + timedelta(days=nights)).isoformat()),
        ("roomAllocations", str(guests)),
    ]


def _money_pairs(currency: str, market: str) -> list[tuple[str, str]]:
    return [("currencyCode", currency), ("market", market.lower())]


def _path_part(identifier: str) -> str:
    """One path part that no server or client folds away, whatever the identifier holds."""
    quoted = quote(identifier, safe="")
    return quoted.replace(".", "%2E") if not identifier.strip(".") else quoted
