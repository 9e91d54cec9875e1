"""Checks of the interface's recurring shapes."""

from __future__ import annotations

import re
from typing import Any


def is_number(value: Any) -> bool:
    """A JSON number; booleans don't count."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_amount(amount: Any) -> None:
    """``value`` and ``currencyCode``."""
    assert is_number(amount["value"]), amount
    assert re.fullmatch(r"[A-Z]{3}", amount["currencyCode"]), amount


def check_triple(triple: Any) -> None:
    """``customerPrice``, ``propertyPrice`` and ``travelCredit``: each an amount or null."""
    assert {"customerPrice", "propertyPrice", "travelCredit"} <= set(triple), triple
    for amount in triple.values():
        if amount is not None:
            check_amount(amount)


def check_text_or_null(value: Any) -> None:
    """A string, or null."""
    assert value is None or isinstance(value, str), value


def check_summary(summary: Any) -> None:
    """Section 2.2; where a property lacks something, null."""
    for name in ("providerId", "ryanairId", "id", "name", "countryCode"):
        assert isinstance(summary[name], str), name
        assert summary[name], name
    assert re.fullmatch(r"[0-9a-fA-F-]+", summary["ryanairId"])
    assert re.fullmatch(r"[a-z]{2}", summary["countryCode"])
    for name in ("description", "address", "propertyType"):
        check_text_or_null(summary[name])
    assert isinstance(summary["location"]["city"], str)
    assert isinstance(summary["category"], int)
    assert all(isinstance(image, str) for image in summary["images"])
    if summary["coordinates"] is not None:
        assert -180 <= summary["coordinates"]["longitude"] <= 180
        assert -90 <= summary["coordinates"]["latitude"] <= 90
    if summary["rating"] is not None:
        assert summary["rating"]["value"] is None or is_number(summary["rating"]["value"])
        check_text_or_null(summary["rating"]["code"])


def check_min_price(price: Any) -> None:
    """Section 2.4."""
    check_triple(price["price"])
    assert price["price"]["customerPrice"] is not None
    for name in ("travelCredit", "originalPrice"):
        if price[name] is not None:
            check_triple(price[name])
    assert "deposit" in price
    check_text_or_null(price["paymentMode"])
    check_text_or_null(price["promoType"])
    for surcharge in price["surcharges"]:
        assert isinstance(surcharge["type"], str)
        check_triple(surcharge["price"])
    assert isinstance(price["rateDescription"], str)
    assert isinstance(price["discountPercentage"], int)


def check_facility(facility: Any) -> None:
    """Section 2.5."""
    check_text_or_null(facility["id"])
    check_text_or_null(facility["description"])
    assert isinstance(facility["type"], str)
    assert isinstance(facility["availability"], str)
