"""schema.org data of a property, as JSON-LD."""

from __future__ import annotations

import json
from typing import Any

from search.domain.hotels import Property
from search.results.listings import FoundProperty
from search.web.labels import property_name
from search.web.photos import photo_addresses

# The same characters as Django's json_script: the text can't end its script element.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}
MOST_IMAGES = 6


def hotel_data(found: FoundProperty) -> str:
    """A schema.org Hotel. It carries no price: prices belong to a stay, not to a hotel."""
    building = found.building
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Hotel",
        "name": property_name(building),
        "description": building.description,
        "image": [one for one in photo_addresses(building.images) if one.startswith("https://")][
            :MOST_IMAGES
        ],
        "address": _address(building),
        "geo": _geo(building),
        "starRating": {"@type": "Rating", "ratingValue": str(building.stars)} if building.stars else None,
        "checkinTime": ", ".join(found.details.check_in_time),
        "checkoutTime": ", ".join(found.details.check_out_time),
        "amenityFeature": [
            {"@type": "LocationFeatureSpecification", "name": text, "value": True}
            for text in found.details.facilities
        ],
    }
    filled = {name: value for name, value in data.items() if value}
    return json.dumps(filled, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def _address(building: Property) -> dict[str, str]:
    parts = {
        "streetAddress": building.address,
        "addressLocality": building.city,
        "addressCountry": building.country.upper(),
    }
    return {"@type": "PostalAddress", **{name: text for name, text in parts.items() if text}}


def _geo(building: Property) -> dict[str, Any] | None:
    at = building.coordinates
    return {"@type": "GeoCoordinates", "latitude": at.latitude, "longitude": at.longitude} if at else None
