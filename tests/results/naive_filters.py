"""Refining by plain loops over rows: slow, obvious, and sharing nothing with the bit sets it checks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from itertools import combinations, product

import msgspec
from hypothesis import strategies as st

from search.domain.hotels import Coordinates
from search.domain.query import MapArea, Refinement, Sort
from search.results.index import Row, RowIndex, RowOffer
from search.results.selection import Question, Selection

# Small answers have classes, too, where tests make it the site's.
LEAST_ALIKE = 3
ANCHOR = Coordinates(latitude=41.3, longitude=2.1)
PROVIDERS = ("HB", "EX", "AG")
FACILITIES = ("SAUNA", "POOL", "LIFT", "Moat?")
TYPES = ("HOTEL", "HOSTEL", "", "Yurt x")
NAMES = ("Hôtel Łódź", "Grand Hotel", "hostel grand", "", "L'Aquila", "東京 Inn")


def _decimals(least: int, most: int, places: int) -> st.SearchStrategy[Decimal]:
    steps = st.integers(least * 10**places, most * 10**places)
    return steps.map(lambda number: Decimal(number).scaleb(-places))


def _row_offer(
    provider: str, standing: int, total: Decimal, switches: tuple[bool, ...], facilities: tuple[str, ...]
) -> RowOffer:
    amount = None if standing == 3 else total
    return RowOffer(
        provider, standing, amount, {2: "USD", 3: ""}.get(standing, "EUR"), *switches, facilities=facilities
    )


# All strategies are made here, once: to make one while rows are drawn takes longer than to draw from it.
_money = _decimals(1, 2_000, 2)
_several_facilities = [some for size in range(4) for some in combinations(sorted(FACILITIES), size)]
row_offers = st.builds(
    _row_offer,
    st.sampled_from(PROVIDERS),
    st.sampled_from((0, 0, 0, 0, 1, 2, 3)),
    _money,
    st.sampled_from([*product((False, True), repeat=3)]),
    st.sampled_from(_several_facilities),
)


def select(rows: list[Row], question: Question) -> Selection:
    return Selection(RowIndex(rows), question)


def keys(selection: Selection) -> list[str]:
    return [selection.index.rows[number].key for number in selection.ordered()]


def offer(total: str, provider: str = "HB", **facts: object) -> RowOffer:
    given_facts = {"free_cancellation": False, "pay_later": False, "deals": False, "facilities": (), **facts}
    return RowOffer(provider=provider, standing=0, total=Decimal(total), currency="EUR", **given_facts)


def row(key: str, _place: int, *offers: RowOffer, **facts: object) -> Row:
    plain = {
        "provider": "", "id": "", "name": key, "type": "HOTEL", "stars": 4, "rating": None,
        "distance": None, "unit": "", "coordinates": None, **facts,
    }  # fmt: skip
    return Row(key=key, offers=offers, **plain)


def offer_order(offer: RowOffer) -> tuple:
    return (offer.standing, offer.currency if offer.standing == 2 else "", offer.total or 0)


_offers_of_a_row = st.lists(row_offers, max_size=4).map(lambda some: tuple(sorted(some, key=offer_order)))
_units = st.sampled_from(("", "", "FURLONG"))
_distances = st.just((None, "")) | st.tuples(st.floats(0, 80), _units)
_positions = st.none() | st.builds(Coordinates, st.floats(41, 41.6), st.floats(1.8, 2.4))
_descriptions = st.tuples(
    st.sampled_from(NAMES), st.sampled_from(TYPES), st.sampled_from((None, 1, 2, 3, 4, 5))
)
_ratings = {best: st.none() | _decimals(0, best, 1) for best in (5, 10, 100, 1_000)}
_rows_of_ratings = {
    best: st.tuples(_descriptions, ratings, _distances, _positions, _offers_of_a_row)
    for best, ratings in _ratings.items()
}
_best_ratings = st.sampled_from((5, 10, 10, 100, 1_000))
_sizes = st.integers(0, 25)


@st.composite
def _answers(draw: st.DrawFn) -> list[Row]:
    rows, facts = [], _rows_of_ratings[draw(_best_ratings)]
    for number in range(draw(_sizes)):
        (name, type_, stars), rating, (distance, unit), coordinates, offers = draw(facts)
        rows.append(
            Row(
                key=f"k{number}",
                provider="",
                id="",
                name=name,
                type=type_,
                stars=stars,
                rating=rating,
                distance=distance,
                unit=unit,
                coordinates=coordinates,
                offers=offers,
            )
        )
    return rows


answers = _answers()


def _some(values: Iterable[str | int], most: int) -> st.SearchStrategy[tuple[str | int, ...]]:
    """Up to so many of the values, sorted; none as often as any, or hardly a row would be left."""
    some = [some for size in range(1, most + 1) for some in combinations(sorted(values), size)]
    return st.just(()) | st.sampled_from(some)


refinements = st.builds(
    Refinement,
    min_price=st.one_of(st.none(), st.none(), _money),
    max_price=st.one_of(st.none(), _money),
    min_rating=st.one_of(st.none(), st.none(), _decimals(0, 10, 1)),
    type=_some(("HOTEL", "YURT_X", "NOBODY"), 2),
    facility=_some((*FACILITIES, "NOBODY"), 2),
    provider=_some((*PROVIDERS, "NOBODY"), 2),
    free_cancellation=st.sampled_from((False, False, False, True)),
    pay_later=st.sampled_from((False, False, False, True)),
    deals=st.sampled_from((False, False, False, True)),
    name=st.sampled_from(("", "", "", "hotel", "GRAND", "lodz", "grand hotel", "zzz")),
    max_km=st.one_of(st.none(), _decimals(0, 60, 1)),
    bbox=st.one_of(st.none(), st.none(), st.just(MapArea(west=2.0, south=41.1, east=2.3, north=41.5))),
)

questions = st.builds(
    Question,
    refinement=refinements,
    stars=_some(range(1, 6), 3),
    sort=st.sampled_from(list(Sort)),
    anchor=st.sampled_from((None, ANCHOR)),
)


def offer_passes(offer: RowOffer, wanted: Refinement) -> bool:
    if wanted.max_price is not None and (offer.standing != 0 or offer.total > wanted.max_price):
        return False
    if wanted.min_price is not None and (offer.standing != 0 or offer.total < wanted.min_price):
        return False
    if wanted.provider and offer.provider not in wanted.provider:
        return False
    if wanted.facility and not set(wanted.facility) & set(offer.facilities):
        return False
    return all(
        getattr(offer, name) for name in ("free_cancellation", "pay_later", "deals") if getattr(wanted, name)
    )


def asks_about_offers(wanted: Refinement) -> bool:
    return bool(
        wanted.max_price is not None
        or wanted.min_price is not None
        or wanted.provider
        or wanted.facility
        or wanted.free_cancellation
        or wanted.pay_later
        or wanted.deals
    )


def row_passes(row: Row, question: Question) -> bool:
    wanted = question.refinement
    plain = {"hotel": "hotel", "GRAND": "grand", "lodz": "lodz", "grand hotel": "grand hotel", "zzz": "zzz"}
    folded = row.name.lower().replace("ô", "o").replace("ł", "l").replace("ó", "o").replace("ź", "z")
    at = row.coordinates
    away = at and ANCHOR.km_to(at)
    tests = [
        not question.stars or row.stars in question.stars,
        not wanted.type or row.type in wanted.type,
        wanted.min_rating is None or (row.rating is not None and row.rating >= wanted.min_rating),
        not wanted.name or all(word in folded for word in plain[wanted.name].split()),
        wanted.max_km is None
        or question.anchor is None
        or (away is not None and _as_printed(away) <= _as_printed(float(wanted.max_km))),
        wanted.bbox is None or (at is not None and wanted.bbox.holds(at.latitude, at.longitude)),
        not asks_about_offers(wanted) or any(offer_passes(offer, wanted) for offer in row.offers),
    ]
    return all(tests)


def _as_printed(km: float) -> float:
    """Tenths of a mile up to ten, whole miles beyond."""
    miles = Decimal(str(km)) / Decimal("1.609344")
    step = Decimal("0.1") if miles < 10 else Decimal(1)
    return float(miles.quantize(step, "ROUND_HALF_UP") * Decimal("1.609344"))


def answer(rows: list[Row], question: Question) -> list[Row]:
    return [row for row in rows if row_passes(row, question)]


def tradeoffs(left: list[Row], question: Question) -> list[Row]:
    """Those with a comparable total that no other is at least as good as in all, and better in one."""
    facts = {row.key: (total(row, question), *_rated_and_near(row, question)) for row in left}
    priced = [row for row in left if facts[row.key][0] is not None]
    return [one for one in priced if not any(beats(facts[two.key], facts[one.key]) for two in priced)]


def beats(one: tuple, other: tuple) -> bool:
    return one != other and all(mine <= theirs for mine, theirs in zip(one, other, strict=True))


def total(row: Row, question: Question) -> Decimal | None:
    lead = headline(row, question)
    return lead.total if lead is not None and lead.standing == 0 else None


def _rated_and_near(row: Row, question: Question) -> tuple[float, float]:
    """Less is better, and what isn't known is worse than anything."""
    rating = math.inf if row.rating is None else -float(row.rating)
    if question.anchor is not None:
        return rating, ANCHOR.km_to(row.coordinates) if row.coordinates else math.inf
    return rating, math.inf if row.distance is None or row.unit else row.distance


def alike(rows: list[Row], row: Row) -> list[Decimal]:
    """The lowest totals of the rows with the same stars and a rating within a twentieth of the scale."""
    if row.stars is None or row.rating is None or lowest(row) is None:
        return []
    known = [one for one in rows if one.stars is not None and one.rating is not None and lowest(one)]
    best = _best_but_slips(rows) or Decimal(0)
    scales = [scale for scale in (5, 10, 100) if best <= scale]
    return [
        lowest(one)
        for one in known
        if scales and one.stars == row.stars and abs(one.rating - row.rating) * 20 <= scales[0]
    ]


def lowest(row: Row) -> Decimal | None:
    return min((one.total for one in row.offers if one.standing == 0), default=None)


def middle(totals: list[Decimal]) -> Decimal:
    """So that as many are above as below; of two, the lower."""
    ordered = sorted(totals)
    while len(ordered) > 2:
        ordered = ordered[1:-1]
    return ordered[0]


def headline(row: Row, question: Question) -> RowOffer | None:
    return next((offer for offer in row.offers if offer_passes(offer, question.refinement)), None)


def sort_key(row: Row, question: Question) -> tuple:
    lead = headline(row, question)
    priced = lead is not None and lead.total is not None
    price = (0, *offer_order(lead)) if priced else (1,)
    name = (row.name.casefold(), row.key)
    by = {
        Sort.PRICE: (),
        Sort.PROVIDER: (),
        Sort.RATING: (row.rating is None, -(row.rating or 0)),
        Sort.STARS: (row.stars is None, -(row.stars or 0)),
    }
    if question.sort is Sort.PROVIDER:
        return ()
    if question.sort is Sort.TRADEOFFS:
        raise ValueError("this order depends on the other rows: see in_order")
    if question.sort is Sort.DISTANCE:
        if question.anchor is not None:
            own = (not row.coordinates, row.coordinates and ANCHOR.km_to(row.coordinates))
        else:
            own = (row.distance is None, row.unit, row.distance or 0)
    else:
        own = by[question.sort]
    return (own, price, name)


def in_order(rows: list[Row], question: Question) -> list[Row]:
    """The answer in the order asked for."""
    found = answer(rows, question)
    if question.sort is not Sort.TRADEOFFS:
        return sorted(found, key=lambda row: sort_key(row, question))
    by_price = msgspec.structs.replace(question, sort=Sort.PRICE)
    found.sort(key=lambda row: sort_key(row, by_price))
    best = {row.key for row in tradeoffs(found, question)}
    return sorted(found, key=lambda row: row.key not in best)


SEVERAL = ("stars", "type", "facility", "provider")
SWITCHES = ("free_cancellation", "pay_later", "deals")
WITH_CHOICES = ("min_rating", "stars", *SWITCHES, "max_km", "facility", "type", "provider")
IN_ORDER = (*WITH_CHOICES, "min_price", "max_price", "name", "bbox")


def chosen(question: Question, name: str) -> list[str]:
    """What is set for a filter with choices, as the address spells it."""
    value = question.stars if name == "stars" else getattr(question.refinement, name)
    if name in SEVERAL:
        return [str(one) for one in value]
    if name in SWITCHES:
        return ["1"] if value else []
    return [] if value is None else [plain_number(value)]


def choosing(question: Question, name: str, texts: Iterable[str]) -> Question:
    """The question with exactly these values set for a filter."""
    given = sorted(texts)
    if name == "stars":
        return msgspec.structs.replace(question, stars=tuple(map(int, given)))
    if name in SEVERAL:
        value: object = tuple(given)
    elif name in SWITCHES:
        value = bool(given)
    elif given:
        value = Decimal(given[0])
    else:
        value = "" if name == "name" else None
    return msgspec.structs.replace(question, refinement=question.refinement.replace(**{name: value}))


def plain_number(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def offered(rows: list[Row], question: Question, name: str) -> list[str]:
    """The values a filter offers, in their order."""
    if name in SWITCHES:
        return ["1"]
    if name == "stars":
        return ["5", "4", "3", "2", "1"]
    now = chosen(question, name)
    if name in ("type", "facility", "provider"):
        there = Counter(value for row in rows for value in set(_values(row, name)) if value)
        usual = sorted(there, key=lambda value: (-there[value], value))
        return usual + [value for value in now if value not in usual]
    if name == "max_km" and question.anchor is None:
        return []
    steps = _rating_steps(rows) if name == "min_rating" else _distance_steps(rows, question)
    return sorted({*steps, *now}, key=Decimal, reverse=name == "min_rating")


def _distance_steps(rows: list[Row], question: Question) -> list[str]:
    """The first four steps that let through more rows than the step before."""
    steps, before = [], 0
    for step in ["1.61", "3.22", "8.05", "16.09", "40.23", "80.47"]:
        alone = Question(Refinement(max_km=Decimal(step)), anchor=question.anchor)
        passing = len(answer(rows, alone))
        if passing > before:
            steps.append(step)
        before = passing
    return steps[:4]


def _values(row: Row, name: str) -> list[str]:
    by_name = {
        "type": [row.type],
        "facility": [one for offer in row.offers for one in offer.facilities],
        "provider": [offer.provider for offer in row.offers],
    }
    return by_name[name]


def _best_but_slips(rows: list[Row]) -> Decimal | None:
    """The best rating without one of each twenty, the highest."""
    given = sorted(row.rating for row in rows if row.rating is not None)
    return given[: len(given) - len(given) // 20][-1] if given else None


def _rating_steps(rows: list[Row]) -> list[str]:
    best = _best_but_slips(rows)
    if best is None or best > 100:
        return []
    if best > 10:
        return ["90", "80", "70", "60"]
    return ["9", "8", "7", "6"] if best > 5 else ["4.5", "4", "3.5", "3"]


def facets(
    rows: list[Row], question: Question, held: tuple[int, ...], complete: bool
) -> list[tuple[str, list[tuple[str, int | None, int | None, bool]]]]:
    """Name, then value, count, own count and whether chosen, of each filter with something to choose."""

    def count(name: str, texts: list[str]) -> int | None:
        known = complete and (not held or (texts and set(texts) <= set(map(str, held))))
        if name == "stars" and not known:
            return None
        return len(answer(rows, choosing(question, name, texts)))

    found = []
    for name in WITH_CHOICES:
        now, values = chosen(question, name), []
        for value in offered(rows, question, name):
            others = [one for one in now if one != value] if name in SEVERAL else []
            after = others if value in now else [*others, value]
            values.append((value, count(name, after), count(name, [value]), value in now))
        if values:
            found.append((name, values))
    return found


def drops(rows: list[Row], question: Question, held: tuple[int, ...]) -> list[tuple[str, int | None]]:
    """Each filter that is set with the size of the answer without it, the most helpful first."""
    found = []
    for name in IN_ORDER:
        without = choosing(question, name, ())
        asks = without != question and not (name == "max_km" and question.anchor is None)
        if asks and name == "stars" and held:
            found.append((name, None))
        elif asks:
            found.append((name, len(answer(rows, without))))
    return sorted(found, key=lambda drop: drop[1] or 0, reverse=True)


def histogram(totals: list[Decimal]) -> list[tuple[Decimal, Decimal | None, int]] | None:
    """From, below, how many: at most 24 bars, so wide that the cheaper nineteen twentieths fit into 23."""
    if len(set(totals)) < 2:
        return None
    ordered = sorted(totals)
    spread = ordered[len(ordered) * 19 // 20] - ordered[0] or ordered[-1] - ordered[0]
    widths = (Decimal(digit).scaleb(power) for power in range(-8, 12) for digit in (1, 2, 5))
    width = next(one for one in widths if one * 23 > spread)
    low, bars = Decimal(int(ordered[0] / width)) * width, []
    while ordered:
        last = len(bars) == 23 and ordered[-1] >= low + width
        inside = [one for one in ordered if last or one < low + width]
        bars.append((low, None if last else low + width, len(inside)))
        ordered = ordered[len(inside) :]
        low += width
    return bars
