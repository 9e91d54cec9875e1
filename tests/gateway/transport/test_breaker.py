"""The breaker as a pure machine: examples, then any history at all."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from search.gateway.resilience import Breaker, Limits

LIMITS = Limits()


def fail(breaker: Breaker, times: int, now: float = 0.0) -> None:
    for _ in range(times):
        assert breaker.admit(now)
        breaker.report(now, good=False, now=now)


def test_single_failures_among_good_answers_keep_it_closed() -> None:
    breaker = Breaker(LIMITS)
    for number in range(200):
        assert breaker.admit(number)
        breaker.report(number, good=number % 2 == 0, now=number)
    assert breaker.state(200) == "closed"


def test_old_failures_are_forgotten() -> None:
    breaker = Breaker(LIMITS)
    fail(breaker, LIMITS.breaker_failures - 1, now=0)
    fail(breaker, 1, now=LIMITS.breaker_window + 1)
    assert breaker.state(LIMITS.breaker_window + 1) == "closed"


def test_one_probe_at_a_time_and_its_success_closes() -> None:
    breaker = Breaker(LIMITS)
    fail(breaker, LIMITS.breaker_failures)
    assert not breaker.admit(LIMITS.breaker_rest - 0.1)
    assert breaker.admit(2.0)
    assert breaker.state(2.0) == "probing"
    assert not breaker.admit(2.1)
    assert breaker.report(2.0, good=True, now=2.2)
    assert breaker.state(2.2) == "closed"


def test_a_probe_that_never_reports_gives_way_to_another() -> None:
    breaker = Breaker(LIMITS)
    fail(breaker, LIMITS.breaker_failures)
    assert breaker.admit(2.0)
    assert breaker.admit(2.0 + LIMITS.breaker_probe)
    assert not breaker.report(2.0, good=False, now=6.0)
    assert breaker.report(2.0 + LIMITS.breaker_probe, good=True, now=6.0)


def test_a_late_answer_to_a_probe_closes_it() -> None:
    breaker = Breaker(LIMITS)
    fail(breaker, LIMITS.breaker_failures)
    assert breaker.admit(2.0)
    assert breaker.admit(2.0 + LIMITS.breaker_probe)
    assert breaker.report(2.0, good=True, now=6.0)
    assert breaker.state(6.0) == "closed"


def test_late_reports_from_before_the_opening_change_nothing() -> None:
    breaker = Breaker(LIMITS)
    assert breaker.admit(0.0)
    fail(breaker, LIMITS.breaker_failures, now=0.5)
    assert not breaker.report(0.0, good=True, now=1.0)
    assert not breaker.admit(1.0)


Step = tuple[float, bool, bool]
histories = st.lists(st.tuples(st.floats(0, 5), st.booleans(), st.booleans()), max_size=80)


def play(breaker: Breaker, steps: list[Step]) -> float:
    """Any mix of waiting, asking, reporting now, reporting never."""
    now = 0.0
    for wait, reports, good in steps:
        now += wait
        if breaker.admit(now) and reports:
            breaker.report(now, good=good, now=now)
    return now


@settings(deadline=None)
@given(histories)
def test_a_recovered_gateway_is_noticed_within_six_seconds(steps: list[Step]) -> None:
    breaker = Breaker(LIMITS)
    recovered = play(breaker, steps)
    now = recovered
    while breaker.state(now) != "closed":
        assert now - recovered < 6.0
        if breaker.admit(now):
            breaker.report(now, good=True, now=now)
        now += 0.1


@settings(deadline=None)
@given(histories, st.floats(0, LIMITS.breaker_rest - 0.01))
def test_within_its_rest_an_opened_breaker_admits_nobody(steps: list[Step], wait: float) -> None:
    breaker = Breaker(LIMITS)
    now = play(breaker, steps)
    # Failing without a pause from here opens it, whatever came before.
    for _ in range(2 * LIMITS.breaker_calls):
        if not breaker.admit(now):
            now += LIMITS.breaker_probe
            assert breaker.admit(now)
        if breaker.report(now, good=False, now=now):
            break
    if breaker.state(now) == "open":
        assert not breaker.admit(now + wait)


@settings(deadline=None)
@given(histories, st.integers(2, 30))
def test_an_open_breaker_admits_one_of_many_at_a_moment(steps: list[Step], many: int) -> None:
    breaker = Breaker(LIMITS)
    now = play(breaker, steps)
    if breaker.state(now) != "closed":
        assert sum(breaker.admit(now + 10) for _ in range(many)) == 1
