"""What sample calls show about what the gateway's documentation leaves open. Pure functions.

Every function takes samples and returns one Finding; it suggests a setting only when the samples decide it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from statistics import mean, median
from typing import Any

import msgspec

from search.domain.hotels import Coordinates
from search.domain.offers import Listing, Offer, PriceBasis, SurchargeMode
from search.domain.site_settings import CategoriesStyle
from search.gateway.prober import Sample

# Fewer prices or distances than this prove nothing.
ENOUGH = 5
MANY_RATINGS = 30
# The share of the evidence that decides.
CLEAR_SHARE = 0.8


class Finding(msgspec.Struct, frozen=True):
    """What was found about one topic, in words; `setting` and `value` when it decides a setting."""

    topic: str
    text: str
    setting: str = ""
    value: Any = None


def price_basis(one: Sample, two: Sample, four: Sample) -> Finding:
    """Whether four nights cost about four times as much as one."""
    to_two, to_four = _growth(one, two), _growth(one, four)
    if to_four is None:
        return Finding("price basis", "undecided: too few offers with a price for both one and four nights")
    steps = f"one night 1, two nights {'?' if to_two is None else f'{to_two:.2f}'}, four nights {to_four:.2f}"
    if to_four >= Decimal("2.5"):
        return Finding("price basis", f"for the stay ({steps})", "price_basis", PriceBasis.STAY.value)
    if to_four <= Decimal("1.6"):
        return Finding("price basis", f"for one night ({steps})", "price_basis", PriceBasis.NIGHT.value)
    return Finding("price basis", f"undecided ({steps})")


def _growth(shorter: Sample, longer: Sample) -> Decimal | None:
    before, after = shorter.prices(), longer.prices()
    ratios = [after[offer] / before[offer] for offer in before.keys() & after.keys()]
    return median(ratios) if len(ratios) >= ENOUGH else None


def surcharges(offers: Iterable[Offer]) -> Finding:
    """Whether a price holds its surcharges: a discount is taken from the price without them.

    Where price before discount and percentage lead to the price, surcharges come on top; where they lead
    to the price less its surcharges, those are inside.
    """
    seen = list(offers)
    votes = [vote for offer in seen if (vote := _surcharge_mode(offer))]
    added = votes.count(SurchargeMode.ADDED)
    words = (
        f"{_surcharge_words(seen)}; by {len(votes)} discounts {added} come on top, {len(votes) - added} not"
    )
    for mode, count in ((SurchargeMode.ADDED, added), (SurchargeMode.INCLUDED, len(votes) - added)):
        if count >= ENOUGH and count >= len(votes) * CLEAR_SHARE:
            return Finding("surcharges", f"{mode.value} ({words})", "surcharge_mode", mode.value)
    return Finding(
        "surcharges", f"undecided ({words}): compare one offer with the same offer at its provider"
    )


def _surcharge_mode(offer: Offer) -> SurchargeMode | None:
    """What one offer's own numbers say; None when they say nothing or contradict each other."""
    price = offer.price.customer if offer.price else None
    original = offer.original_price.customer if offer.original_price else None
    if not price or not original or original.currency != price.currency or not offer.discount_percent:
        return None
    amounts = [one.amount for one in offer.surcharges]
    extra = sum((one.amount for one in amounts if one and one.currency == price.currency), Decimal(0))
    reduced = original.amount * (100 - offer.discount_percent) / 100
    rounding = original.amount * Decimal("0.006")
    if extra <= 2 * rounding:
        return None
    if abs(reduced - price.amount) <= rounding:
        return SurchargeMode.ADDED
    return SurchargeMode.INCLUDED if abs(reduced - price.amount + extra) <= rounding else None


def _surcharge_words(offers: Iterable[Offer]) -> str:
    named = [one for offer in offers for one in offer.surcharges]
    unread = sum(one.amount is None for one in named)
    abroad = sum(one.price.customer is None and one.amount is not None for one in named)
    return f"{len(named)} seen, {abroad} in the property's currency only, {unread} unreadable"


def amounts(samples: Iterable[Sample]) -> Finding:
    """Whether prices can be used as they come."""
    seen = list(samples)
    prices = [
        offer.price.customer
        for sample in seen
        for offer in sample.offers()
        if offer.price and offer.price.customer
    ]
    zero = sum(not price.amount for price in prices)
    text = "; amounts come as strings and are not read" if any(one.text_amounts for one in seen) else ""
    return Finding("prices", f"{len(prices)} readable, {zero} of them zero{text}")


def totals(samples: Iterable[Sample]) -> Finding:
    """Whether the same search always counts the same; the samples are of one search."""
    seen = [sample.total for sample in samples if sample.page]
    if not seen:
        return Finding("total", "undecided: no answer")
    known = sorted({total for total in seen if total is not None})
    if not known:
        return Finding("total", "missing")
    moving = f"moves: {', '.join(map(str, known))}" if len(known) > 1 else f"always {known[0]}"
    return Finding("total", f"{moving}{', sometimes missing' if None in seen else ''}")


def depth(pages: Mapping[int, Sample], last: tuple[int, Sample] | None) -> Finding:
    """Whether the pages up to the one that Total makes the last hold results. `pages` are the first few."""
    topic = "depth"
    if any(sample.page is None for sample in pages.values()):
        return Finding(topic, f"undecided: {'; '.join(sample.says for sample in pages.values())}")
    filled = [number for number, sample in pages.items() if sample.listings]
    holes = [
        number for number, sample in pages.items() if not sample.listings and number < max(filled, default=0)
    ]
    if holes:
        return Finding(topic, f"page {holes[0]} is empty although others follow")
    if last is None:
        return Finding(topic, "undecided: no Total")
    number, sample = last
    if sample.page is None or sample.listings:
        return Finding(topic, f"page {number}, the last by Total: {sample.says}")
    return Finding(topic, f"page {number}, the last by Total, is empty: results end before")


def repeats(samples: Iterable[Sample]) -> Finding:
    """How many entries came twice on one page or could not be used."""
    pages = [sample.page for sample in samples if sample.page]
    received = sum(page.received for page in pages)
    lost = received - sum(len(page.listings) for page in pages)
    return Finding("repeats", f"{lost} of {received} entries are repeats or unusable")


def pace(samples: Iterable[Sample], deadline: float) -> Finding:
    """How long an answer takes, against the time a page may spend on the gateway in all."""
    seconds = [sample.seconds for sample in samples if sample.page]
    if not seconds:
        return Finding("pace", "undecided: no answer")
    typical = median(seconds)
    slow = (
        f": more than half of GATEWAY_DEADLINE ({deadline:g} s), raise it" if typical > deadline / 2 else ""
    )
    return Finding("pace", f"{typical:.1f} s an answer{slow}")


def categories_style(four: Sample, five: Sample, comma: Sample, repeated: Sample) -> Finding:
    """Which way of asking for two star ratings finds what each of them finds alone."""
    topic = "categories"
    if not four.listings or not five.listings:
        return Finding(topic, f"undecided: 4 stars: {four.says}; 5 stars: {five.says}")
    tried = f'"4": {four.says}; "5": {five.says}; "4,5": {comma.says}; repeated: {repeated.says}'
    for style, sample in ((CategoriesStyle.COMMA, comma), (CategoriesStyle.REPEAT, repeated)):
        if _joins(four, five, sample):
            return Finding(topic, f"{style.value} works ({tried})", "categories_style", style.value)
    return Finding(topic, f"one call each ({tried})", "categories_style", CategoriesStyle.EACH.value)


def _joins(four: Sample, five: Sample, both: Sample) -> bool:
    if not both.listings or not both.stars <= {4, 5}:
        return False
    if four.total is not None and five.total is not None and both.total is not None:
        expected = four.total + five.total
        return abs(both.total - expected) <= max(2, expected // 50)
    return both.stars == {4, 5}


def first_page(zero: Sample, one: Sample) -> Finding:
    """Whether pages count from 0 as documented, and whether `page` does anything."""
    topic = "pages"
    if zero.page is None and one.page is not None:
        return Finding(topic, f"page 0 fails ({zero.says}), page 1 answers: not as documented")
    if not zero.keys or not one.keys:
        return Finding(topic, f"undecided: page 0: {zero.says}; page 1: {one.says}")
    shared = len(set(zero.keys) & set(one.keys))
    if shared == len(set(one.keys)):
        return Finding(topic, "page 1 repeats page 0: the number is ignored or counts from 1")
    return Finding(
        topic, f"page 0 and 1 differ{f', but share {shared} properties' if shared else ' without overlap'}"
    )


def sizes(asked: Mapping[int, Sample], page_size: int) -> Finding:
    """The largest page that really comes; a smaller page size is suggested when ours is above it."""
    topic = "size"
    came = {size: sample.page.received for size, sample in asked.items() if sample.page}
    words = ", ".join(f"{size}: {came.get(size, asked[size].failure)}" for size in sorted(asked))
    if not came:
        return Finding(topic, f"undecided ({words})")
    most = max(came.values())
    short = [size for size, count in came.items() if count < size and _more(asked[size], count)]
    failing = [size for size, sample in asked.items() if sample.page is None]
    if not short and not failing:
        return Finding(topic, f"no maximum met ({words})")
    if 0 < most < page_size:
        return Finding(topic, f"at most {most} ({words})", "page_size", most)
    return Finding(topic, f"at most {most} ({words})")


def _more(sample: Sample, count: int) -> bool:
    return sample.total is None or sample.total > count


def default_size(unsaid: Sample) -> Finding:
    return Finding("size left out", unsaid.says)


def places(asked: Mapping[str, Sample]) -> Finding:
    """Which spellings of one destination find something, and whether it is the same."""
    words = "; ".join(f"“{place}”: {sample.says}" for place, sample in asked.items())
    return Finding("place", words)


def distance(listings: Iterable[Listing], airport: Coordinates | None) -> Finding:
    """Where the gateway's `distance` starts: the airport, or the middle of what was found."""
    topic = "distance"
    measured = [
        (one.property.coordinates, float(one.distance.value), one.distance.unit)
        for one in listings
        if one.distance and one.property.coordinates
    ]
    if len(measured) < ENOUGH:
        return Finding(topic, "undecided: too few properties with coordinates and a distance")
    units = ", ".join(sorted({unit for _, _, unit in measured}))
    spots = [spot for spot, _, _ in measured]
    middle = Coordinates(mean(spot.latitude for spot in spots), mean(spot.longitude for spot in spots))
    origins = {"the middle of the results": middle, **({"the airport": airport} if airport else {})}
    errors = {
        name: median(abs(origin.km_to(spot) - value) for spot, value, _ in measured)
        for name, origin in origins.items()
    }
    name, error = min(errors.items(), key=lambda pair: pair[1])
    others = ", ".join(f"{one}: {off:.1f} km" for one, off in errors.items())
    said = f"closest to {name}" if error <= 2 else "from neither the airport nor the middle of the results"
    return Finding(topic, f"{said} (median difference: {others}; unit {units})")


def ratings(listings: Iterable[Listing]) -> Finding:
    """The scale that guest ratings are on, from the range they have."""
    topic = "rating"
    values = [
        one.property.rating.value
        for one in listings
        if one.property.rating and one.property.rating.value is not None
    ]
    if len(values) < MANY_RATINGS:
        return Finding(topic, f"undecided: only {len(values)} ratings seen")
    highest = max(values)
    scale = next((scale for scale in (5, 10, 100) if highest <= scale), None)
    words = f"{min(values)} to {highest} in {len(values)} ratings"
    if scale is None:
        return Finding(topic, f"on no scale we know ({words})")
    return Finding(topic, f"out of {scale} ({words})", "rating_scale", scale)


def markets(ours: Sample, other: Sample, names: tuple[str, str]) -> Finding:
    """What another market changes for the same search."""
    topic = "market"
    if ours.page is None or other.page is None:
        return Finding(topic, f"{names[0]}: {ours.says}; {names[1]}: {other.says}")
    first, second = ours.prices(), other.prices()
    shared = first.keys() & second.keys()
    moved = sum(first[offer] != second[offer] for offer in shared)
    return Finding(
        topic,
        f"{names[0]}: {ours.says}; {names[1]}: {other.says}; {moved} of {len(shared)} shared prices differ",
    )


def longest_stay(allowed: Sample, beyond: Sample) -> Finding:
    return Finding("28 nights", f"27 nights: {allowed.says}; 28 nights: {beyond.says}")


def shapes(found: Mapping[str, str]) -> Finding:
    """Which JSON types the details fields of unknown type have."""
    return Finding("details", "; ".join(f"{name}: {kind}" for name, kind in found.items()) or "undecided")
