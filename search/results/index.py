"""Rows: a complete answer made compact, enough to sort, filter, count and map.

A row keeps the offers in the order of `offers.price_rank`, so the first offer that passes the filters is
the cheapest one and carries the row's headline total.

The rows of one answer as sets of bits, so that any filter is a few ANDs and any count a popcount.

Bit i of every set is row i, in the gateway's order. Facts about offers come in planes: plane k holds the
rows whose k-th cheapest offer has the fact, so "one offer has all of these" is an AND plane by plane.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import cached_property
from itertools import compress
from math import inf

import msgspec

from search.domain.hotels import Coordinates
from search.domain.offers import Listing, PriceRules, price_rank, ranked_offers
from search.domain.text import fold

COMPARABLE = 0
MILES = {"MI", "MILE", "MILES"}
METRES = {"M", "METER", "METERS", "METRE", "METRES"}
KM_PER_MILE = 1.609344


class RowOffer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One offer. `standing` is the first member of `price_rank`: 0 a complete total in the currency of the
    search, 1 one with a surcharge left out, 2 another currency, 3 no total. Only 0 is ever compared."""

    provider: str
    standing: int
    total: Decimal | None
    currency: str
    free_cancellation: bool
    pay_later: bool
    deals: bool
    facilities: tuple[str, ...]

    @property
    def comparable(self) -> Decimal | None:
        """The total if it may be compared with a limit or another total."""
        return self.total if self.standing == COMPARABLE else None


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One property of the answer. `position` is its place in the gateway's order (from 0), `page` the
    gateway page (from 0) its listing came on; latitude and longitude are degrees, both or neither."""

    key: str
    position: int
    page: int
    name: str
    type: str
    stars: int | None
    rating: Decimal | None
    distance: float | None
    unit: str
    latitude: float | None
    longitude: float | None
    offers: tuple[RowOffer, ...]


def row_of(listing: Listing, rules: PriceRules, nights: int, currency: str, position: int, page: int) -> Row:
    """The row of `listing` for a stay of `nights`; totals as the cards show them."""
    building = listing.property
    km, unit = _kilometres(listing)
    return Row(
        key=building.key,
        position=position,
        page=page,
        name=building.name,
        type=building.type,
        stars=building.stars,
        rating=building.rating.value if building.rating else None,
        distance=km,
        unit=unit,
        latitude=building.coordinates.latitude if building.coordinates else None,
        longitude=building.coordinates.longitude if building.coordinates else None,
        offers=_row_offers(listing, rules, nights, currency),
    )


def _row_offers(listing: Listing, rules: PriceRules, nights: int, currency: str) -> tuple[RowOffer, ...]:
    return tuple(
        RowOffer(
            provider=priced.offer.provider,
            standing=price_rank(priced, currency)[0],
            total=priced.total.total.amount if priced.total else None,
            currency=priced.total.total.currency if priced.total else "",
            free_cancellation=priced.offer.free_cancellation,
            pay_later=priced.offer.pay_later,
            deals=priced.total is not None and priced.total.before_discount is not None,
            facilities=tuple(sorted({one.type for one in priced.offer.facilities if one.type})),
        )
        for priced in ranked_offers(listing, rules, nights, currency)
    )


def _kilometres(listing: Listing) -> tuple[float | None, str]:
    """The gateway's distance, in kilometres (unit "") where its unit is known, else as it came."""
    if listing.distance is None:
        return None, ""
    value, unit = float(listing.distance.value), listing.distance.unit.upper()
    if unit.startswith("K"):
        return value, ""
    if unit in MILES:
        return value * KM_PER_MILE, ""
    if unit in METRES:
        return value / 1000, ""
    return value, unit


Planes = tuple[int, ...]
# Standing, currency where that matters, amount: the head of `offers.price_rank`.
PriceKey = tuple[int, str, float]

_FLAGS = bytes.maketrans(b"01", b"\x00\x01")


def bits(members: int) -> Iterator[int]:
    """The numbers of the rows in a set, ascending."""
    flags = bin(members)[:1:-1].encode().translate(_FLAGS)
    return compress(range(len(flags)), flags)


def set_of(numbers: Iterable[int], size: int) -> int:
    """The set of these row numbers, all below `size`."""
    digits = bytearray(b"0") * (size or 1)
    for number in numbers:
        digits[-1 - number] = 49
    return int(digits, 2)


def union(sets: Iterable[int]) -> int:
    members = 0
    for one in sets:
        members |= one
    return members


class RowIndex:
    """The rows with everything about them that doesn't depend on what a visitor chooses.

    `row_facts` maps a fact ("type", "HOTEL") to its rows, `offer_facts` a fact ("provider", "HB") to its
    planes. Built once per answer and read by many requests at once: nothing changes after __init__ but
    caches of pure functions.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(rows)
        size = len(self.rows)
        self.everything = (1 << size) - 1
        self.offers: Planes = ()
        self.row_facts: dict[tuple[str, str], int] = {}
        self.offer_facts: dict[tuple[str, str], Planes] = {}
        self._read_rows(size)
        self._read_offers(size)
        self._km: dict[Coordinates, list[float]] = {}

    def _read_rows(self, size: int) -> None:
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, row in enumerate(self.rows):
            if row.type:
                found["type", row.type].append(number)
            if row.stars is not None:
                found["stars", str(row.stars)].append(number)
        self.row_facts = {fact: set_of(numbers, size) for fact, numbers in found.items()}

    def _read_offers(self, size: int) -> None:
        depth = max((len(row.offers) for row in self.rows), default=0)
        found: dict[tuple[str, str], list[list[int]]] = defaultdict(lambda: [[] for _ in range(depth)])
        for number, row in enumerate(self.rows):
            for plane, offer in enumerate(row.offers):
                for fact in _facts(offer):
                    found[fact][plane].append(number)
        self.offer_facts = {
            fact: tuple(set_of(numbers, size) if numbers else 0 for numbers in planes)
            for fact, planes in found.items()
        }
        self.offers = tuple(
            set_of((number for number, row in enumerate(self.rows) if len(row.offers) > plane), size)
            for plane in range(depth)
        )

    def values(self, name: str) -> list[str]:
        """The values of a fact, those of most rows first; the order doesn't move with the filters."""
        sizes = {value: rows.bit_count() for (fact, value), rows in self.row_facts.items() if fact == name}
        for (fact, value), planes in self.offer_facts.items():
            if fact == name:
                sizes[value] = union(planes).bit_count()
        return sorted(sizes, key=lambda value: (-sizes[value], value))

    def rows_where(self, test: Callable[[Row], bool]) -> int:
        return self.numbers_where(map(test, self.rows))

    def numbers_where(self, passes: Iterable[bool]) -> int:
        """The set of rows for which `passes`, one answer per row in their order, says so."""
        return set_of(compress(range(len(self.rows)), passes), len(self.rows))

    def offers_at_most(self, limit: Decimal) -> Planes:
        """The offers whose comparable total is at most `limit`."""
        place = bisect_right(self.price_places, (COMPARABLE, "", float(limit)))
        ranks, size = self.price_ranks, len(self.rows)
        return tuple(
            set_of((number for number in bits(there) if ranks[number][plane] < place), size)
            for plane, there in enumerate(self.offers)
        )

    def rated(self, least: Decimal) -> int:
        """The rows rated at least so high."""
        ratings, numbers = self.ratings
        return set_of(numbers[bisect_left(ratings, least) :], len(self.rows))

    @cached_property
    def price_places(self) -> tuple[PriceKey, ...]:
        """Every price of the answer once, in the one order of prices.

        The float is exact enough to order by: conversion keeps order, and equal floats are equal prices
        to sixteen digits.
        """
        return tuple(sorted({_price_key(offer) for row in self.rows for offer in row.offers}))

    @cached_property
    def price_ranks(self) -> list[list[int]]:
        """For each row and offer its place among `price_places`."""
        places = {key: place for place, key in enumerate(self.price_places)}
        return [[places[_price_key(offer)] for offer in row.offers] for row in self.rows]

    @cached_property
    def ratings(self) -> tuple[list[Decimal], list[int]]:
        """The ratings there are, ascending, and beside them the numbers of their rows."""
        rated = sorted((row.rating, number) for number, row in enumerate(self.rows) if row.rating is not None)
        return [rating for rating, _number in rated], [number for _rating, number in rated]

    @cached_property
    def folded_names(self) -> list[str]:
        return [fold(row.name) for row in self.rows]

    def km_from(self, anchor: Coordinates) -> list[float]:
        """Straight-line kilometres of each row from `anchor`; infinite where a row has no coordinates."""
        known = self._km.get(anchor)
        if known is None:
            known = [
                inf
                if row.latitude is None or row.longitude is None
                else anchor.km_to(Coordinates(row.latitude, row.longitude))
                for row in self.rows
            ]
            self._km = {anchor: known}
        return known


def _price_key(offer: RowOffer) -> PriceKey:
    return (offer.standing, offer.currency if offer.standing > 1 else "", float(offer.total or 0))


def _facts(offer: RowOffer) -> Iterator[tuple[str, str]]:
    yield "provider", offer.provider
    for facility in offer.facilities:
        yield "facility", facility
    if offer.free_cancellation:
        yield "free_cancellation", "1"
    if offer.pay_later:
        yield "pay_later", "1"
    if offer.deals:
        yield "deals", "1"
