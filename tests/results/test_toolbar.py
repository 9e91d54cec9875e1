"""Order, filters, chips and coverage as the results page prints them."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from search.destinations.index import Destination, Kind
from search.domain.query import Filter, MapArea, Refinement, Sort, StaySearch
from search.domain.site_settings import ProviderEntry, Site
from search.results.filters import FILTERS
from search.results.pagination import Coverage, CoverageState
from search.results.selection import Bar, Facets, FacetValue, Histogram
from search.results.toolbar import RefineView
from search.web.formatting import Reader
from tests import builders as build
from tests.rendering import component_html
from tests.rows import each

COMPLETE = Coverage(CoverageState.COMPLETE, 412, 412, 412)
LOST = Coverage(CoverageState.PARTIAL, 240, 412, 412, lost=True)
COMING = Coverage(CoverageState.FETCHING, 240, 412, 412)
SEARCH = "place=Barcelona&checkin=2026-12-03&checkout=2026-12-06&guests=2&currency=EUR&market=en-gb"
EVERYTHING = Refinement(
    sort=Sort.RATING,
    max_price=Decimal(400),
    min_rating=Decimal(8),
    type=("HOTEL",),
    facility=("POOL",),
    provider=("HB",),
    free_cancellation=True,
    pay_later=True,
    deals=True,
    name="grand",
    near="BCN",
    max_km=Decimal(5),
    bbox=MapArea(west=2, south=41, east=3, north=42),
)


def facet_of(name: str, **counts: int) -> Facets:
    """A filter of which nothing is chosen."""
    return {name: tuple(FacetValue(value, count, count, False) for value, count in counts.items())}


def view(
    refinement: Refinement = Refinement(),  # noqa: B008
    *,
    coverage: Coverage = COMPLETE,
    asked: StaySearch = build.SEARCH,
    site: Site | None = None,
    **found: object,
) -> RefineView:
    anchor = build.airport() if refinement.near else None
    context = build.context(asked, refinement, site=site, anchor=anchor)
    stays = build.found(build.priced(), **{"coverage": coverage, "matching": 23, **found})
    return RefineView(context, stays, Reader.for_search(context))


def html(shown: RefineView) -> str:
    """What stands above and beside the list."""
    parts = ("coverage", "sort", "toolbar", "filter_panel")
    return "".join(component_html(f"results/{part}.html", shown) for part in parts)


def test_each_order_is_explained_and_says_who_can_change_it():
    pages = {name: component_html("results/ranking.html", view(Refinement(sort=name))) for name in Sort}
    rules = {re.search(r"<li>(.*?)</li>", page)[1] for page in pages.values()}
    assert len(rules) == len(Sort), "templates/results/ranking.html calls an order by another's rule"
    for name, page in pages.items():
        assert "can say which provider comes first at equal totals" in page
        # How providers make their own order isn't known.
        assert ("Nobody can pay for a place in this list" in page) == (name is not Sort.PROVIDER)


def test_every_order_is_a_link_that_keeps_the_filters():
    shown = view(Refinement(deals=True), page=3)
    assert [sort.href for sort in shown.sorts] == [
        f"/hotels/?{SEARCH}&deals=1",
        *(f"/hotels/?{SEARCH}&sort={name}&deals=1" for name in list(Sort)[1:]),
    ]
    assert [sort.chosen for sort in shown.sorts] == [name is Sort.PRICE for name in Sort]


def test_only_the_orders_the_site_offers_are_shown():
    site = Site(sorts=(Sort.RATING, Sort.PRICE), default_sort=Sort.RATING)
    shown = view(site=site)
    assert [(sort.label, sort.chosen) for sort in shown.sorts] == [
        ("Highest rating", True),
        ("Lowest total", False),
    ]


def test_each_filter_in_force_has_a_chip_that_drops_it():
    shown = view(EVERYTHING, asked=build.search(stars=(4, 5)))
    whole = dict(pair.split("=") for pair in _query(shown.address))
    assert [chip.text for chip in shown.chips] == [
        "Rated 8 or more", "4 stars", "5 stars", "Free cancellation", "Pay later", "Reduced price",
        "Within 3.1\u00a0mi of Barcelona El Prat (BCN)", "Pool", "Hotel", "HB", "Up to €400",
        "Name: grand", "On this part of the map",
    ]  # fmt: skip
    for chip in shown.chips:
        left = _query(chip.href)
        assert len(left) == len(_query(shown.address)) - 1, chip
        assert set(left) < set(_query(shown.address)), chip
    assert whole["near"] == "BCN"


def test_clear_all_keeps_the_search_the_order_and_the_airport():
    shown = view(EVERYTHING, asked=build.search(stars=(4, 5)))
    assert shown.clear == f"/hotels/?{SEARCH}&sort=rating&near=BCN"


def test_a_filtered_page_counts_what_matches():
    only = Coverage(CoverageState.COMPLETE, 1, 1, 1)
    assert view(Refinement(deals=True), coverage=only, matching=1).matching == "1 place to stay"
    assert view(Refinement(deals=True), coverage=only, matching=0).matching == "0 places match"
    assert view(Refinement(deals=True)).matching == "23 of 412 places match"


@each(
    ("coverage", "line"),
    [
        (COMPLETE, "Exact order of all 412"),
        (Coverage(CoverageState.CAPPED, 600, 8_214, 600), "Prices of 600 compared"),
        (Coverage(CoverageState.CAPPED, 600, None, None), "Prices of 600 compared"),
        (LOST, "Prices of 240 compared – the others could not be loaded"),
        (COMING, ""),
        (Coverage(CoverageState.PARTIAL, 60, 75, 75), "The 60 that came; the provider counts 75"),
        (Coverage(CoverageState.COMPLETE, 0, 0, 0), ""),
        (Coverage(CoverageState.COMPLETE, 1, 1, 1), ""),
        (Coverage(CoverageState.PARTIAL, 1, 75, 75), "The 1 that came; the provider counts 75"),
    ],
)
def test_the_page_says_how_far_its_order_reaches(coverage, line):
    assert view(coverage=coverage).sentence == line


def test_a_growing_answer_has_progress_and_a_refresh_link():
    shown = view(coverage=COMING)
    assert shown.progress == "Hotels compared: 240 of 412"
    page = html(shown)
    assert f'data-ask="/hotels/progress/?{SEARCH}"' in page.replace("&amp;", "&")
    assert 'value="240" max="412"' in page
    assert f'href="/hotels/?{SEARCH}">Refresh for the new order' in page.replace("&amp;", "&")


@pytest.mark.parametrize(
    ("day", "said"), [(21, "Prices checked 1 minute ago"), (22, "Prices checked 1 day ago")]
)
def test_while_newer_prices_come_in_the_line_tells_the_age(clock, day, said):
    clock.now = build.NOON.replace(day=day)
    shown = view(stale=True, newer_coming=True)
    assert shown.progress == f"{said}; newer ones are coming in"
    before, _line, bar = html(shown).partition('<label class="result-progress__line">')
    assert f"<span>{shown.progress}</span>" in before
    assert f'<progress class="result-progress__bar" aria-label="{shown.progress}"></progress>' in bar


def test_counts_are_what_a_click_gives_and_nothing_is_hidden():
    kinds = facet_of("type", HOTEL=23, VILLA=0)
    page = html(view(facets=kinds))
    assert re.search(r'value="HOTEL">Hotel <span[^>]*>23</span>', page)
    assert re.search(r'value="VILLA" disabled>Villa <span[^>]*>0</span>', page)


def test_beside_a_chosen_value_the_others_say_what_they_add():
    kinds = {
        "type": (
            FacetValue("HOTEL", 99, 23, selected=True),
            FacetValue("HOSTEL", 30, 7, selected=False),
            FacetValue("VILLA", 23, 0, selected=False),
        )
    }
    (group,) = view(Refinement(type=("HOTEL",)), facets=kinds).groups
    assert [(one.label, one.count, one.chosen, one.none) for one in group.choices] == [
        ("Hotel", "23", True, False),
        ("Hostel", "+7", False, False),
        ("Villa", "+0", False, True),
    ]


def test_many_values_fold_away_but_never_a_chosen_one():
    values = tuple(FacetValue(f"TYPE_{n}", n + 1, n + 1, selected=n == 11) for n in range(12))
    (group,) = view(facets={"type": values}).groups
    assert [one.value for one in group.choices][-1] == "TYPE_11"
    ((about, folded),) = group.more.items()
    assert (len(group.choices), about, len(folded), group.more_label) == (7, "", 5, "5 more")


def test_providers_and_codes_are_shown_in_words():
    site = Site(providers=(ProviderEntry("HB", "Hotelbeds"),))
    found = facet_of("provider", HB=5, EX=5)
    found["facility"] = (FacetValue("ROOF_TERRACE", 5, 5, selected=True),)
    groups = view(site=site, facets=found).groups
    labels = {choice.label for group in groups for choice in group.choices}
    assert labels == {"Hotelbeds", "EX", "Roof terrace"}


def test_one_choice_alone_is_no_group_unless_it_is_chosen():
    assert view(facets=facet_of("provider", HB=5)).groups == []


def test_the_panel_has_the_order_people_filter_in():
    names = [name for name in FILTERS if name not in ("min_price", "max_price", "name", "bbox")]
    facets = dict.fromkeys(names, (FacetValue("1", 5, 5, False), FacetValue("2", 5, 5, False)))
    assert [one.legend for one in view(facets=facets).groups] == [
        "Guest rating", "Stars", "Booking", "Distance from the centre",
        "Facilities", "Kind of place", "Provider",
    ]  # fmt: skip


def test_the_form_carries_the_search_along_and_asks_stars_itself():
    shown = view(EVERYTHING, asked=build.search(stars=(4,)))
    names = "place checkin checkout guests currency market sort near bbox"
    assert [name for name, _ in shown.hidden] == names.split()


def test_filters_the_site_does_not_offer_are_not_asked():
    asked = html(view())
    assert 'name="max_price"' in asked
    assert 'name="name"' in asked
    page = html(view(site=Site(filters=(Filter.TYPE,))))
    assert 'name="max_price"' not in page
    assert 'name="name"' not in page


def drawn(page: str) -> tuple[list[str], list[str]]:
    """Where the bars within the price limits begin, and those outside."""
    inside, outside = re.findall(r'<path(?: class="refine-histogram__out")? d="(M[^"]*v[^"]*V56z|)"', page)
    return re.findall(r"M(\S+)", inside), re.findall(r"M(\S+)", outside)


def test_the_histogram_is_drawn_and_told():
    bars = (Bar(Decimal(100), Decimal(200), 4), Bar(Decimal(200), None, 1))
    spread = Histogram(bars, Decimal("112.50"), Decimal("142.35"), Decimal(980))
    shown = view(Refinement(max_price=Decimal(200)), histogram=spread)
    page = html(shown)
    assert "<li>€100 – €200: 4</li>" in page
    assert "<li>€200 and more: 1</li>" in page
    assert "<span>€112.50</span><span>€980</span>" in page
    assert drawn(page) == (["0.5"], ["120.5"])


def test_many_facilities_fold_away_under_what_they_are_about():
    codes = ["WIFI", "POOL", "GYM", "SPA", "BAR", "TV", "PARKING", "RESTAURANT", "LIFT", "HAMMOCK_ON_ROOF"]
    facilities = facet_of("facility", **dict.fromkeys(codes, 9))
    (group,) = view(facets=facilities).groups
    assert [(about, [one.label for one in choices]) for about, choices in group.more.items()] == [
        ("Access and parking", ["Parking", "Lift"]),
        ("Food and drink", ["Restaurant"]),
        ("More facilities", ["Hammock on roof"]),
    ]


QUICK = {
    **facet_of("facility", POOL=9, FREE_BREAKFAST=5),
    **facet_of("free_cancellation", **{"1": 7}),
    **facet_of("min_rating", **dict.fromkeys("9876", 3)),
}
SPREAD = Histogram((), Decimal(100), Decimal("142.35"), Decimal(200))


def test_what_most_visitors_filter_by_is_one_press_away():
    shown = view(Refinement(deals=True), facets=QUICK, histogram=SPREAD)
    assert [(one.text, one.remove, one.href.removeprefix(f"/hotels/?{SEARCH}")) for one in shown.quick] == [
        ("Free cancellation", "", "&free_cancellation=1&deals=1"),
        ("Rated 8+", "", "&min_rating=8&deals=1"),
        ("Breakfast included", "", "&facility=FREE_BREAKFAST&deals=1"),
        ("Up to €143", "", "&max_price=143&deals=1"),
    ]
    assert [chip.text for chip in shown.other_chips] == ["Reduced price"]


def test_a_quick_filter_in_force_is_taken_off_in_its_place():
    asked = Refinement(min_rating=Decimal(8), max_price=Decimal(143), deals=True)
    shown = view(asked, facets=QUICK, histogram=SPREAD)
    assert [(one.text, one.remove) for one in shown.quick if one.remove] == [
        ("Rated 8+", "Remove filter: Rated 8 or more"),
        ("Up to €143", "Remove filter: Up to €143"),
    ]
    assert [one.name for one in shown.quick] == ["free_cancellation", "min_rating", "facility", "max_price"]
    assert shown.quick[1].href == f"/hotels/?{SEARCH}&max_price=143&deals=1"
    assert [chip.text for chip in shown.other_chips] == ["Reduced price"]


@pytest.mark.parametrize(
    ("codes", "shown"),
    [
        (["NO_BREAKFAST"], []),
        (["NO_BREAKFAST", "BREAKFAST"], ["Breakfast"]),
        (["BREAKFAST", "FREE_BREAKFAST"], ["Breakfast included"]),
    ],
)
def test_only_a_certain_breakfast_is_a_quick_filter(codes, shown):
    there = facet_of("facility", **dict.fromkeys(codes, 5))
    assert [one.text for one in view(facets=there).quick] == shown


@each(
    ("refinement", "coverage", "words"),
    [
        (Refinement(deals=True), COMPLETE, "Show 23 places"),
        (Refinement(), COMPLETE, "Show 23 places"),
        (Refinement(), Coverage(CoverageState.CAPPED, 600, 8_214, 600), "Show 8,214 places"),
        (Refinement(), Coverage(CoverageState.CAPPED, 600, None, None), "Show the places"),
        # The gateway counts more than it gives: no list has them.
        (Refinement(), Coverage(CoverageState.PARTIAL, 23, 49, 49), "Show 23 places"),
    ],
)
def test_the_way_to_the_list_says_how_many_are_there(refinement, coverage, words):
    assert view(refinement, coverage=coverage).show == words


def test_two_handles_have_the_scale_of_the_bars():
    edges = [*map(Decimal, (100, 120, 140)), None]
    bars = tuple(map(Bar, edges, edges[1:], (4, 0, 1)))
    spread = Histogram(bars, Decimal(112), Decimal(119), Decimal(980))
    page = html(view(Refinement(min_price=Decimal(120)), histogram=spread))
    assert 'data-start="100" data-end="160" data-step="20"' in page
    assert drawn(page) == (["160.5"], ["0.5"])
    assert 'name="min_price" value="120"' in page


def test_stars_say_how_many_there_are_at_least():
    five = FacetValue("5", None, None, selected=False, least=73)
    stars = {"stars": (five, FacetValue("1", None, None, False))}
    (group,) = view(facets=stars).groups
    assert [(choice.count, choice.none) for choice in group.choices] == [("73+", False), ("", False)]


def test_an_emptied_answer_offers_what_to_drop():
    drops = {"facility": 12, "max_price": 1, "name": 0}
    refinement = Refinement(facility=("POOL", "SPA"), max_price=Decimal(50), name="zzz")
    shown = view(refinement, drops=drops, matching=0)
    assert [(drop.text, drop.remove) for drop in shown.drops] == [
        ("Without “Pool, Spa”", "12 places match"),
        ("Without “Up to €50”", "1 place matches"),
    ]
    assert shown.drops[0].href == f"/hotels/?{SEARCH}&max_price=50&name=zzz"


def test_other_stars_are_offered_where_only_some_were_asked_for():
    shown = view(asked=build.search(stars=(5,)), drops={"stars": None}, matching=0)
    assert [(drop.text, drop.remove, drop.href) for drop in shown.drops] == [
        ("Without “5 stars”", "not counted yet", f"/hotels/?{SEARCH}")
    ]


def test_where_nothing_was_found_other_places_are_offered():
    near = Destination(Kind.AIRPORT, "GRO", "Girona", "Girona", "es", ("GRO",), "GRO", "Girona (GRO)")
    shown = view(alternative_places=((near, 76.4),), matching=0)
    address = f"/hotels/?{SEARCH.replace('Barcelona', 'Girona')}&near=GRO"
    assert list(shown.elsewhere) == [("Girona", "47\u00a0mi", address)]


def test_hostile_codes_stay_text():
    nasty = '"><script>alert(1)</script>'
    found = {"type": (FacetValue(nasty, 1, 1, selected=True),)}
    page = html(view(Refinement(type=(nasty,), name=nasty), facets=found))
    assert "<script" not in page


def _query(address: str) -> list[str]:
    return address.partition("?")[2].split("&")
