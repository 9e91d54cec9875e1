"""Providers in the admin: where their links lead, those met on the wire, and how often visitors go there."""

import csv
import re
from datetime import timedelta

import pytest
from django.utils.timezone import localdate

from search.monitoring import metrics
from search.monitoring.hand_overs import HandOverCount
from search.site_settings import store
from search.site_settings.models import Provider
from tests.admin.test_gateway_panel import answer, listing

PROVIDERS = "/admin/search/provider/"
PAGE = "/admin/search/handovercount/"


def add(client, **values):
    return client.post(
        f"{PROVIDERS}add/", {"code": "AA", "order": "0", "enabled": "on", **values}, follow=True
    )


def test_a_template_is_saved_and_shows_where_it_leads(editor):
    add(editor, address_template="https://www.example.com/{property}?from={checkin}&in={place}")
    row = Provider.objects.get()
    assert store.current().provider("AA").address_template == row.address_template
    page = editor.get(f"{PROVIDERS}{row.pk}/change/").content.decode()
    link = "https://www.example.com/AB%2012%2F3?from=2030-05-01&amp;in=Palma%20de%20Mallorca"
    assert f'<a href="{link}" target="_blank" rel="noopener noreferrer nofollow">{link}</a>' in page


@pytest.mark.parametrize("template", ["javascript:alert('{property}')", "https://a@b.example/{property}"])
def test_a_template_that_could_lead_astray_is_refused(editor, template):
    response = add(editor, address_template=template)
    (sentence,) = response.context["adminform"].form.errors["address_template"]
    assert "https://" in sentence
    assert not Provider.objects.exists()


def test_a_form_is_filled_in_for_a_provider_met_on_the_wire(editor):
    Provider.objects.create(code="MOON_ROOMS", order=30)
    metrics.count_page(answer(listing("1", provider="MOON_ROOMS"), listing("2", provider="STAR_BEDS")))
    assert editor.get(PROVIDERS).context["seen"] == ["STAR_BEDS"]
    values = editor.get(f"{PROVIDERS}add/", {"code": "STAR_BEDS"}).context["adminform"].form.initial
    assert values == {"code": "STAR_BEDS", "label": "Star beds", "order": 40}
    add(editor, **values)
    assert "Seen lately" not in editor.get(PROVIDERS).text


def test_hand_overs_are_plotted_in_the_order_of_providers(editor):
    today = localdate()
    Provider.objects.create(code="BB", label="Beds of the Moon", order=1)
    Provider.objects.create(code="AA", order=2)
    HandOverCount.objects.create(provider="AA", day=today, count=3)
    HandOverCount.objects.create(provider="BB", day=today - timedelta(days=3), count=4)
    HandOverCount.objects.create(provider="BB", day=today, count=8)
    HandOverCount.objects.create(provider="CC", day=today - timedelta(days=90), count=8)
    response = editor.get(PAGE)
    charts = response.context["charts"]
    assert [(chart["title"], chart["sum"]) for chart in charts] == [("Beds of the Moon", 12), ("AA", 3)]
    bars = re.findall(r'<rect x="([^"]*)" width="0.8" height="([^"]*)">', response.text)
    assert bars == [("26.1", "31"), ("29.1", "60"), ("29.1", "60")]


def test_all_counts_come_as_csv_without_formulas(editor):
    Provider.objects.create(code="AA", label="=1+1")
    HandOverCount.objects.create(provider="AA", day="2026-01-05", count=3)
    response = editor.get(f"{PAGE}?format=csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(response.content.decode("utf-8-sig").splitlines()))
    assert rows == [["day", "provider", "label", "hand-overs"], ["2026-01-05", "AA", "'=1+1", "3"]]


def test_a_page_without_hand_overs_says_so(editor):
    HandOverCount.objects.create(provider="AA", day=localdate() - timedelta(days=90), count=3)
    assert "Nobody in these thirty days" in editor.get(PAGE).text


def test_hand_overs_need_a_right_and_cannot_be_changed(editor, sharer, boss, client):
    HandOverCount.objects.create(provider="AA", day="2026-01-05", count=3)
    assert sharer.get(PAGE).status_code == sharer.get(f"{PAGE}?format=csv").status_code == 403
    assert client.get(PAGE).status_code == 302
    assert boss.get(f"{PAGE}add/").status_code == 403
    assert 'href="/admin/search/handovercount/"' in editor.get("/admin/").text
    assert 'href="/admin/search/handovercount/"' not in sharer.get("/admin/").text
