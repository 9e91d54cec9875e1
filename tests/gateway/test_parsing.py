"""The interface's documents become domain objects; broken ones become errors or lose a member."""

from __future__ import annotations

import logging
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.hotels import Coordinates, Distance, Facility, GuestRating
from search.domain.money import NO_CURRENCY, TEST_CURRENCY, Money
from search.gateway import Garbled, parsing
from search.gateway.search_page import outline_of, search_page
from tests.gateway.documents import (
    a_listing_document,
    a_min_price,
    a_summary,
    an_airport,
    an_entry,
    an_offer,
    encoded,
    row,
    triple,
)
from tests.rows import each

EUR_390 = Money(Decimal(390), "EUR")


def page_of(*entries, total=1):
    page = search_page(encoded(a_listing_document(*entries, total=total)))
    # Read in two ways, and each test here of both.
    assert [row(one.outline) for one in page.entries] == [row(outline_of(one)) for one in page.listings]
    return page


def offer_of(**price):
    return page_of(an_entry(offers=[an_offer(minPrice=a_min_price(**price))])).listings[0].offers[0]


def test_every_field_of_a_listing_arrives():
    page = page_of(an_entry(), total=412)
    listing = page.listings[0]
    building, offer = listing.property, listing.offers[0]
    assert (page.total, page.received) == (412, 1)
    assert (building.key, building.provider, building.id) == ("a1b2c3", "ACME", "77")
    assert (building.name, building.description) == ("Hotel Miramar", "By the sea.\nWith a garden.")
    assert (building.address, building.city, building.country) == ("1 Harbour Street", "Porto", "pt")
    assert building.coordinates == Coordinates(41.15, -8.61)
    assert (building.stars, building.type) == (4, "HOTEL")
    assert building.rating == GuestRating(Decimal("8.4"), "VERY_GOOD")
    assert building.images == ("https://pictures.example/1.jpg",)
    assert listing.distance == Distance(Decimal("1.2"), "KM")
    assert (offer.provider, offer.property_id, offer.rate) == ("ACME", "77", "Double room")
    assert offer.price.customer == EUR_390
    assert offer.original_price.customer == Money(Decimal("433.33"), "EUR")
    assert offer.credit == Money(Decimal("19.5"), "EUR")
    assert (offer.payment_mode, offer.promo_type, offer.discount_percent) == (
        "PAY_LATER",
        "REGULAR_PROMOTION",
        10,
    )
    assert offer.surcharges[0].kind == "TAX_AND_FEES"
    assert offer.surcharges[0].price.customer == Money(Decimal("22.6"), "EUR")
    assert offer.facilities == (Facility("FREE_WIFI", "", "ROOM"),)
    assert offer.free_cancellation
    assert offer.deposit is None


def euros(value):
    return {"value": value, "currencyCode": "EUR"}


@each(
    ("own", "of_price", "told"),
    [
        (triple(1, travelCredit=euros(3)), euros(2), "3"),
        (triple(4), euros(2), "4"),
        (triple(0, propertyPrice=euros(5), travelCredit=euros(0)), euros(2), "5"),
        (triple(-1), euros(2), "2"),
        (triple(0), euros(100), None),
        (triple(None, propertyPrice=euros(0)), euros(2), None),
        (triple(None, travelCredit=euros(0)), euros(2), None),
        (triple(None, travelCredit=euros(0.4)), None, "0.4"),
        (None, euros(2), "2"),
        (None, euros(0), None),
        (None, None, None),
    ],
)
def test_the_credit_is_the_first_amount_above_zero(own, of_price, told):
    credit = offer_of(price=triple(390, travelCredit=of_price), travelCredit=own).credit
    assert credit == (Money(Decimal(told), "EUR") if told else None)


def test_an_original_price_without_a_discount_says_nothing():
    assert offer_of(discountPercentage=0).original_price is None


@pytest.mark.parametrize("read", [search_page, parsing.airport_list])
def test_any_error_in_reading_is_the_gateways(read, monkeypatch, caplog):
    def fail(*_args):
        raise ZeroDivisionError("secret text of a document")

    monkeypatch.setattr(parsing.schema, "decode", fail)
    with pytest.raises(Garbled) as caught:
        read(b"{}")
    assert caught.value.__context__ is None
    assert "secret" not in caplog.text


def test_a_property_without_a_name_is_kept_without_one():
    (listing,) = page_of(an_entry(a_summary(name=None))).listings
    assert (listing.property.name, listing.property.address) == ("", "1 Harbour Street")


def test_without_identifiers_the_first_offer_names_a_property():
    summary = a_summary(ryanairId=None, id=None)
    (listing,) = page_of(an_entry(summary)).listings
    assert listing.property.key == "ACME:77"


def test_an_entry_that_nothing_tells_from_others_is_left_out():
    page = page_of(an_entry(), an_entry(a_summary(ryanairId=None, id=None), offers=[]))
    assert (len(page.listings), page.received) == (1, 2)


@each(
    "surcharges",
    [
        [{"type": "CITY_TAX", "price": None}],
        [{"type": "CITY_TAX", "price": "on request"}],
        [{"type": "CITY_TAX", "price": triple("n/a")}],
        [{"type": "CITY_TAX", "price": triple(-1e13)}],
        [{"type": "CITY_TAX", "price": triple(-3, currency="")}],
        ["city tax 3 EUR"],
        "city tax",
        {"type": "CITY_TAX"},
    ],
)
def test_a_surcharge_that_cannot_be_read_is_still_a_surcharge(surcharges):
    (surcharge,) = offer_of(surcharges=surcharges).surcharges
    assert surcharge.amount_on(None) is None


def test_a_surcharge_below_zero_counts_as_nothing():
    both = triple(-3, propertyPrice={"value": -2.5, "currencyCode": "MAD"})
    for price in (triple(-3), triple(-1e-2), both):
        (surcharge,) = offer_of(surcharges=[{"type": "MEMBER_DISCOUNT", "price": price}]).surcharges
        assert surcharge.price.customer == Money(Decimal(0), "EUR")
        assert surcharge.amount_on(None).amount == 0


@each("surcharges", [None, [], [None], "", {}])
def test_no_surcharge_is_none(surcharges):
    assert offer_of(surcharges=surcharges).surcharges == ()


def test_a_surcharge_in_the_propertys_currency_alone_is_read():
    own = triple(None, customerPrice=None, propertyPrice={"value": 0.3, "currencyCode": "MAD"})
    (surcharge,) = offer_of(surcharges=[{"type": "CITY_TAX", "price": own}]).surcharges
    assert surcharge.amount_on(None) == Money(Decimal("0.3"), "MAD")


def test_surcharges_beyond_the_limit_leave_the_total_incomplete():
    fees = [{"type": f"FEE_{number}", "price": triple(1)} for number in range(parsing.MAX_SURCHARGES + 5)]
    surcharges = offer_of(surcharges=fees).surcharges
    assert len(surcharges) == parsing.MAX_SURCHARGES + 1
    assert (surcharges[-1].kind, surcharges[-1].amount_on(None)) == ("", None)
    assert len(offer_of(surcharges=fees[:-5]).surcharges) == parsing.MAX_SURCHARGES


@each(
    "value",
    ["NaN", "Infinity", "-Infinity", "1e400", "-1", '"12.50"', "true", "null", "{}", "[1]", "1e13", "1e-400"],
)
def test_an_amount_that_is_no_price_leaves_the_offer_without_one(value):
    body = encoded(a_listing_document(an_entry(), total=1)).replace(
        b'"value": 390', f'"value": {value}'.encode()
    )
    offer = search_page(body).listings[0].offers[0]
    assert offer.price is None
    assert offer.rate == "Double room"


@each("currency", ["", "EURO", "12", None, "E R", NO_CURRENCY, TEST_CURRENCY.lower()])
def test_an_amount_without_a_currency_is_no_price(currency):
    assert offer_of(price=triple(390.5, currency)).price is None


def test_prices_keep_every_digit():
    body = encoded(a_listing_document(an_entry())).replace(b'"value": 390', b'"value": 0.1000000000000000055')
    assert str(search_page(body).listings[0].offers[0].price.customer.amount) == "0.1000000000000000055"


@each(
    ("deposit", "amount"),
    [
        ({"value": 50, "currencyCode": "EUR"}, Decimal(50)),
        (triple(50), Decimal(50)),
        ("50 EUR", None),
        (50, None),
        ([], None),
        ({"value": "50", "currencyCode": "EUR"}, None),
    ],
)
def test_a_deposit_counts_as_an_amount_or_a_price_triple_only(deposit, amount):
    found = offer_of(deposit=deposit).deposit
    assert (found.customer.amount if found else None) == amount


@each("total", [None, -1, "12", 1.5, 10**12, [], True])
def test_a_total_that_is_no_count_is_unknown(total):
    assert page_of(an_entry(), total=total).total is None


@pytest.mark.parametrize("total", [412, 412.0])
def test_a_total_is_a_whole_number_however_it_is_written(total):
    assert page_of(an_entry(), total=total).total == 412


def test_a_missing_total_is_unknown():
    assert search_page(encoded({"results": []})).total is None
    assert search_page(encoded({"results": [], "Total": 100_000_000})).total == 100_000_000


@each(
    ("body", "kind"),
    [
        (b"", "json"),
        (b"<html>busy</html>", "json"),
        (b'{"results": [', "json"),
        (b'{"results": []} extra', "json"),
        (b"null", "envelope"),
        (b"[]", "envelope"),
        (b'"results"', "envelope"),
        (b'{"results": null, "Total": 0}', "envelope"),
        (b'{"results": {}}', "envelope"),
        (b'{"error": "busy"}', "envelope"),
        (b'{"results": [{"propertySummary": {"name": "\xff"}}]}', "encoding"),
        (b'{"results": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "json"),
        (b'{"results": [], "Total": ' + b"9" * 6_000 + b"}", "json"),
        (b'{"results": [], "Total": 100000001}', "envelope"),
        (b'{"results": [null, 1, "x", {}]}', "entries"),
    ],
)
def test_what_is_no_listing_document_is_garbled(body, kind):
    with pytest.raises(Garbled) as caught:
        search_page(body)
    assert caught.value.kind == kind
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_byte_order_mark_does_no_harm():
    assert search_page(b"\xef\xbb\xbf" + encoded(a_listing_document(an_entry()))).received == 1


def test_one_unusable_entry_costs_itself_only_and_is_told_once(caplog):
    entries = [an_entry(a_summary(ryanairId=f"k{number}")) for number in range(19)]
    with caplog.at_level(logging.WARNING):
        page = page_of(*entries[:7], {"propertySummary": None}, *entries[7:], total=20)
    assert len(page.listings) == 19
    assert page.received == 20
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@each(
    ("member", "value"),
    [
        ("name", ["x"]),
        ("images", "x"),
        ("rating", "good"),
        ("category", "4"),
        ("coordinates", [1, 2]),
        ("location", 3),
        ("description", {}),
        ("countryCode", 7),
        ("propertyType", []),
    ],
)
def test_a_member_of_the_wrong_type_costs_itself_only(member, value):
    entries = [an_entry(a_summary(**{member: value}, ryanairId="odd")), an_entry()]
    page = page_of(*entries)
    assert len(page.listings) == 2
    assert page.listings[0].property.name == ("" if member == "name" else "Hotel Miramar")
    assert page.listings[0].offers[0].price.customer == EUR_390


def test_a_numeric_identifier_is_still_one():
    assert (
        page_of(an_entry(offers=[an_offer(providerPropertyId=77)])).listings[0].offers[0].property_id == "77"
    )


def test_a_property_listed_twice_is_one_with_all_offers():
    page = page_of(an_entry(), an_entry(offers=[an_offer(providerId="OTHER")]), total=2)
    assert [offer.provider for offer in page.listings[0].offers] == ["ACME", "OTHER"]
    assert page.received == 2


def test_a_property_is_known_by_its_providers_identifier():
    assert page_of(an_entry(a_summary(ryanairId=None))).listings[0].property.key == "ACME:77"


@each(
    "nothing",
    ["", " ", "0", "0" * 24, "00000000-0000-0000-0000-000000000000", "null", "N/A", "-1", -1, "unknown",
     "UNMAPPED", "not-mapped", "missing"],
)  # fmt: skip
def test_hotels_of_an_empty_identifier_are_not_one_hotel(nothing):
    sent = [an_entry(a_summary(ryanairId=nothing, id=own), []) for own in ("77", "78")]
    assert [one.property.key for one in page_of(*sent).listings] == ["ACME:77", "ACME:78"]


@each("identifier", ["a0", "0a1", "nullified", "10", "-1a", "unknown7"])
def test_a_common_identifier_of_few_letters_is_one(identifier):
    assert page_of(an_entry(a_summary(ryanairId=identifier))).listings[0].property.key == identifier


@each(
    "address",
    [
        "http://x.example/1.jpg",
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        "//x.example/1.jpg",
        "data:image/png;base64,AA",
        "https://user:pass@x.example/1.jpg",
        "https:///1.jpg",
        "",
        "https://[broken/1.jpg",
        "https://x.example/" + "a" * 3000,
    ],
)
def test_only_https_pictures_are_kept(address):
    assert page_of(an_entry(a_summary(images=[address]))).listings[0].property.images == ()


def test_hostile_characters_are_gone_and_newlines_kept():
    text = "A\x00B\x1b[31m\u202eevil\u2066x\ufdd0\nnext\r\nlast"
    assert (
        page_of(an_entry(a_summary(description=text))).listings[0].property.description
        == "AB[31mevilx\nnext\nlast"
    )


def test_lone_surrogates_are_gone():
    body = encoded(a_listing_document(an_entry(a_summary(name="Caf\ud800é"))))
    assert search_page(body).listings[0].property.name == "Café"


def test_coordinates_off_the_globe_or_at_zero_are_missing():
    for wrong in (
        {"latitude": 0, "longitude": 0},
        {"latitude": 91, "longitude": 0},
        {"latitude": None, "longitude": 1},
    ):
        assert page_of(an_entry(a_summary(coordinates=wrong))).listings[0].property.coordinates is None


def test_a_dirty_airport_list_keeps_what_can_be_used():
    body = encoded(
        [
            an_airport(),
            an_airport(name="Again"),
            None,
            7,
            {},
            an_airport(iataCode="X1"),
            an_airport(iataCode="opo", name=None),
        ]
    )
    airports = parsing.airport_list(body)
    assert [(airport.code, airport.name) for airport in airports] == [
        ("STN", "London Stansted"),
        ("OPO", "OPO"),
    ]


def test_an_empty_airport_list_is_empty_a_useless_one_garbled():
    assert parsing.airport_list(b"[]") == ()
    with pytest.raises(Garbled):
        parsing.airport_list(b"[1, 2]")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)

members = st.sampled_from(sorted({*a_summary(), *an_offer(), *a_min_price()}))


@given(members, json_values)
def test_no_value_of_any_member_breaks_the_page(member, value):
    summary, offer, price = a_summary(), an_offer(), a_min_price()
    for part in (summary, offer, price):
        if member in part:
            part[member] = value
    if member != "minPrice":
        offer["minPrice"] = price
    page = page_of(an_entry(a_summary(ryanairId="good")), an_entry(summary, [offer]), total=2)
    assert page.listings[0].property.key == "good"


def test_the_hundredth_facility_is_there_like_the_first():
    things = [{"type": f"THING_{number}", "availability": "ROOM"} for number in range(100)]
    breakfast = {"type": "FREE_BREAKFAST", "availability": "ROOM"}
    offer = an_offer(facilities=[*things, breakfast])
    (entry,) = search_page(encoded(a_listing_document(an_entry(offers=[offer])))).entries
    assert entry.listing.offers[0].breakfast
    assert "FREE_BREAKFAST" in entry.outline.offers[0].facilities


@pytest.mark.parametrize("provider", ["ACME", None])
def test_an_offer_of_the_listing_provider_needs_no_id(provider):
    offer = an_offer(providerId=provider, providerPropertyId=None)
    (entry,) = search_page(encoded(a_listing_document(an_entry(offers=[offer])))).entries
    (read,), (compared,) = entry.listing.offers, entry.outline.offers
    assert (read.provider, read.property_id) == (compared.provider, compared.property_id) == ("ACME", "77")


def test_an_offer_of_another_provider_without_an_id_is_none():
    offer = an_offer(providerId="OTHER", providerPropertyId=None)
    (entry,) = search_page(encoded(a_listing_document(an_entry(offers=[offer])))).entries
    assert entry.listing.offers == entry.outline.offers == ()


@pytest.mark.parametrize("sent", [b"\n", b"\t", b"\r\n"])
def test_a_control_character_in_a_text_is_a_blank(sent):
    body = encoded(a_listing_document(an_entry())).replace(b"Hotel Miramar", b"Hotel" + sent + b"Miramar")
    assert search_page(body).listings[0].property.name == "Hotel Miramar"
