"""Saved settings offer the orders and filters that came after they were saved."""

import pkgutil
from importlib import import_module

import pytest

from search import migrations
from search.domain.site_settings import Site

migration = import_module("search.migrations.0005_later_choices")
# One that adds choices to saved rows does so by a `with_later` of its own.
ADDING = [
    module
    for name in sorted(one.name for one in pkgutil.iter_modules(migrations.__path__))
    if hasattr(module := import_module(f"search.migrations.{name}"), "with_later")
]


@pytest.mark.parametrize("name", ["sorts", "filters"])
def test_lists_that_were_never_shortened_become_those_of_today(name):
    chosen = migration.of_first_edition(name)
    for adding in ADDING:
        chosen = adding.with_later(name, chosen)
    assert chosen == getattr(Site(), name), (
        "a migration adds what is missing; those before it stay as they are"
    )


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
