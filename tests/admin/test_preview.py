"""A colleague looks at results with settings that are not saved; nobody else sees anything of it."""

import re
from html import unescape

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from search.domain.site_settings import Site
from search.site_settings import store
from search.site_settings.models import FeaturedDestination, SiteSettings
from tests.admin.test_every_setting_shows import settled, stay, text_of
from tests.admin.test_settings_page import PAGE, untouched_values
from tests.wire import forget

NOT_SAVED = "Preview: these settings are not saved."


def preview(client, page="results", **changes):
    """A preview of `changes`; of few hotels, which are found sooner."""
    return client.post(PAGE, untouched_values(client, **{"cap": 20, **changes}) | {"_preview": page})


def test_the_page_shows_results_with_the_settings_of_the_form(editor):
    response = preview(editor, page_size=7, map_enabled=False, default_sort="stars")
    assert "no-store" in response["Cache-Control"]
    page = response.text
    assert page.count('class="listing-card"') == 7
    assert "<stay-map" not in page
    assert "Most stars" in re.search(r"refine-sort__now.*?</summary>", page, re.DOTALL)[0]
    assert "Hotels in Barcelona" in page


def test_nothing_is_saved_and_visitors_meet_the_saved_settings(editor):
    before = settled(Client(), stay(place="Rome"))
    assert NOT_SAVED in preview(editor, page_size=7, banner_text="Snow", default_currency="GBP").text
    assert not SiteSettings.objects.exists()
    assert not LogEntry.objects.exists()
    assert store.current() == Site()
    assert settled(Client(), stay(place="Rome")) == before
    assert "was changed successfully" not in editor.get(PAGE).text


def test_the_page_says_what_differs_and_where_its_links_lead(editor):
    page = preview(
        editor, page_size=7, map_enabled=False, sorts=["price", "stars"], search_fresh_seconds="2 h"
    )
    strip = unescape(
        re.search(r'<section class="strip strip--preview".*?</section>', page.text, re.DOTALL)[0]
    )
    assert re.findall(r"<li>(.*?)</li>", strip) == [
        "Hotels per page: 20 → 7",
        "Hotels compared at most: 600 → 20",
        "Offered orders: all → Lowest total, Most stars",
        "Map: on → off",
        "Prices are fresh for: 5 minutes → 2 hours",
    ]
    assert "Links on this page lead to the site with its saved settings." in strip
    assert "Nothing differs from them." in preview(editor, cap=600).text


def test_values_that_save_refuses_get_messages_and_no_preview(editor):
    response = preview(editor, page_size=0, nights=28)
    assert set(response.context["adminform"].form.errors) == {"page_size", "nights"}
    assert NOT_SAVED not in response.text
    assert not SiteSettings.objects.exists()


def test_the_preview_button_opens_a_page_of_its_own(editor):
    page = editor.get(PAGE).text
    button = re.search(r'<button type="submit" name="_preview"[^>]*>Preview<', page)
    assert 'formtarget="_blank"' in button[0]
    assert page.index('name="_save"') < button.start()


def test_a_preview_needs_the_right_to_change_and_a_token(editor, sharer, client):
    values = untouched_values(editor) | {"_preview": "results"}
    for who in (sharer, client):
        response = who.post(PAGE, values)
        assert response.status_code in (302, 403)
        assert NOT_SAVED not in response.text
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = editor.cookies
    assert strict.post(PAGE, values).status_code == 403
    assert NOT_SAVED not in editor.get(PAGE, values).text


def test_links_lead_to_the_site_in_the_readers_market(editor):
    page = preview(editor, default_market="de-de").text
    assert '<html lang="de"' in page
    links = [unescape(one) for one in re.findall(r'\shref="([^"]*)"', page)]
    ours = [one for one in links if not one.startswith(("https:", "http:", "mailto:", "#"))]
    assert len(ours) > 50
    assert [one for one in ours if not one.startswith("/") or one.startswith(PAGE)] == []


def test_no_script_of_the_page_puts_saved_results_in_its_place(editor):
    page = preview(editor, cap=40, page_size=20).text
    assert "40" in re.search(r"refine-coverage__sentence.*?<", page)[0]
    for name in ("refine-panel", "result-parts", "visit"):
        assert f"js/{name}." not in page
    assert "<stay-map" in page
    assert "data-pins-address" not in page


def test_the_first_featured_place_is_searched_from_its_airport(editor):
    FeaturedDestination.objects.create(place="Porto", airport="OPO")
    page = preview(editor, nights=5).text
    assert "Hotels in Porto" in page
    assert "5 nights" in page
    assert "OPO" in page


def test_without_any_place_on_offer_there_is_still_a_preview(editor):
    assert "Hotels in Barcelona" in preview(editor, built_in_places=[]).text


def test_the_first_page_can_be_previewed_too(editor):
    page = preview(editor, "home", site_name="Rooms and more", built_in_places=["Prague"]).text
    assert NOT_SAVED in page
    assert "Rooms and more" in page
    assert page.count('class="destination-card"') == 1
    assert "Rooms and more" not in text_of(Client(), "/")


def test_a_gateway_that_fails_is_said_on_the_preview(editor, settings, new_process):
    settings.SANDBOX_WEATHER = "down"
    new_process()
    response = preview(editor, page_size=7)
    assert response.status_code == 503
    assert NOT_SAVED in response.text


@pytest.mark.parametrize(
    "changes",
    [
        {"cap": 20, "surcharge_mode": "included", "price_basis": "night"},
        pytest.param({"categories_style": "each"}, marks=pytest.mark.thorough),
        pytest.param({"categories_style": "repeat"}, marks=pytest.mark.thorough),
        pytest.param(
            {"place_name_language": "local", "search_fresh_seconds": "0"}, marks=pytest.mark.thorough
        ),
    ],
)
def test_what_a_preview_caches_changes_no_page_of_a_visitor(editor, changes, new_process):
    previewed = preview(editor, **changes)
    address = unescape(
        re.search(r'<recent-searches data-label="[^"]*" data-address="([^"]*)"', previewed.text)[1]
    )
    first_page, results = text_of(Client(), "/"), settled(Client(), address)
    forget()
    new_process()
    without_search = text_of(Client(), "/")
    assert settled(Client(), address) == results
    assert first_page in (without_search, text_of(Client(), "/"))
