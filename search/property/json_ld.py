"""What search engines read of a property: a schema.org Hotel with its offers, and the way to it."""

import json
import re
from collections.abc import Iterable
from typing import Any

from search.domain.context import SearchContext
from search.domain.hotels import Property
from search.domain.offers import PricedOffer
from search.results.listings import FoundProperty
from search.web.labels import property_name
from search.web.links import home_path, property_path, results_path
from search.web.photos import photo_addresses

MOST_IMAGES = 6
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_ONLY_TIMES = re.compile(rf"{_TIME.pattern}(?:\s*[-\u2013\u2014]\s*{_TIME.pattern})?", re.ASCII)
# The same characters as Django's json_script: the text can't end its script element.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}

Json = dict[str, Any]


def structured_data(
    context: SearchContext, found: FoundProperty, amenities: Iterable[str], stay: str, origin: str, path: str
) -> str:
    """JSON-LD, escaped for a script. `amenities` are its facilities as the page names them, `stay` says in
    words what the prices are for, `path` is the page's own.

    What isn't known is absent: no time until when a price holds, and no rating, which would have to say how
    many guests gave it.
    """
    graph = [_hotel(context, found, amenities, stay, origin, path), _breadcrumb(context, found, origin, path)]
    document = {"@context": "https://schema.org", "@graph": graph}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def _hotel(
    context: SearchContext, found: FoundProperty, amenities: Iterable[str], stay: str, origin: str, path: str
) -> Json:
    building, details = found.building, found.details
    photos = photo_addresses(building.images)[:MOST_IMAGES]
    return _filled({
        "@type": "Hotel",
        "name": property_name(building),
        "description": building.description,
        "url": f"{origin}{path}",
        "image": [f"{origin}{one}" if one.startswith("/") else one for one in photos],
        **_place(building),
        "starRating": building.stars and {"@type": "Rating", "ratingValue": str(building.stars)},
        "checkinTime": next(iter(_clock_times(details.check_in_time)), ""),
        "checkoutTime": next(iter(_clock_times(details.check_out_time)[::-1]), ""),
        "amenityFeature": [
            {"@type": "LocationFeatureSpecification", "name": text, "value": True} for text in amenities
        ],
        "makesOffer": _offers(context, found, stay, origin),
    })  # fmt: skip


def _place(building: Property) -> Json:
    at = building.coordinates
    address = _filled({
        "streetAddress": building.address,
        "addressLocality": building.city,
        "addressCountry": building.country.upper(),
    })  # fmt: skip
    return {
        "address": address and {"@type": "PostalAddress", **address},
        "geo": at and {"@type": "GeoCoordinates", "latitude": at.latitude, "longitude": at.longitude},
    }


def _offers(context: SearchContext, found: FoundProperty, stay: str, origin: str) -> list[Json]:
    """Each whole total; none of an older answer, which may not hold any more."""
    if found.stale:
        return []
    offers = [_offer(context, priced, stay, origin) for priced in found.offers or ()]
    return [offer for offer in offers if offer]


def _offer(context: SearchContext, priced: PricedOffer, stay: str, origin: str) -> Json:
    total, offer = priced.total, priced.offer
    if total is None or not total.complete:
        return {}
    path = property_path(offer.provider, offer.property_id)
    return _filled({
        "@type": "Offer",
        "name": offer.rate,
        "description": stay,
        "price": total.total.plain,
        "priceCurrency": total.total.currency,
        "url": f"{origin}{path}?{context.search.query_string()}",
        "seller": {"@type": "Organization", "name": context.site.provider_label(offer.provider)},
    })  # fmt: skip


def _breadcrumb(context: SearchContext, found: FoundProperty, origin: str, path: str) -> Json:
    """Home, the results, this page."""
    search = context.search
    trail = [
        (context.site.site_name, home_path(search.market)),
        (search.place, results_path(search)),
        (property_name(found.building), path),
    ]
    named = [(name, address) for name, address in trail if name]
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": position, "name": name, "item": f"{origin}{address}"}
            for position, (name, address) in enumerate(named, 1)
        ],
    }


def _clock_times(lines: tuple[str, ...]) -> list[str]:
    """`15:00`, `23:00` of `15:00 – 23:00`; none where the lines say anything else."""
    text = " ".join(lines)
    return _TIME.findall(text) if _ONLY_TIMES.fullmatch(text) else []


def _filled(data: Json) -> Json:
    return {name: value for name, value in data.items() if value}
