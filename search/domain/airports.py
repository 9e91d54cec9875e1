"""Airports: the reference data of the destination picker (section 2.7 of the interface)."""

from __future__ import annotations

import msgspec

from .catalogue import Coordinates


class Route(msgspec.Struct, frozen=True):
    """One entry of `routes`: `kind` is airport, city, country or region (others are kept as they came)."""

    kind: str
    code: str


class Airport(msgspec.Struct, frozen=True):
    """`code` is the IATA code; `country` a lower-case two-letter code; `city` and `region` are codes
    such as GRAN_CANARIA; `priority` is smaller for more important airports."""

    code: str
    name: str
    seo_name: str
    coordinates: Coordinates | None
    base: bool
    country: str
    region: str
    city: str
    currency: str
    routes: tuple[Route, ...]
    seasonal_routes: tuple[Route, ...]
    categories: tuple[str, ...]
    priority: int
