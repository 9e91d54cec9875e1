"""`/s/<code>/`: what a recipient of a shared link sees, without signing in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.timezone import localdate
from django.views.decorators.http import require_safe

from search.domain.sharing import Link, LinkKind, LinkState, read_search
from search.forms.refine import RefineForm
from search.forms.search import SearchForm
from search.pages.shared import SharedPage
from search.pages.shared_ended import EndedPage
from search.services import destinations, link_guesses, link_opens, shared_stays, sharing, site

from .edge import is_staff, page_deadline
from .reading import is_reading

HEADERS = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}

View = Callable[..., HttpResponse]


def confidential(view: View) -> View:
    """Whatever the answer, its address is told to nobody and no copy of it is kept."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        for name, value in HEADERS.items():
            response[name] = value
        return response

    return guarded


def visitor_address(request: HttpRequest) -> str:
    """Who asks, by the same rule as the throttle of the sign-in page."""
    return str(import_string(settings.AXES_CLIENT_IP_CALLABLE)(request))


@confidential
@require_safe
def shared(request: HttpRequest, code: str) -> HttpResponse:
    address = visitor_address(request)
    if link_guesses.is_blocked(address):
        response = render(request, "429.html", status=429)
        response["Retry-After"] = str(link_guesses.WINDOW_SECONDS)
        return response
    try:
        link = sharing.opened(code)
    except sharing.NoSuchLink:
        link_guesses.note_miss(address)
        return render(request, "404.html", status=404)
    state = link.state(localdate())
    if state is not LinkState.LIVE:
        return ended(request, link, state)
    response = _live(request, link)
    if response.status_code == 200 and is_reading(request) and not is_staff(request):
        browser = request.headers.get("User-Agent", "")
        link_opens.count_open(link.code, address=address, browser=browser, now=timezone.now())
    return response


def ended(request: HttpRequest, link: Link, state: LinkState) -> HttpResponse:
    """The page of a link that is over, with its search filled in (status 410)."""
    settled, today = site.current(), localdate()
    query = QueryDict(link.shared.search, mutable=True)
    if link.check_in < today:
        query.pop("checkin")
        query.pop("checkout")
    form = SearchForm(query, site=settled, today=today, bind=False)
    context = {
        "page": EndedPage.build(state),
        "form": form,
        "site": settled,
        "airport_options": destinations.known_datalist(),
    }
    return render(request, "search/shared_ended.html", context, status=410)


def _live(request: HttpRequest, link: Link) -> HttpResponse:
    settled, today, deadline = site.current(), localdate(), page_deadline()
    of_property = link.shared.kind is LinkKind.PROPERTY
    form = SearchForm(QueryDict(link.shared.search), site=settled, today=today, needs_place=not of_property)
    refinement = RefineForm(QueryDict(link.shared.refinement), site=settled).refinement()
    can_search = form.is_valid()
    search = form.search() if can_search else read_search(link.shared.search)
    looked_up = shared_stays.NOTHING
    if can_search and search.place:
        looked_up = shared_stays.look_up(
            frozenset(one.key for one in link.snapshot).__contains__,
            search,
            refinement,
            pages=frozenset(one.page for one in link.snapshot),
            site=settled,
            today=today,
            deadline=deadline,
        )
    page = SharedPage.build(
        link,
        shared_stays.then_and_now(link.snapshot, looked_up, settled.blocked_keys(today)),
        search,
        refinement,
        settled,
        anchor=looked_up.anchor,
        fetched_at=looked_up.fetched_at,
        stale=looked_up.stale,
        can_search=can_search,
        address=request.build_absolute_uri("/").rstrip("/"),
    )
    return render(request, "search/shared.html", {"page": page, "site": settled})
