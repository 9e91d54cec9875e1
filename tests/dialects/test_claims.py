"""What pages may claim when the gateway gives less than it says it has, or gives it slowly."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from tests.dialects.conftest import DATES
from tests.journey.reading import text_of

PLACE = "Lerwick"
OTHER_ENDS = ("gaps", "window=60,repeats", "max_size=20,empty_page=3")
PLACES = [
    "Lerwick", "Jersey", "Calvi", "Derry", "Knock", "Carcassonne", "Rodez", "Bergerac", "Tours", "Limoges",
    "Dole", "Poitiers", "Comiso", "Trapani", "Perugia", "Barra", "Wick", "Guernsey", "Aosta", "Bolzano",
]  # fmt: skip


@pytest.mark.parametrize(
    "weather",
    ["window=60", "empty_page=1", *(pytest.param(one, marks=pytest.mark.thorough) for one in OTHER_ENDS)],
)
def test_an_end_before_the_total_is_never_called_complete(site, weather):
    site.speak(weather)
    assert site.results(PLACE).exact is None


@pytest.mark.parametrize("size", [20, pytest.param(50, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("word", ["repeats", "repeats=stars", "repeats=prices"])
def test_where_repeats_are_counted_the_page_says_how_many_came(site, size, word):
    site.speak(f"max_size={size},too_large=refused,{word}")
    found = site.results(PLACE, sort="rating")
    assert (found.count, found.exact) == (115, None)
    assert "The 115 that came; the provider counts 121" in found.text


@pytest.mark.thorough
@pytest.mark.parametrize("weather", ["gaps", "gaps,total=missing"])
def test_pages_with_gaps_are_asked_for_large_for_good(site, weather):
    site.speak(weather)
    for place in PLACES[:4]:
        site.results(place)
    before = site.calls
    site.results("Palma")
    assert site.calls - before <= 13


def test_a_gateway_that_takes_four_seconds_is_slow_and_not_down(site):
    site.speak("slow=4")
    assert len(site.results(PLACE).cards) == 20


@pytest.mark.thorough
def test_the_dates_marked_have_the_lowest_middle_total(site):
    """Small and large places, looked at after their results, which are of more places than one call
    brings."""
    site.speak("")
    for place in PLACES:
        site.results(place)
        page = site.get(f"/hotels/dates/?{urlencode({'place': place, **DATES})}&ask=1").content.decode()
        dates = page.split('<span class="dates__total">')[1:]
        totals = {one: int(re.match(r"€([\d,]+)", one)[1].replace(",", "")) for one in dates}
        marked = {totals[one] for one in dates if "dates__mark" in one}
        assert len(dates) == 7
        assert marked == {min(totals.values())}, place


@pytest.mark.thorough
@pytest.mark.parametrize("word", ["null", "missing", "empty", "list", "text"])
def test_a_hotels_page_says_that_details_are_not_available(site, word):
    site.speak(f"details={word}")
    page = site.get(site.results(PLACE).cards[0].link)
    assert "not available" in text_of(page.content.decode())
