"""What a visitor does with an answer: its order and its filters, as an address says them."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Any

import msgspec


class Sort(StrEnum):
    PRICE = "price"
    RATING = "rating"
    STARS = "stars"
    DISTANCE = "distance"
    PROVIDER = "provider"


class MapArea(msgspec.Struct, frozen=True):
    """Degrees. `west` > `east` means the area crosses the date line."""

    west: float
    south: float
    east: float
    north: float

    def __str__(self) -> str:
        return ",".join(
            f"{edge:.5f}".rstrip("0").rstrip(".") for edge in (self.west, self.south, self.east, self.north)
        )

    def holds(self, latitude: float, longitude: float) -> bool:
        if not self.south <= latitude <= self.north:
            return False
        if self.west <= self.east:
            return self.west <= longitude <= self.east
        return longitude >= self.west or longitude <= self.east


class Refinement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sort and filters, named as in the address. A default value is never spelled out.

    Values within one filter are alternatives (OR); filters narrow each other (AND). `near` is the IATA
    code of the chosen airport, the anchor of distances; alone it filters nothing.
    """

    sort: Sort | None = None
    max_price: Decimal | None = None
    min_rating: Decimal | None = None
    type: tuple[str, ...] = ()
    facility: tuple[str, ...] = ()
    provider: tuple[str, ...] = ()
    free_cancellation: bool = False
    pay_later: bool = False
    deals: bool = False
    name: str = ""
    near: str = ""
    max_km: Decimal | None = None
    bbox: MapArea | None = None

    def pairs(self) -> list[tuple[str, str]]:
        """The canonical address parameters: field order, sorted values, no defaults."""
        found: list[tuple[str, str]] = []
        for field in self.__struct_fields__:
            value = getattr(self, field)
            if isinstance(value, tuple):
                found += [(field, one) for one in sorted(set(value))]
            elif value is True:
                found.append((field, "1"))
            elif isinstance(value, Decimal):
                found.append((field, format(value.normalize(), "f")))
            elif value not in (None, False, ""):
                found.append((field, str(value)))
        return found

    @property
    def filters(self) -> Refinement:
        """The filters alone, without the order and the anchor."""
        return self.replace(sort=None, near="" if self.max_km is None else self.near)

    @property
    def narrows(self) -> bool:
        """Whether any filter is set."""
        return any(name not in ("sort", "near") for name, _ in self.pairs())

    def replace(self, **changes: Any) -> Refinement:
        return msgspec.structs.replace(self, **changes)

    def without(self, name: str, value: str | None = None) -> Refinement:
        """This refinement without one filter, or without one `value` of a filter with several."""
        current = getattr(self, name)
        if isinstance(current, tuple) and value is not None:
            return self.replace(**{name: tuple(one for one in current if one != value)})
        return self.replace(
            **{name: Refinement.__struct_defaults__[Refinement.__struct_fields__.index(name)]}
        )

    def toggled(self, name: str, value: str) -> Refinement:
        """This refinement with `value` of a several-valued filter added, or removed if it was there."""
        current: tuple[str, ...] = getattr(self, name)
        if value in current:
            return self.without(name, value)
        return self.replace(**{name: tuple(sorted((*current, value)))})
