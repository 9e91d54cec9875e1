"""Single values of the wire -> domain values: None (or an empty text) for whatever can't be used."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from search.domain.airports import Route
from search.domain.catalogue import Coordinates, Distance, GuestRating
from search.domain.money import Money
from search.domain.offers import Price

from . import wire
from .cleaning import clean_line, https_address

MAX_CODE = 60
MAX_ID = 500
MAX_TOTAL = 100_000_000
MAX_AMOUNT = Decimal(10) ** 12

_CURRENCY = re.compile(r"[A-Za-z]{3}")


def currency(code: str | None) -> str:
    """An ISO 4217 code in capitals, or nothing."""
    return code.upper() if code and _CURRENCY.fullmatch(code) else ""


def price(triple: wire.Triple | None) -> Price | None:
    if triple is None:
        return None
    members = Price(money(triple.customerPrice), money(triple.propertyPrice), money(triple.travelCredit))
    return members if members.customer or members.property or members.travel_credit else None


def deposit(value: Any) -> Price | None:
    """A deposit counts only as an amount or as a price triple; its type is not shown in the interface."""
    if not isinstance(value, dict):
        return None
    if "currencyCode" in value:
        amount = money(wire.mended(value, wire.Amount))
        return Price(amount, None, None) if amount else None
    return price(wire.mended(value, wire.Triple))


def money(amount: wire.Amount | None) -> Money | None:
    """None for a missing, textual, negative, infinite or absurd value or an odd currency."""
    code = currency(amount.currencyCode) if amount else ""
    value = number(amount.value) if amount else None
    return Money(value, code) if code and value is not None and 0 <= value <= MAX_AMOUNT else None


def number(value: Any) -> Decimal | None:
    """A JSON number that arithmetic can be done on cheaply; textual numbers are none."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        found = value if isinstance(value, Decimal) else Decimal(str(value))
    except (InvalidOperation, ValueError):
        return None
    # 1e-999999 is finite too, and writing it out is not cheap.
    return found if found.is_finite() and (not found or abs(found.adjusted()) <= 15) else None


def whole(value: Any, most: int) -> int | None:
    """A whole number of 0 to `most`."""
    found = number(value)
    return int(found) if found is not None and found == int(found) and 0 <= found <= most else None


def total(value: Any) -> int | None:
    return whole(value, MAX_TOTAL) if isinstance(value, int) else None


def stars(value: Any) -> int | None:
    return whole(value, 5) or None


def rating(rated: wire.WireRating | None) -> GuestRating | None:
    if rated is None:
        return None
    value = number(rated.value)
    value = value if value is not None and 0 <= value <= 1_000 else None
    code = text(rated.code)
    return GuestRating(value, code) if value is not None or code else None


def coordinates(point: wire.WireCoordinates | None) -> Coordinates | None:
    """None outside the globe, and for 0,0: a property in the Gulf of Guinea is a missing value."""
    latitude, longitude = (number(point.latitude), number(point.longitude)) if point else (None, None)
    if latitude is None or longitude is None or not (abs(latitude) <= 90 and abs(longitude) <= 180):
        return None
    return Coordinates(float(latitude), float(longitude)) if latitude or longitude else None


def distance(measured: wire.WireDistance | None) -> Distance | None:
    value = number(measured.value) if measured else None
    return Distance(value, text(measured.unit)) if measured and value is not None and value >= 0 else None


def routes(entries: list[str | None] | None) -> tuple[Route, ...]:
    pairs = (text(entry).partition(":") for entry in entries or [] if entry)
    return tuple(dict.fromkeys(Route(kind, code) for kind, _, code in pairs if kind and code))


def text(code: str | None) -> str:
    """A code or another short text."""
    return clean_line(code or "", MAX_CODE)


def identifier(given: str | None) -> str:
    """Kept as it came, so that it can be sent back; an absurdly long or unencodable one is none."""
    given = given or ""
    return "" if len(given) > MAX_ID or any("\ud800" <= char <= "\udfff" for char in given) else given


def image(value: Any) -> str | None:
    """A room's picture: an address, or an object that holds one (the interface shows neither)."""
    if isinstance(value, dict):
        value = next((value[key] for key in ("url", "href", "src", "link") if key in value), None)
    return https_address(value) if isinstance(value, str) else None
