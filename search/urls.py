"""Every address of the app."""

from django.urls import URLPattern, path, register_converter

from . import converters
from .views import destinations, home, photos, property, results

register_converter(converters.ProviderCode, "provider")
register_converter(converters.Identifier, "identifier")

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("hotels/", results.results, name="results"),
    path("hotels/<provider:provider>/<identifier:property_id>/", property.property_page, name="property"),
    path("destinations/", destinations.browse, name="destinations"),
    path("destinations/from/<str:code>/", destinations.fly_from, name="fly-from"),
    path("sandbox/photos/<int:number>/<slug:kind>.svg", photos.photo, name="photo"),
]
