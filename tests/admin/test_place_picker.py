"""The site's own picker where the admin asks for an airport or a place."""

import re
from html import unescape

import pytest
from django.test import Client

from search.site_settings import store
from search.site_settings.models import DestinationOverride, FeaturedDestination

FEATURED = "/admin/search/featureddestination/add/"
CORRECTION = "/admin/search/destinationoverride/add/"
PANEL = "/admin/search/sitesettings/gateway/"


def pickers(page):
    """By the field inside: where its rows come from, and the field that a choice fills, too."""
    head = r'<destination-picker [^>]*data-suggestions="([^"]*)" data-beside="([^"]*)">'
    found = re.findall(head + r'<input[^>]*\bname="(\w+)"', page)
    return {name: (unescape(address), beside) for address, beside, name in found}


def options(address, text):
    page = Client().get(f"{address}&part=options&q={text}").text
    beside = r'(?: data-airport="(\w*)" data-place="([^"]*)")?'
    return re.findall(rf'role="option"[^>]*data-text="([^"]*)" data-picked="[^"]*"{beside}', page)


def test_place_and_airport_fill_each_other_but_no_correction(editor):
    featured, correction = (pickers(editor.get(one).text) for one in (FEATURED, CORRECTION))
    assert {name: beside for name, (_address, beside) in featured.items()} == {
        "place": "airport",
        "airport": "place",
    }
    assert {name: beside for name, (_address, beside) in correction.items()} == {"airport": "", "place": ""}


def test_the_gateway_panel_asks_for_its_places_with_it(editor):
    page = editor.get(PANEL).text
    assert len(re.findall(r'<destination-picker [^>]*><input[^>]*\bname="place"', page)) == 2


@pytest.mark.parametrize("address", [FEATURED, CORRECTION, PANEL])
def test_its_scripts_wait_for_the_page(editor, address):
    page = editor.get(address).text
    for name in ("destination-picker", "admin-destination"):
        assert re.search(rf'<script src="/static/js/{name}\.js" defer></script>', page)


def test_rows_of_a_place_tell_an_airport_and_its_city(editor):
    address, _beside = pickers(editor.get(FEATURED).text)["place"]
    rows = options(address, "stansted")
    assert ("London Stansted (STN)", "STN", "London") in rows
    assert options(address, "rome")[0] == ("Rome", "", "")


def test_the_field_of_an_airport_offers_airports_alone(editor):
    address, _beside = pickers(editor.get(FEATURED).text)["airport"]
    for text in ("london", ""):
        rows = options(address, text)
        assert 3 < len(rows) <= 8
        assert all(written.endswith(f"({code})") for written, code, _place in rows)


def test_rows_are_in_english_where_the_site_offers_it(editor):
    store.change({"default_market": "de-de", "markets": ("de-de", "en-ie")})
    assert "market=en-ie" in pickers(editor.get(FEATURED).text)["place"][0]
    store.change({"markets": ("de-de",)})
    assert "market=de-de" in pickers(editor.get(FEATURED).text)["place"][0]


@pytest.mark.parametrize("written", ["STN", "stn", "London Stansted (STN)"])
def test_a_choice_without_scripts_is_saved_as_its_code(editor, written):
    values = {"place": "London", "airport": written, "order": "0"}
    assert editor.post(FEATURED, values).status_code == 302
    assert FeaturedDestination.objects.get().airport == "STN"


def test_cells_of_a_list_stay_plain_fields(editor):
    DestinationOverride.objects.create(airport="LPA", place="Las Palmas")
    page = editor.get("/admin/search/destinationoverride/").text
    assert 'name="form-0-place"' in page
    assert "<destination-picker" not in page
