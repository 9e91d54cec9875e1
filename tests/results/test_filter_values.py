"""Each filter by itself: what it reads at its edges, what a click leaves, and its words."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import pytest
from django.http import QueryDict

from search.domain.hotels import Coordinates
from search.domain.query import Filter, Refinement
from search.domain.site_settings import ProviderEntry, Site
from search.results.context import refinement_of
from search.results.filters import FILTERS, MIN_PRICE, FilterWords
from search.results.index import RowIndex
from search.results.selection import Question
from search.web.formatting import Reader
from tests import builders as build
from tests.results.naive_filters import ANCHOR, FACILITIES, offer, row, select
from tests.rows import each

WORDS = FilterWords(
    Reader.for_search(build.context(build.search(market="en-ie"))), "EUR", "Barcelona El Prat (BCN)"
)


def read(name: str, *texts: str) -> Any:
    """What the address sets for a filter."""
    query = QueryDict("&".join(["near=BCN", *(f"{name}={quote(text)}" for text in texts)]))
    return getattr(refinement_of(query, Site()), name)


@pytest.mark.parametrize("name", [Filter.MAX_PRICE, Filter.MIN_RATING, Filter.MAX_KM])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.0001", Decimal("0.0001")),
        ("0.5", Decimal("0.5")),
        (" 7.50 ", Decimal("7.5")),
        ("1000000000", Decimal(1_000_000_000)),
        ("1000000000.0001", None),
        ("1000000001", None),
        ("0", None),
        ("0.0", None),
        ("1.", None),
        (".5", None),
        ("1.23456", None),
        ("12345678901", None),
        ("7,5", None),
        ("", None),
    ],
)
def test_a_limit_is_a_plain_positive_number(name, text, value):
    assert read(name, text) == value


def test_of_a_limit_given_twice_the_last_counts():
    assert read(Filter.MAX_PRICE, "5", "7") == Decimal(7)


@each(
    ("text", "value"),
    [
        ("  Grand \t Hotel ", "Grand Hotel"),
        ("x" * 80 + " " + "y" * 19, "x" * 80 + " " + "y" * 19),
        ("x" * 80 + " " + "y" * 20, ""),
        ("x" * 81, ""),
        ("two\x01 words", ""),
        ("!!!", ""),
        ("L'Aquila !", "L'Aquila !"),
    ],
)
def test_a_name_is_words_of_bounded_length_with_a_letter_in_them(text, value):
    assert read(Filter.NAME, text) == value


@each(
    ("texts", "codes"),
    [
        ((" YURT_X ", "BARN_X", "YURT_X"), ("BARN_X", "YURT_X")),
        (("x" * 80,), ("x" * 80,)),
        (("x" * 81, "", " ", "a\nb", "a\x7fb"), ()),
        ([f"C{number:03}_X" for number in range(31)], tuple(f"C{number:03}_X" for number in range(30))),
    ],
)
def test_codes_are_read_each_once_in_one_order_up_to_thirty(texts, codes):
    assert read(Filter.PROVIDER, *texts) == codes


@pytest.mark.parametrize("name", [Filter.FREE_CANCELLATION, Filter.PAY_LATER, Filter.DEALS])
def test_a_switch_is_on_with_a_one_alone(name):
    assert [read(name, text) for text in ("1", " 1 ", "0", "2", "True", "")] == [True, True, *[False] * 4]


@each(
    ("text", "area"),
    [
        ("-180,-90,180,90", "-180,-90,180,90"),
        ("179.5,-20,-179.5,-10", "179.5,-20,-179.5,-10"),
        ("2.1234567,41,2.2,41.5", "2.12346,41,2.2,41.5"),
        ("-0,0,1,1", "0,0,1,1"),
        ("190.12345,-20,200,-10", "-169.87655,-20,-160,-10"),
        ("179,0,180.5,1", "179,0,-179.5,1"),
        ("-190,0,-175,1", "170,0,-175,1"),
        ("0,0,359.5,1", "0,0,-0.5,1"),
        ("0,0,360,1", "-180,0,180,1"),
        ("2,41,2,42", None),
        ("2,41,3,41", None),
        ("2,42,3,41", None),
        ("2,-90.1,3,41", None),
        ("2,41,3,90.1", None),
        ("2,41,3", None),
        ("2,41,3,42,5", None),
        ("2,41,3,x", None),
        ("2,41,3,1e1", None),
    ],
)
def test_an_area_of_the_map_lies_on_the_globe_to_the_metre(text, area):
    found = read(Filter.BBOX, text)
    assert (str(found) if found else None) == area
    assert not found or found.west == float(area.split(",")[0])


@each(
    ("name", "chosen", "value", "left"),
    [
        (Filter.TYPE, ("A", "B"), "B", ("A",)),
        (Filter.TYPE, ("A",), "B", ("A", "B")),
        (Filter.STARS, (3, 4), 5, (3, 4, 5)),
        (Filter.STARS, (5,), 5, ()),
        (Filter.MIN_RATING, (Decimal(8),), Decimal(9), (Decimal(9),)),
        (Filter.MIN_RATING, (Decimal(8),), Decimal(8), ()),
        (Filter.DEALS, (), True, (True,)),
    ],
)
def test_a_click_adds_an_alternative_or_replaces_the_only_one(name, chosen, value, left):
    assert FILTERS[name].toggled(chosen, value) == left


@each(
    ("name", "text", "words"),
    [
        (Filter.STARS, "1", "1 star"),
        (Filter.STARS, "4", "4 stars"),
        (Filter.TYPE, "BED_AND_BREAKFAST", "Bed and breakfast"),
        (Filter.FACILITY, "FREE_WIFI", "Free wifi"),
        (Filter.PROVIDER, "AAA", "AAA"),
        (Filter.FREE_CANCELLATION, "1", "Free cancellation"),
        (Filter.PAY_LATER, "1", "Pay later"),
        (Filter.DEALS, "1", "Reduced price"),
        (Filter.MAX_PRICE, "400.5", "Up to €400.50"),
        (MIN_PRICE, "400.5", "From €400.50"),
        (Filter.MIN_RATING, "8.5", "Rated 8.5 or more"),
        (Filter.MAX_KM, "2.5", "Within 2.5 km of Barcelona El Prat (BCN)"),
        (Filter.NAME, "Grand", "Name: Grand"),
        (Filter.BBOX, "1,2,3,4", "On this part of the map"),
    ],
)
def test_what_is_chosen_is_put_into_words(name, text, words):
    assert FILTERS[name].label(text, WORDS).replace("\xa0", " ") == words


def test_limits_per_night_say_so_and_choices_are_shorter():
    words = replace(WORDS, per_night=True)
    assert FILTERS[Filter.MAX_PRICE].label("400.5", words) == "Up to €400.50 per night"
    assert FILTERS[Filter.MAX_KM].choice_label("2.5", WORDS).replace("\xa0", " ") == "Up to 2.5 km"


def test_a_hotel_passes_with_the_offers_that_do():
    others = {Filter.MIN_RATING, Filter.STARS, Filter.TYPE, Filter.MAX_KM, Filter.NAME, Filter.BBOX}
    assert {name for name, one in FILTERS.items() if not one.about_offers} == others


@each(
    ("name", "legend"),
    [
        (Filter.STARS, "Stars"),
        (Filter.TYPE, "Kind of place"),
        (Filter.MIN_RATING, "Guest rating"),
        (Filter.DEALS, "Booking"),
        (Filter.MAX_KM, "Distance from Barcelona El Prat (BCN)"),
        (Filter.NAME, ""),
    ],
)
def test_a_fieldset_of_the_panel_has_the_legend_of_its_filter(name, legend):
    assert FILTERS[name].legend_text(WORDS) == legend


def test_without_an_airport_distances_are_from_the_centre():
    distance, words = FILTERS[Filter.MAX_KM], replace(WORDS, near="")
    assert distance.legend_text(words) == "Distance from the centre"
    assert distance.label("2.5", words).replace("\xa0", " ") == "Within 2.5 km of the centre"


def test_a_value_or_a_whole_filter_is_taken_off_the_view():
    search, refinement = build.search(stars=(3, 4)), Refinement(type=("A", "B"), max_price=Decimal(9))
    stars, types, price = FILTERS["stars"], FILTERS["type"], FILTERS["max_price"]
    assert stars.removed(search, refinement, "3") == (build.search(stars=(4,)), refinement)
    assert stars.removed(search, refinement, "") == (build.search(stars=()), refinement)
    assert types.removed(search, refinement, "A") == (search, refinement.replace(type=("B",)))
    assert types.removed(search, refinement, "") == (search, refinement.replace(type=()))
    assert price.removed(search, refinement, "9") == (search, refinement.replace(max_price=None))


def test_only_stars_ask_what_the_rows_may_not_hold():
    stars = FILTERS["stars"]
    assert stars.countable((), ())
    assert stars.countable((4,), (3, 4))
    assert stars.countable((3, 4), (3, 4))
    assert not stars.countable((5,), (3, 4))
    assert not stars.countable((), (3, 4))
    assert not stars.countable((4,), (3, 4), complete=False)
    assert not stars.countable((4,), (), complete=False)
    assert FILTERS["type"].countable((), (3, 4), complete=False)


def offered(name: str, *ratings: float, chosen: tuple[Any, ...] = (), anchor: Any = None) -> list[str]:
    rows = [row(str(number), number, rating=Decimal(str(one))) for number, one in enumerate(ratings)]
    return [str(one) for one in FILTERS[name].choices(RowIndex(rows), chosen, anchor)]


def test_the_limits_of_ratings_fit_the_scale_they_seem_to_have():
    assert offered("min_rating") == []
    assert offered("min_rating", 3, 5) == ["4.5", "4", "3.5", "3"]
    assert offered("min_rating", 3, 5.1) == offered("min_rating", 10) == ["9", "8", "7", "6"]
    assert offered("min_rating", 10.1) == offered("min_rating", 100) == ["90", "80", "70", "60"]
    assert offered("min_rating", 100.1) == []
    assert offered("min_rating", 5, chosen=(Decimal("4.2"),)) == ["4.5", "4.2", "4", "3.5", "3"]


def test_one_slip_makes_no_limits_of_another_scale():
    assert offered("min_rating", *[8] * 19, 87) == ["9", "8", "7", "6"]
    assert offered("min_rating", *[8] * 18, 87) == ["90", "80", "70", "60"]
    assert offered("min_rating", *[4] * 38, 8, 9) == ["4.5", "4", "3.5", "3"]


def test_the_limits_of_ratings_are_of_the_site_s_scale():
    rows = [row("k", 0, rating=Decimal("4.8"))]
    index = RowIndex(rows, Site(rating_scale=10))
    assert FILTERS["min_rating"].choices(index, (), None) == (9, 8, 7, 6)


def test_the_limits_of_distance_need_an_airport_and_ascend():
    assert offered("max_km") == []
    assert offered("max_km", anchor=ANCHOR, chosen=(Decimal("7.5"),)) == ["7.5"]


@pytest.mark.parametrize(
    ("market", "steps"),
    [
        ("en-ie", ["1", "2", "5", "25"]),
        ("en-gb", ["1.61", "3.22", "16.09", "40.23"]),
    ],
)
def test_four_distances_at_most_each_reach_more_hotels(market, steps):
    away = [0.5, 1.5, 4.5, 24.5, 45] if market == "en-ie" else [0.5, 2.5, 16, 40, 50]
    places = [
        {"coordinates": Coordinates(ANCHOR.latitude + km / 111.2, ANCHOR.longitude)} for km in (*away, 500)
    ]
    index = RowIndex(
        [row(f"k{at}", at, **place) for at, place in enumerate(places)], Site(default_market=market)
    )
    assert list(map(str, FILTERS["max_km"].choices(index, (), ANCHOR))) == steps


def test_providers_are_offered_in_the_admins_order():
    rows = [row("a", 0, offer("1", "AA")), row("b", 1, offer("1", "AA")), row("c", 2, offer("1", "ZZ"))]
    site = Site(providers=(ProviderEntry("ZZ", order=1), ProviderEntry("AA", order=2)))
    assert FILTERS["provider"].choices(RowIndex(rows, site), (), None) == ("ZZ", "AA")
    assert FILTERS["provider"].choices(RowIndex(rows), (), None) == ("AA", "ZZ")


def test_codes_are_offered_by_count_and_a_chosen_one_always():
    common, rare = FACILITIES[:2]
    rows = [
        row("a", 0, offer("1", facilities=(common,)), offer("2", facilities=(common, rare))),
        row("b", 1, offer("1", facilities=(common,))),
    ]
    choices = FILTERS["facility"].choices(RowIndex(rows), (rare, "NOBODY"), None)
    assert choices == (common, rare, "NOBODY")


def test_without_an_airport_a_distance_asks_nothing():
    away = ANCHOR.km_to(build.PROPERTY.coordinates)
    at = build.PROPERTY.coordinates
    index = RowIndex([row("a", 0, coordinates=at), row("none", 1)])
    km = FILTERS["max_km"]
    assert km.passing(index, (Decimal(away),), None) is None
    assert km.passing(index, (Decimal(away),), ANCHOR) == 0b01
    assert km.passing(index, (Decimal(away) - 1,), ANCHOR) == 0


@each(
    ("name", "texts", "passing"),
    [
        (Filter.STARS, ("4", "5"), ["grand"]),
        (Filter.TYPE, ("HOSTEL", "NOBODY"), ["plain"]),
        (Filter.FACILITY, ("POOL",), ["grand"]),
        (Filter.PROVIDER, ("EX",), ["plain"]),
        (Filter.FREE_CANCELLATION, ("1",), ["grand"]),
        (Filter.PAY_LATER, ("1",), ["plain"]),
        (Filter.DEALS, ("1",), ["grand"]),
        (Filter.MAX_PRICE, ("90",), ["plain"]),
        (MIN_PRICE, ("100",), ["grand"]),
        (Filter.MIN_RATING, ("8.5",), ["grand"]),
        (Filter.NAME, ("hotel lodz",), ["grand"]),
        (Filter.NAME, ("lodz inn",), []),
        (Filter.BBOX, ("2,41,2.2,41.4",), ["grand"]),
        (Filter.BBOX, ("2,40,2.1,41",), []),
    ],
)
def test_each_filter_lets_through_what_it_says(name, texts, passing):
    grand = offer("100", free_cancellation=True, deals=True, facilities=("POOL",))
    place = {"coordinates": Coordinates(41.3, 2.1)}
    rows = [
        row("grand", 0, grand, name="Hôtel Łódź", stars=4, rating=Decimal("8.5"), **place),
        row("plain", 1, offer("90", "EX", pay_later=True), name="Inn", stars=3, type="HOSTEL"),
    ]
    one, stars = FILTERS[name], tuple(map(int, texts)) if name == Filter.STARS else ()
    refinement = Refinement() if stars else Refinement(**{str(name): read(name, *texts)})
    found = select(rows, Question(refinement, stars=stars))
    assert one.values(refinement, stars)
    assert [rows[number].key for number in found.ordered()] == passing


def test_a_nameless_hotel_is_found_by_its_place():
    rows = [row("nameless", 0, offer("100"), name="", place="Rua Nova 5"), row("other", 1, name="Inn")]
    found = select(rows, Question(Refinement(name=read(Filter.NAME, "nova"))))
    assert [rows[number].key for number in found.ordered()] == ["nameless"]


@each(
    ("market", "limit", "away", "passes"),
    [
        ("de-de", "5", 5.04, True),  # "5 km"
        ("de-de", "5", 5.06, False),
        ("de-de", "10", 10.4, True),
        ("en-gb", "8.05", 8.1, True),  # "5 mi"
        ("en-gb", "16.09", 16.8, True),  # "10 mi"
        ("en-gb", "16.09", 16.95, False),
        # Limits of the other unit, as a shared address has them.
        ("de-de", "8.05", 8.14, True),  # "8.1 km"
        ("de-de", "8.05", 8.16, False),
        ("en-gb", "25", 26.5, True),  # "16 mi"
        ("en-gb", "25", 26.6, False),
    ],
)
def test_a_hotel_is_as_far_away_as_its_card_says(market, limit, away, passes):
    north = ANCHOR.latitude + away / ANCHOR.km_to(Coordinates(ANCHOR.latitude + 1, 2.1))
    index = RowIndex([row("one", 0, coordinates=Coordinates(north, 2.1))], Site().for_market(market))
    assert FILTERS[Filter.MAX_KM].passing(index, (limit,), ANCHOR) == int(passes)
