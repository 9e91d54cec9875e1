"""A listing becomes a row, rows become sets."""

from __future__ import annotations

from decimal import Decimal

import pytest

from search.domain.hotels import Coordinates, Distance, Facility, GuestRating
from search.domain.offers import Listing, PriceBasis, PriceRules, Surcharge
from search.domain.site_settings import Site
from search.gateway.search_page import outline_of
from search.results.index import Row, RowFact, RowIndex, RowOffer, row_of
from tests import builders as build
from tests.results.naive_filters import ANCHOR, row
from tests.rows import each

STRUCK = {"original_price": build.price("433.33"), "discount_percent": 10}


def made(
    *offers,
    distance: Distance | None = None,
    rules: PriceRules | None = None,
    centre: Coordinates | None = None,
    **facts,
) -> Row:
    listing = Listing(build.building(**facts), offers or (build.offer(),), distance)
    return row_of(outline_of(listing), build.SEARCH, rules or PriceRules(), build.TODAY, centre)


def test_a_row_holds_what_its_property_is_asked_for():
    full = build.offer(
        payment_mode="PAY_LATER",
        free_cancellation=True,
        facilities=tuple(map(build.facility, ("WIFI", "", "POOL", "WIFI"))),
        **STRUCK,
    )
    assert made(full, distance=Distance(Decimal("1.2"), "KM")) == Row(
        key="a1b2c3",
        provider="AAA",
        id="AAA-1",
        name="Hotel Miramar",
        type="HOTEL",
        stars=4,
        rating=Decimal("8.4"),
        distance=1.2,
        unit="",
        coordinates=Coordinates(41.40363, 2.17436),
        offers=(
            RowOffer(
                provider="AAA",
                standing=0,
                total=Decimal("412.60"),
                currency="EUR",
                free_cancellation=True,
                pay_later=True,
                deals=True,
                facilities=("POOL", "WIFI"),
                property_id="AAA-1",
            ),
        ),
        country="es",
    )


def test_what_a_property_does_not_tell_is_not_there():
    bare = made(build.offer(None), rating=None, coordinates=None, stars=None)
    assert (bare.rating, bare.stars, bare.distance, bare.unit) == (None, None, None, "")
    assert bare.coordinates is None
    assert bare.offers[0].comparable is None
    assert (bare.offers[0].standing, bare.offers[0].total, bare.offers[0].currency) == (3, None, "")
    assert not bare.offers[0].deals
    assert made(rating=GuestRating(None, "GOOD")).rating is None


def test_offers_keep_the_order_of_their_prices():
    foreign = build.offer("1", "CCC", price=build.price("1", "USD"), surcharges=())
    partial = build.offer("1", "DDD", surcharges=(Surcharge("TAX", build.price("9", "USD")),))
    found = made(
        build.offer(None, "BBB"),
        foreign,
        partial,
        build.offer("390"),
        rules=PriceRules(basis=PriceBasis.NIGHT),
    )
    assert [
        (one.provider, one.standing, one.total, one.currency, one.comparable) for one in found.offers
    ] == [
        ("AAA", 0, Decimal("1237.80"), "EUR", Decimal("1237.80")),
        ("DDD", 1, Decimal(3), "EUR", None),
        ("CCC", 2, Decimal(3), "USD", None),
        ("BBB", 3, None, "", None),
    ]


@each(
    ("value", "unit", "kilometres"),
    [
        ("2", "KM", (2.0, "")),
        ("2", "km", (2.0, "")),
        ("2", "Kilometres", (2.0, "")),
        ("2", "mi", (2 * 1.609344, "")),
        ("2", "MILE", (2 * 1.609344, "")),
        ("2", "miles", (2 * 1.609344, "")),
        ("500", "m", (0.5, "")),
        ("500", "Meter", (0.5, "")),
        ("500", "METERS", (0.5, "")),
        ("500", "METRE", (0.5, "")),
        ("500", "metres", (0.5, "")),
        ("500", "MTR", (0.5, "")),
        ("5000", "FOT", (5000 * 0.0003048, "")),
        ("500", "YRD", (500 * 0.0009144, "")),
        ("2", "mi.", (2 * 1.609344, "")),
        ("2", "Furlong", (2.0, "FURLONG")),
        ("2", "", (2.0, "")),
    ],
)
def test_a_known_unit_becomes_kilometres(value, unit, kilometres):
    found = made(distance=Distance(Decimal(value), unit))
    assert (found.distance, found.unit) == kilometres


def test_a_row_is_known_by_its_key_and_at_every_provider():
    assert made(build.offer(), build.offer(provider="BBB")).all_keys() == {"a1b2c3", "AAA:AAA-1", "BBB:BBB-1"}


@each(("named", "taken"), [(None, 10), (5, 10), (10, 10), (100, 100)])
def test_the_scale_that_admins_name_counts_where_it_fits(named, taken):
    rows = [row(str(number), number, rating=Decimal("7.2")) for number in range(3)]
    assert RowIndex(rows, Site(rating_scale=named)).rating_scale == taken


def test_ratings_that_print_the_same_are_one():
    sent = ["8.44", "9.0", "8.4", "8.36"]
    index = RowIndex(row(name, number, rating=Decimal(name)) for number, name in enumerate(sent))
    assert index.ratings == [Decimal("8.4"), Decimal("9.0"), Decimal("8.4"), Decimal("8.4")]
    assert index.rating_ranks == [1, 0, 1, 1]


@pytest.mark.parametrize(
    ("facts", "place"),
    [
        ({"name": "Hotel Sol", "address": "1 Road", "city": "Porto"}, ""),
        ({"name": "", "address": "1 Road", "city": "Porto"}, "1 Road"),
        ({"name": "", "address": "", "city": "Porto"}, "Porto"),
    ],
)
def test_a_row_without_a_name_knows_its_place(facts, place):
    assert made(**facts).place == place


def test_a_row_knows_facilities_that_only_a_description_names():
    described = (Facility("", "Free Wi-Fi"), Facility("SWIMMING_POOL", "Outdoor pool"), Facility("", "Moat"))
    assert made(build.offer(facilities=described)).offers[0].facilities == (
        "FREE_WIFI",
        "OUTDOOR_POOL",
        "SWIMMING_POOL",
    )


@pytest.mark.parametrize(
    ("rate", "codes"), [("Double, breakfast included", ("FREE_BREAKFAST",)), ("Breakfast room", ())]
)
def test_a_row_has_breakfast_that_only_the_rate_names(rate, codes):
    assert made(build.offer(rate=rate, facilities=())).offers[0].facilities == codes


def test_a_row_is_free_to_cancel_as_long_as_its_rate_says():
    rates = [f"Free cancellation until {days} days before arrival" for days in (2, 200)]
    offers = [made(build.offer(rate=rate, free_cancellation=True)).offers[0] for rate in rates]
    assert [one.free_cancellation for one in offers] == [True, False]


def test_a_place_far_from_its_country_is_measured_by_the_centre():
    at_sea = Coordinates(-45.0, -120.0)
    assert made(coordinates=at_sea).coordinates is None
    assert made(coordinates=at_sea, centre=at_sea).coordinates == at_sea


def test_what_is_worked_out_of_rows_is_kept():
    index = RowIndex([row("a", 0, coordinates=ANCHOR)])
    assert index.kilometres(ANCHOR) is index.kilometres(ANCHOR)
    types = RowFact(lambda one: (one.type,))
    assert index.sets_of(types) is index.sets_of(types)


def test_equal_totals_are_in_the_order_of_providers():
    sold = [("B", "2", False), ("B", "1", False), ("A", "3", True), ("A", "3", False)]
    row = made(*(build.offer("90", code, property_id=at, free_cancellation=free) for code, at, free in sold))
    assert [(one.provider, one.property_id, one.free_cancellation) for one in row.offers] == [
        ("A", "3", True), ("A", "3", False), ("B", "1", False), ("B", "2", False),
    ]  # fmt: skip


def test_a_row_is_known_at_the_provider_that_describes_it():
    described = made(build.offer("90", "AA", property_id="9"), provider="ZZ", id="9")
    assert described.described_by() == "ZZ"
    assert {"ZZ:9", "AA:9"} <= described.all_keys()
