"""The rows of a search's results, and an index of them: a filter is one AND of sets, a count a popcount.

A row is a property made compact, enough to sort, filter, count and map. It keeps its offers in the order of
`offers.price_rank`, so the first offer that passes the filters is the cheapest and gives the row's total.

A set of rows is an int: bit i is row i, in the gateway's order. A set of slots has room for offers, too: of
`size` rows slot i is row i by itself, and slot `size * k + i` its k-th cheapest offer, from 1. What is true
of a row is true in all its slots, what is true of an offer in its own. "One and the same offer is free to
cancel and costs at most 400" is thus an AND, and its rows are those with any slot left.

At the end stand the best trade-offs among some rows, and the middle total of those alike.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import reduce
from itertools import chain, compress, islice
from math import inf
from operator import itemgetter, or_
from typing import Any, NamedTuple, cast

import msgspec
from django.utils.functional import cached_property
from msgspec.structs import replace

from search.destinations.places import believable
from search.domain.cancellation import still_free
from search.domain.hotels import Coordinates, rating_scale
from search.domain.offers import PriceRules, headline, offer_order, rank_of
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.domain.words import CodeKind, broader, fold
from search.gateway.search_page import OfferOutline, Outline
from search.web.formatting import ONE_DECIMAL
from search.web.labels import canonical_code

COMPARABLE = 0
# The standing in `offers.price_rank`, the currency and the amount. A float is exact enough: conversion keeps
# order, to sixteen digits.
PriceKey = tuple[int, str, float]
# Behind every price.
UNPRICED: PriceKey = (4, "", 0.0)
ZERO = Decimal(0)
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


Row = Outline[RowOffer]


def row_of(
    outline: Outline[OfferOutline],
    search: StaySearch,
    rules: PriceRules,
    today: date,
    centre: Coordinates | None = None,
) -> Row:
    """The row of a property for the stay of `search`; totals as the cards show them."""
    nights = search.dates.nights
    offers = [_ranked(offer, search, nights, rules, today) for offer in outline.offers]
    offers.sort(key=itemgetter(0))
    row_offers = tuple([offer for _order, offer in offers])
    coordinates = believable(outline.coordinates, outline.country, centre)
    return cast(Row, replace(outline, coordinates=coordinates, offers=row_offers))


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


def _price_key(offer: RowOffer) -> PriceKey:
    if offer.total is None:
        return UNPRICED
    return offer.standing, offer.currency, float(offer.total)


_FLAGS = bytes.maketrans(b"01", b"\x00\x01")


def bits(members: int) -> Iterator[int]:
    """The numbers in a set, ascending."""
    flags = bin(members)[:1:-1].encode().translate(_FLAGS)
    return compress(range(len(flags)), flags)


def set_of(numbers: Iterable[int], size: int) -> int:
    """The set of these numbers, all below `size`."""
    digits = bytearray(b"0") * size
    for number in numbers:
        digits[number] = 49
    digits.reverse()
    return int(digits or b"0", 2)


@dataclass(frozen=True, eq=False)
class RowFact:
    """A fact about properties, such as their type: `of` gives the values of a row.

    Values of a `kind` are codes; codes with the same words count as one.
    """

    of: Callable[[Any], Iterable[Any]]
    kind: CodeKind | None = None

    def sets(self, index: "RowIndex") -> dict[Any, int]:
        """The slots with each value."""
        rows = _by_value(self.of, enumerate(index.rows))
        return {value: index.slots_of(numbers) for value, numbers in rows.items()}

    def having(self, index: "RowIndex", values: Iterable[Any]) -> int:
        """The slots with any of these values."""
        sets = index.sets_of(self)
        return reduce(or_, (sets.get(value, 0) for value in values))


class OfferFact(RowFact):
    """A fact about offers, such as their facilities: `of` gives the values of an offer."""

    def sets(self, index: "RowIndex") -> dict[Any, int]:
        offers = _by_value(self.of, index.offers)
        return {value: set_of(slots, index.slot_count) for value, slots in offers.items()}


def _by_value(
    of: Callable[[Any], Iterable[Any]], numbered: Iterable[tuple[int, Any]]
) -> dict[Any, list[int]]:
    numbers: dict[Any, list[int]] = defaultdict(list)
    for number, one in numbered:
        for value in of(one):
            numbers[value].append(number)
    return numbers


class RowIndex:
    """The rows with everything about them that doesn't depend on a visitor's choice; `site` has the words and
    the order of codes.

    Many requests read it at once: after __init__ only caches of pure functions change.
    """

    def __init__(self, rows: Iterable[Row], site: Site | None = None) -> None:
        self.rows = tuple(rows)
        self.site = site or Site()
        size = len(self.rows)
        # Each offer behind its slot.
        self.offers = [
            (size * nth + number, offer)
            for number, row in enumerate(self.rows)
            for nth, offer in enumerate(row.offers, 1)
        ]
        nths = range(1 + max((len(row.offers) for row in self.rows), default=0))
        self.slot_count = size * len(nths)
        self.all_rows = (1 << size) - 1
        self._each_nth = sum(1 << size * nth for nth in nths)
        self.everything = self.all_rows | set_of((slot for slot, _offer in self.offers), self.slot_count)
        self._rank_prices()
        self._sets: dict[RowFact, dict[Any, int]] = {}
        self._km: dict[Coordinates | None, list[float]] = {}
        # The last of `selection.counts`, behind its parameters.
        self.counts: tuple[Any, Any] = (None, None)

    def _rank_prices(self) -> None:
        """For each row and offer the rank of its price among all different ones, ascending. The first ranks
        are those of `comparable_totals`."""
        priced = [(_price_key(offer), offer.total or ZERO) for _slot, offer in self.offers]
        totals = dict(priced)
        in_order = sorted({*totals, UNPRICED})
        ranks = {key: rank for rank, key in enumerate(in_order)}
        self.price_count = ranks[UNPRICED]
        of_offers = iter([ranks[key] for key, _total in priced])
        self.price_ranks = [tuple(islice(of_offers, len(row.offers))) for row in self.rows]
        self.comparable_totals = [totals[key] for key in in_order if key[0] == COMPARABLE]
        self.comparable_amounts = [*map(float, self.comparable_totals)]

    @cached_property
    def lowest_ranks(self) -> list[int]:
        """The rank of the cheapest offer of each row; without a price, behind all prices."""
        return [ranks[0] if ranks else self.price_count for ranks in self.price_ranks]

    def sets_of(self, fact: RowFact) -> dict[Any, int]:
        """The slots with each value of a fact; the value of most rows first."""
        sets = self._sets.get(fact)
        if sets is None:
            united = self._united(fact.sets(self), fact.kind)
            sizes = {value: self.rows_of(slots).bit_count() for value, slots in united.items()}
            in_order = sorted(united, key=lambda value: (-sizes[value], value))
            sets = self._sets[fact] = {value: united[value] for value in in_order}
        return sets

    def _united(self, sets: dict[Any, int], kind: CodeKind | None) -> dict[Any, int]:
        """The sets of codes of a kind that have the same words made one, and part of any broader code's."""
        if kind is None:
            return sets
        united: dict[Any, int] = defaultdict(int)
        for sent, slots in sets.items():
            code = canonical_code(kind, sent, self.site)
            for name in {code, *(canonical_code(kind, wider, self.site) for wider in broader(code))}:
                united[name] |= slots
        return united

    def slots_of(self, rows: Iterable[int]) -> int:
        """The slots of the rows with these numbers: their own, and those of all their offers."""
        return set_of(rows, len(self.rows)) * self._each_nth & self.everything

    def rows_of(self, slots: int) -> int:
        """The set of rows with any of these slots."""
        rows = 0
        while slots:
            rows |= slots & self.all_rows
            slots >>= len(self.rows)
        return rows

    def slots_where(self, passes: Iterable[bool]) -> int:
        """The slots of the rows for which `passes`, one value per row in their order, is true."""
        return self.slots_of(compress(range(len(self.rows)), passes))

    def offers_priced(self, least: Decimal | None, most: Decimal | None = None) -> int:
        """The slots of the offers whose comparable total is within these limits."""
        amounts = self.comparable_amounts
        first = bisect_left(amounts, float(least or 0))
        end = len(amounts) if most is None else bisect_right(amounts, float(most))
        within = (first <= rank < end for rank in chain.from_iterable(self.price_ranks))
        return set_of(compress(map(itemgetter(0), self.offers), within), self.slot_count)

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
        return self.slots_where([rating is not None and rating >= least for rating in self.ratings])

    @cached_property
    def rating_scale(self) -> int | None:
        """What ratings are out of: the setting if that holds them, else as the ratings tell; None without."""
        scale = rating_scale(sorted(one for one in self.ratings if one is not None))
        return scale and max(self.site.rating_scale or scale, scale)

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
                km = anchor.km_to_each([row.coordinates for row in self.rows])
            self._km = {anchor: km}
        return km

    @cached_property
    def folded_names(self) -> list[str]:
        """The names on cards: the place of a property without a name."""
        return [fold(row.name or row.place) for row in self.rows]

    @cached_property
    def classes(self) -> list["RowClass | None"]:
        """For each row its class; None if too few are like it, or it has no stars, rating or comparable
        total. Its totals are places among `comparable_totals`."""
        end, ratings, lowest = len(self.comparable_totals), self.ratings, self.lowest_ranks
        alike = {
            n: (row.stars, int(rating * 10), lowest[n])
            for n, row in enumerate(self.rows)
            if row.stars is not None and (rating := ratings[n]) is not None and lowest[n] < end
        }
        by_stars_and_rating = classes([*alike.values()], self.rating_scale)
        return [by_stars_and_rating.get(alike[n][:2]) if n in alike else None for n in range(len(self.rows))]


def skyline(
    numbers: Iterable[int], totals: Sequence[int], ratings: Sequence[int], distances: Sequence[float]
) -> list[int]:
    """Those of `numbers`, by ascending total, for which no other is at least as good in total, rating and
    distance and better in one of them. Totals and ratings are ranks, 0 for the best; equals are all in it or
    not."""
    places = [(totals[number], ratings[number], distances[number], number) for number in numbers]
    # Of each rating the nearest so far: only an earlier one in this order beats a later one.
    nearest = [inf] * len(ratings)
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
                middle, tenth = totals[(size - 1) // 2], totals[size // 10 - 1]
                by_stars_and_rating[stars, tenths] = RowClass(size, middle, tenth)
    return by_stars_and_rating
