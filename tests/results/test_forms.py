"""Order and filters from an address: what makes sense is taken, everything else asks nothing."""

from decimal import Decimal
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from search.domain.query import Filter, MapArea, Refinement, Sort, encode_pairs
from search.domain.site_settings import Site
from search.results.context import refinement_of
from tests.rows import each


def refinement(query: str, **site: object) -> Refinement:
    return refinement_of(QueryDict(query), Site(**site))


def test_every_parameter_of_the_address_is_read():
    asked = refinement(
        "sort=rating&min_price=80&max_price=400.50&min_rating=8&type=HOTEL&type=HOSTEL&facility=POOL&provider=HB"
        "&free_cancellation=1&pay_later=1&deals=1&name=Grand%20Hotel&near=stn&max_km=5&bbox=2,41.3,2.2,41.5"
    )
    assert asked == Refinement(
        sort=Sort.RATING,
        min_price=Decimal(80),
        max_price=Decimal("400.5"),
        min_rating=Decimal(8),
        type=("HOSTEL", "HOTEL"),
        facility=("POOL",),
        provider=("HB",),
        free_cancellation=True,
        pay_later=True,
        deals=True,
        name="Grand Hotel",
        near="STN",
        max_km=Decimal(5),
        bbox=MapArea(west=2.0, south=41.3, east=2.2, north=41.5),
    )


def test_price_limits_the_wrong_way_round_are_swapped():
    asked = refinement("min_price=500&max_price=200")
    assert (asked.min_price, asked.max_price) == (Decimal(200), Decimal(500))


@each(
    "query",
    [
        "sort=cheapest", "sort=price", "max_price=-5", "max_price=0", "max_price=nan", "max_price=1e9",
        "max_price=٣", "max_price=99999999999", "min_rating=abc", "free_cancellation=0", "deals=yes",
        "name=", "name=%20%20", "name=!!!", "name=" + "x" * 5_000, "name=a%00b", "type=", "type=%00",
        "type=" + "x" * 500, "near=ST", "near=S%2FN", "bbox=1,2,3", "bbox=a,b,c,d", "bbox=2,42,2.2,41",
        "bbox=2,41,2,42", "bbox=0,-91,1,1", "bbox=nan,nan,nan,nan", "stars=4", "unknown=1",
        "facility=%0D%0A",
    ],
)  # fmt: skip
def test_nonsense_asks_nothing(query):
    assert refinement(query) == Refinement()


def test_a_thousand_values_are_cut():
    asked = refinement("&".join(f"type=T{number}" for number in range(1_000)))
    assert len(asked.type) == 30


@each(
    ("one", "other"),
    [
        ("type=B&type=A&type=B", "type=A&type=B"),
        ("max_price=400.00", "max_price=400"),
        ("sort=price&deals=1", "deals=1"),
        ("deals=1&free_cancellation=1", "free_cancellation=1&deals=1"),
        ("name=%20grand%20%20hotel", "name=grand%20hotel"),
        ("bbox=2.000000,41.3000001,2.2,41.5", "bbox=2,41.3,2.2,41.5"),
        ("max_km=3.0", "max_km=3"),
        ("near=bcn&max_km=3.0", "near=BCN&max_km=3"),
        ("max_price=5&max_price=6", "max_price=6"),
    ],
)
def test_equal_views_have_equal_addresses(one, other):
    assert refinement(one).pairs() == refinement(other).pairs()


def test_orders_and_filters_not_offered_are_ignored():
    offered = {"sorts": (Sort.PRICE, Sort.STARS), "filters": (Filter.TYPE,)}
    asked = refinement("sort=rating&deals=1&type=HOTEL&near=BCN&max_km=3&bbox=2,41,3,42", **offered)
    assert asked == Refinement(type=("HOTEL",), near="BCN")


def test_the_default_order_of_the_site_is_never_spelled_out():
    assert refinement("sort=rating", default_sort=Sort.RATING).sort is None
    assert refinement("sort=price", default_sort=Sort.RATING).sort is Sort.PRICE


NAMES = [*(name.value for name in Filter), "sort", "near"]


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.text(max_size=40)), max_size=12))
def test_the_canonical_form_of_an_address_says_the_same(pairs):
    asked = refinement(urlencode(pairs, errors="surrogatepass"))
    assert refinement(encode_pairs(asked.pairs())) == asked


@each(
    ("moved", "meant"),
    [
        ("-190,-20,-170,-10", "170,-20,-170,-10"),
        ("170,-20,190,-10", "170,-20,-170,-10"),
        ("362,41,363,42", "2,41,3,42"),
        ("-300,41,300,42", "-180,41,180,42"),
        ("-180,41,180,42", "-180,41,180,42"),
    ],
)
def test_a_map_moved_past_the_date_line_means_its_area(moved, meant):
    asked = refinement(f"bbox={moved}").bbox
    assert str(asked) == meant
    assert asked.holds((asked.south + asked.north) / 2, asked.west)


def test_the_lowest_total_is_offered_together_with_the_highest():
    assert refinement("min_price=80", filters=(Filter.MAX_PRICE,)) == Refinement(min_price=Decimal(80))
    assert refinement("min_price=80", filters=(Filter.TYPE,)) == Refinement()


CHOSEN = "min_rating=8&facility=POOL&max_km=5&name=Sol&bbox=2,41.3,2.2,41.5&min_price=80&max_price=400"


@pytest.mark.parametrize(
    ("changed", "dropped"),
    [
        ("place=%20porto&place_before=Porto&currency=eur&currency_before=EUR", ()),
        ("place=Porto&currency=EUR", ()),
        ("place=Rome&place_before=Porto&currency=EUR&currency_before=EUR", ("max_km", "name", "bbox")),
        ("place=Porto&place_before=Porto&currency=USD&currency_before=EUR", ("min_price", "max_price")),
    ],
    ids=["nothing", "nothing said", "place", "currency"],
)
def test_a_changed_search_keeps_filters_that_mean_the_same(changed, dropped):
    left = refinement(CHOSEN)
    for name in dropped:
        left = left.without(name)
    assert refinement(f"{CHOSEN}&{changed}") == left
