"""A colleague changes the settings in the admin, sees it, and sees afterwards who changed what."""

import json
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection

from search.admin.history import recorded_values
from search.domain.site_settings import SETTINGS, Site
from search.site_settings import store
from search.site_settings.models import SiteSettings
from tests.builders import UNREADABLE
from tests.journey.reading import words

PAGE = "/admin/search/sitesettings/1/change/"
RESTORE = "/admin/search/sitesettings/restore/"
HISTORY = "/admin/search/sitesettings/1/history/"

UNTOUCHED = {}


def form_values(client, **changes):
    """What the browser would post: every field as the page shows it, with `changes`."""
    return with_changes(shown_values(client), changes)


def shown_values(client):
    form = client.get(PAGE).context["adminform"].form
    values = {}
    for bound in form:
        value = bound.value()
        if isinstance(value, bool):
            values |= {bound.name: "on"} if value else {}
        else:
            values[bound.name] = "" if value is None else value
        if bound.field.show_hidden_initial:
            values[bound.html_initial_name] = hidden_value(bound)
    return values


def hidden_value(bound):
    """What the page says a field was when it was opened."""
    return bound.field.hidden_widget().format_value(bound.value()) or ""


def with_changes(values, changes):
    return {name: value for name, value in (values | changes).items() if value is not False}


def untouched_values(client, **changes):
    """`form_values` while nobody has changed a setting: the same for all, so one test asks for the page."""
    if not UNTOUCHED:
        UNTOUCHED.update(shown_values(client))
    return with_changes(UNTOUCHED, changes)


def save(client, **changes):
    """Saves the page as it is shown, with `changes`."""
    return client.post(PAGE, form_values(client, **changes))


def save_first(client, **changes):
    """`save` where nobody has changed a setting."""
    saved = client.post(PAGE, untouched_values(client, **changes))
    assert saved.status_code == 302
    return saved


def test_the_menu_leads_to_the_one_row_before_it_exists(editor):
    response = editor.get("/admin/search/sitesettings/", follow=True)
    assert response.redirect_chain[-1][0] == PAGE
    assert response.status_code == 200
    assert not SiteSettings.objects.exists()


def test_every_setting_stands_on_the_page_once_with_a_help_text(editor):
    response = editor.get(PAGE)
    shown = [name for fieldset in response.context["adminform"] for line in fieldset for name in line.fields]
    assert sorted(shown) == sorted(SETTINGS)
    form = response.context["adminform"].form
    assert [name for name in SETTINGS if len(form.fields[name].help_text) < 15] == []


def test_no_two_elements_of_the_page_share_an_id(editor):
    ids = re.findall(r'\sid="([^"]*)"', editor.get(PAGE).content.decode())
    assert len(ids) == len(set(ids))


def test_a_saved_page_is_in_effect_at_once(editor):
    response = save(editor, page_size=10, banner_text="Snow on the roads", map_enabled=False, rating_scale=10)
    assert "was changed successfully" in editor.get(response["Location"], follow=True).content.decode()
    found = store.current()
    assert (found.page_size, found.banner_text, found.map_enabled) == (10, "Snow on the roads", False)
    assert found.rating_scale == 10


def test_a_line_break_in_a_text_counts_as_one_sign(editor):
    lines = "\n".join(["We answer on weekdays"] * 23)[:500]
    assert len(lines) == 500
    save_first(editor, contact_text=lines.replace("\n", "\r\n"))
    assert store.current().contact_text == lines


def test_a_page_saved_untouched_changes_nothing(editor):
    save(editor)
    assert store.current() == Site()
    row = SiteSettings.objects.get()
    assert [name for name in SETTINGS if getattr(row, name) != getattr(Site(), name)] == []


def test_the_history_shows_old_and_new_values_and_who(editor):
    save_first(editor, page_size=10, sorts=["price", "stars"])
    save(editor, page_size=12, sorts=["price", "stars"])
    lines = editor.get(HISTORY).context["lines"]
    seen = [(*change, entry.user.username) for entry, _label, change, _former in lines]
    assert ("page_size", "10", "12", "Site editor") in seen
    assert ("page_size", "20", "10", "Site editor") in seen
    assert ("sorts", "all", "Lowest total, Most stars", "Site editor") in seen
    assert len(seen) == 3


def test_the_history_says_values_as_the_form_does(editor):
    changes = {"search_fresh_seconds": "10 minutes", "map_enabled": False, "price_basis": "night"}
    save_first(editor, rating_scale=10, **changes)
    answer = editor.post(RESTORE, {"field": "search_fresh_seconds"}, follow=True)
    assert "“prices are fresh for” is now: 5 minutes" in answer.text
    seen = {change for _entry, _label, change, _former in editor.get(HISTORY).context["lines"]}
    assert seen == {
        ("search_fresh_seconds", "5 minutes", "10 minutes"),
        ("search_fresh_seconds", "10 minutes", "5 minutes"),
        ("map_enabled", "on", "off"),
        ("price_basis", "for the whole stay", "for one night"),
        ("rating_scale", "", "out of 10"),
    }
    every_change = editor.get("/admin/admin/logentry/").text
    assert "prices are fresh for: <del>10 minutes</del> <ins>5 minutes</ins>" in every_change


def test_the_history_keeps_what_no_setting_has_any_more(editor):
    save_first(editor, page_size=10)
    changes = [("sorts", "alphabet", "price"), ("sounds", "loud", "soft")]
    LogEntry.objects.update(change_message=json.dumps([{"changed": {"fields": []}, "values": changes}]))
    seen = [change for _entry, _label, change, _former in editor.get(HISTORY).context["lines"]]
    assert seen == [("sorts", "alphabet", "Lowest total"), ("sounds", "loud", "soft")]


def test_a_single_field_is_restored_to_its_default(editor):
    save_first(editor, page_size=10, nights=5)
    page = editor.get(PAGE).content.decode()
    assert 'form="restore" name="field" value="page_size"' in page
    assert 'form="restore" name="field" value="guests"' not in page
    editor.post(RESTORE, {"field": "page_size"})
    assert (store.current().page_size, store.current().nights) == (20, 5)
    _entry, label, change, _former = editor.get(HISTORY).context["lines"][0]
    assert (label, *change) == ("hotels per page", "page_size", "10", "20")


def test_a_former_value_is_put_back_from_the_history(editor):
    save_first(editor, banner_text="Snow")
    save(editor, banner_text="Sun")
    assert 'name="value" value="Snow"' in editor.get(HISTORY).text
    editor.post(RESTORE, {"field": "banner_text", "value": "Snow"})
    assert store.current().banner_text == "Snow"


def test_nothing_else_can_be_restored(editor):
    save_first(editor, page_size="10")
    for data in ({}, {"field": "content_revision"}, {"field": "pk"}):
        assert editor.post(RESTORE, data).status_code == 403
    for value in ("999999", "x", "9" * 5_000, ""):
        editor.post(RESTORE, {"field": "page_size", "value": value})
    assert store.current().page_size == 10


def test_restoring_is_refused_when_the_rest_would_contradict_it(editor):
    save_first(editor, default_market="de-de", markets=["de-de", "fr-fr"])
    response = editor.post(RESTORE, {"field": "default_market"}, follow=True)
    assert "must be among the offered ones" in response.content.decode()
    assert store.current().default_market == "de-de"


def test_restoring_needs_a_post(editor):
    save_first(editor, page_size="10")
    assert editor.get(RESTORE, {"field": "page_size"}, follow=True).redirect_chain[-1] == (PAGE, 302)
    assert store.current().page_size == 10


@pytest.mark.parametrize("address", [PAGE, RESTORE])
def test_a_form_sent_after_the_session_is_said_to_be_lost(editor, client, address):
    signing_in = client.post(address, {"field": "page_size", "page_size": "10"}, follow=True)
    assert "You were no longer signed in, so nothing has changed." in signing_in.text
    assert editor.get(signing_in.context["next"], follow=True).status_code == 200


def test_who_signs_out_twice_has_lost_nothing(client, db):
    assert "no longer signed in" not in client.post("/admin/logout/", follow=True).text


def test_markup_in_a_setting_is_text(editor):
    save_first(editor, banner_text="<script>alert(1)</script>")
    assert "<script>alert" not in editor.get(PAGE).content.decode()
    assert "<script>alert" not in editor.get(HISTORY).content.decode()


def test_a_row_out_of_range_opens_and_is_mended_by_saving(editor):
    SiteSettings(nights=5, page_size=5000).save()
    assert store.current().nights == 2
    refused = save(editor, banner_text="Snow")
    assert "page_size" in refused.context["adminform"].form.errors
    save(editor, page_size=50)
    assert (store.current().page_size, store.current().nights) == (50, 5)


@pytest.mark.parametrize(("column", "value"), UNREADABLE)
def test_a_row_that_cannot_be_read_opens_and_is_mended_by_saving(editor, column, value):
    SiteSettings().save()
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE search_sitesettings SET {column} = %s", [value])
    save(editor, page_size=30)
    assert (SiteSettings.objects.get().page_size, store.current().page_size) == (30, 30)


def test_two_who_change_different_settings_at_once_keep_both(editor):
    mine = form_values(editor, banner_text="Snow")
    save(editor, page_size=50, sender_shown=True)
    assert editor.post(PAGE, mine).status_code == 302
    row = SiteSettings.objects.get()
    assert (row.banner_text, row.page_size, row.sender_shown) == ("Snow", 50, True)
    assert [one.name for one in recorded_values(LogEntry.objects.latest("pk"))] == ["banner_text"]


def test_a_colleagues_change_is_said_before_it_is_replaced(editor):
    mine = form_values(editor, page_size=30)
    save(editor, page_size=50)
    refused = editor.post(PAGE, mine, follow=True)
    form = refused.context["adminform"].form
    assert form.errors == {
        "page_size": ["A colleague has set this to “50” meanwhile. Save again to set yours."]
    }
    assert SiteSettings.objects.get().page_size == 50
    assert 'name="initial-page_size" value="50"' in refused.text
    editor.post(PAGE, mine | {"initial-page_size": "50"})
    assert SiteSettings.objects.get().page_size == 30


@pytest.mark.parametrize("refused", [{"banner_text": "Snow"}, {"guests": 1000}], ids=["both", "out of range"])
def test_a_refused_page_takes_back_no_colleagues_change(editor, refused):
    mine = form_values(editor, **refused)
    save(editor, page_size=50, banner_text="Rain")
    form = editor.post(PAGE, mine).context["adminform"].form
    assert form.errors.keys() == refused.keys()
    hidden = {one.html_initial_name: form.data[one.html_initial_name] for one in form if one.name in refused}
    again = mine | {"guests": 3, **hidden}
    assert editor.post(PAGE, again).status_code == 302
    row = SiteSettings.objects.get()
    assert (row.page_size, row.guests) == (50, 3)


def test_what_the_deployment_fixed_is_shown_and_not_changeable(editor, settings):
    settings.SEARCH_FRESH_SECONDS = 60
    assert "SEARCH_FRESH_SECONDS" in editor.get(PAGE).content.decode()
    save(editor, search_fresh_seconds=5)
    assert store.current().search_fresh_seconds == 60
    assert editor.post(RESTORE, {"field": "search_fresh_seconds"}).status_code == 403


def test_the_rest_is_saved_beside_what_the_deployment_fixed(editor, settings):
    settings.SEARCH_FRESH_SECONDS = 60
    shown = re.search(r'<input type="text" name="search_fresh_seconds"[^>]*>', editor.get(PAGE).text)[0]
    assert 'value="1 minute"' in shown
    assert save(editor, banner_text="Snow").status_code == 302
    row = SiteSettings.objects.get()
    assert (row.banner_text, row.search_fresh_seconds) == ("Snow", 300)


def test_who_may_only_look_reads_settings_in_words(editor, settings, client):
    save_first(editor, filters=["max_price", "min_rating"], rating_scale=10, banner_text="Snow")
    settings.DETAILS_FRESH_SECONDS = 7_200
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_sitesettings"))
    client.force_login(looker)
    page = words(client.get(PAGE))
    for shown in (
        "Prices are fresh for: 5 minutes Within this time",
        "Descriptions are fresh for: 2 hours",
        "Offered filters: Highest total, Lowest guest rating The groups",
        "Guest rating scale: out of 10",
        "Map: on",
        "Contact text: empty",
        "Banner: Snow",
    ):
        assert shown in page
    assert "Restore" not in page
    assert client.post(PAGE, {"page_size": "10"}).status_code == 403


def test_only_what_can_be_put_back_has_a_button_for_it(editor, settings):
    save_first(editor, search_fresh_seconds="10 minutes", page_size=10)
    changes = [("sounds", "loud", "soft"), ("search_fresh_seconds", "300", "600"), ("page_size", "20", "10")]
    LogEntry.objects.update(change_message=json.dumps([{"changed": {"fields": []}, "values": changes}]))
    settings.SEARCH_FRESH_SECONDS = 60
    offered = re.findall(r'name="field" value="(\w+)"', editor.get(HISTORY).text)
    assert offered == ["page_size"]


def test_the_row_can_be_neither_added_nor_deleted(boss):
    assert boss.get("/admin/search/sitesettings/add/").status_code == 403
    assert boss.post("/admin/search/sitesettings/1/delete/").status_code == 403


def test_only_editors_reach_the_settings(sharer, client):
    assert sharer.get(PAGE).status_code == 403
    assert sharer.post(RESTORE, {"field": "page_size"}).status_code == 403
    assert client.get(PAGE).status_code == 302


def test_no_role_manages_users(editor, sharer):
    for who in (editor, sharer):
        assert who.get("/admin/auth/user/").status_code == 403
        assert who.get("/admin/auth/group/").status_code == 403


def test_the_page_holds_no_inline_script_style_or_handler(editor):
    save_first(editor, page_size=10)
    for address in (PAGE, HISTORY, "/admin/"):
        page = editor.get(address).content.decode()
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page)


@pytest.mark.parametrize("name", store.ENVIRONMENT)
def test_the_environment_takes_the_times_that_the_page_takes(settings, name):
    limits = SETTINGS[name].limits
    read = f'"{name.upper()}", int, None, ({limits.ge}, {limits.le:_}))'
    assert read in (settings.BASE_DIR / "hotelsite" / "settings.py").read_text("utf-8")
