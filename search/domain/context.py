"""What every page about a search works with: the search, the site, the day and the time left."""

from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any, Self

import msgspec

from .hotels import Airport, Coordinates
from .process import Deadline
from .query import Refinement, Sort, StaySearch
from .site_settings import Site


@dataclass(frozen=True)
class SearchContext:
    """`anchor` is the airport that `refinement.near` names, None without one or for an unknown one. `mended`:
    the check-out of the address wasn't after check-in, and the search has another one. `country` is the
    lower-case code of the place's country, `centre` the middle of a city; empty and None if unknown, and for
    a region or a country there is no centre. `first_day` is the earliest check-in. `sent_place` is the name
    that the gateway is asked for, empty if it is the same. `instead` is the search where that finds nothing.
    `reader_market` gives the page's formats, empty for the market of the search."""

    search: StaySearch
    refinement: Refinement
    site: Site
    today: date
    deadline: Deadline
    anchor: Airport | None = None
    mended: bool = False
    country: str = ""
    centre: Coordinates | None = None
    first_day: date | None = None
    sent_place: str = ""
    instead: Self | None = None
    reader_market: str = ""

    @property
    def sent(self) -> StaySearch:
        """The search as the gateway is asked."""
        return msgspec.structs.replace(self.search, place=self.sent_place or self.search.place)

    @property
    def day(self) -> date:
        """Today at the site or, east of it, at the place."""
        return max(self.today, self.first_day or self.today)

    @property
    def origin(self) -> Coordinates | None:
        """The chosen airport, else the centre of the place: distances are measured from it."""
        return self.anchor.coordinates if self.anchor and self.anchor.coordinates else self.centre

    @property
    def sort(self) -> Sort:
        return self.refinement.sort or self.site.default_sort

    @cached_property
    def blocked(self) -> frozenset[str]:
        return self.site.blocked_keys(self.today)

    @cached_property
    def disabled(self) -> frozenset[str]:
        return self.site.disabled_providers

    def with_search(self, **changes: Any) -> Self:
        """The same page for a search with other values in these fields."""
        search = msgspec.structs.replace(self.search, **changes)
        sent_place = self.sent_place if search.place == self.search.place else ""
        return replace(self, search=search, sent_place=sent_place)
