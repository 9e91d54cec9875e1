"""An address: the search (where, when, how many guests, currency, market), its order and its filters."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from enum import StrEnum
from typing import Any, Self
from urllib.parse import quote

import msgspec
from msgspec.structs import astuple

# The interface, section 8: check-out must be less than 28 days after check-in.
MAX_NIGHTS = 27
# Ours: the farthest check-in day.
MAX_DAYS_AHEAD = 3_660
ALL_STARS = (1, 2, 3, 4, 5)

_AIRPORT = re.compile(r"[A-Z]{3}")
_AROUND = re.compile(r"(?:([\w'’. -]{1,50}), )?([A-Z]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]*")


def earliest_day(today: date) -> date:
    """The first check-in day while it is `today` at the site: west of it, it may still be the day before."""
    return today - timedelta(days=1)


class StayDates(msgspec.Struct, frozen=True):
    """Check-in and check-out days of a stay of 1 to 27 nights; anything else raises ValueError."""

    check_in: date
    check_out: date

    def __post_init__(self) -> None:
        if not 1 <= self.nights <= MAX_NIGHTS:
            raise ValueError(f"a stay has 1 to {MAX_NIGHTS} nights, not {self.nights}")

    @property
    def nights(self) -> int:
        return (self.check_out - self.check_in).days


class StaySearch(msgspec.Struct, frozen=True):
    """A complete search. `stars` is ascending without repeats, empty for all; `market` is as `en-gb`."""

    place: str
    dates: StayDates
    guests: int
    stars: tuple[int, ...]
    currency: str
    market: str

    def pairs(self) -> list[tuple[str, str]]:
        return [
            ("place", self.place),
            ("checkin", self.dates.check_in.isoformat()),
            ("checkout", self.dates.check_out.isoformat()),
            ("guests", str(self.guests)),
            *(("stars", str(star)) for star in self.stars),
            ("currency", self.currency),
            ("market", self.market),
        ]

    def query_string(self) -> str:
        """The one spelling of this search: address, share link and cache key."""
        return encode_pairs(self.pairs())


def encode_pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """A query string with %20 for spaces, the form the gateway asks for and addresses keep."""
    return "&".join([f"{quoted(name)}={quoted(value)}" for name, value in pairs])


def quoted(text: str) -> str:
    # A page has hundreds of them, and `quote` takes long to find that there is nothing to do.
    return text if _UNRESERVED.fullmatch(text) else quote(text, safe="")


def canonical_stars(stars: list[int] | tuple[int, ...]) -> tuple[int, ...]:
    """Ascending, without repeats; all five mean the same as none."""
    chosen = tuple(sorted(set(stars)))
    return () if chosen == ALL_STARS else chosen


class Sort(StrEnum):
    PRICE = "price"
    RATING = "rating"
    STARS = "stars"
    DISTANCE = "distance"
    TRADEOFFS = "tradeoffs"
    PROVIDER = "provider"


# The orders that say nothing about a few properties picked from the results.
SORTS_OF_WHOLE_RESULTS = frozenset((Sort.TRADEOFFS, Sort.PROVIDER))


class Filter(StrEnum):
    """A filter over results; the value is its parameter in the address, the order is the admin's."""

    MAX_PRICE = "max_price"
    MIN_RATING = "min_rating"
    STARS = "stars"
    TYPE = "type"
    FACILITY = "facility"
    PROVIDER = "provider"
    FREE_CANCELLATION = "free_cancellation"
    PAY_LATER = "pay_later"
    DEALS = "deals"
    NAME = "name"
    MAX_KM = "max_km"
    BBOX = "bbox"


# What an address has beside the search and its filters.
NO_FILTERS = ("sort", "near", "country", "region", "all", "per_night")
# Filters that another place, or another currency, leaves without a meaning.
FILTERS_ABOUT = {"place": ("name", "max_km", "bbox"), "currency": ("min_price", "max_price")}


def place_parts(given: Mapping[str, str]) -> dict[str, Any]:
    """The members of a Refinement by which an address tells a place from others of its name, without
    unreadable ones. Older addresses have the region in `country` (`Texas, US`)."""
    airport = given.get("near", "").strip().upper()
    where = ", ".join(filter(None, (" ".join(given.get(name, "").split()) for name in ("region", "country"))))
    around = _AROUND.fullmatch(where)
    region, country = around.groups("") if around else ("", "")
    return {"near": airport if _AIRPORT.fullmatch(airport) else "", "country": country, "region": region}


class MapArea(msgspec.Struct, frozen=True):
    """Degrees. `west` > `east` means the area crosses the date line."""

    west: float
    south: float
    east: float
    north: float

    def __str__(self) -> str:
        edges = (self.west, self.south, self.east, self.north)
        return ",".join(f"{edge:.5f}".rstrip("0").rstrip(".") for edge in edges)

    def holds(self, latitude: float, longitude: float) -> bool:
        past_west, before_east = self.west <= longitude, longitude <= self.east
        within = past_west and before_east if self.west <= self.east else past_west or before_east
        return within and self.south <= latitude <= self.north


class Refinement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sort and filters, named as in the address, which omits default values. Values of one filter are
    alternatives (OR), filters narrow each other (AND). `near` is the IATA code of the airport that distances
    are measured from; alone it filters nothing. `country` (`CR`) and, within it, `region` are those of the
    picked place; `all` asks for the results of a deeper pass. Limits of price are for the whole stay or
    `per_night`. Shared links have stored addresses with the fields in this order: it stays."""

    sort: Sort | None = None
    min_price: Decimal | None = None
    max_price: Decimal | None = None
    min_rating: Decimal | None = None
    type: tuple[str, ...] = ()
    facility: tuple[str, ...] = ()
    provider: tuple[str, ...] = ()
    free_cancellation: bool = False
    pay_later: bool = False
    deals: bool = False
    name: str = ""
    near: str = ""
    max_km: Decimal | None = None
    bbox: MapArea | None = None
    country: str = ""
    all: bool = False
    region: str = ""
    per_night: bool = False

    def values(self, name: str) -> tuple[Any, ...]:
        """The values of one field, ascending and without repeats; empty for the default."""
        value = getattr(self, name)
        if isinstance(value, tuple):
            return tuple(sorted(set(value)))
        return () if value is None or value is False or value == "" else (value,)

    def pairs(self) -> list[tuple[str, str]]:
        given = zip(self.__struct_fields__, astuple(self), self.__struct_defaults__, strict=True)
        names = [name for name, value, default in given if value is not default]
        return [(name, spelled(value)) for name in names for value in self.values(name)]

    @property
    def around(self) -> str:
        """What the picked place lies in: `CR`, `Texas, US`; empty if only its name is known."""
        return ", ".join(filter(None, (self.region, self.country)))

    @property
    def filters(self) -> Self:
        near = "" if self.max_km is None else self.near
        return self.replace(sort=None, near=near, country="", region="", all=False)

    def of_stay(self, nights: int) -> Self:
        """The same with its limits of price for the whole stay."""
        if not self.per_night:
            return self
        least, most = (limit and limit * nights for limit in (self.min_price, self.max_price))
        return self.replace(min_price=least, max_price=most, per_night=False)

    def of_night(self, nights: int) -> Self:
        """The same with its limits of price per night, in whole amounts that let no fewer hotels through."""
        if self.per_night:
            return self
        least, most = (limit and limit / nights for limit in (self.min_price, self.max_price))
        return self.replace(
            min_price=(least and least.to_integral_value(ROUND_FLOOR)) or None,
            max_price=most and most.to_integral_value(ROUND_CEILING),
            per_night=True,
        )

    @property
    def narrows(self) -> bool:
        return any(name not in NO_FILTERS for name, _ in self.pairs())

    def replace(self, **changes: Any) -> Self:
        return msgspec.structs.replace(self, **changes)

    def without(self, name: str, value: str | None = None) -> Self:
        """This refinement without one filter, or without one `value` of a filter with several."""
        current = getattr(self, name)
        if isinstance(current, tuple) and value is not None:
            return self.replace(**{name: tuple(one for one in current if one != value)})
        return self.replace(**{name: self.__struct_defaults__[self.__struct_fields__.index(name)]})


def spelled(value: object) -> str:
    """A value of a filter as the address spells it: `1` for a switch, no zeros at the end of a number."""
    if value is True:
        return "1"
    return format(value.normalize(), "f") if isinstance(value, Decimal) else str(value)
