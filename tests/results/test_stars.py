"""Searches for some star ratings, by one call for all of them or by one for each."""

from __future__ import annotations

import dataclasses
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest

from search.domain.query import Refinement, Sort
from search.domain.site_settings import CategoriesStyle
from search.results.listings import FoundStays
from search.results.pagination import Coverage, CoverageState
from tests.gateway.documents import a_listing_document, a_summary, an_entry, an_offer
from tests.results.cached_views import SEARCH, SITE, keys, view
from tests.wire import Reply, Wire

pytestmark = pytest.mark.usefixtures("patient")
EACH = dataclasses.replace(SITE, categories_style=CategoriesStyle.EACH, page_size=1_000)


def seen(*stars: int, site=EACH) -> FoundStays:
    """All hotels in provider order."""
    return view(
        Refinement(sort=Sort.PROVIDER), search=msgspec.structs.replace(SEARCH, stars=stars), site=site
    )


def test_hotels_of_other_stars_are_left_out(wire):
    entries = [an_entry(a_summary(ryanairId=str(star), category=star)) for star in (3, 4, 5)]
    wire.search(a_listing_document(*entries, total=3))
    found = seen(4, 5, site=SITE)
    assert [card.listing.property.stars for card in found.listings] == [4, 5]
    assert found.coverage == Coverage(CoverageState.COMPLETE, 2, 2, 2)


def test_a_count_of_other_stars_is_not_told(wire):
    entries = [an_entry(a_summary(ryanairId=str(star), category=star)) for star in (3, 4, 5)]
    wire.search(a_listing_document(*entries, total=300))
    assert seen(4, 5, site=SITE).coverage.total is None


def test_an_entry_without_stars_has_those_of_its_property(wire):
    told = [("a", None), ("a", 4), ("a", 3), ("b", 3), ("b", 4), ("c", None), ("d", 4), ("d", None)]
    entries = [
        an_entry(a_summary(ryanairId=key, category=stars), [an_offer(providerId=f"P{place}")])
        for place, (key, stars) in enumerate(told)
    ]
    wire.search(a_listing_document(*entries, total=8))
    found = seen(4, site=SITE)
    assert keys(found) == ["a", "d"]
    assert [len(card.offers) for card in found.listings] == [3, 2]


def star_gateway(counts: dict[int, int], most: int = 100, counted: bool = True):
    """Answers one star rating per call, `counts` properties each, in pages as asked but of `most` at most."""

    def answer(request):
        asked = dict(parse_qsl(urlsplit(request.url).query))
        star, page, size = int(asked["categories"]), int(asked["page"]), min(int(asked["size"]), most)
        numbers = range(counts.get(star, 0))[page * size : (page + 1) * size]
        entries = [an_entry(a_summary(ryanairId=f"{star}-{number}", category=star)) for number in numbers]
        return Reply(a_listing_document(*entries, **({"total": counts.get(star, 0)} if counted else {})))

    return answer


def all_of(counts: dict[int, int]) -> list[str]:
    return [f"{star}-{number}" for star in (3, 4, 5) for number in range(counts.get(star, 0))]


COUNTS = [
    {3: 45, 4: 1, 5: 30},
    {3: 0, 4: 20, 5: 40},
    {3: 20, 4: 20, 5: 20},
    {3: 5, 4: 5, 5: 5},
    {3: 70, 4: 41, 5: 0},
]


@pytest.mark.parametrize(("counts", "most"), [*zip(COUNTS, [100, 15, 7, 15, 7], strict=True)])
def test_one_call_per_star_finds_all_of_each(wire: Wire, counts, most):
    wire.answer_search(star_gateway(counts, most))
    found, count = seen(3, 4, 5), sum(counts.values())
    assert keys(found) == all_of(counts)
    assert found.coverage == Coverage(CoverageState.COMPLETE, count, count, count)


def test_one_call_per_star_with_no_stars_chosen_is_five_calls(wire):
    wire.answer_search(star_gateway({1: 2, 2: 3, 3: 4, 4: 5, 5: 6}))
    assert len(seen().listings) == 20
    assert len(wire.addresses("categories")) == 5


def test_one_call_per_star_keeps_unread_stars(wire):
    entries = [an_entry(a_summary(ryanairId=key, category=stars)) for key, stars in (("a", "4"), ("b", 4))]
    wire.search(a_listing_document(*entries, total=2))
    assert keys(seen()) == ["a", "b"]
    assert keys(seen(3, 4)) == ["b"]


@pytest.mark.parametrize("counts", [*COUNTS[:2], {3: 5, 4: 130}, {3: 37, 4: 61, 5: 0}])
def test_one_call_per_star_needs_no_totals(wire, counts):
    wire.answer_search(star_gateway(counts, 8, counted=False))
    assert keys(seen(3, 4, 5)) == all_of(counts)


@pytest.mark.parametrize("counted", [True, False])
def test_one_call_per_star_finds_all_in_pages_with_gaps(wire, counted):
    counts, sold_out = {3: 90, 4: 61}, {3, 22, 23, 24, 47, 80}
    every = star_gateway(counts, counted=counted)

    def answer(request):
        document = every(request).json
        there = [
            one for one in document["results"] if int(one["propertySummary"]["ryanairId"][2:]) not in sold_out
        ]
        return Reply({**document, "results": there})

    wire.answer_search(answer)
    wanted = [key for key in all_of(counts) if int(key[2:]) not in sold_out]
    assert keys(seen(3, 4)) == wanted


def test_the_cap_leaves_out_no_star(wire):
    counts = {3: 400, 4: 30, 5: 400}
    wire.answer_search(star_gateway(counts, 50))
    found = seen(3, 4, 5, site=dataclasses.replace(EACH, cap=200))
    of_each = [sum(key.startswith(f"{star}-") for key in keys(found)) for star in (3, 4, 5)]
    assert of_each[1] == 30
    assert min(of_each[0], of_each[2]) >= 50
    assert found.coverage == Coverage(CoverageState.CAPPED, len(keys(found)), 830, 200)
