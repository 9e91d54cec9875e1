"""Pages with site settings that nobody saved: the request that asks for one brings them along.

`site_of` is where a page gets its settings from; all that is cached on the way is keyed by them, or made
without them.
"""

from copy import copy
from dataclasses import dataclass
from typing import cast

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import resolve

from search.domain.site_settings import Site
from search.site_settings import store


@dataclass(frozen=True, slots=True)
class Preview:
    """Parameters of components/preview_strip.html: the settings of one page, and in words how they differ
    from the saved ones."""

    site: Site
    differences: tuple[str, ...]

    def request_for(self, address: str, request: HttpRequest) -> HttpRequest:
        """A request of the same sender for the page at this address of ours, with these settings."""
        path, _mark, query = address.partition("?")
        asked = copy(request)
        asked.method, asked.path, asked.path_info = "GET", path, path
        asked.META = {**request.META, "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query}
        asked.GET, asked.POST = QueryDict(query), QueryDict()
        asked.preview = self  # type: ignore[attr-defined]
        return asked


def answer(asked: HttpRequest) -> HttpResponse:
    """The page that a request of `Preview.request_for` asks for."""
    match = resolve(asked.path)
    return cast(HttpResponse, match.func(asked, *match.args, **match.kwargs))


def preview_of(request: HttpRequest) -> Preview | None:
    """None for every page but a preview."""
    return getattr(request, "preview", None)


def site_of(request: HttpRequest) -> Site:
    """The settings that a page is made with: those it previews, else the saved ones."""
    preview = preview_of(request)
    return preview.site if preview else store.current()
