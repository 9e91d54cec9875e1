"""Hotels taken down: by a key or the address of a page, at all providers, and until when."""

import time
from datetime import timedelta

import pytest
from django.utils.timezone import localdate

from search.admin import forms
from search.domain.process import Deadline
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import Site
from search.gateway import factory
from search.gateway.client import PageQuery
from search.site_settings import store
from search.site_settings.models import BlockedProperty, DestinationOverride, FeaturedDestination, Provider
from search.web.links import property_path
from tests.admin.content_tables import act
from tests.gateway.documents import a_listing_document, a_summary, an_entry, an_offer, details_document


def test_blocks_are_filtered_by_state_and_ended_in_bulk(editor):
    today = localdate()
    now = BlockedProperty.objects.create(key="now", reason="closed")
    BlockedProperty.objects.create(key="over", reason="closed", until=today - timedelta(days=1))

    def listed(state):
        found = editor.get(f"/admin/search/blockedproperty/?state={state}").context["cl"].result_list
        return [row.key for row in found]

    assert listed("on") == ["now"]
    assert listed("over") == ["over"]
    act(editor, "blockedproperty", "end_today", now)
    assert not store.current().blocked_keys(today + timedelta(days=1))
    act(editor, "blockedproperty", "hide_for_good", now)
    assert store.current().blocked_keys(today + timedelta(days=400)) == {"now"}


def test_a_block_needs_a_reason(editor):
    response = editor.post("/admin/search/blockedproperty/add/", {"key": "0af", "reason": ""})
    assert list(response.context["adminform"].form.errors) == ["reason"]


def test_a_hotel_is_taken_down_by_the_address_of_its_page(editor):
    deadline = Deadline(10, time.monotonic)
    dates = StayDates(localdate() + timedelta(days=40), localdate() + timedelta(days=42))
    search = StaySearch(place="Porto", dates=dates, guests=2, stars=(), currency="EUR", market="en-gb")
    listing = factory.gateway().search(PageQuery(search, 0, 20), Site(), deadline).value.listings[0]
    offer = listing.offers[0]
    address = f"https://hotels.example{property_path(offer.provider, offer.property_id)}?place=Porto#rooms"
    editor.post("/admin/search/blockedproperty/add/", {"key": address, "reason": "closed"})
    block = BlockedProperty.objects.get()
    assert block.key in listing.all_keys()
    assert block.name == listing.property.name


def of_three_providers():
    """The listing of a hotel that three sell."""
    offers = [
        an_offer(providerId=code, providerPropertyId=code.lower()) for code in ("ACME", "EX", "MOON_ROOMS")
    ]
    return a_listing_document(an_entry(a_summary(providerId="ACME", id="acme"), offers), total=1)


def details_without_identifiers():
    document = details_document()
    document["propertyDetails"]["propertySummary"] = a_summary(ryanairId=None, id=None, providerId=None)
    return document


def test_a_hotel_is_taken_down_at_its_addresses_at_all_providers(editor, client, wire):
    wire.search(of_three_providers())
    wire.details(details_without_identifiers())
    addresses = ["/hotels/ACME/acme/", "/hotels/EX/ex/", "/hotels/MOON_ROOMS/moon_rooms/"]
    assert {client.get(one).status_code for one in addresses} == {200}
    editor.post("/admin/search/blockedproperty/add/", {"key": addresses[1], "reason": "closed"})
    block = BlockedProperty.objects.get()
    assert (block.key, block.other_keys) == ("EX:ex", ["ACME:acme", "MOON_ROOMS:moon_rooms", "a1b2c3"])
    assert {client.get(one).status_code for one in addresses} == {404}
    page = editor.get(f"/admin/search/blockedproperty/{block.pk}/change/")
    assert "ACME:acme, MOON_ROOMS:moon_rooms, a1b2c3" in page.text


@pytest.mark.parametrize(
    ("found", "details"),
    [
        ({"document": a_listing_document(total=0)}, {"document": details_without_identifiers()}),
        ({"status": 503}, {"document": details_without_identifiers()}),
        ({"status": 503}, {"status": 503}),
    ],
    ids=["not listed", "no results", "away"],
)
def test_a_hotel_with_one_known_address_is_blocked_there(editor, wire, found, details):
    wire.search(**found)
    wire.details(**details)
    values = {"key": "/hotels/EX/ex/", "reason": "closed"}
    answer = editor.post("/admin/search/blockedproperty/add/", values, follow=True)
    assert "Only this address of the hotel is known" in answer.text
    assert store.current().blocked_keys(localdate()) == {"EX:ex"}


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (BlockedProperty, {"key": "/hotels/EX/ex/", "reason": "closed"}),
        (FeaturedDestination, {"place": "Xqzzvtown", "order": "0"}),
        (DestinationOverride, {"airport": "OPO", "place": "Xqzzvtown"}),
    ],
)
def test_a_row_is_saved_when_the_gateway_takes_too_long(editor, wire, monkeypatch, model, values):
    monkeypatch.setattr(forms, "MOST_SECONDS_TO_ASK", 0.0)
    editor.post(f"/admin/search/{model._meta.model_name}/add/", values)
    assert model.objects.count() == 1
    assert not wire.addresses("propertyOffers")


@pytest.mark.parametrize("key", ["0af", "AA:12/3"])
@pytest.mark.parametrize("pasted", ["{}", " {} "])
def test_what_is_no_page_of_a_hotel_is_a_key_as_it_stands(editor, key, pasted):
    editor.post("/admin/search/blockedproperty/add/", {"key": pasted.format(key), "reason": "closed"})
    assert BlockedProperty.objects.get().key == key


def test_a_key_with_a_space_hides_its_hotel_in_an_outage(editor, wire):
    Provider.objects.create(code="AA")
    wire.details(status=503)
    editor.post("/admin/search/blockedproperty/add/", {"key": "AA:12 ", "reason": "closed"})
    assert store.current().blocked_keys(localdate()) == {"AA:12"}


def test_an_address_that_the_gateway_does_not_know_is_refused(editor):
    response = editor.post(
        "/admin/search/blockedproperty/add/", {"key": "/hotels/XX/none/", "reason": "closed"}
    )
    assert list(response.context["adminform"].form.errors) == ["key"]


def test_an_address_that_the_gateway_refuses_is_refused(editor, wire):
    wire.details(status=400)
    values = {"key": "/hotels/EX/no+such/", "reason": "closed"}
    response = editor.post("/admin/search/blockedproperty/add/", values)
    assert list(response.context["adminform"].form.errors) == ["key"]


def test_ending_a_block_today_hides_no_hotel_again(editor):
    over = localdate() - timedelta(days=300)
    row = BlockedProperty.objects.create(key="over", reason="closed", until=over)
    act(editor, "blockedproperty", "end_today", row)
    assert BlockedProperty.objects.get().until == over
