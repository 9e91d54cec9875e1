"""Saved settings offer the orders and filters that came after they were saved."""

from importlib import import_module

import pytest

from search.domain.site_settings import Site

migration = import_module("search.migrations.0005_later_choices")


def test_lists_that_were_never_shortened_become_those_of_today():
    for name in migration.ALL:
        assert migration.with_later(name, migration.of_first_edition(name)) == getattr(Site(), name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("price", "rating"), ("price", "rating", "tradeoffs", "value")),
        (("provider", "price"), ("price", "tradeoffs", "value", "provider")),
        (("price", "weather"), ("price", "tradeoffs", "value", "weather")),
    ],
)
def test_a_shortened_list_keeps_what_was_chosen_and_gets_what_came_later(before, after):
    assert migration.with_later("sorts", before) == after


@pytest.mark.parametrize("chosen", [("price", "value"), ("tradeoffs",), ("price", "tradeoffs", "value")])
def test_a_list_saved_with_some_of_them_stays(chosen):
    assert migration.with_later("sorts", chosen) == chosen
