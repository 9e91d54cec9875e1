"""Good answers of the gateway, and ways to spoil them, as the misbehaving server sends them."""

from __future__ import annotations

import json
from typing import Any

AIRPORT = {
    "iataCode": "FCO",
    "name": "Rome Fiumicino",
    "seoName": "rome-fiumicino",
    "coordinates": {"longitude": 12.25, "latitude": 41.8},
    "base": True,
    "countryCode": "it",
    "regionCode": "LAZIO",
    "cityCode": "ROME",
    "currencyCode": "EUR",
    "routes": ["airport:STN", "city:LONDON", "country:gb"],
    "seasonalRoutes": [],
    "categories": ["CTY"],
    "priority": 1,
}


def amount(value: Any) -> dict[str, Any]:
    return {"value": value, "currencyCode": "EUR"}


def triple(value: Any) -> dict[str, Any]:
    return {"customerPrice": amount(value), "propertyPrice": None, "travelCredit": None}


def offer(number: int, price: Any = None) -> dict[str, Any]:
    return {
        "providerId": "TST",
        "providerPropertyId": f"p{number}",
        "minPrice": {
            "price": triple(100 + number if price is None else price),
            "travelCredit": triple(0),
            "originalPrice": triple(100 + number if price is None else price),
            "deposit": None,
            "paymentMode": "PAY_LATER",
            "promoType": None,
            "surcharges": [{"type": "TAX_AND_FEES", "price": triple(5)}],
            "rateDescription": "Double room",
            "discountPercentage": 0,
        },
        "facilities": [{"id": None, "description": None, "type": "FREE_WIFI", "availability": "ROOM"}],
        "freeCancellation": True,
        "allotment": None,
    }


def entry(number: int) -> dict[str, Any]:
    return {
        "propertySummary": {
            "providerId": "TST",
            "ryanairId": f"{number:032x}",
            "id": f"p{number}",
            "name": f"Hotel Steadfast {number}",
            "description": "A hotel.\nBy the river.",
            "address": f"Via Prova {number}",
            "location": {"city": "Rome"},
            "countryCode": "it",
            "coordinates": {"longitude": 12.5, "latitude": 41.9},
            "category": 4,
            "rating": {"value": 8.4, "code": "VERY_GOOD"},
            "images": [],
            "propertyType": "HOTEL",
        },
        "distance": {"value": 1.2, "unit": "KM"},
        "offers": [offer(number)],
    }


def listing(entries: int = 20) -> dict[str, Any]:
    return {"results": [entry(number) for number in range(1, entries + 1)], "Total": entries}


def details() -> dict[str, Any]:
    return {
        "propertyDetails": {
            "propertySummary": entry(1)["propertySummary"],
            "checkinTime": "15:00",
            "checkoutTime": "11:00",
            "policies": ["No smoking"],
            "facilities": ["Bar"],
            "acceptedCreditCards": ["Visa"],
        },
        "roomTypes": [],
    }


def good_body(path: str) -> bytes:
    """What a well-behaved gateway answers to this path."""
    if path.endswith("/airports"):
        return json.dumps([AIRPORT]).encode()
    return json.dumps(details() if "/provider/" in path else listing()).encode()


def listing_with(**changes: Any) -> bytes:
    """A listing with other top-level members; None stays null, `...` leaves the member out."""
    document = {**listing(), **changes}
    return json.dumps({name: value for name, value in document.items() if value is not ...}).encode()


def listing_of_offers(price: str) -> bytes:
    """A listing whose first price is the given piece of JSON, valid or not."""
    document = listing()
    document["results"][0]["offers"] = [offer(1, price="@price@")]
    return json.dumps(document).replace('"@price@"', price).encode()


def listing_with_summary(**changes: Any) -> bytes:
    """A listing whose first property has other members."""
    document = listing()
    document["results"][0]["propertySummary"].update(changes)
    return json.dumps(document).encode()
