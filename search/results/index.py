"""The rows of a search's results, and an index of them: a filter is a few ANDs of sets, a count a popcount.

A row is a property made compact, enough to sort, filter, count and map. It keeps its offers in the order of
`offers.price_rank`, so the first offer that passes the filters is the cheapest and gives the row's total.

A set of rows is an int: bit i is row i, in the gateway's order. A set of offers is a tuple of such ints, its
planes: plane k holds the rows whose k-th cheapest offer is in the set. "One and the same offer is free to
cancel and costs at most 400" is thus an AND plane by plane, and its rows are the union of the planes.

At the end stand the best trade-offs among some rows, and the middle total of those alike.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property, reduce
from itertools import compress, islice, zip_longest
from math import inf
from operator import itemgetter, or_
from typing import Any, NamedTuple

import msgspec

from search.destinations.places import believable
from search.domain.cancellation import still_free
from search.domain.hotels import Coordinates, Distance, at_provider, rating_scale
from search.domain.offers import PriceRules, headline, offer_order, rank_of
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.domain.text import fold
from search.domain.vocabulary import CodeKind, broader
from search.gateway.outlines import OfferOutline, Outline
from search.web.formatting import ONE_DECIMAL
from search.web.labels import canonical_code

COMPARABLE = 0
# Of fewer alike there is no middle worth naming.
LEAST_ALIKE = 20


class RowOffer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One offer. `standing` is the first member of `price_rank`: 0 a complete total in the currency of the
    search, 1 one with a surcharge left out, 2 another currency, 3 no total. Only 0 is ever compared.
    `facilities` are codes as providers spell them."""

    provider: str
    standing: int
    total: Decimal | None
    currency: str
    free_cancellation: bool
    pay_later: bool
    deals: bool
    facilities: tuple[str, ...]
    property_id: str = ""

    @property
    def comparable(self) -> Decimal | None:
        """The total if it may be compared with a limit or another total."""
        return self.total if self.standing == COMPARABLE else None


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One property; latitude and longitude are degrees, both or neither; `place` as in `Outline`. `own` are
    the provider that describes it and its id there, unless an offer has those."""

    key: str
    name: str
    type: str
    stars: int | None
    rating: Decimal | None
    distance: float | None
    unit: str
    latitude: float | None
    longitude: float | None
    offers: tuple[RowOffer, ...]
    place: str = ""
    own: tuple[str, str] = ("", "")

    @property
    def coordinates(self) -> Coordinates | None:
        if self.latitude is None or self.longitude is None:
            return None
        return Coordinates(self.latitude, self.longitude)

    def all_keys(self) -> frozenset[str]:
        """As `Listing.all_keys`."""
        offered = (at_provider(one.provider, one.property_id) for one in self.offers)
        own_key = at_provider(*self.own) if all(self.own) else self.key
        return frozenset((self.key, own_key, *offered))

    def described_by(self) -> str:
        """The code of the provider that describes it, unless an offer is that provider's."""
        return self.own[0]


def row_of(
    outline: Outline, search: StaySearch, rules: PriceRules, today: date, centre: Coordinates | None = None
) -> Row:
    """The row of a property for the stay of `search`; totals as the cards show them."""
    at, own = believable(outline.coordinates, outline.country, centre), (outline.provider, outline.id)
    km, unit = kilometres(outline.distance)
    nights = search.dates.nights
    offers = [_ranked(offer, search, nights, rules, today) for offer in outline.offers]
    offers.sort(key=itemgetter(0))
    return Row(
        key=outline.key,
        name=outline.name,
        type=outline.type,
        stars=outline.stars,
        rating=outline.rating.value if outline.rating else None,
        distance=km,
        unit=unit,
        latitude=at.latitude if at else None,
        longitude=at.longitude if at else None,
        offers=tuple([offer for _order, offer in offers]),
        place=outline.place,
        own=("", "") if own in [(one.provider, one.property_id) for one in outline.offers] else own,
    )


def _ranked(
    offer: OfferOutline, search: StaySearch, nights: int, rules: PriceRules, today: date
) -> tuple[tuple[Any, ...], RowOffer]:
    """The offer of a row and its place among the others."""
    total, complete = None, False
    if offer.price:
        total, _added, complete = headline(offer.price, offer.surcharges, rules, nights)
    rank = rank_of(total, complete, search.currency)
    row_offer = RowOffer(
        provider=offer.provider,
        standing=rank[0],
        total=total.amount if total else None,
        currency=total.currency if total else "",
        free_cancellation=offer.free_cancellation and still_free((offer.rate,), search.dates.check_in, today),
        pay_later=offer.pay_later,
        deals=offer.discounted,
        facilities=offer.facilities,
        property_id=offer.property_id,
    )
    return offer_order(rank, offer.provider, offer.property_id, rules), row_offer


def kilometres(distance: Distance | None) -> tuple[float | None, str]:
    """The gateway's distance, in kilometres (unit "") if its unit is known, else as it came."""
    if distance is None:
        return None, ""
    km = distance.km
    return (float(distance.value), distance.unit.upper()) if km is None else (km, "")


Planes = tuple[int, ...]
# A filter lets rows through, or offers.
Passed = int | Planes
# The head of `offers.price_rank` (standing, and the currency if it matters) and the amount. A float is exact
# enough: conversion keeps order, to sixteen digits.
PriceKey = tuple[int, str, float]


def _price_key(offer: RowOffer) -> PriceKey | None:
    if offer.total is None:
        return None
    return offer.standing, offer.currency if offer.standing > 1 else "", float(offer.total)


_FLAGS = bytes.maketrans(b"01", b"\x00\x01")


def bits(members: int) -> Iterator[int]:
    """The numbers of the rows in a set, ascending."""
    flags = bin(members)[:1:-1].encode().translate(_FLAGS)
    return compress(range(len(flags)), flags)


def set_of(numbers: Iterable[int], size: int) -> int:
    """The set of these row numbers, all below `size`."""
    digits = bytearray(b"0") * (size or 1)
    for number in numbers:
        digits[number] = 49
    digits.reverse()
    return int(digits, 2)


def union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _either(one: Planes, other: Planes) -> Planes:
    return tuple(map(or_, one, other))


@dataclass(frozen=True, eq=False)
class RowFact:
    """A fact about properties, such as their type: `of` gives the values of a row.

    Values of a `kind` are codes; codes with the same words count as one.
    """

    of: Callable[[Row], Iterable[Any]]
    kind: CodeKind | None = None

    def sets(self, index: "RowIndex") -> dict[Any, int]:
        """The rows that have each value."""
        numbers: dict[Any, list[int]] = defaultdict(list)
        for number, row in enumerate(index.rows):
            for value in self.of(row):
                numbers[value].append(number)
        return {value: set_of(those, len(index.rows)) for value, those in numbers.items()}

    def having(self, index: "RowIndex", values: Iterable[Any]) -> int:
        """The rows with any of these values."""
        sets = index.sets_of(self)
        return union(sets.get(value, 0) for value in values)


@dataclass(frozen=True, eq=False)
class OfferFact:
    """A fact about offers, such as their facilities: `of` gives the values of an offer; `kind` as in
    `RowFact`."""

    of: Callable[[RowOffer], Any]
    kind: CodeKind | None = None

    def sets(self, index: "RowIndex") -> dict[Any, Planes]:
        """The offers that have each value."""
        size, planes = len(index.rows), range(len(index.offers))
        numbers: dict[Any, list[list[int]]] = defaultdict(lambda: [[] for _ in planes])
        for plane, (of_plane, offers) in enumerate(index.by_plane):
            for number, values in zip(of_plane, map(self.of, offers), strict=True):
                for value in values:
                    numbers[value][plane].append(number)
        return {
            value: tuple(set_of(those, size) if those else 0 for those in of_value)
            for value, of_value in numbers.items()
        }

    def having(self, index: "RowIndex", values: Iterable[Any]) -> Planes:
        """The offers with any of these values."""
        sets = index.sets_of(self)
        return reduce(_either, (sets[value] for value in values if value in sets), (0,) * len(index.offers))


class RowIndex:
    """The rows with everything about them that doesn't depend on a visitor's choice; `site` has the words and
    the order of codes.

    Many requests read it at once: after __init__ only caches of pure functions change.
    """

    def __init__(self, rows: Iterable[Row], site: Site | None = None) -> None:
        self.rows = tuple(rows)
        self.site = site or Site()
        size = len(self.rows)
        self.everything = (1 << size) - 1
        # For each plane the numbers of the rows that have so many offers, and beside them those offers.
        self.by_plane = [
            ([number for number, offer in enumerate(offers) if offer], [*filter(None, offers)])
            for offers in zip_longest(*(row.offers for row in self.rows))
        ]
        self.offers: Planes = tuple(set_of(numbers, size) for numbers, _offers in self.by_plane)
        self._rank_prices()
        self._sets: dict[RowFact | OfferFact, dict[Any, Any]] = {}
        self._km: dict[Coordinates | None, list[float]] = {}
        # The last of `selection.counts`, behind its parameters.
        self.counts: tuple[Any, Any] | None = None

    def _rank_prices(self) -> None:
        """For each row and offer the place of its price among all different ones, ascending. The first places
        are those of `comparable_totals`."""
        priced = [(_price_key(one), one.total) for row in self.rows for one in row.offers]
        totals = {key: total for key, total in priced if key and total is not None}
        in_order = sorted(totals)
        places: dict[PriceKey | None, int] = {key: place for place, key in enumerate(in_order)}
        self.price_count = places[None] = len(totals)
        ranks = iter([places[key] for key, _total in priced])
        self.price_ranks = [tuple(islice(ranks, len(row.offers))) for row in self.rows]
        self.comparable_totals = [totals[key] for key in in_order if key[0] == COMPARABLE]
        self.comparable_amounts = [*map(float, self.comparable_totals)]

    @cached_property
    def lowest_ranks(self) -> list[int]:
        """The place of the cheapest offer of each row; without a price, behind all prices."""
        return [ranks[0] if ranks else self.price_count for ranks in self.price_ranks]

    def sets_of(self, fact: RowFact | OfferFact) -> dict[Any, Any]:
        """The rows or offers with each value of a fact; the value of most rows first."""
        sets = self._sets.get(fact)
        if sets is None:
            united = self._united(fact.sets(self), fact.kind)
            sizes = {
                value: (of if isinstance(of, int) else union(of)).bit_count() for value, of in united.items()
            }
            in_order = sorted(united, key=lambda value: (-sizes[value], value))
            sets = self._sets[fact] = {value: united[value] for value in in_order}
        return sets

    def _united(self, sets: dict[Any, Any], kind: CodeKind | None) -> dict[Any, Any]:
        """The sets of codes of a kind that have the same words made one, and part of any broader code's."""
        if kind is None:
            return sets
        united: dict[Any, Any] = {}
        for sent, members in sets.items():
            code = canonical_code(kind, sent, self.site)
            for name in {code, *(canonical_code(kind, wider, self.site) for wider in broader(code))}:
                others = united.get(name, members)
                united[name] = others | members if isinstance(members, int) else _either(others, members)
        return united

    def numbers_where(self, passes: Iterable[bool]) -> int:
        """The set of rows for which `passes`, one value per row in their order, is true."""
        return set_of(compress(range(len(self.rows)), passes), len(self.rows))

    def offers_at_most(self, limit: Decimal) -> Planes:
        """The offers whose comparable total is at most `limit`."""
        return self._offers_priced(0, bisect_right(self.comparable_amounts, float(limit)))

    def offers_at_least(self, limit: Decimal) -> Planes:
        """The offers whose comparable total is at least `limit`."""
        first = bisect_left(self.comparable_amounts, float(limit))
        return self._offers_priced(first, len(self.comparable_totals))

    def _offers_priced(self, first: int, end: int) -> Planes:
        """The offers whose price has a place from `first` to before `end`."""
        ranks, size = self.price_ranks, len(self.rows)
        return tuple(
            set_of([number for number in numbers if first <= ranks[number][plane] < end], size)
            for plane, (numbers, _offers) in enumerate(self.by_plane)
        )

    @cached_property
    def name_ranks(self) -> list[int]:
        """The place of each row by its name, as pages print it; of namesakes, by key."""
        names = [((row.name or row.place).casefold(), row.key) for row in self.rows]
        places = {name: place for place, name in enumerate(sorted(names))}
        return [places[name] for name in names]

    @cached_property
    def ratings(self) -> list[Decimal | None]:
        """The rating of each row as pages print it."""
        return [row.rating and row.rating.quantize(ONE_DECIMAL) for row in self.rows]

    def rated(self, least: Decimal) -> int:
        """The rows rated at least so high."""
        return self.numbers_where([rating is not None and rating >= least for rating in self.ratings])

    @cached_property
    def rating_scale(self) -> int | None:
        """What ratings are out of: the setting if that holds them, else as the ratings tell; None without."""
        scale = rating_scale(sorted(one for one in self.ratings if one is not None))
        return scale and max(self.site.rating_scale or 0, scale)

    @cached_property
    def rating_ranks(self) -> list[int]:
        """For each row the place of its rating as pages print it, 0 for the best; no rating is the last."""
        best_first = sorted({one for one in self.ratings if one is not None}, reverse=True)
        places: dict[Decimal | None, int] = {rating: place for place, rating in enumerate(best_first)}
        return [places.get(rating, len(places)) for rating in self.ratings]

    def kilometres(self, anchor: Coordinates | None) -> list[float]:
        """The kilometres of each row in a straight line from `anchor`, else as the gateway says; infinite if
        unknown."""
        km = self._km.get(anchor)
        if km is None:
            km = [inf if row.distance is None or row.unit else row.distance for row in self.rows]
            if anchor:
                km = anchor.km_to_each((row.latitude, row.longitude) for row in self.rows)
            self._km = {anchor: km}
        return km

    def distance_ranks(self, anchor: Coordinates | None) -> list[int]:
        """For each row the place of its kilometres, 0 for the nearest; the unknown ones come last."""
        km = self.kilometres(anchor)
        places = {one: place for place, one in enumerate(sorted({*km, inf}))}
        return [places[one] for one in km]

    @cached_property
    def folded_names(self) -> list[str]:
        """The names on cards: the place of a property without a name."""
        return [fold(row.name or row.place) for row in self.rows]

    @cached_property
    def classes(self) -> list["RowClass | None"]:
        """For each row its class; None if too few are like it, or it has no stars, rating or comparable
        total. Its totals are places among `comparable_totals`."""
        end, lowest = len(self.comparable_totals), self.lowest_ranks
        alike = {
            number: (row.stars, int(rating * 10), total)
            for number, (row, rating, total) in enumerate(zip(self.rows, self.ratings, lowest, strict=True))
            if row.stars is not None and rating is not None and total < end
        }
        by_stars_and_rating = classes([*alike.values()], self.rating_scale)
        return [by_stars_and_rating.get(alike[n][:2]) if n in alike else None for n in range(len(self.rows))]


def skyline(
    numbers: Iterable[int], totals: Sequence[int], ratings: Sequence[int], distances: Sequence[int]
) -> list[int]:
    """Those of `numbers`, by ascending total, for which no other is at least as good in total, rating and
    distance and better in one of them. All three are ranks, 0 for the best; equals are all in it or not."""
    places = [(totals[number], ratings[number], distances[number], number) for number in numbers]
    # Of each rating the nearest so far: only an earlier one in this order beats a later one.
    nearest = [inf] * (max(ratings, default=0) + 1)
    best: list[int] = []
    last = None
    for total, rating, distance, number in sorted(places):
        if distance < min(nearest[: rating + 1]) or (total, rating, distance) == last:
            last = total, rating, distance
            nearest[rating] = distance
            best.append(number)
    return best


class RowClass(NamedTuple):
    """The properties like one, itself among them: how many, the middle of their lowest totals (of an even
    number the lower of the middle two, which flatters no hotel) and the highest of the lowest tenth."""

    size: int
    middle: int
    tenth: int


def classes(alike: Sequence[tuple[int, int, int]], scale: int | None) -> dict[tuple[int, int], RowClass]:
    """The class for each pair of stars and tenths of a rating with at least `LEAST_ALIKE` properties: of the
    same stars, and of ratings within a twentieth of the scale. `alike` has stars, tenths of the rating and
    rank of the total of each property. Empty without a scale."""
    if not scale:
        return {}
    # A twentieth of the scale, in tenths as the ratings.
    band = scale // 2
    by_stars: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for stars, tenths, total in alike:
        by_stars[stars].append((tenths, total))
    by_stars_and_rating: dict[tuple[int, int], RowClass] = {}
    for stars, rated in by_stars.items():
        rated.sort()
        for tenths in {tenths for tenths, _total in rated}:
            first, end = bisect_left(rated, (tenths - band,)), bisect_left(rated, (tenths + band + 1,))
            totals = sorted([total for _tenths, total in rated[first:end]])
            if (size := len(totals)) >= LEAST_ALIKE:
                middle, tenth = totals[(size - 1) // 2], totals[max(size // 10, 1) - 1]
                by_stars_and_rating[stars, tenths] = RowClass(size, middle, tenth)
    return by_stars_and_rating
