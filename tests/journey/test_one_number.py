"""One number for one question: what list, head, map, dates and a shared link say of twelve places."""

from __future__ import annotations

import json
import re
from decimal import Decimal

import pytest

from tests.builders import OURS
from tests.dialects.conftest import DATES, MOST_LOOKS, sharer, site  # noqa: F401
from tests.journey.reading import text_of

PLACES = [
    "Lerwick", "Barcelona", "Calvi", "Derry", "Knock", "Wick",
    "Guernsey", "Bergerac", "Limoges", "Jersey", "Lisbon", "Rome",
]  # fmt: skip
QUERY = "&".join(f"{name}={value}" for name, value in {**DATES, "currency": "EUR", "market": "en-gb"}.items())
TOTAL = re.compile(r"€([\d,]+\.\d\d) total")
DATES_PAGE = re.compile(r'aria-current="date".*?class="dates__total">€([\d,]+)', re.DOTALL)
CALENDAR = re.compile(r"2030-05-01 €([\d,]+)")


def amount(text):
    return Decimal(text.replace(",", ""))


class Walk:
    """What a visitor reads of one place, step after step."""

    def __init__(self, visited, place):
        self.site, self.search = visited, f"place={place}&{QUERY}"

    def page(self, path="/hotels/", more=""):
        return self.site.get(f"{path}?{self.search}{more}").content.decode()

    def settled(self, more=""):
        """The list once all has come, as text."""
        self.page(more=more)
        for _look in range(20 * MOST_LOOKS):
            if json.loads(self.page("/hotels/progress/", more))["done"]:
                break
        return text_of(self.page(more=more))

    def lowest(self, text):
        return amount(TOTAL.search(text)[1])

    def counted(self, text):
        return amount(re.search(r"([\d,]+) places to stay", text)[1])


@pytest.mark.parametrize(
    "place", PLACES[:1] + [pytest.param(one, marks=pytest.mark.thorough) for one in PLACES[1:]]
)
def test_no_two_numbers_answer_one_question(site, sharer, place):  # noqa: F811
    site.speak("")
    walk = Walk(site, place)
    listed = walk.settled()
    lowest, counted = walk.lowest(listed), walk.counted(listed)
    pins = json.loads(walk.page("/hotels/map/"))
    assert amount(pins["totals"][0].strip("€")) >= lowest.quantize(Decimal(1))
    own, calendar = DATES_PAGE.search(walk.page("/hotels/dates/")), CALENDAR.search(walk.page())
    assert amount(own[1]) == amount(calendar[1]), "one measure for the calendar and other dates"
    made = sharer.post(f"/share/hotels/?{walk.search}", {})["Location"].partition("?")[0]
    code = made.rstrip("/").rpartition("/")[2]
    assert walk.lowest(text_of(site.get(f"/s/{code}/").content.decode())) == lowest
    if counted <= 900:
        assert f"Exact order of all {counted:,}" in listed
        assert "Compare all" not in listed
        return
    assert "Prices of 600 compared" in listed
    site.client.post(f"/hotels/all/?{walk.search}", headers=OURS)
    deeper = walk.settled("&all=1")
    assert re.search(r"(Prices of 3,000 compared|Exact order of all [\d,]+), checked \d minutes? ago", deeper)
    assert walk.counted(deeper) == counted
    assert walk.lowest(deeper) <= lowest
    assert walk.lowest(walk.settled()) == lowest, "back to the list as it was"
    again = DATES_PAGE.search(walk.page("/hotels/dates/", "&all=1"))
    assert amount(again[1]) == amount(own[1])
