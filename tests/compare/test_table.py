"""Hotels side by side: a row for each fact, the best value of a row marked, facilities as ticks."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from search.compare.side_by_side import Column, ComparePage, CompareRow, Fact
from search.domain.hotels import Distance, Property, PropertyDetails, RoomType
from search.domain.offers import Listing, Offer, Surcharge
from search.results.card import CardMaker
from search.results.listings import PricedListing
from tests import builders as build
from tests.rows import each


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, PropertyDetails]:
    """The details of hotels by key; the others have none."""
    monkeypatch.setitem(globals(), "TOLD", {})
    return TOLD


TOLD: dict[str, PropertyDetails] = {}


def table(*now: PricedListing, gone: PricedListing | None = None, **surroundings: Any) -> ComparePage:
    context = build.context(build.search(market="en-ie"), **surroundings)
    maker = CardMaker(context)
    columns = [Column(one, maker.card(one), TOLD.get(one.listing.property.key)) for one in now]
    if gone:
        columns.append(Column(gone, maker.card(gone), None, note="Not found any more", gone=True))
    return ComparePage(context, columns, ("", ""), [])


def rows(*now: PricedListing, **said: Any) -> dict[str, CompareRow]:
    return {row.label: row for row in table(*now, **said).rows}


def ticks(*now: PricedListing, **said: Any) -> dict[str, list[bool | None]]:
    return {row.facility.text: row.cells for row in table(*now, **said).ticks}


def test_every_fact_has_its_row_in_one_order(told):
    told["a1b2c3"] = build.DETAILS
    free = build.offer(free_cancellation=True, payment_mode="PAY_LATER")
    found = rows(build.priced(free))
    assert {label: row.cells for label, row in found.items()} == {
        "Total": [("€412.60",)],
        "Per night": [("€137.53 per night",)],
        "Taxes and fees": [("Taxes and fees €22.60",)],
        "Offered by": [("AAA",)],
        "Rate": [("Double room, city view",)],
        "Cancellation": [("Free cancellation",)],
        "Good to know": [("Pay later",)],
        "Guest rating": [("8.4 Very good",)],
        "Stars": [("4 stars",)],
        "Kind": [("Hotel",)],
        "Where": [("Carrer de Mallorca 401, Barcelona",)],
        "Distance": [("1.2\xa0km from destination",)],
        "Rooms": [("Double room",)],
        "Check-in": [("15:00 – 23:00",)],
        "Check-out": [("11:00",)],
    }
    assert next(iter(found)) == "Total"
    assert not any(row.differs or row.best for row in found.values())


def test_what_became_of_a_total_stands_below_it():
    page = table(build.priced())
    columns = [page.columns[0]._replace(then="€20 more")]
    shared = ComparePage(build.context(), columns, ("", ""), []).rows[1]
    assert (shared.label, shared.cells) == ("When shared", [("€20 more",)])


def test_a_fact_of_no_hotel_has_no_row_a_missing_one_no_cell():
    plain = build.priced(build.offer(surcharges=(), rate=""), key="aa", type="", address="", city="")
    found = rows(plain, build.priced(build.offer(rate=""), key="bb", type="", address="", city=""))
    assert found["Taxes and fees"].cells == [(), ("Taxes and fees €22.60",)]
    assert found["Taxes and fees"].differs
    assert not {"Rate", "Good to know", "Kind", "Where", "Rooms", "Check-in", "Check-out"} & set(found)


def test_a_hotel_without_a_price_says_so_and_has_no_offer():
    found = rows(build.priced(build.offer(None), key="aa", rating=None), build.priced(key="bb"))
    assert found["Total"].cells == [("No price for these dates",), ("€412.60",)]
    assert found["Guest rating"].cells[0] == ("No guest rating",)
    assert {found[label].cells[0] for label in ("Per night", "Offered by", "Cancellation")} == {()}


def test_the_price_of_free_cancellation_stands_below_its_absence():
    strict = build.offer("390")
    dearer = build.offer("404", "BBB", free_cancellation=True)
    found = rows(build.priced(strict, dearer, key="aa"), build.priced(strict, key="bb"))
    assert found["Cancellation"].cells == [
        ("No free cancellation listed at this price", "+ €14.00 for free cancellation"),
        ("No free cancellation listed at this price",),
    ]


def lowest(*offers: Offer | None) -> frozenset[int]:
    cards = [build.priced(one or build.offer(None), key=str(number)) for number, one in enumerate(offers)]
    found = rows(*cards)
    assert not any(row.best for label, row in found.items() if label != "Total")
    assert found["Total"].mark == "lowest"
    return found["Total"].best


def test_every_lowest_total_is_marked_where_totals_differ():
    low, high = build.offer("100"), build.offer("200")
    assert lowest(high, low, None) == {1}
    assert lowest(low, high, low) == {0, 2}
    assert lowest(low, high, build.offer("100", "BBB")) == {0, 2}
    assert lowest(low, low) == set()
    assert lowest(low, None) == set()
    assert lowest(None, None) == set()


def test_a_hotel_without_an_offer_has_no_total_nor_provider():
    nothing = replace(build.priced(key="aa"), offers=(), ladder=())
    found = rows(nothing, build.priced(build.offer("100"), key="bb"), build.priced(key="cc"))
    assert (found["Total"].cells[0], found["Total"].best) == (("No price for these dates",), {1})
    assert found["Offered by"].logos[0] == ""


def test_only_whole_totals_in_the_searchs_currency_are_lowest():
    foreign = build.offer("1", price=build.price("1", "USD"), surcharges=())
    partial = build.offer("1", surcharges=(Surcharge("TAX", build.price("9", "USD")),))
    assert lowest(build.offer("100"), foreign, partial) == set()
    assert lowest(build.offer("100"), foreign, partial, build.offer("90")) == {3}


def test_the_best_rating_stars_and_distance_are_marked():
    good, better = build.GuestRating(Decimal("8.4"), "GOOD"), build.GuestRating(Decimal("9.1"), "GOOD")
    found = rows(
        build.priced(key="aa", rating=good, stars=None, anchor_km=4.0),
        build.priced(key="bb", rating=better, stars=3, anchor_km=2.0),
        build.priced(key="cc", rating=None, stars=5, anchor_km=None),
        anchor=build.AIRPORT,
    )
    assert (found["Guest rating"].best, found["Guest rating"].mark) == ({1}, "highest")
    assert (found["Stars"].best, found["Stars"].mark) == ({2}, "most")
    assert (found["To the airport"].best, found["To the airport"].mark) == ({1}, "nearest")
    assert found["Distance"].best == frozenset()


def at(key: str, value: str, unit: str = "KM", centre_km: float | None = None) -> PricedListing:
    card = build.priced(key=key, centre_km=centre_km)
    return replace(card, listing=replace(card.listing, distance=Distance(Decimal(value), unit)))


def test_only_distances_with_a_known_unit_are_compared():
    nearest = rows(at("aa", "1", "MI"), at("bb", "1.5"))["Distance"]
    assert (nearest.best, nearest.mark) == ({1}, "nearest")
    assert rows(at("aa", "1", "MI"), at("bb", "0.1", "LEAGUES"))["Distance"].best == frozenset()


def test_the_nearest_has_the_shortest_distance_shown():
    found = rows(at("aa", "1", centre_km=3.0), at("bb", "2", centre_km=1.5))["Distance"]
    assert found.cells == [("3\xa0km from the centre",), ("1.5\xa0km from the centre",)]
    assert (found.best, found.mark) == ({1}, "nearest")


def test_only_the_gateways_distances_are_called_the_providers():
    centred = [build.priced(key=key, centre_km=3.0) for key in ("aa", "bb")]
    assert not table(*centred).shows_given_distances
    assert table(*centred, build.priced(key="cc")).shows_given_distances


def test_distances_from_different_points_are_not_compared():
    found = table(build.priced(key="aa", centre_km=3.0), build.priced(key="bb"), build.priced(key="cc"))
    distances = [row for row in found.rows if row.label == "Distance"]
    assert [row.cells for row in distances] == [
        [("3\xa0km from the centre",), (), ()],
        [(), ("1.2\xa0km from destination",), ("1.2\xa0km from destination",)],
    ]
    assert not any(row.best for row in distances)


def test_ratings_that_read_the_same_are_the_same():
    def rated(value: str) -> PricedListing:
        return build.priced(key=value, rating=build.GuestRating(Decimal(value), "GOOD"))

    assert rows(rated("7.96"), rated("8.04"))["Guest rating"].best == frozenset()
    assert rows(rated("7.96"), rated("8.04"), rated("7.9"))["Guest rating"].best == {0, 1}


def test_breakfast_of_an_offer_is_no_tick_of_its_hotel(told):
    told["aa"] = build.details(facilities=("Breakfast (charge)",))
    plain = build.offer("100", facilities=(build.facility("LIFT"),))
    other = build.offer("110", provider="BBB", facilities=(build.facility("FREE_BREAKFAST"),))
    assert ticks(build.priced(plain, other, key="aa")) == {"Breakfast (charge)": [True], "Lift": [True]}


def test_a_facility_is_one_row_and_unknown_without_details(told):
    told["aa"] = build.details(facilities=("swimming pool", "FREE WIFI", "Äpfel"))
    told["bb"] = build.details(facilities=("Swimming pool", "bar"))
    cards = build.priced(key="aa"), build.priced(key="bb"), build.priced(key="cc")
    assert ticks(*cards) == {
        "Bar": [False, True, None],
        "Free wifi": [True, True, True],
        "Pool": [True, True, None],
        "Äpfel": [True, False, None],
    }
    assert not table(*cards).known_everywhere
    assert table(*cards[:2]).known_everywhere
    assert [row.facility.text for row in table(*cards[:2]).ticks if row.differs] == ["Äpfel", "Bar"]


def test_what_one_hotel_charges_for_is_not_said_of_another(told):
    told["aa"] = build.details(facilities=("Spa (free of charge)", "Parking (charge)"))
    told["bb"] = build.details(facilities=("Spa (charge)", "Parking (charge)"))
    found = ticks(build.priced(key="aa"), build.priced(key="bb"))
    assert found == {"Free wifi": [True, True], "Parking (charge)": [True, True], "Spa": [True, True]}


def nothing_of(key: str) -> PricedListing:
    return PricedListing(Listing(Property(key, "ACME", key), (), None), (), (), None)


def test_a_hotel_that_is_gone_says_so_and_makes_no_difference(told):
    found = rows(build.priced(key="aa"), build.priced(key="bb"), gone=nothing_of("cc"))
    assert found["Total"].cells[2] == ("Not found any more",)
    assert {row.cells[2] for label, row in found.items() if label != "Total"} == {()}
    assert not any(row.differs or row.best for row in found.values())


def test_six_kinds_of_room_are_named_and_the_others_counted(told):
    def kinds(count: int) -> tuple[RoomType, ...]:
        named = [build.room_type(name=f"Room {number}") for number in range(count)]
        return (*named, build.room_type(name=""), build.room_type(name="Room 0"))

    cells = []
    for count in (6, 7, 9):
        told["aa"] = build.details(room_types=kinds(count))
        cells += rows(build.priced(key="aa"))["Rooms"].cells
    first = tuple(f"Room {number}" for number in range(6))
    assert cells == [first, (*first, "and 1 more"), (*first, "and 3 more")]


def test_the_distance_to_the_chosen_airport_has_a_row_of_its_own():
    found = rows(build.priced(anchor_km=14.2), anchor=build.AIRPORT)
    assert found["Distance"].cells == [("1.2\xa0km from destination",)]
    assert found["To the airport"].cells == [("14\xa0km from BCN in a straight line",)]


@each(
    ("line", "long"),
    [
        ("123456789.01", False),
        ("1234567890.12", True),
        ("No price for these dates", False),
        ("1\xa0234\xa0567,70\xa0€", True),
    ],
)
def test_a_row_is_as_long_as_its_longest_word_or_amount(line, long):
    columns = [Column(build.priced(), None, None)] * 2
    assert CompareRow(columns, [Fact("Total", ["€1.00"]), Fact("Total", [line])]).long == long


@pytest.mark.parametrize("centres", [(1.23, 1.24), (0.81, 0.84)])
def test_of_two_equal_distances_neither_is_the_nearest(centres):
    found = rows(*(build.priced(centre_km=km, key=f"k{km}") for km in centres))
    (row,) = (one for label, one in found.items() if label == "Distance")
    assert len(set(row.cells)) == 1
    assert row.best == frozenset()
