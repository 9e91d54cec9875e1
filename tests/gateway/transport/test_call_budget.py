"""The budget of repeats and second calls, over any order of calls."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from search.gateway.resilience import CallBudget


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=500), st.floats(0, 1), st.floats(0, 50))
def test_repeats_never_exceed_the_reserve_and_the_share_of_calls(
    failures: list[bool], ratio: float, reserve: float
) -> None:
    budget = CallBudget(ratio, reserve, saved=reserve)
    repeats = 0
    for failed in failures:
        budget.earn()
        if failed and budget.spend():
            repeats += 1
    assert repeats <= reserve + ratio * len(failures) + 1e-6


@settings(deadline=None)
@given(st.integers(0, 500))
def test_a_budget_that_begins_empty_is_a_share_of_the_calls(calls: int) -> None:
    budget = CallBudget(0.05, 5, saved=0)
    spent = 0
    for _ in range(calls):
        budget.earn()
        spent += budget.spend()
    assert spent <= 0.05 * calls + 1e-6


def test_an_emptied_budget_fills_again() -> None:
    budget = CallBudget(0.5, 1, saved=1)
    assert budget.spend()
    assert not budget.spend()
    budget.earn()
    budget.earn()
    assert budget.spend()
