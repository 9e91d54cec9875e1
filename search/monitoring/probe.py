"""Measures what the interface leaves open: at most `MOST_CALLS` calls, what they show, and the settings that
follow. The calls are spelled in ways that the client never uses."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from statistics import median
from typing import Any

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.utils.timezone import localdate

from search.destinations import places
from search.destinations import service as destinations
from search.destinations.index import DestinationIndex, airport_destination
from search.domain import process
from search.domain.hotels import Airport, rating_scale
from search.domain.money import Money
from search.domain.offers import Listing, Offer, Price, PriceBasis, SurchargeMode
from search.domain.site_settings import SETTINGS, CategoriesStyle, PlaceNames, Site
from search.gateway import GatewayError, factory, parsing
from search.gateway.client import AIRPORTS_CALL, WireSearch
from search.gateway.factory import build_safe_store
from search.gateway.resilience import in_thread
from search.gateway.search_page import SearchPage, search_page
from search.gateway.transport import Call, record_calls
from search.site_settings import store
from search.web.shortcuts import page_deadline

MOST_CALLS = 20
# The transport may repeat a call once.
CALLS_PER_QUESTION = 2
DAYS_AHEAD = 45
SIZES = (10, 50, 100, 500)
USUAL_PLACE = "Barcelona"
CITIES_OF_SEVERAL_NAMES = ("Rome", "Munich")
# Fewer prices than this prove nothing.
ENOUGH = 5
MANY_RATINGS = 30
# The share of the evidence that decides.
CLEAR_SHARE = 0.8
NOT_ASKED = "not asked: the limit of calls is reached"
# How a failure begins after which the same question may be answered.
_NO_ANSWER = (
    *("timeout", "connection", "throttled", "open", "full", "key", "not asked"),
    *("status 502", "status 503", "status 504"),
)
_TEXT_AMOUNT = re.compile(rb'"value"\s*:\s*"')

logger = logging.getLogger(__name__)


class Finding(msgspec.Struct, frozen=True):
    """What was found about a topic; `setting` and `value` when it decides a setting."""

    topic: str
    text: str
    setting: str = ""
    value: Any = None


class Sample(msgspec.Struct, frozen=True):
    """One search call: its page, an empty one after a `failure`; `text_amounts`: amounts came as strings."""

    page: SearchPage = SearchPage((), None, 0)
    failure: str = ""
    text_amounts: bool = False

    @property
    def stars(self) -> set[int]:
        return {one for entry in self.page.entries if (one := entry.outline.stars)}

    @property
    def says(self) -> str:
        total = "?" if self.page.total is None else self.page.total
        return self.failure or f"{self.page.received} results of {total}"

    def is_whole(self, size: int) -> bool:
        """Whether a page of this size holds all it can."""
        most = size if self.page.total is None else min(size, self.page.total)
        return not self.failure and self.page.received >= most

    def prices(self) -> Iterator[tuple[tuple[str, str], Decimal]]:
        """The customer price of each offer, before any reading of ours, by provider and its property."""
        for offer in (offer for listing in self.page.listings for offer in listing.offers):
            if price := _customer(offer.price):
                yield (offer.provider, offer.property_id), price.amount


class Probe:
    """One run: the same stay in the same place, asked for in many ways. `place`: where to look, else the
    best-served airport."""

    def __init__(self, site: Site, today: date, place: str = "", most: int = MOST_CALLS) -> None:
        self._site = site
        self._most = most
        self._made = record_calls()
        # The airport with the most routes certainly has hotels.
        airport = max(self._airports(), key=lambda one: (len(one.routes), one.code), default=None)
        if airport and not place:
            place = airport_destination(airport, site.override(airport.code)).place
        # From a Monday on, four nights hold no weekend price.
        later = today + timedelta(days=DAYS_AHEAD)
        self._usual = WireSearch(
            place=place or USUAL_PLACE,
            check_in=later + timedelta(days=(7 - later.weekday()) % 7),
            nights=1,
            guests=2,
            categories=("4",),
            currency=site.currency_of(site.default_market),
            market=site.default_market,
            size=20,
            page=0,
        )

    def findings(self) -> list[Finding]:
        """Every finding, in the order of the questions."""
        zero, one = self._search(size=SIZES[0], page=0), self._search(size=SIZES[0], page=1)
        first = zero
        if zero.failure and not one.failure:
            self._usual = msgspec.structs.replace(self._usual, page=1)
            first = one
        base = self._search()
        if base.failure.startswith("request"):  # its size may be refused
            self._usual = msgspec.structs.replace(self._usual, size=SIZES[0])
            base = self._search()
        four_nights, five = self._search(nights=4), self._search(categories=("5",))
        comma, repeated = self._search(categories=("4,5",)), self._search(categories=("4", "5"))
        sized = {SIZES[0]: first, self._usual.size or SIZES[0]: base}
        sized |= {size: self._search(size=size) for size in SIZES[1:]}
        asked = [base, *sized.values(), five, comma, repeated]
        listings = {one.property.key: one for sample in asked for one in sample.page.listings}
        return [
            price_basis(base, four_nights),
            surcharges(listings.values()),
            amounts(asked),
            categories_style(base, five, comma, repeated),
            first_page(zero, one),
            sizes(sized, self._site.page_size),
            place_names({kind: (name, self._search(place=name)) for name, kind in self._names().items()}),
            ratings(listings.values()),
        ]

    def _names(self) -> dict[str, PlaceNames]:
        """The names of a city that has another one at home."""
        market, index = self._site.default_market, DestinationIndex((), (), places.world())
        asked: dict[PlaceNames, str] = {}
        for city in filter(None, (destinations.resolve(name, index) for name in CITIES_OF_SEVERAL_NAMES)):
            names = {kind: destinations.sent_name(city, index, kind, market) for kind in PlaceNames}
            if names[PlaceNames.LOCAL] != names[PlaceNames.MARKET]:
                asked = names
        once: dict[str, PlaceNames] = {}
        for kind, name in asked.items():
            once.setdefault(name, kind)
        return once

    def _airports(self) -> tuple[Airport, ...]:
        try:
            return parsing.airport_list(self._ask(AIRPORTS_CALL))
        except GatewayError:
            return ()

    def _search(self, **changes: Any) -> Sample:
        try:
            body = self._ask(msgspec.structs.replace(self._usual, **changes).call())
            return Sample(search_page(body), "", bool(_TEXT_AMOUNT.search(body)))
        except GatewayError as error:
            return Sample(failure=str(error))

    def _ask(self, call: Call) -> bytes:
        if len(self._made) + CALLS_PER_QUESTION > self._most:
            raise GatewayError(NOT_ASKED)
        return factory.transport().get(call, page_deadline())


def price_basis(one: Sample, four: Sample) -> Finding:
    """Whether four nights cost about four times as much as one."""
    before, after = dict(one.prices()), dict(four.prices())
    both = [offer for offer in before.keys() & after.keys() if min(before[offer], after[offer]) > 0]
    ratios = [after[offer] / before[offer] for offer in both]
    if len(ratios) < ENOUGH:
        return Finding("price basis", "undecided: too few offers with a price for both one and four nights")
    growth = median(ratios)
    words = f"one night 1, four nights {growth:.2f}"
    if growth >= Decimal("2.5"):
        return Finding("price basis", f"for the stay ({words})", "price_basis", PriceBasis.STAY.value)
    if growth <= Decimal("1.6"):
        return Finding("price basis", f"for one night ({words})", "price_basis", PriceBasis.NIGHT.value)
    return Finding("price basis", f"undecided ({words})")


def surcharges(listings: Iterable[Listing]) -> Finding:
    """Whether a price holds its surcharges: if price before discount and percentage lead to the price they
    come on top, if they lead to the price less its surcharges they are inside."""
    offers = [offer for listing in listings for offer in listing.offers]
    votes = Counter(filter(None, map(_surcharge_mode, offers)))
    added, cast = votes[SurchargeMode.ADDED], votes.total()
    named = [one for offer in offers for one in offer.surcharges]
    unread = sum(one.price == Price() for one in named)
    abroad = sum(one.price.customer is None for one in named) - unread
    words = f"{len(named)} seen, {abroad} in the property's currency only, {unread} unreadable"
    words += f"; by {cast} discounts {added} come on top, {cast - added} not"
    for mode, count in votes.items():
        if count >= max(ENOUGH, cast * CLEAR_SHARE):
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


def amounts(samples: list[Sample]) -> Finding:
    """Whether prices can be used as they come."""
    prices = [amount for one in samples for _offer, amount in one.prices()]
    text = "; amounts come as strings and are not read" if any(one.text_amounts for one in samples) else ""
    return Finding("prices", f"{len(prices)} readable, {prices.count(Decimal(0))} of them zero{text}")


def categories_style(four: Sample, five: Sample, comma: Sample, repeated: Sample) -> Finding:
    """Which way of asking for two star ratings finds what each of them finds alone."""
    if not four.page.entries or not five.page.entries:
        return Finding("categories", f"undecided: 4 stars: {four.says}; 5 stars: {five.says}")
    tried = f'"4": {four.says}; "5": {five.says}; "4,5": {comma.says}; repeated: {repeated.says}'
    joins = {
        CategoriesStyle.COMMA: _joins(four, five, comma),
        CategoriesStyle.REPEAT: _joins(four, five, repeated),
    }
    if style := next((style for style, joined in joins.items() if joined), None):
        return Finding("categories", f"{style.value} works ({tried})", "categories_style", style.value)
    if None in joins.values():
        return Finding("categories", f"undecided ({tried})")
    if not (four.stars <= {4} and five.stars <= {5}):
        # One call each would bring the same.
        return Finding("categories", f"undecided: other stars come than were asked for ({tried})")
    return Finding("categories", f"one call each ({tried})", "categories_style", CategoriesStyle.EACH.value)


def _unanswered(sample: Sample) -> bool:
    """Whether the question had no answer, not even a refusal."""
    return sample.failure.startswith(_NO_ANSWER)


def _joins(four: Sample, five: Sample, both: Sample) -> bool | None:
    """Whether the last one has what the others have; None if it has no answer or nothing shows what came."""
    if _unanswered(both):
        return None
    if not both.page.entries or not both.stars <= {4, 5}:
        return False
    apart, together = (four.page.total, five.page.total), both.page.total
    if together is not None and None not in apart:
        expected = sum(filter(None, apart))
        return abs(together - expected) <= max(2, expected // 50)
    return both.stars == {4, 5} if both.stars else None


def place_names(asked: Mapping[PlaceNames, tuple[str, Sample]]) -> Finding:
    """Under which of its names the gateway knows a city best; of equal ones the first."""
    words = "; ".join(f"{kind.value} “{name}”: {sample.says}" for kind, (name, sample) in asked.items())
    counts = {kind: sample.page.total or len(sample.page.entries) for kind, (_name, sample) in asked.items()}
    best = max(counts, key=counts.__getitem__)
    if not counts[best] or any(_unanswered(sample) for _name, sample in asked.values()):
        return Finding("names of places", f"undecided ({words})")
    return Finding("names of places", f"{best.value} ({words})", "place_name_language", best.value)


def first_page(zero: Sample, one: Sample) -> Finding:
    """Whether pages count from 0 as documented, and whether `page` does anything."""
    if zero.failure and not one.failure:
        return Finding("pages", f"page 0 fails ({zero.says}), page 1 answers: not as documented")
    if not zero.page.entries or not one.page.entries:
        return Finding("pages", f"undecided: page 0: {zero.says}; page 1: {one.says}")
    before, after = ({listing.property.key for listing in sample.page.listings} for sample in (zero, one))
    if after <= before:
        return Finding("pages", "page 1 repeats page 0: the number is ignored or counts from 1")
    shared = len(before & after)
    overlap = f", but share {shared} properties" if shared else " without overlap"
    return Finding("pages", f"page 0 and 1 differ{overlap}")


def sizes(asked: Mapping[int, Sample], page_size: int) -> Finding:
    """The largest page that comes; suggested as page size where ours is larger."""
    samples, most = asked.values(), max(one.page.received for one in asked.values())
    words = ", ".join(f"{size}: {asked[size].failure or asked[size].page.received}" for size in sorted(asked))
    if all(map(Sample.is_whole, samples, asked)):
        return Finding("size", f"no maximum met ({words})")
    if not any(one.failure or one.page.total is not None for one in samples):
        return Finding("size", f"at most {most}, or there are no more ({words})")
    if not most or any(map(_unanswered, samples)):
        return Finding("size", f"undecided ({words})")
    text = f"at most {most} ({words})"
    return Finding("size", text, "page_size", most) if most < page_size else Finding("size", text)


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


def suggestions(findings: list[Finding]) -> dict[str, Any]:
    """The settings that the findings decide; findings of a later version may decide others."""
    return {one.setting: one.value for one in findings if one.setting in SETTINGS}


# The probe of the gateway panel runs behind the page, one at a time, and keeps its findings in the cache.
KEPT_SECONDS = 7 * 86_400
RUNNING = "probe:running"
_FINDINGS = msgspec.msgpack.Decoder(list[Finding])


def found_key() -> str:
    """The cache's key of findings about this gateway."""
    return f"probe:found:{settings.GATEWAY_BASE_URL}"


def start(place: str) -> bool | None:
    """Begin to probe behind the page; False while a probe is under way, None without a cache or a thread."""
    # Longer than MOST_CALLS calls may take: a process that was stopped doesn't block it for ever.
    seconds = MOST_CALLS * settings.GATEWAY_DEADLINE + 12
    try:
        begins = cache.add(RUNNING, place, seconds)
    except Exception:  # each backend raises errors of its own, and all mean the same
        return None
    # The settings are read here: a thread of its own would leave a database connection open.
    if begins and not in_thread(partial(_run, place, store.current())):
        cache.delete(RUNNING)
        return None
    return begins


def _run(place: str, site: Site) -> None:
    try:
        findings = Probe(site, localdate(), place).findings()
        cache.set(found_key(), msgspec.msgpack.encode(findings), KEPT_SECONDS)
    except Exception:
        logger.exception("probe=failed")
    finally:
        cache.delete(RUNNING)


def is_running() -> bool:
    return process.part(build_safe_store).get(RUNNING) is not None


def findings() -> list[Finding]:
    """What the last probe found; empty before the first."""
    try:
        kept = process.part(build_safe_store).get(found_key())
        return _FINDINGS.decode(kept or b"\x90")
    except msgspec.DecodeError:
        return []
