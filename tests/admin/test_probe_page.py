"""The probe from the gateway panel: one at a time, for who may change settings, applied with one click."""

import re

import msgspec
import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.db.models import F

from search.domain import process
from search.monitoring import probe
from search.monitoring.hand_overs import HandOverCount
from search.monitoring.probe import Finding
from search.site_settings import store
from tests.admin.conftest import signed_in
from tests.admin.test_gateway_panel import PAGE, record
from tests.admin.test_settings_page import HISTORY, RESTORE
from tests.admin.test_settings_page import PAGE as SETTINGS_PAGE


def at_once(job):
    """In the place of a thread."""
    job()
    return True


@pytest.fixture
def _nightly(settings, db, monkeypatch):
    settings.SANDBOX_WEATHER = "basis=night"
    process.start()
    monkeypatch.setattr(probe, "in_thread", at_once)


def test_the_panel_says_how_many_calls_a_probe_makes_at_most(editor, monkeypatch):
    monkeypatch.setattr(probe, "MOST_CALLS", 9)
    assert "At most 9 calls that measure" in editor.get(PAGE).text


def test_the_settings_name_the_page_of_the_probe_not_a_command(editor):
    site_settings = editor.get(SETTINGS_PAGE).text
    assert "“Probe” on the page “Gateway” measures them" in site_settings
    assert "probe_gateway" not in site_settings


STAY_AND_NIGHT = ("for the whole stay", "for one night")


@pytest.mark.usefixtures("_nightly")
def test_the_probe_suggests_settings_that_one_click_applies(editor):
    page = editor.post(PAGE, {"probe": "1", "place": ""}, follow=True)
    assert "for one night" in page.text
    # It asks for a night too many as well, which is refused.
    assert "last call failed" not in page.text
    assert ("price_basis", *STAY_AND_NIGHT) in [said for _change, _label, said in page.context["suggestions"]]
    assert store.current().price_basis == "stay"
    button = r'name="field" value="price_basis">\s*<input type="hidden" name="value" value="night">'
    assert re.search(button, page.text)
    suggested = {"field": "price_basis", "value": "night", "back": "gateway"}
    said = editor.post(RESTORE, suggested, follow=True).text
    assert "“the gateway&#x27;s price is” is now: for one night" in said
    assert store.current().price_basis == "night"
    assert not re.search(button, editor.get(PAGE).text)
    assert ("price_basis", *STAY_AND_NIGHT) in [
        tuple(change) for _entry, _label, change, _former in editor.get(HISTORY).context["lines"]
    ]


def test_one_probes_at_a_time(editor, monkeypatch):
    started = []
    monkeypatch.setattr(probe, "in_thread", lambda job: started.append(job) or True)
    assert "has begun" in editor.post(PAGE, {"probe": "1"}, follow=True).text
    page = editor.post(PAGE, {"probe": "1"}, follow=True)
    assert "under way already" in page.text
    assert 'name="probe"' not in page.text
    assert len(started) == 1


def test_a_probe_that_fails_lets_the_next_one_begin(editor, monkeypatch):
    monkeypatch.setattr(probe, "in_thread", at_once)
    monkeypatch.setattr(probe.Probe, "findings", lambda _probe: 1 / 0)
    editor.post(PAGE, {"probe": "1"})
    assert not probe.is_running()
    assert probe.findings() == []


ANOTHER_GATEWAY = "https://gateway.example"


@pytest.mark.usefixtures("_nightly")
def test_a_probe_of_another_gateway_is_not_shown(editor, settings):
    assert "for one night" in editor.post(PAGE, {"probe": "1", "place": ""}, follow=True).text
    settings.GATEWAY_BASE_URL = ANOTHER_GATEWAY
    page = editor.get(PAGE)
    assert (page.context["findings"], page.context["suggestions"]) == ([], [])


@pytest.mark.parametrize(
    ("setting", "said"),
    [("", "The answers decide no setting."), ("page_size", "The settings agree with what was found.")],
)
def test_settings_agree_only_with_what_was_found(editor, setting, said):
    found = Finding("size", "in words", setting, store.current().page_size)
    cache.set(probe.found_key(), msgspec.msgpack.encode([found]))
    assert re.findall(r"<p>(The (?:settings|answers) [^<]*)</p>", editor.get(PAGE).text) == [said]


def test_who_may_only_look_can_start_and_apply_nothing(db):
    looker = signed_in()
    permission = Permission.objects.get(codename="view_sitesettings")
    User.objects.get(username="nobody").user_permissions.add(permission)
    assert looker.get(PAGE).status_code == 200
    assert looker.post(PAGE, {"probe": "1"}).status_code == 403
    assert looker.post(RESTORE, {"field": "page_size", "value": "50"}).status_code == 403
    assert not probe.is_running()


def test_seven_days_are_drawn(editor):
    record(ms=120)
    record(outcome="timeout", ms=900)
    record(cache="hit")
    today = editor.get(PAGE).context["today"].day
    HandOverCount.objects.create(provider="AA", day=today, count=2)
    HandOverCount.objects.update(count=F("count") + 1)
    page = editor.get(PAGE)
    charts = {chart["title"]: chart for chart in page.context["charts"]}
    assert [chart["days"][-1][1] for chart in charts.values()] == [2, 1, 33, 0, 3]
    assert all(len(chart["days"]) == 7 for chart in charts.values())
    assert (charts["Calls"]["sum"], charts["From the cache"]["sum"]) == (2, "")
    assert [one.rpartition(" ")[2] for one in re.findall("<title>([^|]*?)</title>", page.text)] == [
        "2", "1", "33%", "3"
    ]  # fmt: skip
