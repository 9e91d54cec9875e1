"""What sample calls show about what the gateway's documentation leaves open: each function makes a Finding of
samples, with a setting where they decide one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from statistics import median
from typing import Any

import msgspec

from search.domain.hotels import rating_scale
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price, PriceBasis, SurchargeMode
from search.domain.site_settings import CategoriesStyle, PlaceNames
from search.gateway.prober import Sample

# Fewer prices or distances than this prove nothing.
ENOUGH = 5
MANY_RATINGS = 30
# The share of the evidence that decides.
CLEAR_SHARE = 0.8
# How a failure begins after which the same question may be answered.
_NO_ANSWER = (
    *("timeout", "connection", "throttled", "open", "full", "key", "not asked"),
    *("status 502", "status 503", "status 504"),
)


class Finding(msgspec.Struct, frozen=True):
    """What was found about a topic; `setting` and `value` when it decides a setting."""

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
    """Whether a price holds its surcharges: if price before discount and percentage lead to the price they
    come on top, if they lead to the price less its surcharges they are inside."""
    seen = list(offers)
    votes = Counter(vote for offer in seen if (vote := _surcharge_mode(offer)))
    added, cast = votes[SurchargeMode.ADDED], votes.total()
    named = [one for offer in seen for one in offer.surcharges]
    unread = sum(one.price == Price() for one in named)
    abroad = sum(one.price.customer is None for one in named) - unread
    words = f"{len(named)} seen, {abroad} in the property's currency only, {unread} unreadable"
    words += f"; by {cast} discounts {added} come on top, {cast - added} not"
    for mode, count in votes.items():
        if count >= ENOUGH and count >= cast * CLEAR_SHARE:
            return Finding("surcharges", f"{mode.value} ({words})", "surcharge_mode", mode.value)
    advice = "compare one offer with the same offer at its provider"
    return Finding("surcharges", f"undecided ({words}): {advice}")


def _surcharge_mode(offer: Offer) -> SurchargeMode | None:
    """What one offer's own numbers say; None when they decide nothing."""
    price, original = _customer(offer.price), _customer(offer.original_price)
    if not (price and original and original.currency == price.currency and offer.discount_percent):
        return None
    due = (one for one in offer.due_on(price) if one and one.currency == price.currency)
    extra = sum((one.amount for one in due), Decimal(0))
    missing = price.amount - original.amount * (100 - offer.discount_percent) / 100
    rounding = original.amount * Decimal("0.006")
    if extra <= 2 * rounding:
        return None
    if abs(missing) <= rounding:
        return SurchargeMode.ADDED
    return SurchargeMode.INCLUDED if abs(missing - extra) <= rounding else None


def _customer(price: Price | None) -> Money | None:
    return price.customer if price else None


def amounts(samples: Iterable[Sample]) -> Finding:
    """Whether prices can be used as they come."""
    seen = list(samples)
    prices = [price.amount for one in seen for offer in one.offers() if (price := _customer(offer.price))]
    text = "; amounts come as strings and are not read" if any(one.text_amounts for one in seen) else ""
    return Finding("prices", f"{len(prices)} readable, {prices.count(Decimal(0))} of them zero{text}")


def categories_style(four: Sample, five: Sample, comma: Sample, repeated: Sample) -> Finding:
    """Which way of asking for two star ratings finds what each of them finds alone."""
    if not four.listings or not five.listings:
        return Finding("categories", f"undecided: 4 stars: {four.says}; 5 stars: {five.says}")
    tried = f'"4": {four.says}; "5": {five.says}; "4,5": {comma.says}; repeated: {repeated.says}'
    for style, sample in ((CategoriesStyle.COMMA, comma), (CategoriesStyle.REPEAT, repeated)):
        if _joins(four, five, sample):
            return Finding("categories", f"{style.value} works ({tried})", "categories_style", style.value)
    if any(_unanswered(one) or _is_unclear(four, five, one) for one in (comma, repeated)):
        return Finding("categories", f"undecided ({tried})")
    if not (four.stars <= {4} and five.stars <= {5}):
        # One call each would bring the same.
        return Finding("categories", f"undecided: other stars come than were asked for ({tried})")
    return Finding("categories", f"one call each ({tried})", "categories_style", CategoriesStyle.EACH.value)


def _unanswered(sample: Sample) -> bool:
    """Whether a question had no answer, not even a refusal."""
    return sample.page is None and sample.failure.startswith(_NO_ANSWER)


def _is_unclear(four: Sample, five: Sample, both: Sample) -> bool:
    """Whether neither counts nor stars show what came."""
    uncounted = None in (four.total, five.total, both.total)
    return bool(both.listings) and uncounted and not both.stars


def _joins(four: Sample, five: Sample, both: Sample) -> bool:
    if not both.listings or not both.stars <= {4, 5}:
        return False
    if four.total is not None and five.total is not None and both.total is not None:
        expected = four.total + five.total
        return abs(both.total - expected) <= max(2, expected // 50)
    return both.stars == {4, 5}


def place_names(asked: Mapping[PlaceNames, tuple[str, Sample]]) -> Finding:
    """Under which of its names the gateway knows a city best; of equal ones the first."""
    words = "; ".join(
        f"{kind.value} \u201c{name}\u201d: {sample.says}" for kind, (name, sample) in asked.items()
    )
    counts = {kind: sample.total or len(sample.listings) for kind, (_name, sample) in asked.items()}
    best = max(counts, key=counts.__getitem__)
    if not counts[best] or any(_unanswered(sample) for _name, sample in asked.values()):
        return Finding("names of places", f"undecided ({words})")
    return Finding("names of places", f"{best.value} ({words})", "place_name_language", best.value)


def first_page(zero: Sample, one: Sample) -> Finding:
    """Whether pages count from 0 as documented, and whether `page` does anything."""
    if zero.page is None and one.page is not None:
        return Finding("pages", f"page 0 fails ({zero.says}), page 1 answers: not as documented")
    if not zero.keys or not one.keys:
        return Finding("pages", f"undecided: page 0: {zero.says}; page 1: {one.says}")
    shared = len(set(zero.keys) & set(one.keys))
    if shared == len(set(one.keys)):
        return Finding("pages", "page 1 repeats page 0: the number is ignored or counts from 1")
    overlap = f", but share {shared} properties" if shared else " without overlap"
    return Finding("pages", f"page 0 and 1 differ{overlap}")


def sizes(asked: Mapping[int, Sample], page_size: int) -> Finding:
    """The largest page that comes; suggested as page size where ours is larger."""
    came = {size: sample.page.received for size, sample in asked.items() if sample.page}
    words = ", ".join(f"{size}: {came.get(size, asked[size].failure)}" for size in sorted(asked))
    if all(_is_whole(size, sample) for size, sample in asked.items()):
        return Finding("size", f"no maximum met ({words})")
    most = max(came.values(), default=0)
    if len(came) == len(asked) and {sample.total for sample in asked.values()} == {None}:
        return Finding("size", f"at most {most}, or there are no more ({words})")
    if not came or any(map(_unanswered, asked.values())):
        return Finding("size", f"undecided ({words})")
    text = f"at most {most} ({words})"
    return Finding("size", text, "page_size", most) if 0 < most < page_size else Finding("size", text)


def _is_whole(size: int, sample: Sample) -> bool:
    """Whether a page of this size holds all it can."""
    count, total = sample.page.received if sample.page else -1, sample.total
    return count >= size or (total is not None and total <= count)


def ratings(listings: Iterable[Listing]) -> Finding:
    """The scale that guest ratings are on, from the range that nearly all of them have."""
    given = [one.property.rating.value for one in listings if one.property.rating]
    values = sorted(value for value in given if value is not None)
    if len(values) < MANY_RATINGS:
        return Finding("rating", f"undecided: only {len(values)} ratings seen")
    words = f"{values[0]} to {values[-1]} in {len(values)} ratings"
    if scale := rating_scale(values):
        beyond = sum(value > scale for value in values)
        slips = f", {beyond} of them beyond that" if beyond else ""
        return Finding("rating", f"out of {scale} ({words}{slips})", "rating_scale", scale)
    return Finding("rating", f"on no scale we know ({words})")
