"""Every address of the app."""

from django.urls import URLPattern, path, register_converter

from . import home, styleguide
from . import public_files as photos
from . import public_files as site_files
from .destinations import views as destinations
from .property import views as property
from .results import views as nearby_dates
from .results import views as progress
from .results import views as results
from .sharing import staff_views as export
from .sharing import staff_views as sharing
from .sharing import views as shared
from .web import converters

register_converter(converters.ProviderCode, "provider")
register_converter(converters.Identifier, "identifier")

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("hotels/", results.results, name="results"),
    path("hotels/dates/", nearby_dates.dates, name="nearby-dates"),
    path("hotels/progress/", progress.progress, name="progress"),
    path("hotels/<provider:provider>/<identifier:property_id>/", property.property_page, name="property"),
    path("destinations/", destinations.browse, name="destinations"),
    path("destinations/from/<str:code>/", destinations.fly_from, name="fly-from"),
    path("s/<str:code>/", shared.shared, name="shared"),
    path("s/<str:code>/compare/", shared.compare, name="shared-compare"),
    path("share/hotels.csv", export.export, name="export"),
    path("share/hotels/", sharing.share_results, name="share-results"),
    path(
        "share/hotels/<provider:provider>/<identifier:property_id>/",
        sharing.share_property,
        name="share-property",
    ),
    path("share/links/", sharing.links, name="share-links"),
    path("share/links/<str:code>/", sharing.link, name="share-link"),
    path("share/links/<str:code>/hotels.csv", export.export_link, name="export-link"),
    path("share/links/<str:code>/revoke/", sharing.revoke, name="share-revoke"),
    path("share/links/<str:code>/extend/", sharing.extend, name="share-extend"),
    path("site.webmanifest", site_files.manifest, name="manifest"),
    path("favicon.ico", site_files.favicon, name="favicon"),
    path("robots.txt", site_files.robots, name="robots"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
    path("sandbox/photos/<int:number>/<slug:kind>.svg", photos.photo, name="photo"),
]
