"""Files for browsers, search engines and security researchers, and the sandbox's drawings."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote
from xml.sax.saxutils import escape

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control

from search.destinations.browse_pages import sitemap_paths
from search.destinations.places import world
from search.gateway.factory import sandbox_photo
from search.site_settings import store
from search.web.shortcuts import View, origin_of, read_only

A_DAY = 86_400
A_YEAR = 31_536_000


def public_file(max_age: int, **more: bool) -> Callable[[View], View]:
    """A view that changes nothing; what it answers may be kept anywhere for so many seconds."""
    return lambda view: cache_control(public=True, max_age=max_age, **more)(read_only(view))


@public_file(max_age=A_DAY)
def manifest(request: HttpRequest) -> HttpResponse:
    """`/site.webmanifest`: the site as an app on a home screen."""
    name = store.current().site_name
    icon = {"src": static("img/icon.svg"), "type": "image/svg+xml", "sizes": "any"}
    described = {
        "name": name,
        "short_name": name[:12].strip(),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "minimal-ui",
        "background_color": "#f6fafb",
        "theme_color": "#0b6478",
        "icons": [icon, {**icon, "src": static("img/icon-maskable.svg"), "purpose": "maskable"}],
    }
    return JsonResponse(described, content_type="application/manifest+json")


@public_file(max_age=0)
def service_worker(request: HttpRequest) -> HttpResponse:
    """`/service-worker.js`: at the top, for it works only for addresses below its own."""
    script = Path(settings.BASE_DIR, "static/js/service-worker.js").read_bytes()
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@public_file(max_age=0)
def offline(request: HttpRequest) -> HttpResponse:
    """`/offline/`: what a browser keeps to show without a network."""
    return render(request, "offline.html", {"site": store.current()})


@public_file(max_age=A_DAY)
def robots(request: HttpRequest) -> HttpResponse:
    """`/robots.txt`: searches have no end, so crawlers stay out of them."""
    kept_out = (reverse("admin:index"), f"{reverse('results')}?", reverse("share-links"), "/s/")
    sitemap = f"{origin_of(request)}{reverse('sitemap')}"
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in kept_out), "", f"Sitemap: {sitemap}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


@public_file(max_age=A_DAY)
def security(request: HttpRequest) -> HttpResponse:
    """`/.well-known/security.txt` of RFC 9116, while the site has a contact address."""
    site = store.current()
    if not site.contact_email:
        raise Http404
    # The RFC recommends less than a year.
    expires = datetime.now(UTC).replace(microsecond=0) + timedelta(days=180)
    lines = [
        f"Contact: mailto:{quote(site.contact_email, safe='@')}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(dict.fromkeys((site.default_market[:2], 'en')))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@public_file(max_age=A_DAY)
def sitemap(request: HttpRequest) -> HttpResponse:
    """`/sitemap.xml`: the pages of destinations."""
    origin = escape(origin_of(request))
    locations = "".join(f"<url><loc>{origin}{escape(path)}</loc></url>\n" for path in sitemap_paths(world()))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    return HttpResponse(f"{head}{locations}</urlset>\n", content_type="application/xml")


@public_file(max_age=A_DAY)
def favicon(request: HttpRequest) -> HttpResponse:
    """`/favicon.ico`: for browsers that show another document than a page."""
    return HttpResponseRedirect(static("img/icon.svg"))


@public_file(max_age=A_YEAR, immutable=True)
def photo(request: HttpRequest, number: int, kind: str) -> HttpResponse:
    """`/sandbox/photos/<number>/<kind>.svg`, in sandbox mode only."""
    drawing = sandbox_photo(number, kind)
    if drawing is None:
        raise Http404
    return HttpResponse(drawing, content_type="image/svg+xml")
