"""A page of a search: what is compared of an entry is the same whether it is read briefly or whole."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.hotels import Facility
from search.domain.money import Money
from search.domain.offers import MAX_OFFERS, as_one_listing
from search.gateway import Garbled
from search.gateway import search_page as pages
from search.gateway.search_page import (
    Entry,
    SearchPage,
    merged,
    outline_of,
    search_page,
    unpacked,
)
from tests.gateway.documents import (
    a_listing_document,
    a_min_price,
    a_summary,
    an_entry,
    an_offer,
    encoded,
    triple,
)
from tests.rows import each


def entry_of(sent: Any) -> Entry:
    (entry,) = search_page(encoded(a_listing_document(sent))).entries
    return entry


def is_as_sent(entry: Entry) -> bool:
    return entry.packed.startswith(b"{")


def said(body: bytes) -> Any:
    """What is compared and shown of each entry, and the total; or how it failed."""
    try:
        page = search_page(body)
    except Garbled as failure:
        return failure.kind
    return [(one.outline, one.listing) for one in page.entries], page.total, page.received


def own(value: Any, currency: str = "USD") -> dict[str, Any]:
    return triple(None, customerPrice=None, propertyPrice={"value": value, "currencyCode": currency})


def both(value: Any, there: Any) -> dict[str, Any]:
    return {**triple(value), "propertyPrice": own(there)["propertyPrice"]}


def test_an_entry_that_fits_is_kept_as_it_was_sent():
    entry = entry_of(an_entry())
    assert is_as_sent(entry)
    assert msgspec.json.decode(entry.packed) == an_entry()
    assert entry.listing.property.description == "By the sea.\nWith a garden."
    offer = entry.outline.offers[0]
    assert (offer.price, offer.surcharges) == (Money(Decimal(390), "EUR"), (Money(Decimal("22.6"), "EUR"),))
    assert (offer.discounted, offer.free_cancellation, offer.pay_later) == (True, True, True)
    assert offer.facilities == ("FREE_WIFI",)


def a_surcharge(price: dict[str, Any]) -> dict[str, Any]:
    return {"type": "TAX", "price": price}


def facility(**members: Any) -> dict[str, Any]:
    return {"id": None, "description": None, "type": None, "availability": None, **members}


@pytest.mark.parametrize(
    "sent",
    [
        an_entry(a_summary(description="long " * 3_000)),
        an_entry(offers=[an_offer(providerPropertyId=str(one)) for one in range(MAX_OFFERS + 1)]),
        an_entry(offers=[an_offer(), an_offer(minPrice=a_min_price(price=triple(400)))]),
    ],
    ids=["long", "many offers", "one offer twice"],
)
def test_an_entry_that_is_read_whole_is_kept_as_it_was_read(sent):
    entry = entry_of(sent)
    assert not is_as_sent(entry)
    assert entry.outline == outline_of(entry.listing)


ODDLY = ["NO", False, True, "PAID", "AT_NIGHT"]


@each(
    "sent",
    [
        an_entry(offers=[]),
        an_entry(a_summary(name=None)),
        an_entry(a_summary(name=None, address="2, 4", location={"city": "Oslo"})),
        an_entry(a_summary(name=77)),
        an_entry(a_summary(rating={"value": 0, "code": None})),
        an_entry(offers=[an_offer(facilities="pool")]),
        an_entry(offers=[an_offer(minPrice=a_min_price(originalPrice=5))]),
        an_entry(a_summary(images={"0": []}), [an_offer(providerPropertyId=["odd"])]),
        an_entry(offers=[
            None, an_offer(providerId=None, providerPropertyId="78"), an_offer(providerPropertyId="")
        ]),
        an_entry(offers=[an_offer(providerId=None, providerPropertyId="78")]),
        an_entry(a_summary(ryanairId=None, id="own")),
        an_entry(a_summary(ryanairId="0", id=None)),
        an_entry(a_summary(ryanairId="r" * 501)),
        an_entry(a_summary(ryanairId="r\0")),
        an_entry(a_summary(ryanairId="b", providerId=None), [an_offer(providerId="OTHER")]),
        an_entry(a_summary(ryanairId="b", id=None), [an_offer(providerPropertyId="7")]),
        an_entry(offers=[an_offer(providerPropertyId=str(one)) for one in range(8)]),
        an_entry(offers=[an_offer(minPrice=a_min_price(discountPercentage=1, originalPrice=triple(394)))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(discountPercentage=100, originalPrice=triple(4e4)))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(surcharges=[a_surcharge(triple(1))] * 20))]),
        an_entry(a_summary(providerId=None, id=None), [an_offer(minPrice=None)]),
        an_entry(a_summary(description=5, images="one")),
        an_entry(offers=[an_offer(minPrice=a_min_price(price=own(40)))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(price={**own(40), **triple("0.001")}))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(price=triple(-5)))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(originalPrice=triple(380)))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(discountPercentage=0, originalPrice=5))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(price={**triple(40), "propertyPrice": 5}))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(originalPrice={**own(444), **triple(444)}))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(price=own(40), originalPrice=both(4, 44.44)))]),
        an_entry(offers=[an_offer(minPrice=a_min_price(surcharges=[{}, None, a_surcharge(own(3))]))]),
        an_entry(offers=[
            an_offer(
                providerPropertyId=f"{there} {price}",
                minPrice=a_min_price(price=price, surcharges=[a_surcharge(both(5, there))]),
            )
            for price in (own(40), None) for there in (6, 0)
        ]),
        an_entry(offers=[
            an_offer(
                providerPropertyId=str(below),
                minPrice=a_min_price(surcharges=[a_surcharge(below), a_surcharge(triple(1))]),
            )
            for below in (triple(-3), own(-3), both(-3, 2), triple(-1e13))
        ]),
        an_entry(offers=[an_offer(minPrice=a_min_price(rateDescription="Double, breakfast included"))]),
        an_entry(offers=[an_offer(facilities=[facility(type="A", description="pool" * 400)])]),
        an_entry(offers=[an_offer(facilities=[facility(type=f"F{one}") for one in range(70)])]),
        an_entry(offers=[an_offer(facilities=[None, facility(description="Pool"), facility(type="12")])]),
        an_entry(offers=[an_offer(facilities=[facility(type="POOL", availability=one) for one in ODDLY])]),
        an_entry(offers=[an_offer(facilities=[facility(type="A},{B"), facility(description="},{")])]),
        an_entry(offers=[an_offer(facilities=[{"more": [{}, {}]}, facility(type="BAR")])]),
        an_entry(offers=[an_offer(facilities=[{}, {}, facility(type="Café")])]),
        an_entry(offers=[an_offer(facilities=[{"type": f"F{one}"} for one in range(300)])]),
        an_entry(offers=[an_offer(facilities=[None, *({"type": f"F{one}"} for one in range(300))])]),
    ],
)  # fmt: skip
def test_what_is_compared_is_the_same_however_an_entry_is_read(sent):
    entry = entry_of(sent)
    assert is_as_sent(entry)
    assert entry.outline == outline_of(entry.listing)
    assert entry.all_keys() == entry.listing.all_keys()


@each(
    ("latitude", "longitude"),
    [(90, 180), (-90, -180), (90.5, 10), (10, 180.5), (-91, 10), (0, 5), (5, 0), (0, 0), (1, 1), (1e-12, 5),
     (5, 1e-12), (None, 5), (5, None), (None, None)],
)  # fmt: skip
def test_a_place_is_on_the_globe_however_an_entry_is_read(latitude, longitude):
    entry = entry_of(an_entry(a_summary(coordinates={"latitude": latitude, "longitude": longitude})))
    assert entry.outline.coordinates == entry.listing.property.coordinates


values = st.recursive(
    st.sampled_from(["EUR", "USD", "0", "", "BREAKFAST", "PAY_LATER", "\ud800", "4", 4, 0, 1e-9, 10**400])
    | st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
PARTS = ("", "propertySummary", "offers.0", "offers.0.minPrice", "offers.0.minPrice.price", "offers.1",
         "offers.1.minPrice.price.customerPrice", "offers.1.minPrice.surcharges.0", "offers.1.facilities.0",
         "propertySummary.rating", "propertySummary.coordinates", "distance",
         "offers.0.minPrice.originalPrice.customerPrice")  # fmt: skip


@given(changes=st.lists(st.tuples(st.sampled_from(PARTS), st.integers(0, 30), values), max_size=4))
def test_what_is_compared_is_what_the_card_is_made_of(changes):
    sent = an_entry(offers=[an_offer(), an_offer(providerId="OTHER")])
    for path, place, value in changes:
        part: Any = sent
        for step in filter(None, path.split(".")):
            known = isinstance(part, dict) and step in part
            part = part[step] if known else part[int(step)] if isinstance(part, list) and part else None
        if isinstance(part, dict) and part:
            part[list(part)[place % len(part)]] = value
    document = a_listing_document(sent, an_entry(a_summary(ryanairId="good")))
    assert said(json.dumps(document, separators=(",", ":")).encode()) == said(encoded(document))
    try:
        page = search_page(encoded(document))
    except Garbled:
        # A whole number of hundreds of digits is none to the reader of last resort.
        return
    assert page.entries[-1].outline.key == "good"
    for entry in page.entries:
        assert entry.outline == outline_of(entry.listing)


def test_entries_of_one_property_are_united_in_first_order():
    first, other = entry_of(an_entry()), entry_of(an_entry(a_summary(ryanairId="other")))
    again = entry_of(an_entry(a_summary(name="Another name"), [an_offer(providerId="LATER"), an_offer()]))
    both, alone = merged([first, other, again])
    assert (both.outline.key, both.outline.name, alone) == ("a1b2c3", "Hotel Miramar", other)
    assert [offer.provider for offer in both.outline.offers] == ["ACME", "LATER"]
    assert both.outline == outline_of(both.listing)


def test_an_entry_that_comes_again_is_the_same_one():
    first, again = entry_of(an_entry()), entry_of(an_entry())
    assert merged([first, again]) == (first,)


@pytest.mark.parametrize("odd", ['"half a smile \\ud83d"', "NaN"])
def test_one_odd_entry_leaves_the_others_as_they_are(odd):
    body = encoded(a_listing_document(an_entry(a_summary(ryanairId="odd", description="ODD")), an_entry()))
    odd_one, other = search_page(body.replace(b'"ODD"', odd.encode())).entries
    assert (odd_one.outline.key, odd_one.listing.property.name) == ("odd", "Hotel Miramar")
    assert (other.outline, other.listing) == (entry_of(an_entry()).outline, entry_of(an_entry()).listing)


def test_raw_control_characters_in_a_text_are_no_fault():
    body = encoded(a_listing_document(an_entry(a_summary(name="Hotel@Mira\x01mar", description="One.@Two."))))
    (entry,) = search_page(body.replace(b"@", b"\n").replace(b"\\u0001", b"\x01")).entries
    building = entry.listing.property
    assert (entry.outline.name, building.name) == ("Hotel Miramar", "Hotel Miramar")
    assert building.description == "One.\nTwo."


def test_an_offer_that_stands_twice_in_an_entry_is_one():
    dearer, other_room = a_min_price(price=triple(400)), a_min_price(rateDescription="Double, sea view")
    offers = [an_offer(), an_offer(minPrice=dearer), an_offer(), an_offer(minPrice=other_room)]
    entry = entry_of(an_entry(offers=offers))
    assert len(entry.listing.offers) == 3
    assert entry.outline == outline_of(entry.listing)


def test_numbers_for_identifiers_fit():
    sent = an_entry(
        a_summary(providerId=5, ryanairId=123, id=77),
        [an_offer(providerId=5, providerPropertyId=77, facilities=[facility(id=231, type="POOL")])],
    )
    entry = entry_of(sent)
    assert is_as_sent(entry)
    assert (entry.outline.key, entry.outline.id, entry.outline.offers[0].key) == ("123", "77", "5:77")
    assert entry.outline == outline_of(entry.listing)
    assert entry.listing.offers[0].facilities == (Facility("POOL"),)


offers_of_entries = st.lists(
    st.builds(
        lambda provider, number, price: an_offer(
            providerId=provider, providerPropertyId=number, minPrice=a_min_price(price=triple(price))
        ),
        st.sampled_from("AB"), st.sampled_from("12"), st.sampled_from([90, 120]),
    ),
    max_size=3,
)  # fmt: skip


@given(st.lists(offers_of_entries, min_size=2, max_size=4))
def test_united_entries_say_what_their_listings_united_do(offered):
    entries = [entry_of(an_entry(offers=offers)) for offers in offered]
    (one,) = merged(entries)
    assert one.outline == outline_of(one.listing)
    whole = as_one_listing([entry.listing for entry in entries])
    assert one.listing.offers == whole.offers
    assert one.listing.property == whole.property


FACTS = {
    "category": st.sampled_from([None, 3, 4]),
    "rating": st.sampled_from(
        [None, {"value": None, "code": "GOOD"}, {"value": 8.4, "code": None}, {"value": 7}]
    ),
    "coordinates": st.sampled_from([None, {"longitude": 2, "latitude": 41}, {"longitude": 0, "latitude": 0}]),
    "propertyType": st.sampled_from([None, "", "HOTEL", "HOSTEL"]),
    "images": st.sampled_from([None, [], ["https://pictures.example/2.jpg"]]),
}
distances = st.sampled_from([None, {"value": 0, "unit": "KM"}, {"value": 2, "unit": "KM"}])


@given(st.lists(st.tuples(st.fixed_dictionaries(FACTS), distances), min_size=2, max_size=4), st.booleans())
def test_united_entries_tell_what_any_of_them_does(told, apart):
    entries = [
        entry_of(an_entry(a_summary(**facts), [an_offer(providerId=f"P{apart and at}")], distance=distance))
        for at, (facts, distance) in enumerate(told)
    ]
    (one,) = merged(entries)
    assert one.outline == outline_of(one.listing)
    whole = as_one_listing([entry.listing for entry in entries])
    assert (one.listing.property, one.listing.distance) == (whole.property, whole.distance)


def test_text_in_another_encoding_is_garbled():
    body = encoded(a_listing_document(an_entry())).replace(b"By the sea", b"By the \xff")
    with pytest.raises(Garbled) as failed:
        search_page(body)
    assert failed.value.kind == "encoding"


@each(
    ("sent", "codes"),
    [
        (b"[]", ()),
        (b"null", ()),
        (b"[{}]", ()),
        (b'[{"type":"BAR"},{"type":"SPA"},{"type":"BAR"}]', ("BAR", "SPA")),
        (b'[{"type":"BAR"}, {"type":"SPA"}]', ("BAR", "SPA")),
        (b'[ {"type":"BAR"} ,\n{"type":"SPA"} ]', ("BAR", "SPA")),
        (b'[{"type":"BAR"},null,{"type":"SPA"}]', ("BAR", "SPA")),
        (b'[{"type":"BAR"},{"description":"},{"}]', ("BAR",)),
        (b'[{"type":"BAR"},{"description":"}, {"}]', ("BAR",)),
        (b'[{"type":"BAR","more":[{"type":"SPA"},{"type":"GYM"}]}]', ("BAR",)),
        (b'[{"type":"BAR","more":{"type":"GYM"}},{"type":"SPA"}]', ("BAR", "SPA")),
        (b'[{"type":"BAR","description":"%b"},{"type":"SPA"}]' % (b"d" * 2_000), ("BAR", "SPA")),
    ],
)
def test_a_facility_list_is_read_however_it_is_written(sent, codes):
    for rate, more in (("Double", set()), ("Double, breakfast included", {"FREE_BREAKFAST"})):
        offer = an_offer(facilities="SENT", minPrice=a_min_price(rateDescription=rate))
        body = encoded(a_listing_document(an_entry(offers=[offer])))
        (entry,) = search_page(body.replace(b'"SENT"', sent)).entries
        assert {*entry.outline.offers[0].facilities} == {*codes} | more
        assert is_as_sent(entry)


@each("sent", [b"true", b'"ab"', b"1234", b"{}", b'[{"type":5}]', b"[[]]"])
def test_what_is_no_facility_list_costs_nothing_else(sent):
    body = encoded(a_listing_document(an_entry(offers=[an_offer(facilities="SENT")])))
    (entry,) = search_page(body.replace(b'"SENT"', sent)).entries
    assert entry.outline.offers[0].facilities == ()
    assert entry.outline == outline_of(entry.listing)


def test_a_number_of_thousands_of_digits_is_no_identifier():
    body = encoded(a_listing_document(an_entry(), an_entry(a_summary(ryanairId="LONG", id="LONG"), [])))
    (entry,) = search_page(body.replace(b'"LONG"', b"9" * 501)).entries
    assert entry.outline.key == "a1b2c3"
    assert pages.parsing.identifier(10**500) == ""


def test_a_page_is_packed_and_read_back():
    page = search_page(encoded(a_listing_document(an_entry(), an_entry(a_summary(ryanairId="b", name="")))))
    packed = msgspec.msgpack.encode(page)
    back = msgspec.msgpack.decode(packed, type=SearchPage)
    assert back == page
    assert back.listings == page.listings == tuple(unpacked(one.packed) for one in page.entries)


@pytest.mark.parametrize(
    ("packed", "kind"),
    [(b"{", "json"), (b"{}", "entries"), (b'{"propertySummary": {"name": "No key"}}', "entries")],
)
def test_a_text_that_is_no_entry_is_garbled(packed, kind):
    with pytest.raises(Garbled) as failed:
        unpacked(packed)
    assert failed.value.kind == kind
