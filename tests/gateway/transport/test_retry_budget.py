"""The retry budget over any order of calls and failures."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from search.gateway.resilience import RetryBudget


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=500), st.floats(0, 1), st.floats(0, 50))
def test_repeats_never_exceed_the_reserve_and_the_share_of_calls(
    failures: list[bool], ratio: float, reserve: float
) -> None:
    budget = RetryBudget(ratio, reserve)
    repeats = 0
    for failed in failures:
        budget.earn()
        if failed and budget.spend():
            repeats += 1
    assert repeats <= reserve + ratio * len(failures) + 1e-6


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_quiet_times_save_up_no_more_than_the_reserve(calls: int) -> None:
    budget = RetryBudget(0.1, 5)
    for _ in range(calls):
        budget.earn()
    assert sum(budget.spend() for _ in range(100)) == 5


def test_an_emptied_budget_fills_again() -> None:
    budget = RetryBudget(0.5, 1)
    assert budget.spend()
    assert not budget.spend()
    budget.earn()
    budget.earn()
    assert budget.spend()
