"""The three calls of the gateway's interface as three methods, domain objects in and out."""

from datetime import date, timedelta
from functools import partial
from urllib.parse import quote

import msgspec

from search.domain.hotels import Airport, PropertyDetails
from search.domain.process import Deadline
from search.domain.query import ALL_STARS, StaySearch, encode_pairs
from search.domain.site_settings import CategoriesStyle

from . import parsing
from .errors import NO_SUCH_PAGE, GatewayError
from .http import Call, Endpoint
from .search_page import Entry, SearchPage, is_cut, page_of, search_entries
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
    asked = _path_part(provider)
    path = f"{ROOMS}/provider/{asked}/property/{_path_part(property_id)}"
    stay = _stay_pairs(search.dates.check_in, search.dates.nights, search.guests)
    query = encode_pairs([*stay, *_money_pairs(search.currency, search.market)])
    return Call("details", path, query, asked)


AIRPORTS_CALL = Call("airports", "/pub/v1/core/3/airports", "")


class _Entries(msgspec.Struct):
    """Some of the gateway's entries, None where one is unusable or of other stars, and its total, which may
    count other stars, too."""

    entries: list[Entry | None]
    total: int | None
    other_stars: bool

    @property
    def received(self) -> int:
        return len(self.entries)

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

    def immediate_failure(self, endpoint: Endpoint) -> GatewayError | None:
        """See `Transport.immediate_failure`."""
        return self._transport.immediate_failure(endpoint)

    def failing(self, endpoint: Endpoint) -> bool:
        """See `Transport.failing`."""
        return self._transport.failing(endpoint)

    def _entries(
        self,
        search: StaySearch,
        page: int,
        size: int,
        style: CategoriesStyle,
        deadline: Deadline,
        *,
        any_stars: bool = False,
    ) -> _Entries:
        """One page as the gateway sent it: one call. `any_stars`: the visitor chose none, so what tells none
        is no other than asked for."""
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
        # A property has the stars of its first entry with any, as where its entries are united.
        rated = [one.outline for one in reversed(entries) if one and one.outline.stars]
        stars_of = {one.key: one.stars for one in rated}
        wanted = (*search.stars, None) if any_stars else search.stars
        kept = [one if one and stars_of.get(one.outline.key) in wanted else None for one in entries]
        return _Entries(kept, total, other_stars=kept.count(None) > entries.count(None))

    def _one_star_after_another(
        self, search: StaySearch, page: int, size: int, deadline: Deadline
    ) -> SearchPage:
        """One page of the answers to each star laid end to end: a call per star, and more for a page behind
        the first one of its star, for one that the gateway cuts, and where no total tells how many a star
        has."""
        found: list[Entry | None] = []
        total: int | None = 0
        skip, wanted = page * size, size
        for star in search.stars or ALL_STARS:
            if not wanted and total is None:
                break
            one_star = msgspec.structs.replace(search, stars=(star,))
            answer = _OneStar(self, one_star, size, deadline, any_stars=not search.stars)
            end = answer.end(skip + wanted) if wanted else 0
            found += answer.stretch(skip, end)
            total = None if total is None or answer.count is None else total + answer.count
            wanted -= max(0, end - skip)
            skip = max(0, skip - end)
        return page_of(found, total)


class _OneStar:
    """The answer to a search of one star, each page fetched when it is looked into: always page 0, which
    tells the total and how large a page of the gateway is, whatever `size` was asked for. Positions count
    what a page leaves out, too."""

    def __init__(
        self, client: Client, search: StaySearch, size: int, deadline: Deadline, *, any_stars: bool
    ) -> None:
        ask = partial(client._entries, search, style=CategoriesStyle.COMMA, any_stars=any_stars)
        self._fetch = partial(ask, deadline=deadline)
        self._first = self._fetch(page=0, size=size)
        self._pages = {0: self._first}
        self._first_is_short = self._first.received < size
        self._size = self._first.received if is_cut(self._first, size, largest=size) else size
        # Some give more than they are asked for.
        self._step = max(self._size, self._first.received)

    @property
    def count(self) -> int | None:
        """None where nobody knows: other stars than asked for are counted, too."""
        return None if any(one.other_stars for one in self._pages.values()) else self._first.total

    def end(self, enough: int) -> int:
        """The position behind the last entry, `enough` where that is further."""
        if self._first.total is not None:
            return min(enough, self._counted_end(enough, self._first.total))
        if enough <= self._first.received:
            return enough
        page = (enough - 1) // self._step
        last = self._last_filled(page)
        received = self._page(last).received
        if last == page and (received >= self._step or self._goes_on(page)):
            return enough
        return min(enough, last * self._step + received)

    def _counted_end(self, enough: int, total: int) -> int:
        """The position behind the last entry by this total; a full page there is a reason to look behind."""
        known = max(total, self._first.received)
        page = max(0, known - 1) // self._step
        while known < enough:
            received = self._page(page).received
            known = max(known, page * self._step + received)
            if received < self._step:
                break
            page += 1
        return known

    def _goes_on(self, page: int) -> bool:
        """Whether there is more behind a short page: no sign of the end where the first is short, too."""
        return self._first_is_short and self._page(page + 1).received > 0

    def stretch(self, first: int, end: int) -> list[Entry | None]:
        """The entries at these positions."""
        found: list[Entry | None] = []
        for page in range(first // self._step, -(-end // self._step)):
            start = page * self._step
            found += self._page(page).entries[max(0, first - start) : min(self._step, end - start)]
        return found

    def _last_filled(self, page: int) -> int:
        """The last page up to this one that has entries; 0 where none has."""
        # Most stars with a short page have no other one.
        for other in (1, page) if self._first_is_short else (page,):
            if not self._page(other).received:
                return self._last_filled_before(other)
        return page

    def _last_filled_before(self, page: int) -> int:
        filled, empty = 0, page
        while empty - filled > 1:
            middle = (filled + empty) // 2
            filled, empty = (middle, empty) if self._page(middle).received else (filled, middle)
        return filled

    def _page(self, number: int) -> _Entries:
        if number not in self._pages:
            self._pages[number] = self._fetched(number)
        return self._pages[number]

    def _fetched(self, number: int) -> _Entries:
        """An empty page where the gateway says that it has none, also where a total says otherwise, as some
        count what is sold out: with an error the visitor would see no hotel of any star, and so it shows
        that fewer came than are counted."""
        try:
            return self._fetch(page=number, size=self._size)
        except GatewayError as error:
            if error.kind not in NO_SUCH_PAGE:
                raise
        return _Entries([], None, other_stars=False)


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
