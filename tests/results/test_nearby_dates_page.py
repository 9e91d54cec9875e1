"""The same stay on other dates, as a page."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from django.test import Client

from search.domain.query import Refinement
from search.results.nearby_dates import DatesTotal, NearbyDatesPage, dates_around
from search.site_settings import store
from tests import builders as build
from tests.rendering import page_html
from tests.scripted_gateway import honest

SEARCH = build.SEARCH


def page_of(*totals: DatesTotal, refinement: Refinement = Refinement()) -> NearbyDatesPage:  # noqa: B008
    return NearbyDatesPage.build(build.context(SEARCH, refinement), totals)


def html_of(page: NearbyDatesPage) -> str:
    return page_html("results/nearby_dates.html", page=page)


def total(
    days: int, amount: str | None, *, known: bool = True, stale_from: datetime | None = None
) -> DatesTotal:
    dates = dates_around(SEARCH.dates, date(2026, 1, 1))[days + 3]
    return DatesTotal(dates, build.euros(amount) if amount else None, known, stale_from)


def test_each_date_has_its_total_and_the_least_stands_out():
    page = page_of(total(-1, "412.60"), total(0, "398.00"), total(1, "405.10"))
    assert [(one.days, one.total, one.current, one.cheapest) for one in page.dates] == [
        ("2–5 Dec", "typically €413", False, False),
        ("3–6 Dec", "typically €398", True, True),
        ("4–7 Dec", "typically €405", False, False),
    ]


def test_where_a_date_is_unknown_none_stands_out():
    assert not any(one.cheapest for one in page_of(total(0, "398.00"), total(1, None, known=False)).dates)


def test_stale_totals_say_their_age_and_none_is_the_lowest(clock):
    clock.now = build.NOON
    later = build.NOON + timedelta(hours=1)
    page = page_of(
        total(-1, "398.00", stale_from=later), total(0, "405.10", stale_from=build.NOON), total(1, "412.60")
    )
    assert "Prices checked 1 minute ago. They may have changed since." in html_of(page)
    assert not any(one.cheapest for one in page.dates)
    assert "They may have changed" not in html_of(page_of(total(0, "398.00")))


def test_what_is_not_known_is_said():
    page = page_of(total(0, None), total(1, None, known=False))
    assert [one.total for one in page.dates] == ["no price found", "not available right now"]


def test_a_date_leads_to_the_same_view_of_other_days():
    page = page_of(total(2, "398.00"), refinement=Refinement(deals=True))
    assert page.dates[0].href == (
        "/hotels/?place=Barcelona&checkin=2026-12-05&checkout=2026-12-08"
        "&guests=2&currency=EUR&market=en-gb&deals=1"
    )


def test_other_dates_have_no_deeper_pass_of_their_own():
    page = page_of(total(0, "398.00"), total(1, "405.10"), refinement=Refinement(all=True))
    assert ["&all=1" in address for address in (*[one.href for one in page.dates], page.back)] == [
        True,
        False,
        True,
    ]


def test_the_search_bar_keeps_the_airport_that_was_chosen():
    page = NearbyDatesPage.build(build.context(anchor=build.AIRPORT), (total(0, "398.00"),))
    assert page.bar.values["place"] == "Barcelona El Prat (BCN)"


def test_the_note_says_what_is_typical():
    assert "the middle total of the first 50 places" in html_of(page_of(total(0, "1")))
    assert page_of(total(0, None, known=False)).note == ""


@pytest.fixture
def visitor(db):
    return Client()


def address() -> str:
    start = build.TODAY.replace(year=2030)
    return f"?place=Lerwick&checkin={start}&checkout={start + timedelta(days=3)}&guests=2"


def test_the_page_is_linked_from_the_results(visitor):
    results = visitor.get(f"/hotels/{address()}").content.decode()
    assert 'href="/hotels/dates/?place=Lerwick' in results
    page = visitor.get(f"/hotels/dates/{address()}")
    assert page.status_code == 200
    assert page.content.decode().count("typically €") == 7


def test_totals_of_a_gateway_that_is_away_say_from_when_they_are(visitor, connect, clock):
    gateway = connect(honest(40))
    visitor.get(f"/hotels/dates/{address()}")
    gateway.away = True
    clock.pass_seconds(12 * 3_600)
    page = visitor.get(f"/hotels/dates/{address()}").content.decode()
    assert page.count("typically €147") == 7
    strip = page.partition('<section id="other-dates"')[2].partition("</section>")[0]
    assert "They may have changed since." in strip, "what the page of results takes of this one"
    assert "date-strip__total--lowest" not in page


def test_a_site_without_it_has_no_link_and_no_page(visitor):
    store.change({"date_strip_enabled": False})
    assert "/hotels/dates/" not in visitor.get(f"/hotels/{address()}").content.decode()
    assert visitor.get(f"/hotels/dates/{address()}").status_code == 404


def test_nonsense_dates_are_a_form_again(visitor):
    assert visitor.get("/hotels/dates/?place=Rome&checkin=31&checkout=2").status_code == 400
