"""The search of an address, for every view about one: results, other dates, progress, a property, sharing.

The order and the filters an address asks for -> Refinement. Lenient: what makes no sense asks nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.utils import timezone

from search.destinations import service as destinations
from search.domain.context import SearchContext
from search.domain.process import Deadline
from search.domain.query import FILTERS_ABOUT, Filter, Refinement, Sort, meant
from search.domain.site_settings import Site
from search.domain.text import fold
from search.gateway.errors import GatewayError
from search.web.search_form import SearchForm, StayForm
from search.web.shortcuts import View, ask_again, page_deadline, sorry, visited_site
from search.web.streaming import begun_early

from . import full_results
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
    deeper = query.get("all") == "1" and full_results.is_offered(site)
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


def for_search(
    *,
    needs_place: bool = True,
    beginning: Callable[..., str] | None = None,
    of_the_past: Callable[..., HttpResponse] | None = None,
) -> Callable[[Callable[..., HttpResponse]], View]:
    """A view that gets the SearchContext of its address after the request.

    Its visitor gets the form again where the address is no complete search, and the page that says prices are
    not available right now where the view raises GatewayError. `beginning` takes what the view takes and
    makes the page that a waiting browser sees first. `of_the_past` answers where nothing is wrong but that
    check-in has passed; it takes the request and what else the view takes.
    """

    def decorate(view: Callable[..., HttpResponse]) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            form, context = parsed(request, needs_place=needs_place)
            if context is None:
                if of_the_past and form.only_past:
                    return of_the_past(request, *args, **kwargs)
                return ask_again(request, form)

            def whole() -> HttpResponse:
                try:
                    return view(request, context, *args, **kwargs)
                except GatewayError as error:
                    return sorry(request, form, error)

            if beginning is None:
                return whole()
            return begun_early(request, whole, lambda: beginning(request, context, *args, **kwargs))

        return wrapped

    return decorate


def parsed(request: HttpRequest, *, needs_place: bool = True) -> tuple[SearchForm, SearchContext | None]:
    """The search form of the address, and what it says where the form is valid."""
    site, deadline = visited_site(request), page_deadline()
    place, country = (request.GET.get(name, "") for name in ("place", "country"))
    first_day = destinations.day_at(place, country, timezone.now(), deadline)
    form_class = SearchForm if needs_place else StayForm
    form = form_class(request.GET, site=site, today=timezone.localdate(), first_day=first_day)
    return form, context_of(form, request.GET, deadline) if form.is_valid() else None


def context_of(form: SearchForm, query: QueryDict, deadline: Deadline) -> SearchContext:
    """What a valid form asks, with the order and filters of `query`: its place as the reader knows it, and
    the airport that the text or `near` names."""
    refinement = refinement_of(query, form.site)
    search, refinement, found = destinations.resolved(form.search(), refinement, deadline)
    index = destinations.index(deadline)
    names = form.site.place_name_language
    sent_place = destinations.sent_name(found, index, names, search.market) if found else ""
    anchor = destinations.airport(refinement.near, deadline) if refinement.near else None
    context = SearchContext(
        search,
        refinement,
        form.site,
        form.today,
        deadline,
        anchor=anchor,
        mended=form.mended,
        country=found.country if found else "",
        centre=destinations.centre(found, deadline) if found else None,
        first_day=form.first_day,
        sent_place=sent_place,
    )
    # A distance from nowhere filters nothing.
    return context if context.origin else replace(context, refinement=refinement.without("max_km"))
