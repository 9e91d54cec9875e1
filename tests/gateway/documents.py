"""Documents of the gateway as Python objects, complete by default; tests change a member."""

from __future__ import annotations

import json
from typing import Any

from search.domain.offers import PriceRules
from search.gateway.search_page import Outline
from search.results.index import Row, row_of
from tests import builders as build


def triple(value: Any, currency: str = "EUR", **members: Any) -> dict[str, Any]:
    return {
        "customerPrice": {"value": value, "currencyCode": currency},
        "propertyPrice": None,
        "travelCredit": None,
        **members,
    }


def an_offer(**changes: Any) -> dict[str, Any]:
    return {
        "providerId": "ACME",
        "providerPropertyId": "77",
        "minPrice": a_min_price(),
        "facilities": [{"id": None, "description": None, "type": "FREE_WIFI", "availability": "ROOM"}],
        "freeCancellation": True,
        "allotment": None,
        **changes,
    }


def a_min_price(**changes: Any) -> dict[str, Any]:
    return {
        "price": triple(390),
        "travelCredit": triple(None, travelCredit={"value": 19.5, "currencyCode": "EUR"}),
        "originalPrice": triple(433.33),
        "deposit": None,
        "paymentMode": "PAY_LATER",
        "promoType": "REGULAR_PROMOTION",
        "surcharges": [{"type": "TAX_AND_FEES", "price": triple(22.6)}],
        "rateDescription": "Double room",
        "discountPercentage": 10,
        **changes,
    }


def a_summary(**changes: Any) -> dict[str, Any]:
    return {
        "providerId": "ACME",
        "ryanairId": "a1b2c3",
        "id": "77",
        "name": "Hotel Miramar",
        "description": "By the sea.\nWith a garden.",
        "address": "1 Harbour Street",
        "location": {"city": "Porto"},
        "countryCode": "pt",
        "coordinates": {"longitude": -8.61, "latitude": 41.15},
        "category": 4,
        "rating": {"value": 8.4, "code": "VERY_GOOD"},
        "images": ["https://pictures.example/1.jpg"],
        "propertyType": "HOTEL",
        **changes,
    }


def an_entry(
    summary: dict[str, Any] | None = None, offers: list[Any] | None = None, **changes: Any
) -> dict[str, Any]:
    return {
        "propertySummary": a_summary() if summary is None else summary,
        "distance": {"value": 1.2, "unit": "KM"},
        "offers": [an_offer()] if offers is None else offers,
        **changes,
    }


def a_listing_document(*entries: Any, total: Any = ...) -> dict[str, Any]:
    document: dict[str, Any] = {"results": list(entries)}
    if total is not ...:
        document["Total"] = total
    return document


def an_airport(**changes: Any) -> dict[str, Any]:
    return {
        "iataCode": "STN",
        "name": "London Stansted",
        "seoName": "london-stansted",
        "coordinates": {"latitude": 51.885, "longitude": 0.235},
        "base": True,
        "countryCode": "gb",
        "regionCode": "ENGLAND",
        "cityCode": "LONDON",
        "currencyCode": "GBP",
        "routes": ["airport:OPO", "city:PORTO", "country:pt", "region:ALGARVE"],
        "seasonalRoutes": ["airport:FAO"],
        "categories": ["CTY", "FAM"],
        "priority": 1,
        **changes,
    }


def details_document(**changes: Any) -> dict[str, Any]:
    return {
        "propertyDetails": {
            "propertySummary": a_summary(),
            "checkinTime": "15:00:00",
            "checkoutTime": {"from": "07:00", "to": "11:00"},
            "policies": [{"type": "PETS", "description": "Pets welcome."}],
            "facilities": ["Pool", "Sauna"],
            "acceptedCreditCards": ["VISA", "MASTERCARD"],
        },
        "roomTypes": [
            {
                "name": "Double",
                "description": "A room for two.",
                "images": ["https://pictures.example/room.jpg"],
                "facilities": [{"type": "AIR_CONDITIONING"}],
                "rooms": [
                    {
                        "maxOccupancy": 2,
                        "policies": "No smoking",
                        "cancellationPolicies": [{"description": "Free until the day before."}],
                        "bedTypes": ["King"],
                        "name": "Double with sea view",
                        "description": None,
                    }
                ],
            }
        ],
        **changes,
    }


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode()


def row(outline: Outline) -> Row:
    """What orders and filters see of an entry."""
    return row_of(outline, build.SEARCH, PriceRules(), build.TODAY)
