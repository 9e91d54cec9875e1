"""What browsers and search engines ask of a site besides its pages."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control

from search.services import site

from .edge import read_only

A_DAY = 86_400


@cache_control(public=True, max_age=A_DAY)
@read_only
def manifest(request: HttpRequest) -> HttpResponse:
    """`/site.webmanifest`: the site as an app on a home screen."""
    name = site.current().site_name
    icons = [
        {"src": static("img/icon.svg"), "type": "image/svg+xml", "sizes": "any"},
        {
            "src": static("img/icon-maskable.svg"),
            "type": "image/svg+xml",
            "sizes": "any",
            "purpose": "maskable",
        },
    ]
    described = {
        "name": name,
        "short_name": name[:12].strip(),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "minimal-ui",
        "background_color": "#f6fafb",
        "theme_color": "#0b6478",
        "icons": icons,
    }
    return JsonResponse(described, content_type="application/manifest+json")


@cache_control(public=True, max_age=A_DAY)
@read_only
def robots(request: HttpRequest) -> HttpResponse:
    """`/robots.txt`: searches have no end, so crawlers stay out of them; destinations are for everybody."""
    kept_out = (reverse("admin:index"), f"{reverse('results')}?", reverse("share-links"), "/s/")
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in kept_out)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


@cache_control(public=True, max_age=A_DAY)
@read_only
def favicon(request: HttpRequest) -> HttpResponse:
    """`/favicon.ico`: where browsers look for the icon of what isn't a page of ours."""
    return HttpResponseRedirect(static("img/icon.svg"))
