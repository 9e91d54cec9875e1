"""`/sandbox/photos/<number>/<kind>.svg`: the sandbox's drawings, in sandbox mode only."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from search.services import photos

from .edge import read_only

A_YEAR = 31_536_000


@read_only
def photo(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    drawing = photos.sandbox_photo(number, kind)
    if drawing is None:
        raise Http404
    response = HttpResponse(drawing, content_type="image/svg+xml")
    response["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    return response
