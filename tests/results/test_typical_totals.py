"""What a stay costs by its day, out of the cache: which sample, how long, and never a call."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta
from decimal import Decimal
from statistics import median_low

import msgspec
import pytest

from search.domain import process
from search.domain.query import Refinement, Sort, StayDates, StaySearch
from search.domain.site_settings import ProviderEntry, Site
from search.gateway.factory import build_safe_store
from search.results import dates
from search.results.full_results import FullResults
from search.web.search_form import NO_TOTALS
from tests.results.cached_views import SEARCH, SITE, context_of, view
from tests.scripted_gateway import failing, honest

DAY = SEARCH.dates.check_in
# The totals of the scripted gateway's first fifty places.
FIRST_FIFTY = sorted(100 + (number * 37) % 101 for number in range(50))


def known(search: StaySearch = SEARCH, site: Site = SITE) -> dict[date, Decimal]:
    return dates.by_day(context_of(search, site))


def moved(days: int, nights: int = 3) -> StaySearch:
    day = DAY + timedelta(days=days)
    return msgspec.structs.replace(SEARCH, dates=StayDates(day, day + timedelta(days=nights)))


@pytest.mark.usefixtures("patient")
class TestTypicalTotals:
    def test_a_search_leaves_the_middle_of_the_first_fifty(self, connect):
        connect(honest(130))
        view(page=3)
        assert known() == {DAY: FIRST_FIFTY[24]}

    def test_days_of_stays_alike_are_read_together_and_cost_no_call(self, connect):
        gateway = connect(honest(130))
        view()
        view(search=moved(2))
        view(search=moved(4, nights=5))
        calls = len(gateway.calls)
        assert set(known()) == set(known(moved(9))) == {DAY, DAY + timedelta(days=2)}
        assert len(gateway.calls) == calls

    def test_other_guests_or_money_have_totals_of_their_own(self, connect):
        connect(honest(130))
        view()
        assert not known(msgspec.structs.replace(SEARCH, guests=3))
        assert not known(msgspec.structs.replace(SEARCH, currency="GBP"))

    def test_some_stars_have_a_middle_of_their_own(self, connect):
        gateway = connect(honest(50))
        view()
        calls, four = len(gateway.calls), msgspec.structs.replace(SEARCH, stars=(4,))
        view(search=four)
        totals = sorted(100 + number * 37 % 101 for number in range(50) if 1 + number % 5 == 4)
        assert known(four) == {DAY: totals[4]}
        assert len(gateway.calls) == calls

    def test_a_filter_has_middles_of_its_own(self, connect):
        connect(honest(50))
        view(Refinement(max_price=Decimal(150)))
        assert not known()
        context = context_of(refinement=Refinement(max_price=Decimal(150), sort=Sort.RATING))
        cheap = [total for total in FIRST_FIFTY if total <= 150]
        assert dates.for_calendar(context).by_day == f"2030-05-01 €{median_low(cheap)} 0"

    def test_the_calendar_tells_whole_units_from_today_on(self, connect):
        connect(honest(130))
        view()
        view(search=moved(-20))
        context = dataclasses.replace(context_of(), today=DAY)
        middle = FIRST_FIFTY[24]
        assert dates.for_calendar(context).by_day == f"2030-05-01 €{middle} 0"
        assert len(known()) == 2
        later = dataclasses.replace(context, today=DAY + timedelta(days=1))
        assert dates.for_calendar(later) == NO_TOTALS

    def test_an_entry_of_another_version_is_none(self, connect, monkeypatch):
        connect(honest(130))
        view()
        store = process.part(build_safe_store)
        for entry in (b"", b"\x91\x01", "text", msgspec.msgpack.encode({"2030-05-01": "100"})):
            monkeypatch.setattr(store, "get_many", lambda keys, entry=entry: dict.fromkeys(keys, entry))
            assert known() == {}

    def test_a_provider_taken_off_the_site_counts_no_more(self, connect):
        connect(honest(130))
        view()
        site = dataclasses.replace(SITE, providers=(ProviderEntry("HB", enabled=False),))
        assert known()
        assert known(site=site) == {}
        renamed = dataclasses.replace(SITE, providers=(ProviderEntry("HB", "Hotel beds"),))
        assert known(site=renamed) == known()

    def test_a_site_that_compares_fewer_has_middles_of_its_own(self, connect):
        connect(honest(130))
        view(site=dataclasses.replace(SITE, cap=20))
        assert not known()

    def test_a_site_that_compares_fewer_says_of_how_many_they_are(self, connect):
        connect(honest(130))
        context = context_of(site=dataclasses.replace(SITE, cap=20))
        view(site=context.site)
        assert "the first 20 places" in dates.for_calendar(context).note

    def test_a_day_later_they_are_gone(self, connect, clock):
        connect(honest(130))
        view()
        clock.pass_seconds(86_401)
        assert not known()

    def test_stale_results_leave_nothing(self, connect, clock):
        connect(honest(130))
        FullResults(context_of()).wait_for_all()
        clock.pass_seconds(3_600)
        connect(failing())
        assert view().stale
        assert not known()
