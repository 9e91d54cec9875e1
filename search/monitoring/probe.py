"""Measuring what the interface leaves open: `MOST_CALLS` calls, findings, and the settings they suggest."""

import logging
from datetime import date, timedelta
from functools import partial
from typing import Any

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.utils.timezone import localdate

from search.destinations import places
from search.destinations import service as destinations
from search.destinations.destination import airport_destination
from search.destinations.index import DestinationIndex
from search.domain import process
from search.domain.site_settings import SETTINGS, PlaceNames, Site
from search.gateway import factory
from search.gateway.client import WireSearch
from search.gateway.factory import build_safe_store
from search.gateway.prober import Prober, Sample
from search.gateway.resilience import in_thread
from search.gateway.transport import record_calls
from search.site_settings import store
from search.web.shortcuts import page_deadline

from . import probe_rules
from .probe_rules import Finding

MOST_CALLS = 20
DAYS_AHEAD = 45
SIZES = (10, 50, 100, 500)
USUAL_PLACE = "Barcelona"
CITIES_OF_SEVERAL_NAMES = ("Rome", "Munich")
KEPT_SECONDS = 7 * 86_400
RUNNING = "probe:running"

logger = logging.getLogger(__name__)

_FINDINGS = msgspec.msgpack.Decoder(list[Finding])


def prober() -> Prober:
    """A prober on the site's own connection, limited to MOST_CALLS of its own."""
    own = record_calls()
    return Prober(
        transport=factory.transport(), deadline=page_deadline, spent=lambda: len(own), most=MOST_CALLS
    )


def probe(ask: Prober, site: Site, today: date, place: str = "") -> list[Finding]:
    """Every finding, in the order of the questions. `place`: where to look, else the best-served airport."""
    return _Session(ask, site, today, place).findings()


def suggestions(findings: list[Finding]) -> dict[str, Any]:
    """The settings that the findings decide; findings of a later version may decide others."""
    return {one.setting: one.value for one in findings if one.setting in SETTINGS}


class _Session:
    """One run: the same stay in the same place, asked for in many ways."""

    def __init__(self, ask: Prober, site: Site, today: date, place: str) -> None:
        self._ask = ask
        self._site = site
        # The airport with the most routes certainly has hotels.
        airport = max(ask.airports(), key=lambda one: (len(one.routes), one.code), default=None)
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
        zero, one = self._search(size=SIZES[0], page=0), self._search(size=SIZES[0], page=1)
        first = zero
        if zero.page is None and one.page is not None:
            self._usual = msgspec.structs.replace(self._usual, page=1)
            first = one
        base = self._base()
        two, four, five = self._search(nights=2), self._search(nights=4), self._search(categories=("5",))
        comma, repeated = self._search(categories=("4,5",)), self._search(categories=("4", "5"))
        base_sizes = {SIZES[0]: first, self._usual.size or SIZES[0]: base}
        sized = base_sizes | {size: self._search(size=size) for size in SIZES[1:]}
        asked = [base, *sized.values(), five, comma, repeated]
        listings = {one.property.key: one for sample in asked for one in sample.listings}
        return [
            probe_rules.price_basis(base, two, four),
            probe_rules.surcharges(offer for one in listings.values() for offer in one.offers),
            probe_rules.amounts(asked),
            probe_rules.categories_style(base, five, comma, repeated),
            probe_rules.first_page(zero, one),
            probe_rules.sizes(sized, self._site.page_size),
            self._place_names(),
            probe_rules.ratings(listings.values()),
        ]

    def _base(self) -> Sample:
        """The usual search, in pages of ten where its own size is refused."""
        base = self._search()
        if base.page is None and base.failure.startswith("request"):
            self._usual = msgspec.structs.replace(self._usual, size=SIZES[0])
            base = self._search()
        return base

    def _search(self, **changes: Any) -> Sample:
        return self._ask.search(msgspec.structs.replace(self._usual, **changes))

    def _place_names(self) -> Finding:
        """By which name the gateway knows a city that has another one at home."""
        market, index = self._site.default_market, DestinationIndex((), (), places.world())
        asked: dict[PlaceNames, str] = {}
        for city in filter(None, (destinations.resolve(name, index) for name in CITIES_OF_SEVERAL_NAMES)):
            names = {kind: destinations.sent_name(city, index, kind, market) for kind in PlaceNames}
            if names[PlaceNames.LOCAL] != names[PlaceNames.MARKET]:
                asked = names
        once: dict[str, PlaceNames] = {}
        for kind, name in asked.items():
            once.setdefault(name, kind)
        return probe_rules.place_names({kind: (one, self._search(place=one)) for one, kind in once.items()})


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
        findings = probe(prober(), site, localdate(), place)
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


def decided() -> dict[str, Any]:
    """The settings that the last probe's findings decide."""
    return suggestions(findings())


def changes() -> list[store.Change]:
    """The settings that the last probe would change."""
    return store.changes_by(decided(), store.current())
