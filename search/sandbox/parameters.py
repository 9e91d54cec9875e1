"""Query parameters, read as strictly as an honest service reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qs

from search.sandbox.pricing import CURRENCIES, Stay
from search.sandbox.weather import Weather

DEFAULT_SIZE = 20
LONGEST_STAY = 27
MOST_GUESTS = 30
_LAST_PAGE = 10_000_000
_MARKET = r"[a-z]{2,3}(-[a-z]{4})?-[a-z]{2}"


class BadParameter(Exception):
    """A parameter that is missing or can't be understood."""

    def __init__(self, parameter: str, reason: str) -> None:
        super().__init__(f"{parameter}: {reason}")
        self.parameter = parameter
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Paging:
    """Which results: `count` of them from position `first`, on page `page` counted from 0."""

    first: int
    count: int
    page: int


class Query:
    """The parameters of one request; each is asked for once, by name."""

    def __init__(self, query_string: str, weather: Weather, asked: date) -> None:
        try:
            self._values = parse_qs(query_string, keep_blank_values=True, max_num_fields=200)
        except ValueError:
            raise BadParameter("query", "has too many parameters") from None
        self._weather = weather
        self._asked = asked

    def optional(self, name: str) -> str | None:
        """The only value of a parameter, or None if it isn't there."""
        values = self._values.get(name, [])
        if len(values) > 1:
            raise BadParameter(name, "is given more than once")
        return values[0] if values else None

    def required(self, name: str) -> str:
        """The only value of a parameter that must be there."""
        value = self.optional(name)
        if value is None or not value.strip():
            raise BadParameter(name, "is missing")
        return value

    def stay(self) -> Stay:
        """Dates, guests, currency and market: what both accommodation calls share."""
        checkin, checkout = self._date("checkinDate"), self._date("checkoutDate")
        nights = (checkout - checkin).days
        if nights < 1:
            raise BadParameter("checkoutDate", "must be after checkinDate")
        if nights > LONGEST_STAY:
            raise BadParameter("checkoutDate", "must be less than 28 days after checkinDate")
        return Stay(
            checkin=checkin,
            checkout=checkout,
            guests=self._whole("roomAllocations", self.required("roomAllocations"), 1, MOST_GUESTS),
            currency=self._currency(),
            market=self._matching("market", _MARKET, "a culture code such as en-gb"),
            moved=self._weather.prices,
            nightly=self._weather.nightly,
            asked=self._asked,
        )

    def stars(self) -> frozenset[int]:
        """Star ratings asked for, in a style that the weather accepts: "4", "4,5" or repeated."""
        values = self._values.get("categories", [])
        if not any(value.strip() for value in values):
            raise BadParameter("categories", "is missing")
        style = self._weather.categories
        if len(values) > 1 and style in ("comma", "single"):
            raise BadParameter("categories", "is given more than once")
        if style in ("repeat", "single") and any("," in value for value in values):
            raise BadParameter("categories", "must be one whole number")
        parts = [part.strip() for value in values for part in value.split(",")]
        return frozenset(self._whole("categories", part, 1, 5) for part in parts)

    def paging(self) -> Paging:
        """The page asked for; a size above the largest is cut to it or refused."""
        first_page = self._weather.page_from
        size = self._whole("size", self.optional("size") or str(DEFAULT_SIZE), 1, _LAST_PAGE)
        page = self._whole("page", self.optional("page") or str(first_page), first_page, _LAST_PAGE)
        largest = self._weather.max_size
        if size > largest and self._weather.too_large == "refused":
            raise BadParameter("size", f"must be a whole number from 1 to {largest}")
        count = min(size, largest)
        return Paging((page - first_page) * count, count, page - first_page)

    def _date(self, name: str) -> date:
        value = self._matching(name, r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date such as 2030-05-01")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise BadParameter(name, "is not a day of the calendar") from None

    def _currency(self) -> str:
        value = self._matching("currencyCode", r"[A-Z]{3}", "three capital letters")
        if value not in CURRENCIES:
            raise BadParameter("currencyCode", "is not a currency offered here")
        return value

    def _matching(self, name: str, pattern: str, wanted: str) -> str:
        value = self.required(name)
        if not re.fullmatch(pattern, value):
            raise BadParameter(name, f"must be {wanted}")
        return value

    @staticmethod
    def _whole(name: str, value: str, least: int, most: int) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value) or not least <= int(value) <= most:
            raise BadParameter(name, f"must be a whole number from {least} to {most}")
        return int(value)
