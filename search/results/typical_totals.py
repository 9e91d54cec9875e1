"""What a stay costs by its check-in day, as earlier searches found it: nothing here asks the gateway.

One entry of the cache holds all days of searches that differ in nothing else, so a calendar takes one look.
"""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from statistics import median_low
from typing import Any

import msgspec
from django.conf import settings
from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.query import StaySearch
from search.domain.site_settings import Site
from search.gateway.cache import KEEP
from search.gateway.factory import build_safe_store
from search.web.formatting import Reader, whole_money
from search.web.search_bar import NO_TOTALS, DayTotals
from search.web.translation import gettext as _

from .available_results import AvailableResults
from .listings import visible
from .pagination import CoverageState
from .rows import Row

# The same sample for every day: so many places that the gateway names first. Of too few there is no middle.
SAMPLE = 50
LEAST = 5
KEPT = timedelta(seconds=KEEP["search"])
SETTLED = (CoverageState.COMPLETE, CoverageState.CAPPED)

Totals = dict[date, tuple[Decimal, datetime]]


def by_day(search: StaySearch, site: Site) -> dict[date, Decimal]:
    """The middle total of the stay of `search` for each check-in day that is cached, its own or another."""
    return by_day_of_each([search], site)[0]


def by_day_of_each(searches: Iterable[StaySearch], site: Site) -> list[dict[date, Decimal]]:
    """`by_day` of several searches, with one question to the cache."""
    keys = [_key(search, site) for search in searches]
    kept = process.part(build_safe_store).get_many(keys)
    read = (_read(kept.get(key)) for key in keys)
    return [{day: total for day, (total, _found) in totals.items()} for totals in read]


def for_calendar(context: SearchContext) -> DayTotals:
    """The cached totals of the stay on other days, in words, from today on."""
    numbers, currency = Reader.for_search(context).numbers, context.search.currency
    known = sorted(by_day(context.sent, context.site).items())
    said = [f"{day} {whole_money(total, currency, numbers)}" for day, total in known if day >= context.today]
    return DayTotals("|".join(said), note(context.site)) if said else NO_TOTALS


def note(site: Site) -> str:
    """`Totals: the middle one of the first 50 places an earlier search found.`"""
    said = _("Totals: the middle one of the first %(count)d places an earlier search found.")
    return said % {"count": _sample(site)}


def _sample(site: Site) -> int:
    """How many places count: no more than are compared."""
    return min(site.cap, SAMPLE)


def remember(context: SearchContext, available: AvailableResults) -> None:
    """Keep the middle total of these results, once their first places are all in and none is stale."""
    found, key, day = available.result_set, _key(context.sent, context.site), context.search.dates.check_in
    if available.stale or found.coverage.state not in SETTLED:
        return
    kept, total = _read(process.part(build_safe_store).get(key)), _middle(found.rows, context)
    known = kept.get(day)
    if total is None or known == (total, found.fetched_at):
        return
    # A deeper pass is shown for an hour, while its search is fetched anew.
    if known and found.fetched_at < known[1] <= timezone.now():
        return
    ahead = {one: known for one, known in kept.items() if one >= context.today}
    entry = msgspec.msgpack.encode({**ahead, day: (total, found.fetched_at)})
    process.part(build_safe_store).set(key, entry, KEEP["search"])


def _middle(rows: Iterable[Row], context: SearchContext) -> Decimal | None:
    totals = lowest_totals(asked_for(rows, context)[: _sample(context.site)], context)
    return median_low(totals) if len(totals) >= LEAST else None


def asked_for(rows: Iterable[Row], context: SearchContext) -> list[Row]:
    """The rows of the stars asked for, in the gateway's order."""
    stars = context.search.stars
    return [row for row in rows if row.stars in stars] if stars else list(rows)


def lowest_totals(rows: Iterable[Row], context: SearchContext) -> list[Decimal]:
    """The lowest total of each that visitors may see and that has a comparable one."""
    shown = (visible(row, context) for row in rows)
    totals = (row.offers[0].comparable for row in shown if row and row.offers)
    return [total for total in totals if total is not None]


def _read(entry: Any) -> Totals:
    """The totals of a cached entry found within the last day; none where it is missing or unreadable."""
    if entry is None:
        return {}
    oldest = timezone.now() - KEPT
    with suppress(msgspec.MsgspecError, TypeError):
        kept = msgspec.msgpack.decode(entry, type=Totals)
        return {day: known for day, known in kept.items() if known[1] > oldest}
    return {}


def _key(search: StaySearch, site: Site) -> str:
    """A hash of all that changes the totals but the check-in day, and a single hotel that is taken down."""
    pairs = [pair for pair in search.pairs() if pair[0] not in ("checkin", "checkout")]
    rules = (site.categories_style.value, site.surcharge_mode.value, site.price_basis.value)
    sample, disabled = _sample(site), sorted(site.disabled_providers)
    parts = (settings.GATEWAY_BASE_URL, pairs, search.dates.nights, *rules, sample, *disabled)
    return "typical:" + hashlib.sha256(msgspec.json.encode(parts)).hexdigest()
