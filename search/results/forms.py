"""The order and the filters an address asks for -> Refinement. Lenient: what makes no sense asks nothing."""

from django.http import QueryDict

from search.domain.query import FILTERS_ABOUT, Filter, Refinement, Sort, meant
from search.domain.site_settings import Site
from search.domain.text import fold

from . import compare_all
from .filters import FILTERS, MIN_PRICE


def refinement_of(query: QueryDict, site: Site) -> Refinement:
    """What the parameters of an address ask; equal views get equal refinements.

    Filters and orders that the site doesn't offer are ignored, as is an order that is the default anyway.
    Price limits that were given the wrong way round are taken the other way.
    """
    near, country = meant(query.get("near", ""), query.get("country", ""))
    offered = {name: one for name, one in FILTERS.items() if one.offered(site)}
    values = {name: one.parse(query.getlist(name), site) for name, one in offered.items()}
    dropped = _about_another_search(query)
    given = {name: value for name, value in values.items() if value is not None and name not in dropped}
    least, most = given.get(MIN_PRICE), given.get(Filter.MAX_PRICE)
    if least and most and least > most:
        given |= {MIN_PRICE: most, Filter.MAX_PRICE: least}
    deeper = query.get("all") == "1" and compare_all.is_offered(site)
    return Refinement(sort=_sort(query, site), near=near, country=country, all=deeper, **given)


def _about_another_search(query: QueryDict) -> set[str]:
    """The filters that were chosen for another place or in another currency than the address has now."""
    return {
        name
        for parameter, names in FILTERS_ABOUT.items()
        if (before := fold(query.get(f"{parameter}_before", ""))) and before != fold(query.get(parameter, ""))
        for name in names
    }


def _sort(query: QueryDict, site: Site) -> Sort | None:
    offered = next((sort for sort in site.sorts if sort == query.get("sort", "")), None)
    return None if offered is site.default_sort else offered
