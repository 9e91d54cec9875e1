"""The panel says how long totals last, by provider and days before arrival."""

import re
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal

from search.property.observed import ObservedTotal, Run, Terms, added
from search.site_settings import store
from search.site_settings.models import Provider
from tests.builders import TODAY

PAGE = "/admin/search/sitesettings/gateway/"


def remember(key, days_before, totals, provider="AA", hours=12):
    """A hotel's totals, one after the other, the first so many days before arrival."""
    terms = Terms(TODAY, TODAY + timedelta(days=1), 2, "EUR", "en-gb", "added, stay")
    begin = datetime.combine(TODAY - timedelta(days=days_before), time(), UTC)
    runs = ()
    for number, amount in enumerate(totals):
        at = begin + timedelta(hours=number * hours)
        runs = added(runs, Run.once(at, amount, provider if amount else ""))
    ObservedTotal.objects.bulk_create(
        ObservedTotal(hotel=key, **terms._asdict(), **run._asdict()) for run in runs
    )


def rows(editor):
    table = editor.get(PAGE).text.partition("How long totals last")[2].partition("</table>")[0]
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", table.partition("<tbody>")[2])
    return [tuple(cells[place : place + 5]) for place in range(0, len(cells), 6)]


def differed(editor):
    """Provider, and what the last column says of it."""
    table = editor.get(PAGE).text.partition("How long totals last")[2].partition("</table>")[0]
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", table.partition("<tbody>")[2])
    read = [(cells[place], cells[place + 1], cells[place + 5]) for place in range(0, len(cells), 6)]
    return {name: re.sub("<[^>]+>", "", text) for name, band, text in read if band == "any"}


def test_without_totals_the_panel_says_so(editor):
    assert "No totals are remembered yet." in editor.get(PAGE).text


def test_totals_are_measured_by_provider_and_days_before_arrival(editor):
    remember("a", 60, [Decimal(100 + number) for number in range(7)])
    remember("b", 3, [Decimal(100 + number) for number in range(3)], provider="BB")
    assert rows(editor) == [
        ("All", "any", "8", "12 hours", "36 minutes"),
        ("AA", "any", "6", "12 hours", "36 minutes"),
        ("AA", "31–90", "6", "12 hours", "36 minutes"),
        ("BB", "any", "2", "–", "–"),
        ("BB", "0–3", "2", "–", "–"),
    ]


def test_totals_that_stay_count_as_long_as_they_were_seen(editor):
    changing = [Decimal(100 + number // 4) for number in range(24)]
    remember("a", 20, changing)
    remember("b", 20, [Decimal(100)] * 24)
    assert rows(editor)[0] == ("All", "any", "5", "5 days", "5 hours")


def test_nothing_is_measured_across_a_gap(editor):
    remember("a", 20, [Decimal(100), None] * 6, hours=30)
    assert rows(editor)[0][2] == "0"


def test_the_panel_names_whose_totals_often_differed(editor):
    remember("a", 5, [Decimal(100 + number // 2) for number in range(24)], hours=4)
    remember("b", 5, [Decimal(100)] * 30, provider="BB", hours=4)
    remember("c", 40, [Decimal(100 + number) for number in range(24)], provider="CC")
    assert differed(editor) == {"All": "21% often", "AA": "48% often", "BB": "0%", "CC": "–"}
    store.change({"often_changed_percent": 48})
    assert differed(editor)["AA"] == "48%"


def test_a_marked_provider_says_that_its_prices_often_change(editor, client):
    path = "/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"
    assert "Prices often change" not in client.get(path).text
    Provider.objects.create(code="SOL", prices_change=True)
    assert "Prices often change" in client.get(path).text


def test_what_is_suggested_changes_nothing(editor):
    remember("a", 60, [Decimal(100 + number) for number in range(7)])
    editor.get(PAGE)
    assert store.current().search_fresh_seconds == 300
