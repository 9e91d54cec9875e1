"""Every address of the app."""

from django.urls import URLPattern, path, re_path, register_converter
from django.views.generic import RedirectView

from . import public_files
from .compare import views as compare
from .destinations import views as destinations
from .monitoring import hand_overs
from .property import views as property
from .results import views as results
from .results.tiles import place_tiles
from .sharing import staff, watch_views
from .sharing import views as sharing
from .sharing.models import CODE
from .web import links

register_converter(links.ProviderCode, "provider")
register_converter(links.Identifier, "identifier")

# Rooms know only those before them: the tiles of destinations show what results have.
TILES = {"fill_tiles": place_tiles}

urlpatterns: list[URLPattern] = [
    path("", destinations.home, TILES, name="home"),
    path("hotels/", results.results, name="results"),
    path("hotels/dates/", results.dates, name="dates"),
    path("hotels/dates/totals/", results.dates_as_they_come, name="dates-as-they-come"),
    path("hotels/map/", results.map_pins, name="map-pins"),
    path("hotels/map-cards/", results.map_cards, name="map-cards"),
    path("hotels/all/", results.compare_all, name="compare-all"),
    path("hotels/progress/", results.progress, name="progress"),
    path("hotels/<provider:provider>/<identifier:property_id>/", property.property_page, name="property"),
    path("compare/", compare.compare, name="compare"),
    path("shortlist/", compare.shortlist, name="shortlist"),
    path("destinations/", destinations.browse, TILES, name="destinations"),
    path("destinations/from/<str:code>/", destinations.fly_from, name="fly-from"),
    path("destinations/<str:code>/", destinations.country, TILES, name="country"),
    path("destinations/<str:code>/<slug:region>/", destinations.country, TILES, name="region"),
    path(
        "map/ground/<str:version>/<str:language>/<int:level>/<int:x>/<int:y>.json",
        destinations.ground_tile,
        name="ground-tile",
    ),
    # A link at the end of a sentence, in brackets or in quotes takes their signs along.
    re_path(
        rf"^s/(?P<code>{CODE})/?(?:[^\w/]|_)+/?$",
        RedirectView.as_view(pattern_name="shared", query_string=True),
    ),
    path("s/<str:code>/", sharing.shared, name="shared"),
    path("s/<str:code>/compare/", sharing.compare, name="shared-compare"),
    path("watch/hotels/<provider:provider>/<identifier:property_id>/", watch_views.begin, name="watch-begin"),
    path("watch/<str:address>/", watch_views.page, name="watch"),
    path("watch/<str:address>/totals.atom", watch_views.feed, name="watch-feed"),
    path("watch/<str:address>/stay.ics", watch_views.calendar_file, name="watch-calendar"),
    path("watch/<str:address>/stop/", watch_views.stop, name="watch-stop"),
    path("share/hotels.csv", staff.export, name="export"),
    path("share/dates.csv", staff.export_dates, name="export-dates"),
    path("share/hotels/", staff.share_results, name="share-results"),
    path(
        "share/hotels/<provider:provider>/<identifier:property_id>/",
        staff.share_property,
        name="share-property",
    ),
    path("share/links/", staff.links, name="share-links"),
    path("share/links/<str:code>/", staff.link, name="share-link"),
    path("share/links/<str:code>/hotels.csv", staff.export_link, name="export-link"),
    path("share/links/<str:code>/watch/", staff.watch, name="share-watch"),
    path("share/links/<str:code>/revoke/", staff.press, {"button": "revoke"}, "share-revoke"),
    path("share/links/<str:code>/restore/", staff.press, {"button": "restore"}, "share-restore"),
    path("share/links/<str:code>/extend/", staff.press, {"button": "extend"}, "share-extend"),
    path("hand-over/", hand_overs.count, name="hand-over"),
    path("site.webmanifest", public_files.manifest, name="manifest"),
    path("service-worker.js", public_files.service_worker, name="service-worker"),
    path("offline/", public_files.offline, name="offline"),
    path("favicon.ico", public_files.favicon, name="favicon"),
    path("sitemap.xml", public_files.sitemap, name="sitemap"),
    path(".well-known/security.txt", public_files.security, name="security"),
    path("robots.txt", public_files.robots, name="robots"),
    path("sandbox/photos/<int:number>/<slug:kind>.svg", public_files.photo, name="photo"),
]
