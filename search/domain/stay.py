"""The question a visitor asks: where, when, how many, how good, in which currency and market."""

from __future__ import annotations

from datetime import date
from urllib.parse import quote, urlencode

import msgspec

# The interface, section 8: check-out must be less than 28 days after check-in.
MAX_NIGHTS = 27
# Ours: the farthest check-in day that is searched, for the form and for what the form offers.
MAX_DAYS_AHEAD = 3_660
ALL_STARS = (1, 2, 3, 4, 5)


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
    """A complete search. `stars` is ascending without repeats; empty means every star rating.

    `market` is a lower-case culture code (`en-gb`), `currency` ISO 4217.
    """

    place: str
    dates: StayDates
    guests: int
    stars: tuple[int, ...]
    currency: str
    market: str

    def pairs(self) -> list[tuple[str, str]]:
        """The canonical address parameters, in their one order."""
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


def encode_pairs(pairs: list[tuple[str, str]]) -> str:
    """A query string with %20 for spaces, the form the gateway asks for and addresses keep."""
    return urlencode(pairs, quote_via=quote, safe="")


def canonical_stars(stars: list[int] | tuple[int, ...]) -> tuple[int, ...]:
    """Ascending, without repeats; all five mean the same as none."""
    chosen = tuple(sorted(set(stars)))
    return () if chosen == ALL_STARS else chosen
