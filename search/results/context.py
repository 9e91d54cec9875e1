"""From an address to its SearchContext, for every view about a search: results, other dates, progress, a
property, sharing.
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
from search.domain.query import FILTERS_ABOUT, Filter, Refinement, place_parts
from search.domain.site_settings import Site
from search.domain.words import fold
from search.gateway import GatewayError
from search.web.search_form import SearchForm, StayForm
from search.web.shortcuts import Sources, View, ask_again, cacheable, page_deadline, sorry, visited_site
from search.web.streaming import begun_early

from . import full_results
from .filters import FILTERS, MIN_PRICE


def refinement_of(query: QueryDict, site: Site) -> Refinement:
    """The order and the filters of an address, without nonsense, what the site doesn't offer, and the
    default order. Price limits the wrong way round change places."""
    deeper = query.get("all") == "1" and full_results.is_offered(site)
    sort = next((sort for sort in site.sorts if sort == query.get("sort", "")), None)
    if sort is site.default_sort:
        sort = None
    per_night = query.get("per_night") == "1" and Filter.MAX_PRICE in site.filters
    chosen = {**place_parts(query), **_filters_of(query, site)}
    return Refinement(sort=sort, all=deeper, per_night=per_night, **chosen)


def _filters_of(query: QueryDict, site: Site) -> dict[str, Any]:
    dropped = _dropped(query)
    offered = {name: one for name, one in FILTERS.items() if name not in dropped and one.offered(site)}
    values = {name: one.parse(query.getlist(name), site) for name, one in offered.items()}
    least, most = values.get(MIN_PRICE), values.get(Filter.MAX_PRICE)
    if least and most and least > most:
        values |= {MIN_PRICE: most, Filter.MAX_PRICE: least}
    return {name: value for name, value in values.items() if value is not None}


def _dropped(query: QueryDict) -> set[str]:
    """The filters that were chosen for another place or currency than the address has."""
    changed = (
        names
        for about, names in FILTERS_ABOUT.items()
        if fold(query.get(f"{about}_before", "")) not in ("", fold(query.get(about, "")))
    )
    return {name for names in changed for name in names}


def for_search(
    *,
    needs_place: bool = True,
    beginning: Callable[..., str] | None = None,
    sources: Callable[..., Sources | None] | None = None,
    of_the_past: Callable[..., HttpResponse] | None = None,
) -> Callable[[Callable[..., HttpResponse]], View]:
    """A view that gets the SearchContext of its address; the form again where that is no complete search.
    `beginning` makes the page that a waiting browser sees first, `sources` tells what the page is made of
    where nothing newer is due, `of_the_past` responds if only the check-in has passed."""

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

            made_of = sources(request, context, *args, **kwargs) if sources else None
            if made_of or beginning is None:
                return cacheable(request, context.site, made_of, whole)
            return begun_early(request, whole, lambda: beginning(request, context, *args, **kwargs))

        return wrapped

    return decorate


def parsed(request: HttpRequest, *, needs_place: bool = True) -> tuple[SearchForm, SearchContext | None]:
    site, deadline = visited_site(request), page_deadline()
    place, around = request.GET.get("place", ""), Refinement(**place_parts(request.GET)).around
    first_day = destinations.day_at(place, around, timezone.now(), deadline)
    form_class = SearchForm if needs_place else StayForm
    form = form_class(request.GET, site=site, today=timezone.localdate(), first_day=first_day)
    return form, context_of(form, request.GET, deadline) if form.is_valid() else None


def context_of(form: SearchForm, query: QueryDict, deadline: Deadline) -> SearchContext:
    """The context of a valid form and of the order and filters of `query`: with the place under its usual
    name, and with the airport that the text or `near` names."""
    refinement = refinement_of(query, form.site)
    search, refinement, destination = destinations.resolved(form.search(), refinement, deadline)
    index, names = destinations.index(deadline), form.site.place_name_language
    sent_place = destinations.sent_name(destination, index, names, search.market) if destination else ""
    anchor = destinations.airport(refinement.near, deadline) if refinement.near else None
    context = SearchContext(
        search,
        refinement,
        form.site,
        form.today,
        deadline,
        anchor=anchor,
        mended=form.mended,
        country=destination.country if destination else "",
        centre=destinations.centre(destination, deadline) if destination else None,
        first_day=form.first_day,
        sent_place=sent_place,
    )
    context = replace(context, instead=_instead(form, query, context, known=destination is not None))
    if context.instead and full_results.found_nothing(context):
        context = context.instead
    # A distance from nowhere filters nothing.
    return context if context.origin else replace(context, refinement=context.refinement.without("max_km"))


def _instead(
    form: SearchForm, query: QueryDict, context: SearchContext, *, known: bool
) -> SearchContext | None:
    """What is searched where nothing is found: the place as it was typed or, where the text is no place, the
    hotels of a name in the place that the text ends or begins with."""
    typed = form.search().place
    if known:
        # A name with its country or its airport's code is no name in another language.
        is_other = not any(mark in typed for mark in ",(") and fold(typed) != fold(context.sent.place)
        return replace(context.with_search(place=typed), sent_place="") if is_other else None
    place, name = destinations.hotel_in_place(typed, context.deadline)
    if not place or query.get(Filter.NAME) or not FILTERS[Filter.NAME].offered(form.site):
        return None
    within = query.copy()
    within["place"], within[Filter.NAME] = place, name
    in_place = type(form)(within, site=form.site, today=form.today, first_day=form.first_day)
    return context_of(in_place, within, context.deadline) if in_place.is_valid() else None
