"""Every field asks whether a value means something: what is refused, and the sentence that says why."""

from datetime import timedelta
from html import unescape
from itertools import zip_longest

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import localdate

from search.domain.money import NO_CURRENCY
from search.gateway.cache import CachedValue
from search.monitoring import metrics
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
    SiteSettings,
)
from tests.admin.content_tables import cells
from tests.admin.test_gateway_panel import answer, listing
from tests.admin.test_settings_page import PAGE, form_values, untouched_values

MODELS = {
    "provider": (Provider, {"code": "AA", "order": "0", "enabled": "on"}),
    "blockedproperty": (BlockedProperty, {"key": "0af", "reason": "closed"}),
    "destinationoverride": (DestinationOverride, {"airport": "LPA", "place": "Las Palmas"}),
    "featureddestination": (FeaturedDestination, {"place": "Rome", "order": "0"}),
    "codelabel": (CodeLabel, {"kind": "facility", "code": "MOAT", "label": "Moat"}),
}
PAST = (localdate() - timedelta(days=1)).isoformat()
UNREADABLE = "This holds characters that can't be seen or that turn the reading direction."
NO_LETTER = "There is no letter and no digit in this."
NO_AIRPORT = "No airport of the list is called so. Choose one of those offered."
NO_TIME = "Say a time and its unit, such as 90 seconds, 5 minutes, 2 hours or 1 day."
DAY_OVER = "This day is over: nothing would be hidden."
NO_PAGE = "This is not the address of a hotel's page on this site."
NO_PLACE = "No place is called “Xqzzvtown”, and no hotel is found there."
NO_HOTEL = "No hotel has this address: neither provider nor id is known."

ROWS = [
    ("provider", "code", "N B", "A provider's code has no spaces."),
    ("provider", "code", "moon_rooms", "The gateway spells it MOON_ROOMS."),
    ("provider", "code", "!!!", NO_LETTER),
    ("provider", "code", "A\u200bA", UNREADABLE),
    ("provider", "code", "LISTED", "Provider with this Code already exists."),
    ("provider", "label", "listed LABEL", "LISTED is called so already."),
    ("provider", "label", "Rooms\u202eonline", UNREADABLE),
    ("provider", "order", "first", "Enter a whole number."),
    ("provider", "order", "40000", "Ensure this value is less than or equal to 10000."),
    ("provider", "address_template", "http://example.com/{property}",
     "The address must begin with https://, in small letters."),
    ("provider", "address_template", "https://example.com/", "Without {property} it leads to no hotel."),
    ("blockedproperty", "key", "not a key !!",
     "A key has no spaces. Paste the address of the hotel's page instead."),
    ("blockedproperty", "key", "/hotels/", NO_PAGE),
    ("blockedproperty", "key", "https://elsewhere.example/x", NO_PAGE),
    ("blockedproperty", "key", "http://[", NO_PAGE),
    ("blockedproperty", "key", "/hotels/NB/none/", NO_HOTEL),
    ("blockedproperty", "key", "LISTED:none", NO_HOTEL),
    ("blockedproperty", "key", "??", NO_LETTER),
    ("blockedproperty", "reason", "-", NO_LETTER),
    ("blockedproperty", "reason", " ", "This field is required."),
    ("blockedproperty", "until", PAST, DAY_OVER),
    ("blockedproperty", "until", "soon", "Enter a valid date."),
    ("destinationoverride", "airport", "ZZZ", NO_AIRPORT),
    ("destinationoverride", "airport", "Gran Canaria (ZZZ)", NO_AIRPORT),
    ("destinationoverride", "place", "Xqzzvtown", NO_PLACE),
    ("destinationoverride", "place", "***", NO_LETTER),
    ("destinationoverride", "place", "",
     "Nothing is corrected: name a place or search words, or hide the airport."),
    ("destinationoverride", "search_words", "…", NO_LETTER),
    ("featureddestination", "place", "Xqzzvtown", NO_PLACE),
    ("featureddestination", "place", "***", NO_LETTER),
    ("featureddestination", "airport", "QQQ", NO_AIRPORT),
    ("featureddestination", "last_day", PAST, "This day is over: nobody would see it."),
    ("featureddestination", "text", "\u2066Spring", UNREADABLE),
    ("featureddestination", "picture_address", "http://pictures.example/1.jpg", "Enter a valid URL."),
    ("featureddestination", "upload", SimpleUploadedFile("rome.png", b"no picture"),
     "This is no JPEG, PNG or WebP picture."),
    ("codelabel", "kind", "weather", "Select a valid choice. weather is not one of the available choices."),
    ("codelabel", "kind", "availability",
     "Select a valid choice. availability is not one of the available choices."),
    ("codelabel", "label", "--", NO_LETTER),
    ("codelabel", "code", "\x07", UNREADABLE),
]  # fmt: skip

SETTINGS = [
    ("site_name", "///", NO_LETTER),
    ("site_name", "Hotel\u202esearch", UNREADABLE),
    ("contact_email", "desk", "Enter a valid email address."),
    ("contact_text", "?", NO_LETTER),
    ("imprint_address", "//elsewhere.example", "Give an https address or a path such as /imprint."),
    ("banner_until", PAST, "This day is over: nobody would see the banner."),
    ("nights", "28", "Ensure this value is less than or equal to 27."),
    ("page_size", "0", "Ensure this value is greater than or equal to 1."),
    ("default_sort", "cheapest", "Select a valid choice. cheapest is not one of the available choices."),
    ("built_in_places", ["Atlantis"], "Select a valid choice. Atlantis is not one of the available choices."),
    ("sorts", [], "This field is required."),
    ("site_name", "", "This field is required."),
    ("banner_until", "2030-02-31", "Enter a valid date."),
    ("rating_scale", "7", "Select a valid choice. 7 is not one of the available choices."),
    ("search_fresh_seconds", "5", NO_TIME),
    ("search_fresh_seconds", "9" * 5_000, NO_TIME),
    ("search_fresh_seconds", "a while", NO_TIME),
    ("search_fresh_seconds", "²", NO_TIME),
    ("search_fresh_seconds", "-²", NO_TIME),
    ("search_fresh_seconds", "2 days", "The longest is 1 day."),
    ("details_fresh_seconds", "-1", NO_TIME),
    ("airports_fresh_seconds", "1.5 hours", NO_TIME),
]
UNLISTED = [
    ("default_market", "de-xx", "Select a valid choice. de-xx is not one of the available choices."),
    ("markets", ["en-gb", "en-eu"], "Select a valid choice. en-eu is not one of the available choices."),
    ("default_currency", "EUROS", "Select a valid choice. EUROS is not one of the available choices."),
    ("currencies", ["EUR", "XXY"], "Select a valid choice. XXY is not one of the available choices."),
    (
        "currencies",
        ["EUR", NO_CURRENCY],
        f"Select a valid choice. {NO_CURRENCY} is not one of the available choices.",
    ),
]
AT_ODDS = [
    ("default_market", "pt-br", "The default market must be among the offered ones."),
    ("default_currency", "THB", "The default currency must be among the offered ones."),
    ("guests", "9", "The default party is larger than the largest party."),
]


def forms_of(wrong):
    """The wrong values in few forms, each with at most one for a field."""
    of_field = {}
    for field, value, sentence in wrong:
        of_field.setdefault(field, []).append((field, value, sentence))
    return [[one for one in form if one] for form in zip_longest(*of_field.values())]


@pytest.mark.parametrize("model", MODELS)
def test_a_row_that_means_nothing_is_refused_with_a_reason(editor, model):
    listed = Provider.objects.create(code="LISTED", label="Listed label")
    metrics.count_page(answer(listing(provider="MOON_ROOMS")))
    table, values = MODELS[model]
    for form in forms_of(row[1:] for row in ROWS if row[0] == model):
        sent = values | {field: value for field, value, _sentence in form}
        errors = editor.post(f"/admin/search/{model}/add/", sent).context["adminform"].form.errors
        said = [one for sentences in errors.values() for one in sentences]
        assert [sentence for *_field, sentence in form if sentence not in said] == []
    assert list(table.objects.exclude(pk=listed.pk) if table is Provider else table.objects.all()) == []


def refuse_settings(editor, forms):
    for form in forms:
        sent = {field: value for field, value, _sentence in form}
        response = editor.post(PAGE, untouched_values(editor, banner_text="Snow", **sent))
        errors = response.context["adminform"].form.errors
        assert [one for one in form if one[2] not in errors.get(one[0], ())] == []
    assert not SiteSettings.objects.exists()


def test_a_setting_that_means_nothing_is_refused_with_a_reason(editor):
    refuse_settings(editor, [*forms_of(SETTINGS), AT_ODDS])


def test_a_market_or_currency_that_does_not_exist_is_refused(editor, whole_lists):
    refuse_settings(editor, forms_of(UNLISTED))


def test_the_same_rows_with_values_that_mean_something_are_saved(editor):
    for model, (table, values) in MODELS.items():
        assert editor.post(f"/admin/search/{model}/add/", values).status_code == 302
        assert table.objects.count() == 1


def test_an_airport_is_taken_as_the_list_offers_it(editor):
    page = editor.get("/admin/search/destinationoverride/add/").text
    assert '<option value="Gran Canaria (LPA)">' in page
    values = {"airport": "Gran Canaria (LPA)", "place": "Las Palmas"}
    editor.post("/admin/search/destinationoverride/add/", values)
    assert DestinationOverride.objects.get().airport == "LPA"


def test_a_key_nobody_can_look_up_is_kept_and_said_so(editor):
    response = editor.post("/admin/search/blockedproperty/add/", MODELS["blockedproperty"][1], follow=True)
    assert "no hotel was found by it" in response.text
    assert BlockedProperty.objects.get().key == "0af"


def test_a_place_only_the_gateway_knows_is_believed(editor, wire, monkeypatch):
    from search.admin import forms

    found = CachedValue(answer(listing()).value, answer().fetched_at, stale=False)
    monkeypatch.setattr(forms, "hotels_in", lambda place, within: found.value)
    editor.post("/admin/search/featureddestination/add/", {"place": "Xqzzvtown", "order": "0"})
    assert FeaturedDestination.objects.get().place == "Xqzzvtown"


@pytest.mark.parametrize(
    "times",
    [
        [("0", 0, "0"), ("90 seconds", 90, "90 seconds"), ("2 h", 7_200, "2 hours")],
        [("5 min", 300, "5 minutes"), ("1 Day", 86_400, "1 day"), ("60 s", 60, "1 minute")],
    ],
)
def test_times_are_written_with_their_unit_and_come_back_so(editor, times):
    names = [f"{kind}_fresh_seconds" for kind in ("search", "details", "airports")]
    written, seconds, shown = (dict(zip(names, values, strict=True)) for values in zip(*times, strict=True))
    editor.post(PAGE, form_values(editor, **written))
    row, values = SiteSettings.objects.get(), form_values(editor)
    assert {name: getattr(row, name) for name in names} == seconds
    assert {name: values[name] for name in names} == shown


@pytest.mark.parametrize(
    ("model", "field", "value", "sentence"),
    [row for row in ROWS if row[:2] in {("provider", "label"), ("destinationoverride", "place")}],
)
def test_the_cells_of_a_list_refuse_what_the_form_refuses(editor, model, field, value, sentence):
    Provider.objects.create(code="AA", label="Before")
    Provider.objects.create(code="LISTED", label="Listed label", order=9)
    DestinationOverride.objects.create(airport="LPA", place="Las Palmas")
    rows = MODELS[model][0].objects
    before = [*rows.values()]
    page = editor.post(f"/admin/search/{model}/", {**cells(editor, model), f"form-0-{field}": value})
    assert sentence in unescape(page.content.decode())
    assert [*rows.values()] == before
