"""Fresh, stale while it is refreshed, stale because the gateway fails: which one when."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest

from search.domain.process import Deadline
from search.domain.site_settings import Site
from search.gateway import Garbled, GatewayError, NotFound, Rejected, Unavailable, cache
from search.gateway.client import DetailsQuery
from tests.gateway.cache.conftest import ROME, START, Setting, price_of
from tests.waiting import wait_until


def test_a_fresh_answer_costs_no_second_call(setting: Setting) -> None:
    gateway = setting.gateway()
    first = setting.ask(gateway)
    setting.elapsed = 299
    again = setting.ask(gateway)
    assert setting.client.calls == 1
    assert again.value == first.value
    assert again.fetched_at == START
    assert not again.stale


def test_a_stale_answer_comes_at_once_and_is_refreshed_once(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 301
    answers = [setting.ask(gateway) for _ in range(10)]
    assert setting.client.calls == 1
    assert {answer.stale for answer in answers} == {True}
    assert {answer.fetched_at for answer in answers} == {START}
    setting.background.run()
    assert setting.client.calls == 2
    renewed = setting.ask(gateway)
    assert not renewed.stale
    assert price_of(renewed) == "2.10"
    assert renewed.fetched_at == START + timedelta(seconds=301)


@pytest.mark.parametrize("age", [301, 10_000])
@pytest.mark.parametrize("resting", [Unavailable("open"), Rejected("key", 401, 60)])
def test_while_no_call_would_be_made_a_copy_costs_no_thread(
    setting: Setting, resting: GatewayError, age: int
) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = age
    setting.client.resting = resting
    assert setting.ask(gateway).stale
    assert not setting.background.jobs
    assert setting.client.calls == 1


def test_with_a_copy_no_visitor_waits_for_the_probe(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 12 * 3600
    setting.client.probed = True
    assert setting.ask(gateway).stale
    assert setting.client.calls == 1
    setting.client.probed = False
    setting.background.run()
    assert price_of(setting.ask(gateway)) == "2.10"
    assert setting.client.calls == 2


def test_a_failing_refresh_keeps_the_good_copy(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 301
    setting.client.failure = Unavailable("timeout")
    setting.ask(gateway)
    setting.background.run()
    assert price_of(setting.ask(gateway)) == "1.10"


def test_beyond_the_grace_the_gateway_is_asked_first(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 300 + 3000 + 1
    assert price_of(setting.ask(gateway)) == "2.10"
    assert not setting.background.jobs


def test_a_time_ahead_of_the_clock_is_fetched_again_once(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = -2 * 3600
    again = [setting.ask(gateway) for _ in range(3)]
    assert {price_of(answer) for answer in again} == {"2.10"}
    assert {answer.stale for answer in again} == {False}


def test_a_clock_a_little_behind_has_fresh_answers(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = -2
    assert price_of(setting.ask(gateway)) == "1.10"
    assert setting.client.calls == 1


@pytest.mark.parametrize(
    "failure",
    [
        Unavailable("timeout"),
        Unavailable("open"),
        Unavailable("throttled", 429),
        Garbled("json"),
        Rejected("key", 401),
        Rejected("request", 400),
    ],
    ids=str,
)
def test_a_failing_gateway_brings_back_the_older_copy(setting: Setting, failure: Exception) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 12 * 3600
    setting.client.failure = failure
    answer = setting.ask(gateway)
    assert answer.stale
    assert answer.fetched_at == START


def test_with_a_copy_a_visitor_waits_three_seconds(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.STALE_PATIENCE == 3.0
    monkeypatch.setattr(cache, "STALE_PATIENCE", 0.05)
    patience: list[float] = []
    setting.client.told = lambda deadline: patience.append(deadline.left())
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 12 * 3600
    setting.client.gate = threading.Event()
    began = time.monotonic()
    copy = setting.ask(gateway, patience=30)
    assert time.monotonic() - began < 10
    assert (copy.stale, price_of(copy)) == (True, "1.10")
    assert patience[1] > 20
    setting.client.gate.set()
    wait_until(lambda: not setting.ask(gateway).stale, "the value that the slow call brought")
    assert setting.client.calls == 2


def test_a_mistake_of_ours_behind_a_page_leaves_it_its_copy(
    setting: Setting, caplog: pytest.LogCaptureFixture
) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 12 * 3600
    setting.client.failure = ZeroDivisionError("secret")
    assert setting.ask(gateway).stale
    wait_until(lambda: "refresh=failed error=ZeroDivisionError" in caplog.text, "the line of the log")
    assert "secret" not in caplog.text


def test_without_any_copy_the_error_comes_through_bare(setting: Setting) -> None:
    setting.client.failure = Unavailable("status", 503)
    with pytest.raises(Unavailable) as caught:
        setting.ask(setting.gateway())
    assert (caught.value.kind, caught.value.status) == ("status", 503)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_property_that_is_gone_has_no_older_copy(setting: Setting) -> None:
    gateway = setting.gateway()
    deadline = Deadline(3, time.monotonic)
    gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)
    setting.elapsed = 5000
    setting.client.failure = NotFound("request", 404)
    with pytest.raises(NotFound):
        gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)


def test_of_all_but_a_property_the_older_copy_is_shown(setting: Setting) -> None:
    gateway, deadline = setting.gateway(), Deadline(3, time.monotonic)
    setting.ask(gateway)
    setting.elapsed = 12 * 3600
    setting.client.failure = NotFound("request", 404)
    copy = setting.ask(gateway)
    assert (copy.stale, price_of(copy)) == (True, "1.10")
    setting.client.failure = None
    gateway.airports(site=setting.site, deadline=deadline)
    setting.elapsed = 30 * 24 * 3600
    setting.client.failure = NotFound("request", 404)
    assert gateway.airports(site=setting.site, deadline=deadline).stale


def test_an_answer_without_details_does_not_replace_details(setting: Setting) -> None:
    gateway, deadline = setting.gateway(), Deadline(3, time.monotonic)
    setting.client.without_details = True
    assert not gateway.details(DetailsQuery("TST", "p2", ROME), setting.site, deadline).value.available
    setting.client.without_details = False
    gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)
    setting.elapsed, setting.client.without_details = 50_000, True
    kept = gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)
    assert (bool(kept.value.check_in_time), kept.stale) == (True, True)


def test_no_hotels_beside_a_total_do_not_replace_hotels(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed, setting.client.without_hotels = 12 * 3600, 40
    kept = setting.ask(gateway)
    assert (price_of(kept), kept.stale) == ("1.10", True)
    setting.elapsed, setting.client.without_hotels = 13 * 3600, 0
    assert not setting.ask(gateway).value.entries


def test_an_answer_without_details_is_asked_for_again_soon(setting: Setting) -> None:
    """It may be an error with status 200; pages of an hour would go without what the gateway has."""
    gateway, deadline = setting.gateway(), Deadline(3, time.monotonic)
    setting.client.without_details = True
    gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)
    setting.client.without_details = False
    setting.elapsed = 90
    gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)
    setting.background.run()
    assert gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline).value.available


def test_zero_asks_every_time_and_still_keeps_the_copy(setting: Setting) -> None:
    setting.site = Site(search_fresh_seconds=0)
    gateway = setting.gateway()
    setting.ask(gateway)
    assert price_of(setting.ask(gateway)) == "2.10"
    setting.client.failure = Unavailable("timeout")
    assert price_of(setting.ask(gateway)) == "2.10"


def test_an_admins_new_fresh_time_counts_at_once(setting: Setting) -> None:
    gateway = setting.gateway()
    setting.ask(gateway)
    setting.elapsed = 10
    setting.site = Site(search_fresh_seconds=0)
    assert price_of(setting.ask(gateway)) == "2.10"


def test_airports_and_details_are_cached_by_the_same_rules(setting: Setting) -> None:
    gateway = setting.gateway()
    deadline = Deadline(3, time.monotonic)
    airports = gateway.airports(site=setting.site, deadline=deadline)
    details = gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline)
    assert gateway.airports(site=setting.site, deadline=deadline).value == airports.value
    assert gateway.details(DetailsQuery("TST", "p1", ROME), setting.site, deadline).value == details.value
    assert setting.client.calls == 2
