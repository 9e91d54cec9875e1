"""Refined views of the whole site over the sandbox, as a browser without scripts gets them."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from urllib.parse import parse_qsl, urlencode

import pytest
from django.test import Client

from search.domain.query import StayDates, StaySearch
from search.results import full_results
from search.results.full_results import FullResults
from search.site_settings import store
from tests import builders as build

SMALL = "place=Lerwick&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"
LONDON = StaySearch("London", StayDates(date(2030, 5, 1), date(2030, 5, 4)), 2, (), "EUR", "en-gb")
TOTAL = re.compile(r'class="price__total"><strong>€([\d,.]+)</strong>[^<]*</p>\s*<p class="price__(\w+)')
MATCHING = re.compile(r"(\d+) of (\d+) places? match")
CHOICE = re.compile(
    r'<input type="(checkbox|radio)" name="(\w+)" value="([^"]+)">'
    r'[^<]* <span class="refine-choice__count">(\d+)</span>'
)


pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(monkeypatch) -> Client:
    """Someone who waits for the exact order."""
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", 30.0)
    return Client()


def html(visitor: Client, query: str) -> str:
    response = visitor.get(f"/hotels/?{query}")
    assert response.status_code == 200
    return unescape(response.content.decode())


def test_the_default_order_is_the_lowest_total_on_all_pages(visitor):
    shown: list[tuple[bool, float]] = []
    for number in range(1, 100):
        page = html(visitor, f"{SMALL}&page={number}")
        shown += [(after == "apart", float(total.replace(",", ""))) for total, after in TOTAL.findall(page)]
        if 'rel="next"' not in page:
            break
    assert 1 < number < 99
    assert shown == sorted(shown)


def test_a_count_beside_a_filter_is_that_of_its_page(visitor):
    """Of each filter for its first choice and its last one."""
    choices = [choice[1:] for choice in CHOICE.findall(html(visitor, SMALL))]
    firsts, lasts = ({one[0]: one for one in given} for given in (choices[::-1], choices))
    assert len(firsts) > 6
    for name, value, count in {*firsts.values(), *lasts.values()}:
        asked = visitor.get(f"/hotels/?{SMALL}&{name}={value}", headers={"accept": "application/json"})
        assert asked.json()["coverage"]["words"].startswith(f"{count} "), (name, value)


@pytest.mark.parametrize(
    ("chosen", "told"), [("", 0), ("&facility=POOL", 0), ("&facility=POOL&facility=BAR", 1)]
)
def test_of_several_facilities_the_panel_says_that_one_is_enough(visitor, chosen, told):
    page = html(visitor, f"{SMALL}{chosen}")
    assert page.count("Any one of those ticked is enough.") == told


def test_an_empty_view_leads_back_to_one_that_is_not(visitor):
    page = html(visitor, f"{SMALL}&max_price=1&free_cancellation=1")
    assert "No place matches all of these filters" in page
    assert TOTAL.search(page) is None
    link = re.search(r'<a href="([^"]+)" data-refine="[^"]+"><bdi>Without “Up to €1”', page)[1]
    assert TOTAL.search(unescape(visitor.get(link).content.decode()))


@pytest.mark.parametrize("place", ["Barcelonaa", "Xyzzyplugh"])
def test_a_place_nobody_knows_is_no_dead_end(visitor, place):
    page = html(visitor, SMALL.replace("Lerwick", place))
    assert "Nothing found" in page
    assert "refine-sort" not in page
    assert "/hotels/dates/?place=" not in page, "seven dates of a place nobody knows have no price either"
    assert re.search(r'class="button button--primary" href="/\?market=en-gb">Start a new search', page)
    assert (place != "Barcelonaa") or re.search(r'href="/hotels/\?place=Barcelona&', page)


def test_progress_tells_how_far_the_answer_is_and_is_never_kept(visitor):
    html(visitor, SMALL)
    response = visitor.get(f"/hotels/progress/?{SMALL}")
    told = response.json()
    assert told["done"] is True
    assert told["compared"] == told["most"] > 20
    assert told["text"] == f"Hotels compared: {told['most']} of {told['most']}"
    assert "no-store" in response["Cache-Control"]


def test_progress_of_nonsense_is_an_error_and_asks_nothing(visitor):
    response = visitor.get("/hotels/progress/?place=&checkin=31-02")
    assert (response.status_code, response.json()["done"]) == (400, True)


def test_a_first_view_that_does_not_wait_refers_to_its_progress(monkeypatch):
    monkeypatch.setattr(full_results, "PATIENCE_SECONDS", -1.0)
    context = build.context(LONDON, site=store.current())
    search = LONDON.query_string()
    page = html(Client(), search)
    assert "<result-progress" in page
    assert "Refresh for the new order" in page
    FullResults(context).wait_for_all()
    assert "<result-progress" not in html(Client(), search)


FIELD = re.compile(r'<input type="hidden" name="(?!currency"|market")(\w+)" value="([^"]*)">')
CHIP = re.compile(r'aria-label="Remove filter: ([^"]+)"')


def searched_again(visitor: Client, query: str, **changes: str) -> str:
    """The page after "Change" on the page of a search: what its form carries along, and what was typed."""
    form = re.search(r'<form class="search-form".*?</form>', html(visitor, query), re.DOTALL)[0]
    typed = [pair for pair in parse_qsl(SMALL) if pair[0] not in changes]
    return html(visitor, urlencode([*typed, *changes.items(), *FIELD.findall(form)]))


def test_with_other_dates_order_and_filters_stay(visitor):
    query = f"{SMALL}&sort=rating&free_cancellation=1&max_price=900&facility=POOL&name=e"
    page = searched_again(visitor, query, checkin="2030-06-01", checkout="2030-06-03", guests="1")
    assert set(CHIP.findall(page)) == set(CHIP.findall(html(visitor, query)))
    assert len(set(CHIP.findall(page))) == 4
    assert '"refine-sort__order" href="/hotels/?place=Lerwick&checkin=2030-06-01' in page
    assert re.search(r'sort=rating[^"]*" data-refine="[^"]+" aria-current="true"', page)


def test_in_another_currency_the_limit_of_the_total_goes(visitor):
    page = searched_again(visitor, f"{SMALL}&free_cancellation=1&max_price=900", currency="USD")
    assert set(CHIP.findall(page)) == {"Free cancellation"}


def test_a_limit_per_night_is_that_of_the_stay_for_each_night(visitor):
    whole, night = (html(visitor, f"{SMALL}&max_price={limit}") for limit in ("300", "100&per_night=1"))
    assert MATCHING.search(night).groups() == MATCHING.search(whole).groups()
    assert "Up to €100 per night" in CHIP.findall(night)
    units = re.compile(r'__unit" href="([^"]+)" data-refine="([^"]+)"( aria-current="true")?')
    assert [(unit, bool(now)) for _href, unit, now in units.findall(night)] == [
        ("Whole stay", False),
        ("Per night", True),
    ]
    assert units.findall(night)[0][0].endswith("max_price=300")
    assert units.findall(whole)[1][0].endswith("max_price=100&per_night=1")
    lowest, of_stay = (re.search(r"__ends[^>]*><span>€([\d.]+)", page)[1] for page in (night, whole))
    assert float(lowest) == pytest.approx(float(of_stay) / 3, abs=0.01)
    assert 'name="per_night" value="1"' in night
    one_night = html(visitor, SMALL.replace("05-04", "05-02"))
    assert "Per night" not in one_night


def test_another_length_of_stay_keeps_the_limit_per_night(visitor):
    page = searched_again(visitor, f"{SMALL}&max_price=100&per_night=1", checkout="2030-05-06")
    assert "Up to €100 per night" in CHIP.findall(page)


def test_in_another_place_filters_about_the_place_go(visitor):
    query = f"{SMALL}&free_cancellation=1&max_price=900&max_km=25&name=a"
    page = searched_again(visitor, query, place="Porto")
    assert set(CHIP.findall(page)) == {"Free cancellation", "Up to €900"}


def test_a_search_to_be_corrected_keeps_its_filters_too(visitor):
    response = visitor.get(
        f"/hotels/?{SMALL}&free_cancellation=1&max_price=900&guests=99&currency=GBP&currency_before=EUR"
    )
    assert response.status_code == 400
    fields = FIELD.findall(response.content.decode())
    assert set(fields) == {("free_cancellation", "1"), ("max_price", "900"), ("currency_before", "EUR")}
