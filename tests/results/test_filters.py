"""The table of filters is whole, and one more entry is a filter everywhere a visitor meets filters."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from search.domain.query import NO_FILTERS, Filter, Refinement
from search.domain.site_settings import SETTINGS, Site
from search.results import context, full_results
from search.results.filters import FILTERS, CodesFilter, SwitchFilter
from search.results.index import OfferFact, RowFact
from search.site_settings import store

SEARCH = "place=Lerwick&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"


def test_every_filter_an_admin_can_offer_is_described_once():
    described = [name for name, one in FILTERS.items() if not one.part_of]
    assert sorted(described) == sorted(Filter)
    assert [*SETTINGS["filters"].choices] == [*Filter]


def test_every_filter_but_stars_is_part_of_the_refinement():
    assert {*Refinement.__struct_fields__} - {*NO_FILTERS} == {*FILTERS} - {"stars"}


class WiderRefinement(Refinement, frozen=True):
    """Refinement with two more filters."""

    initial: tuple[str, ...] = ()
    breakfast: bool = False


@pytest.fixture
def visitor(monkeypatch: pytest.MonkeyPatch, db: None) -> Client:
    """A visitor of a site with two more filters, one about rows and one about offers."""
    initial = CodesFilter(
        name="initial",
        legend="First letter",
        fact=RowFact(lambda row: row.name[:1]),
        words_for=lambda _reader, letter: f"Begins with {letter}",
    )
    breakfast = SwitchFilter(
        name="breakfast",
        legend="Booking",
        words="Breakfast included",
        fact=OfferFact(lambda offer: (True,) if "FREE_BREAKFAST" in offer.facilities else ()),
    )
    monkeypatch.setattr(context, "Refinement", WiderRefinement)
    monkeypatch.setitem(FILTERS, "initial", initial)
    monkeypatch.setitem(FILTERS, "breakfast", breakfast)
    monkeypatch.setattr(store, "current", lambda: Site(filters=(*Filter, "initial", "breakfast")))
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", 30.0)
    return Client()


def html(visitor: Client, query: str) -> str:
    return unescape(visitor.get(f"/hotels/?{query}").content.decode())


def choices(page: str, name: str) -> dict[str, int]:
    """The values the panel offers for a filter, with their counts."""
    found = re.findall(rf'name="{name}" value="([^"]+)">[^<]* <span[^>]*count">(\d+)</span>', page)
    return {value: int(count) for value, count in found}


def test_one_more_filter_narrows_to_what_its_count_promised(visitor):
    page = html(visitor, SEARCH)
    for name in ("initial", "breakfast"):
        offered = choices(page, name)
        assert offered
        for value, count in [*offered.items()][-2:]:
            narrowed = html(visitor, f"{SEARCH}&{name}={value}")
            assert int(re.search(r"(\d+) of \d+ places? match", narrowed)[1]) == count, (name, value)


def test_one_more_filter_has_fieldset_chip_and_parameter(visitor):
    letter = next(iter(choices(html(visitor, SEARCH), "initial")))
    page = html(visitor, f"{SEARCH}&breakfast=1&deals=0&initial={letter}&initial={letter}")
    canonical = re.search(r'rel="canonical" href="[^"]*(/hotels/\?[^"]+)"', page)[1]
    assert canonical == f"/hotels/?{SEARCH}&initial={letter}&breakfast=1"
    legends = re.findall(r'__legend">([^<]+)<', page)
    assert legends.index("First letter") == legends.index("Provider") + 1
    assert legends.count("Booking") == 1
    removing = dict(re.findall(r'__chip--on"[^>]* href="([^"]+)"[^>]*><bdi>([^<]+)<', page))
    assert removing == {
        f"/hotels/?{SEARCH}&breakfast=1": f"Begins with {letter}",
        f"/hotels/?{SEARCH}&initial={letter}": "Breakfast included",
    }
    names = re.findall(r'listing-card__name"><a[^>]*>([^<]+)<', page)
    assert {name[:1] for name in names} == {letter}


def test_one_more_filter_that_leaves_nothing_can_be_dropped(visitor):
    page = html(visitor, f"{SEARCH}&initial=%C3%BE")
    assert re.search(r"Without “Begins with þ”</bdi></a><span[^>]*>\d+ places match", page)
