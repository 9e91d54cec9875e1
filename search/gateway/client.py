"""The three calls of the gateway's interface: their addresses."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from urllib.parse import quote

import msgspec

from search.domain.query import ALL_STARS, StaySearch, encode_pairs
from search.domain.site_settings import CategoriesStyle

from .transport import Call

ROOMS = "/pub/v1/rooms/ha/v2/propertyOffers"
NO_HOTELS = b'{"results": [], "Total": 0}'


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


@dataclass(frozen=True, slots=True)
class PageQuery:
    """A gateway page of a search (section 4.1 of the interface); `number` counts from 0."""

    search: StaySearch
    number: int
    size: int
    style: CategoriesStyle = CategoriesStyle.COMMA

    def call(self, sold_out_errors: bool = False) -> Call:
        """With `sold_out_errors` an error that says that there are no rooms is a page without hotels."""
        search, stars = self.search, [str(star) for star in self.search.stars or ALL_STARS]
        call = WireSearch(
            place=search.place,
            check_in=search.dates.check_in,
            nights=search.dates.nights,
            guests=search.guests,
            # The interface shows no separator.
            categories=tuple(stars) if self.style is CategoriesStyle.REPEAT else (",".join(stars),),
            currency=search.currency,
            market=search.market,
            size=self.size,
            page=self.number,
        ).call()
        return replace(call, sold_out=NO_HOTELS) if sold_out_errors else call


def series_of(search: StaySearch, style: CategoriesStyle) -> tuple[StaySearch, ...]:
    """The searches that the gateway is asked for together: one, or one for each star rating."""
    if style is not CategoriesStyle.EACH:
        return (search,)
    return tuple(msgspec.structs.replace(search, stars=(star,)) for star in search.stars or ALL_STARS)


@dataclass(frozen=True, slots=True)
class DetailsQuery:
    """The details of a property at a provider (section 4.2); not `dated` where no visitor named the days."""

    provider: str
    property_id: str
    search: StaySearch
    dated: bool = True

    def call(self) -> Call:
        asked, search = _path_part(self.provider), self.search
        path = f"{ROOMS}/provider/{asked}/property/{_path_part(self.property_id)}"
        stay = _stay_pairs(search.dates.check_in, search.dates.nights, search.guests)
        query = encode_pairs([*stay, *_money_pairs(search.currency, search.market)])
        return Call("details", path, query, asked)

    @property
    def named(self) -> str:
        """The query without days that no visitor named: they are others after each midnight."""
        if self.dated:
            return self.call().query
        search = self.search
        return encode_pairs(
            [("roomAllocations", str(search.guests)), *_money_pairs(search.currency, search.market)]
        )


AIRPORTS_CALL = Call("airports", "/pub/v1/core/3/airports", "")


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
