"""Offers with the rooms they sell: joined where names leave no choice, else as the provider names them."""

import re
from datetime import timedelta

import pytest
from msgspec.structs import replace

from search.property.page import PropertyPage
from search.web.translation import override
from tests import builders as build
from tests.rendering import page_html

ROOM = build.ROOM_TYPE.rooms[0]


def page_of(*offers, rooms=(build.ROOM_TYPE,), of=build.SEARCH, **changes) -> PropertyPage:
    found = build.found_property(
        listing=build.priced(*offers), details=build.details(room_types=rooms), **changes
    )
    return PropertyPage(build.context(of), found)


def html_of(page: PropertyPage) -> str:
    return page_html("property/page.html", page=page)


def room_type(name="Double room", **changes):
    return build.room_type(name=name, rooms=(replace(ROOM, name=name, **changes),))


def test_an_offer_of_a_described_room_says_beds_and_guests():
    page = page_of(build.offer(rate="Double Room"))
    (row,) = page.offers
    assert (row.room, row.sleeps, row.beds) == (1, "Sleeps 2", "1 king bed")
    html = html_of(page)
    assert 'href="#room-1"' in html
    assert 'id="room-1"' in html
    assert "As named by the provider" not in html


def test_rooms_that_are_alike_are_told_once():
    double = build.room_type(rooms=(ROOM, ROOM, replace(ROOM, bed_types=("2 single beds",))))
    html = html_of(page_of(build.offer(), rooms=(double,)))
    assert html.count('<li class="room">') == 2


@pytest.mark.parametrize(
    ("name", "levels"), [("Double room", ["3", "4", "4"]), ("Sea view", ["3", "4", "5", "5"])]
)
def test_headings_of_a_room_leave_out_no_level(name, levels):
    room = replace(ROOM, name=name, policies=("No pets",), cancellation_policies=("Free",))
    html = html_of(page_of(build.offer(), rooms=(build.room_type(name="Double room", rooms=(room,)),)))
    (card,) = re.findall(r'<article class="room-type">.*?</article>', html, re.DOTALL)
    assert re.findall(r"<h(\d)", card) == levels


def test_an_offer_with_an_unknown_room_is_the_providers():
    html = html_of(page_of(build.offer(rate="Deluxe double room")))
    assert "As named by the provider" in html
    assert "#room-" not in html


def test_rooms_of_one_provider_are_never_those_of_another():
    other = build.offer(rate="Double room", provider="BBB")
    page = page_of(other)
    assert page.offers[0].room == 0
    assert "Rooms at BBB" in html_of(page)


@pytest.mark.parametrize(
    ("free", "terms", "said", "policy"),
    [
        (True, "Free until 2 days before check-in", "Free cancellation until 1 Dec 2026", False),
        (True, "2 days before arrival: 100%", "Free cancellation", True),
        (True, "Free until 30 days before arrival", "Free cancellation ended on 3 Nov 2026", False),
        (False, "Free until 2 days before check-in", "No free cancellation listed", False),
        (False, "Non-refundable: all is charged at booking.", "No free cancellation listed", True),
    ],
)
def test_an_offer_says_what_its_room_says_on_cancelling(free, terms, said, policy):
    sold = build.offer(rate="Double room", free_cancellation=free)
    page = page_of(sold, rooms=(room_type(cancellation_policies=(terms,)),))
    (row,) = page.offers
    assert (row.cancellation, row.free_until) == (said, said.partition("until ")[2])
    assert tuple(one.text for one in row.policy) == (terms,) * policy
    assert ("Free cancellation until" in html_of(page)) is ("until" in said)


@pytest.mark.parametrize(
    "words",
    [
        "Non-refundable: the full price is charged at booking.",
        "Non-refundable: 100% is charged at booking.",
        "Nicht erstattungsfähig, 100 % werden bei der Buchung belastet",
    ],
)
@pytest.mark.parametrize("rate", ["Double room", "Any other name"])
def test_terms_that_deny_free_cancellation_hold(words, rate):
    free = build.offer(rate=rate, free_cancellation=True)
    html = html_of(page_of(free, rooms=(room_type(cancellation_policies=(words,)),)))
    assert "Free cancellation" not in html
    assert words in html


def test_a_rate_that_denies_free_cancellation_is_not_promised_it():
    free = build.offer(rate="Double room, Non-refundable", free_cancellation=True)
    assert "Free cancellation" not in html_of(page_of(free, rooms=()))


@pytest.mark.parametrize(
    ("days_east", "shown"),
    [(0, "Free cancellation until 21 Nov 2026"), (1, "Free cancellation ended on 21 Nov 2026")],
)
def test_a_day_is_over_when_it_is_where_the_hotel_stands(days_east, shown):
    until_today = room_type(cancellation_policies=(f"Free cancellation until {build.TODAY}",))
    found = build.found_property(
        listing=build.priced(build.offer(rate="Double room", free_cancellation=True)),
        details=build.details(room_types=(until_today,)),
        first_day=(day := build.TODAY + timedelta(days=days_east)),
    )
    context = build.context(first_day=day)
    assert PropertyPage(context, found).offers[0].cancellation == shown


def test_a_room_too_small_for_the_party_says_so_in_both_places():
    page = page_of(build.offer(rate="Double room"), of=build.search(guests=3))
    assert page.offers[0].too_small == page.sold_rooms[0].rooms[0].too_small == "Too small for 3 guests"
    assert page_of(build.offer(rate="Double room")).offers[0].too_small == ""


def test_facilities_and_policies_of_rooms_are_said_once():
    sent = room_type(
        cancellation_policies=("NON_REFUNDABLE",), policies=("NO_SMOKING", "No smoking", "Shoes off, please.")
    )
    sent = replace(sent, facilities=("SWIMMING_POOL", "Pool", "AIR_CONDITIONING", "Window seat"))
    context = build.context(replace(build.SEARCH, market="de-de"))
    found = build.found_property(details=build.details(room_types=(sent,)))
    with override("de"):
        html = html_of(PropertyPage(context, found))
    said = re.findall(r'<li dir="auto"[^>]*>([^<]*)</li>', html)
    assert said == [
        "Pool", "Klimaanlage", "Window seat", "Nicht erstattungsfähig", "Rauchen verboten",
        "Shoes off, please.",
    ]  # fmt: skip


def test_persons_told_in_words_are_neither_enough_nor_too_few():
    page = page_of(rooms=(room_type(max_occupancy=("Adults: 1", "Children: 1")),), of=build.search(guests=3))
    room = page.other_rooms[0].rooms[0]
    assert (room.sleeps, room.too_small) == ("Adults: 1, Children: 1", "")


def test_rooms_without_an_offer_are_folded_below_the_others():
    page = page_of(build.offer(rate="Double room"), rooms=(build.ROOM_TYPE, room_type("Suite")))
    assert [one.described.name for one in page.sold_rooms] == ["Double room"]
    assert [one.described.name for one in page.other_rooms] == ["Suite"]
    html = html_of(page)
    assert "Rooms not named in any offer (1)" in html
    assert "Offered for" in html


def test_a_room_whose_offer_has_no_price_is_not_said_to_be_sold():
    page = page_of(build.offer(None, rate="Double room"))
    assert page.offers[0].room == 1
    assert page.sold_rooms == []


def test_a_rooms_total_that_leaves_a_surcharge_out_says_so():
    apart = (build.Surcharge("CITY_TAX", build.price("9", "USD")),)
    offers = build.offer(rate="Double room"), build.offer(rate="Double room", surcharges=apart)
    (room,) = page_of(*offers).sold_rooms
    assert room.sold_for == ["€412.60", "€390.00 (plus US$9.00 city tax, not in this total)"]


def test_without_offers_all_rooms_are_open():
    html = html_of(page_of(listed=False))
    assert "rooms-fold" not in html
    assert 'class="room-type"' in html


@pytest.mark.parametrize("offers", [(False,), (True, False)])
def test_a_room_without_free_cancellation_has_no_last_day(offers):
    sold = [
        build.offer(str(400 + number), rate="Double room", free_cancellation=free)
        for number, free in enumerate(offers)
    ]
    assert "For your dates: until" not in html_of(page_of(*sold))


def test_a_room_sold_with_free_cancellation_alone_has_its_day():
    html = html_of(page_of(build.offer(rate="Double room", free_cancellation=True)))
    assert "For your dates: until 1 Dec 2026" in html
