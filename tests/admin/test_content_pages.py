"""The content tables: columns, filters, bulk actions, pictures, and what reaches the site."""

import re
import time
from datetime import timedelta
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import localdate
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from search.admin import forms
from search.domain.deadline import Deadline
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import CategoriesStyle
from search.gateway import factory
from search.site_settings import store
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
)
from search.web.links import property_path
from tests.gateway.documents import a_listing_document, a_summary, an_entry, an_offer, details_document


def picture(kind, width=1200, height=800, *, mode="", **options):
    content = BytesIO()
    Image.new(mode or ("1" if kind == "PNG" else "RGB"), (width, height)).save(content, kind, **options)
    return content.getvalue()


PNG, JPEG, WEBP = picture("PNG"), picture("JPEG"), picture("WEBP")


def act(client, model, action, *rows):
    return client.post(
        f"/admin/search/{model}/",
        {"action": action, "_selected_action": [row.pk for row in rows]},
        follow=True,
    )


def history_of(client, model, row):
    return [
        tuple(change)
        for _entry, _label, change in client.get(f"/admin/search/{model}/{row.pk}/history/").context["lines"]
    ]


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Provider, {"code": "{}"}),
        (BlockedProperty, {"key": "{}", "reason": "closed"}),
        (DestinationOverride, {"airport": "{:.3}", "search_words": "{}"}),
        (FeaturedDestination, {"place": "{}"}),
        (CodeLabel, {"kind": "facility", "code": "{}", "label": "Pool"}),
    ],
)
def test_every_table_lists_and_searches_its_rows_and_has_a_form_for_another(editor, model, values):
    rome, oslo = (
        model.objects.create(**{name: text.format(word) for name, text in values.items()})
        for word in ("Rome", "Oslo")
    )
    address = f"/admin/search/{model._meta.model_name}/"
    assert {*editor.get(address).context["cl"].result_list} == {rome, oslo}
    assert [*editor.get(f"{address}?q=rome").context["cl"].result_list] == [rome]
    assert f'name="{next(iter(values))}"' in editor.get(f"{address}add/").text


def test_providers_are_disabled_in_bulk_with_a_history(editor):
    one, two = Provider.objects.create(code="AA"), Provider.objects.create(code="BB", enabled=False)
    act(editor, "provider", "disable", one, two)
    assert not store.current().is_enabled("AA")
    assert history_of(editor, "provider", one) == [("enabled", "True", "False")]
    assert not LogEntry.objects.filter(object_id=two.pk).exists()
    act(editor, "provider", "enable", one)
    assert store.current().is_enabled("AA")


def cells(client, model):
    """What the browser would post: every cell of the list as the page shows it."""
    page = client.get(f"/admin/search/{model}/")
    formset = page.context["cl"].formset
    values = {f"form-{name}": value for name, value in formset.management_form.initial.items()}
    for bound in (bound for form in formset for bound in form):
        shown = bound.value()
        values |= {bound.html_initial_name: shown} if bound.field.show_hidden_initial else {}
        values |= {} if shown is False else {bound.html_name: shown}
    assert [name for name in values if f'name="{name}"' not in page.text] == []
    return {**values, "_save": "Save"}


def test_a_provider_renamed_in_the_list_shows_its_new_name(editor):
    row = Provider.objects.create(code="AA", label="Old")
    editor.post(
        "/admin/search/provider/", {**cells(editor, "provider"), "form-0-label": "New", "form-0-order": "3"}
    )
    assert store.current().provider_label("AA") == "New"
    assert history_of(editor, "provider", row) == [("label", "Old", "New"), ("order", "0", "3")]


def test_a_list_opened_before_a_colleagues_change_takes_nothing_of_it_back(editor):
    row, other = Provider.objects.create(code="AA", label="Old"), Provider.objects.create(code="BB")
    seen = cells(editor, "provider")
    Provider.objects.filter(pk=row.pk).update(label="New", enabled=False)
    Provider.objects.filter(pk=other.pk).update(enabled=False)
    editor.post("/admin/search/provider/", {**seen, "form-0-order": "3"})
    found = [*Provider.objects.order_by("code").values_list("label", "order", "enabled")]
    assert found == [("New", 3, False), ("", 0, False)]
    assert history_of(editor, "provider", row) == [("order", "0", "3")]
    assert not LogEntry.objects.filter(object_id=other.pk).exists()


def form_of(client, path):
    """What the browser would post: every field of the row's form as the page shows it."""
    page = client.get(path)
    values = {}
    for bound in page.context["adminform"].form:
        shown = bound.value() if bound.field.widget.needs_multipart_form is False else None
        values |= {bound.html_initial_name: shown} if bound.field.show_hidden_initial else {}
        values |= {} if shown is False else {bound.html_name: shown}
    values = {name: "" if value is None else value for name, value in values.items()}
    assert [name for name in values if f'name="{name}"' not in page.text] == []
    return values


@pytest.mark.parametrize(
    ("model", "there", "theirs", "ours"),
    [
        (Provider, {"code": "AA", "label": "Old"}, {"enabled": False, "label": "New"}, {"order": 3}),
        (BlockedProperty, {"key": "k", "reason": "One\r\ntwo"}, {"until": localdate()}, {"name": "Ritz"}),
        (DestinationOverride, {"airport": "STN", "place": "London"}, {"hidden": True}, {"search_words": "e"}),
        (FeaturedDestination, {"place": "Rome"}, {"last_day": localdate()}, {"text": "Eternal"}),
        (FeaturedDestination, {"place": "Rome", "airport": "FCO"}, {"airport": "CIA"}, {"text": "Eternal"}),
        (CodeLabel, {"kind": "promo_type", "code": "X", "label": "Old"}, {"label": "New"}, {"code": "Y"}),
    ],
)
def test_a_form_opened_before_a_colleagues_change_takes_nothing_of_it_back(
    editor, model, there, theirs, ours
):
    row = model.objects.create(**there)
    path = f"/admin/search/{model._meta.model_name}/{row.pk}/change/"
    seen = form_of(editor, path)
    model.objects.update(**theirs)
    assert editor.post(path, {**seen, **ours}).status_code == 302
    assert model.objects.filter(**{**there, **theirs, **ours}).exists()
    assert {one[0] for one in history_of(editor, model._meta.model_name, row)} == {*ours}


@pytest.mark.parametrize(
    ("model", "there", "theirs", "ours", "said"),
    [
        (Provider, {"code": "AA", "label": "Old"}, {"label": "New"}, {"label": "Mine"}, "New"),
        (Provider, {"code": "AA", "order": 1}, {"order": 2}, {"order": 3}, "2"),
        (BlockedProperty, {"key": "k", "reason": "One\r\ntwo"}, {"reason": ""}, {"reason": "Mine"}, "empty"),
        (
            FeaturedDestination,
            {"place": "Rome"},
            {"last_day": localdate() + timedelta(days=3)},
            {"last_day": localdate()},
            (localdate() + timedelta(days=3)).isoformat(),
        ),
    ],
)
def test_what_a_colleague_has_set_meanwhile_is_said_before_it_is_replaced(
    editor, model, there, theirs, ours, said
):
    row = model.objects.create(**there)
    path = f"/admin/search/{model._meta.model_name}/{row.pk}/change/"
    seen = form_of(editor, path)
    model.objects.update(**theirs)
    refused = editor.post(path, {**seen, **ours}).context["adminform"].form
    assert refused.errors == {
        name: [f"A colleague has set this to “{said}” meanwhile. Save again to set yours."] for name in ours
    }
    assert model.objects.filter(**theirs).exists()
    again = {bound.html_initial_name: bound.as_hidden(only_initial=True) for bound in refused}
    told = {name: re.findall('value="([^"]*)"', html) for name, html in again.items() if name in seen}
    assert (
        editor.post(path, {**seen, **ours, **{name: "".join(one) for name, one in told.items()}}).status_code
        == 302
    )
    assert model.objects.filter(**ours).exists()


def test_a_cell_that_a_colleague_has_set_meanwhile_is_replaced_once_that_was_said(editor):
    Provider.objects.create(code="AA", label="Old")
    seen = cells(editor, "provider")
    Provider.objects.update(label="New")
    mine = {**seen, "form-0-label": "Mine"}
    refused = editor.post("/admin/search/provider/", mine)
    assert "A colleague has set this to “New” meanwhile." in refused.text
    assert Provider.objects.get().label == "New"
    assert 'name="initial-form-0-label" value="New"' in refused.text
    editor.post("/admin/search/provider/", {**mine, "initial-form-0-label": "New"})
    assert Provider.objects.get().label == "Mine"


def test_what_a_colleague_has_set_alike_meanwhile_is_no_difference(editor):
    row = Provider.objects.create(code="AA", label="Old")
    path = f"/admin/search/provider/{row.pk}/change/"
    seen = form_of(editor, path)
    Provider.objects.update(label="New")
    assert editor.post(path, {**seen, "label": "New"}).status_code == 302


def test_a_form_that_is_refused_still_tells_what_was_touched(editor):
    row = Provider.objects.create(code="AA", label="Old")
    path = f"/admin/search/provider/{row.pk}/change/"
    seen = form_of(editor, path)
    Provider.objects.update(enabled=False)
    refused = editor.post(path, {**seen, "label": "…"})
    assert "There is no letter and no digit in this." in refused.text
    assert 'name="initial-label" value="Old"' in refused.text
    editor.post(path, {**seen, "label": ""})
    assert Provider.objects.values_list("label", "enabled").get() == ("", False)


def test_a_corrected_airport_hidden_meanwhile_stays_so(editor):
    DestinationOverride.objects.create(airport="STN", place="London")
    seen = cells(editor, "destinationoverride")
    DestinationOverride.objects.update(hidden=True)
    editor.post("/admin/search/destinationoverride/", {**seen, "form-0-search_words": "essex"})
    row = DestinationOverride.objects.get()
    assert (row.search_words, row.hidden) == ("essex", True)


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
    listing = (
        factory.client()
        .search(search, page=0, size=20, categories_style=CategoriesStyle.COMMA, deadline=deadline)
        .listings[0]
    )
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
def test_a_hotel_whose_other_addresses_are_not_known_is_taken_down_at_one(editor, wire, found, details):
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
def test_a_row_is_saved_once_its_form_has_no_time_left_for_the_gateway(
    editor, wire, monkeypatch, model, values
):
    monkeypatch.setattr(forms, "MOST_SECONDS_TO_ASK", 0.0)
    editor.post(f"/admin/search/{model._meta.model_name}/add/", values)
    assert model.objects.count() == 1
    assert not wire.addresses("propertyOffers")


@pytest.mark.parametrize("key", ["0af", "AA:12/3"])
@pytest.mark.parametrize("pasted", ["{}", " {} "])
def test_what_is_no_page_of_a_hotel_is_a_key_as_it_stands(editor, key, pasted):
    editor.post("/admin/search/blockedproperty/add/", {"key": pasted.format(key), "reason": "closed"})
    assert BlockedProperty.objects.get().key == key


def test_a_key_pasted_with_a_space_hides_its_hotel_while_the_gateway_is_away(editor, wire):
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


def test_airports_are_hidden_in_bulk(editor):
    row = DestinationOverride.objects.create(airport="LPA", place="Las Palmas")
    act(editor, "destinationoverride", "hide", row)
    assert store.current().override("LPA").hidden
    act(editor, "destinationoverride", "show", row)
    assert not store.current().override("LPA").hidden


@pytest.mark.parametrize("code", ["LP", "LPAX", "L1A", "ÄÖÜ", "ZZZ"])
def test_what_is_no_airport_code_is_refused(editor, code):
    values = {"airport": code, "place": "Las Palmas"}
    response = editor.post("/admin/search/destinationoverride/add/", values)
    assert list(response.context["adminform"].form.errors) == ["airport"]


def test_featured_destinations_keep_order_and_season(editor):
    today = localdate()
    later = FeaturedDestination.objects.create(place="Later", first_day=today + timedelta(days=1))
    FeaturedDestination.objects.create(place="Second", order=2)
    FeaturedDestination.objects.create(place="First", order=1)
    assert [one.place for one in store.current().featured_on(today)] == ["First", "Second"]
    act(editor, "featureddestination", "whole_year", later)
    assert [one.place for one in store.current().featured_on(today)] == ["Later", "First", "Second"]
    act(editor, "featureddestination", "end_today", later)
    assert "Later" not in [one.place for one in store.current().featured_on(today + timedelta(days=1))]


YEAR = localdate().year + 1
SUMMER = {"first_day": f"{YEAR}-06-01", "last_day": f"{YEAR}-08-31"}


@pytest.mark.parametrize(
    ("there", "place", "season", "said"),
    [
        ({}, "Rome", {}, "“Rome” is featured already, all year."),
        ({}, "rome", SUMMER, "“Rome” is featured already, all year."),
        ({}, "Roma", {}, "“Rome” is featured already, all year."),
        (SUMMER, "Rome", {}, f"“Rome” is featured already, from 1 Jun {YEAR} until 31 Aug {YEAR}."),
        (SUMMER, "Rome", {"first_day": f"{YEAR}-08-31"}, "is featured already, from"),
        ({"last_day": f"{YEAR}-06-01"}, "Rome", SUMMER, f"is featured already, until 1 Jun {YEAR}."),
    ],
)
def test_a_place_is_not_featured_twice_at_a_time(editor, there, place, season, said):
    FeaturedDestination.objects.create(place="Rome", **there)
    page = editor.post("/admin/search/featureddestination/add/", {"place": place, "order": "0", **season})
    assert said in page.context["adminform"].form.errors["place"][0]
    assert FeaturedDestination.objects.count() == 1


@pytest.mark.parametrize(
    ("place", "season"),
    [
        ("Rome", {"first_day": f"{YEAR}-09-01"}),
        ("Rome", {"last_day": f"{YEAR}-05-31"}),
        ("Lisbon", SUMMER),
    ],
)
def test_seasons_of_a_place_may_follow_each_other_and_other_places_overlap(editor, place, season):
    FeaturedDestination.objects.create(place="Rome", **SUMMER)
    editor.post("/admin/search/featureddestination/add/", {"place": place, "order": "0", **season})
    assert FeaturedDestination.objects.filter(place=place, **season).exists()


def test_what_overlaps_since_earlier_can_still_be_worded_and_ended(editor):
    rows = [FeaturedDestination.objects.create(place="Rome", order=order) for order in (1, 2)]
    page = f"/admin/search/featureddestination/{rows[0].pk}/change/"
    editor.post(page, {"place": "Rome", "order": "3", "text": "Seven hills"})
    act(editor, "featureddestination", "end_today", rows[1])
    rows = FeaturedDestination.objects.order_by("order").values_list("order", "text", "last_day")
    assert list(rows) == [(2, "", localdate()), (3, "Seven hills", None)]


def test_no_action_makes_seasons_overlap(editor):
    FeaturedDestination.objects.create(place="Rome", **SUMMER)
    later = FeaturedDestination.objects.create(place="Rome", first_day=f"{YEAR}-09-01")
    page = act(editor, "featureddestination", "whole_year", later).content.decode()
    assert "“Rome” is featured already, from 1 Jun" in page
    assert "0 rows changed." in page
    later.refresh_from_db()
    assert later.first_day is not None


@pytest.mark.parametrize(
    ("first", "last", "becomes"),
    [(None, None, 0), (-9, 9, 0), (0, None, 0), (-9, 0, 0), (-9, -2, -2), (1, None, None), (1, 9, 9)],
)
def test_ending_a_season_today_moves_its_end_earlier_or_not_at_all(editor, first, last, becomes):
    def day(number):
        return None if number is None else localdate() + timedelta(days=number)

    row = FeaturedDestination.objects.create(place="Rome", first_day=day(first), last_day=day(last))
    page = act(editor, "featureddestination", "end_today", row).content.decode()
    assert FeaturedDestination.objects.get().last_day == day(becomes)
    assert ("“Rome” begins on" in page) == (first == 1)
    assert ("1 row changed." in page) == (last != becomes)


def test_ending_a_block_today_takes_down_nothing_that_is_shown_again(editor):
    over = localdate() - timedelta(days=300)
    row = BlockedProperty.objects.create(key="over", reason="closed", until=over)
    act(editor, "blockedproperty", "end_today", row)
    assert BlockedProperty.objects.get().until == over


def test_a_bulk_action_counts_and_records_rows_and_not_fields(editor):
    today = localdate()
    FeaturedDestination.objects.create(place="Always")
    row = FeaturedDestination.objects.create(place="Later", first_day=today)
    page = act(editor, "featureddestination", "whole_year", *FeaturedDestination.objects.all())
    assert "1 row changed." in page.content.decode()
    assert history_of(editor, "featureddestination", row) == [("first_day", today.isoformat(), "")]


def test_a_season_that_ends_before_it_begins_is_refused(editor):
    response = editor.post(
        "/admin/search/featureddestination/add/",
        {"place": "Rome", "order": "0", "first_day": "2030-05-02", "last_day": "2030-05-01"},
    )
    assert list(response.context["adminform"].form.errors) == ["last_day"]


def upload(client, name, content):
    return client.post(
        "/admin/search/featureddestination/add/",
        {"place": "Rome", "order": "0", "upload": SimpleUploadedFile(name, content)},
    )


def served(client):
    """The picture that visitors get."""
    address = store.current().featured[0].picture
    assert address.startswith("/media/featured/")
    content = b"".join(client.get(address).streaming_content)
    return content, Image.open(BytesIO(content))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("rome.png", PNG, "PNG"),
        ("rome.png", picture("PNG", mode="RGBA"), "PNG"),
        ("rome.png", picture("PNG", mode="P", transparency=0), "PNG"),
        ("rome.jpg", JPEG, "JPEG"),
        ("rome.JPEG", JPEG, "JPEG"),
        ("rome.jpg", picture("JPEG", mode="CMYK"), "JPEG"),
        ("rome.jpg", picture("MPO", save_all=True, append_images=[Image.new("RGB", (320, 240))]), "JPEG"),
        ("rome.webp", WEBP, "WEBP"),
        ("rome.webp", picture("WEBP", lossless=True), "WEBP"),
        ("rome.webp", picture("WEBP", exif=b"Exif"), "WEBP"),
    ],
)
def test_an_uploaded_picture_is_kept_and_served(editor, client, name, content, kind):
    assert upload(editor, name, content).status_code == 302
    _content, shown = served(client)
    assert (shown.format, shown.size) == (kind, (1200, 800))
    assert shown.has_transparency_data == Image.open(BytesIO(content)).has_transparency_data


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_uploaded_picture_is_no_larger_than_pages_show_it(editor, client, kind):
    upload(editor, f"rome.{kind.lower()}", picture(kind, width=4_000, height=3_000))
    _content, shown = served(client)
    assert shown.size == (1_600, 1_200)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_uploaded_picture_keeps_its_colours_and_its_side_up_and_not_its_camera(editor, client, kind):
    says, text = Image.Exif(), PngInfo()
    says[0x0112], says[0xA431] = 6, "SERIAL-4711"  # its left side is up
    text.add_text("Comment", "SERIAL-4711")
    taken = Image.new("RGB", (1200, 800))
    taken.paste("white", (0, 0, 600, 800))
    sent = BytesIO()
    taken.save(
        sent, kind, exif=says, xmp=b"<x:xmpmeta>SERIAL-4711</x:xmpmeta>", comment="SERIAL-4711", pnginfo=text,
        icc_profile=b"of its colours",
    )  # fmt: skip
    assert b"SERIAL-4711" in sent.getvalue()
    upload(editor, f"rome.{kind.lower()}", sent.getvalue())
    content, shown = served(client)
    assert b"SERIAL-4711" not in content
    assert not shown.getexif()
    assert shown.info["icc_profile"] == b"of its colours"
    assert shown.size == (800, 1200)
    assert [shown.convert("L").getpixel(at) > 128 for at in ((400, 100), (400, 1100))] == [True, False]


@pytest.mark.parametrize(("name", "content"), [("rome.png", PNG), ("rome.jpg", JPEG)])
def test_a_picture_that_breaks_off_is_refused(editor, name, content):
    response = upload(editor, name, content[: len(content) * 2 // 3])
    assert response.context["adminform"].form.errors["upload"] == [
        "This picture is damaged: parts of it are missing."
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rome.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
        ("rome.png", b"<html><script>alert(1)</script>"),
        ("rome.html", PNG),
        ("rome.jpg", PNG),
        ("rome.gif", picture("GIF")),
        ("rome.jpg", picture("GIF")),
        ("rome.png", PNG[:12]),
        ("rome.jpg", JPEG[:22]),
        ("rome.jpg", b"\xff\xd8\xff\xe0\x00\x00"),
        ("rome.png", picture("PNG", width=599)),
        ("rome.png", picture("PNG", width=6_001, height=10)),
        ("rome.png", picture("PNG", height=6_001)),
        # Too large to be made in each of the processes that collect this test.
        ("rome.png", partial(picture, "PNG", width=20_000, height=20_000)),
        ("rome.png", PNG + b"\0" * (2 * 1024 * 1024)),
        ("rome.png", b""),
    ],
)
def test_what_is_no_usable_picture_is_refused(editor, name, content):
    response = upload(editor, name, content() if callable(content) else content)
    assert "upload" in response.context["adminform"].form.errors
    assert not FeaturedDestination.objects.exists()


def test_a_destination_is_edited_where_the_file_of_its_picture_is_not(editor):
    upload(editor, "rome.png", PNG)
    rome = FeaturedDestination.objects.get()
    Path(rome.upload.path).unlink()
    response = editor.post(
        f"/admin/search/featureddestination/{rome.pk}/change/",
        {"place": "Rome", "order": "0", "text": "Seven hills"},
    )
    assert response.status_code == 302
    assert store.current().featured[0].text == "Seven hills"
    assert store.current().featured[0].picture.startswith("/media/featured/")


@pytest.mark.parametrize(
    "address", ["http://pictures.example/1.jpg", "javascript:alert(1)", "//x/y", "/etc/passwd"]
)
def test_a_picture_address_is_https_or_the_sandbox(editor, address):
    response = editor.post(
        "/admin/search/featureddestination/add/", {"place": "Rome", "order": "0", "picture_address": address}
    )
    assert list(response.context["adminform"].form.errors) == ["picture_address"]


def test_a_picture_is_chosen_from_the_hotels_of_the_place(editor):
    row = FeaturedDestination.objects.create(place="Barcelona")
    page = f"/admin/search/featureddestination/{row.pk}/pictures/"
    offered = editor.get(page).context["pictures"]
    assert len(offered) > 3
    editor.post(page, {"picture": offered[1]})
    assert store.current().featured[0].picture == offered[1]
    assert history_of(editor, "featureddestination", row) == [("picture_address", "", offered[1])]
    editor.post(page, {"picture": 'https://evil.example"/><script>'})
    assert store.current().featured[0].picture == offered[1]


def test_where_no_picture_is_chosen_the_one_there_is_stays(editor):
    there = "https://pictures.example/rome.jpg"
    row = FeaturedDestination.objects.create(place="Rome", picture_address=there)
    page = f"/admin/search/featureddestination/{row.pk}/pictures/"
    answer = editor.post(page, follow=True)
    assert answer.redirect_chain == [(page, 302)]
    assert "Choose one of the pictures." in answer.text
    assert store.current().featured[0].picture == there


def test_a_picture_chosen_beside_an_uploaded_one_is_not_said_to_be_shown(editor):
    upload(editor, "rome.png", PNG)
    row = FeaturedDestination.objects.get()
    page = f"/admin/search/featureddestination/{row.pk}/pictures/"
    (offered, *_others) = editor.get(page).context["pictures"]
    said = editor.post(page, {"picture": offered}, follow=True).text
    assert "the uploaded one wins over it" in said
    assert "on the home page now" not in said


def test_one_code_has_one_label_per_kind(editor):
    CodeLabel.objects.create(kind="facility", code="SPA_X", label="Spa")
    response = editor.post(
        "/admin/search/codelabel/add/", {"kind": "facility", "code": "SPA_X", "label": "Other"}
    )
    assert response.status_code == 200
    assert store.current().code_label("facility", "SPA_X") == "Spa"


def test_a_sharer_sees_none_of_it(sharer):
    for model in ("provider", "blockedproperty", "destinationoverride", "featureddestination", "codelabel"):
        assert sharer.get(f"/admin/search/{model}/").status_code == 403
