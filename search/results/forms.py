"""The order and the filters an address asks for -> Refinement. Lenient: what makes no sense asks nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from django.http import QueryDict

from search.domain.query import MapArea, Refinement, Sort
from search.domain.site_settings import Filter, Site
from search.domain.text import fold

MAX_VALUES = 30
MAX_CODE = 80
MAX_NAME = 100
MAX_NUMBER = Decimal(1_000_000_000)

_CODE = re.compile(rf"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{{1,{MAX_CODE}}}")
_NUMBER = re.compile(r"[0-9]{1,10}(\.[0-9]{1,4})?", re.ASCII)
_DEGREES = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,12})?", re.ASCII)
_AIRPORT = re.compile(r"[A-Z]{3}")


class RefineForm:
    """`query` holds the parameters of the address; equal views get equal refinements.

    Filters and orders that the site doesn't offer are ignored, as is an order that is the default anyway
    and a distance from no airport.
    """

    def __init__(self, query: QueryDict, *, site: Site) -> None:
        self.query = query
        self.site = site

    def refinement(self) -> Refinement:
        near = self.query.get("near", "").strip().upper()
        near = near if _AIRPORT.fullmatch(near) else ""
        values = {name.value: self._value(name) for name in self.site.filters if name is not Filter.STARS}
        if not near:
            values.pop("max_km", None)
        return Refinement(
            sort=self._sort(),
            near=near,
            **{name: value for name, value in values.items() if value is not None},
        )

    def _sort(self) -> Sort | None:
        asked = self.query.get("sort", "")
        offered = next((sort for sort in self.site.sorts if sort == asked), None)
        return None if offered is self.site.default_sort else offered

    def _value(self, name: Filter) -> Any:
        """The filter's value, None when the address doesn't set it or sets nonsense."""
        given = self.query.getlist(name.value)
        if name in _SEVERAL:
            return _codes(given)
        return _SINGLE[name](given[-1].strip()) if given else None


def _codes(given: Iterable[str]) -> tuple[str, ...]:
    found = {code.strip() for code in given if _CODE.fullmatch(code.strip())}
    return tuple(sorted(found)[:MAX_VALUES])


def _amount(text: str) -> Decimal | None:
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number.normalize() if number <= MAX_NUMBER else None


def _positive(text: str) -> Decimal | None:
    return _amount(text) or None


def _switch(text: str) -> bool | None:
    return True if text == "1" else None


def _name(text: str) -> str | None:
    words = " ".join(text.split())
    fits = len(words) <= MAX_NAME and all(_CODE.fullmatch(word) for word in words.split())
    return words if fits and fold(words) else None


def _area(text: str) -> MapArea | None:
    """`west,south,east,north` in degrees; five decimals are a metre, more would only split addresses."""
    parts = text.split(",")
    if len(parts) != 4 or not all(_DEGREES.fullmatch(part) for part in parts):
        return None
    west, south, east, north = (round(float(part), 5) + 0.0 for part in parts)
    if not (-90 <= south < north <= 90 and -180 <= west <= 180 and -180 <= east <= 180 and west != east):
        return None
    return MapArea(west=west, south=south, east=east, north=north)


_SEVERAL = (Filter.TYPE, Filter.FACILITY, Filter.PROVIDER)
_SINGLE: dict[Filter, Callable[[str], Any]] = {
    Filter.MAX_PRICE: _positive,
    Filter.MIN_RATING: _positive,
    Filter.FREE_CANCELLATION: _switch,
    Filter.PAY_LATER: _switch,
    Filter.DEALS: _switch,
    Filter.NAME: _name,
    Filter.MAX_KM: _positive,
    Filter.BBOX: _area,
}
