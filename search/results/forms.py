"""The order and the filters an address asks for -> Refinement. Lenient: what makes no sense asks nothing."""

import re

from django.http import QueryDict

from search.domain.query import FILTERS_ABOUT, Refinement, Sort
from search.domain.site_settings import Site
from search.domain.text import fold

from .filters import FILTERS

_AIRPORT = re.compile(r"[A-Z]{3}")
_COUNTRY = re.compile(r"(?:[\w'’. -]{1,50}, )?[A-Z]{2}")


class RefineForm:
    """`query` holds the parameters of the address; equal views get equal refinements.

    Filters and orders that the site doesn't offer are ignored, as is an order that is the default anyway.
    """

    def __init__(self, query: QueryDict, *, site: Site) -> None:
        self.query = query
        self.site = site

    def refinement(self) -> Refinement:
        near = self.query.get("near", "").strip().upper()
        near = near if _AIRPORT.fullmatch(near) else ""
        values = {
            name: one.parse(self.query.getlist(name), self.site)
            for name, one in FILTERS.items()
            if one.offered(self.site)
        }
        outdated = self._outdated()
        given = {name: value for name, value in values.items() if value is not None and name not in outdated}
        country = " ".join(self.query.get("country", "").split())
        country = country if _COUNTRY.fullmatch(country) else ""
        deeper = self.query.get("all") == "1" and self.site.compare_all_limit > self.site.cap
        return Refinement(sort=self._sort(), near=near, country=country, all=deeper, **given)

    def _outdated(self) -> set[str]:
        """The filters that were chosen for another place or in another currency than the address has now."""
        return {
            name
            for parameter, names in FILTERS_ABOUT.items()
            if (before := fold(self.query.get(f"{parameter}_before", "")))
            and before != fold(self.query.get(parameter, ""))
            for name in names
        }

    def _sort(self) -> Sort | None:
        asked = self.query.get("sort", "")
        offered = next((sort for sort in self.site.sorts if sort == asked), None)
        return None if offered is self.site.default_sort else offered
