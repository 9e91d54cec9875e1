"""When a stay is cheapest, as a page: what it says, where its dates lead, and who gets it without a call."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape
from statistics import median_low
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from search.site_settings import store
from search.web.formatting import whole_money
from tests import builders as build
from tests.journey.reading import text_of
from tests.scripted_gateway import honest, page_of

START = build.TODAY.replace(year=2030)
QUERY = (
    f"place=Lerwick&checkin={START}&checkout={START + timedelta(days=3)}&guests=2&currency=EUR&market=en-gb"
)
PROGRAM = {"accept": "application/json"}
BROWSER = {"user-agent": "Mozilla/5.0 Firefox/140"}


@pytest.fixture
def visitor(db):
    return Client()


def page(visitor: Client, more: str = "", query: str = QUERY) -> str:
    response = visitor.get(f"/hotels/dates/?{query}{more}")
    assert response.status_code == 200
    return response.content.decode()


def words(visitor: Client, more: str = "", query: str = QUERY) -> str:
    return text_of(page(visitor, more, query))


def document(visitor: Client, path: str) -> Any:
    return visitor.get(path, headers=PROGRAM).json()


def test_results_lead_to_the_page_and_the_page_back(visitor):
    (address,) = re.findall(
        r'href="(/hotels/dates/[^"]*)"', visitor.get(f"/hotels/?{QUERY}&sort=rating").content.decode()
    )
    shown = visitor.get(unescape(address)).content.decode()
    assert f'href="/hotels/?{QUERY.replace("&", "&amp;")}&amp;sort=rating"' in shown


def test_a_page_asks_nothing_until_a_reader_wants_it(visitor, connect):
    gateway = connect(honest(40))
    shown = page(visitor)
    assert "Dates asked for: 0 of 7" in shown
    assert 'name="ask" value="1"' in shown, "a form for those without scripts"
    assert gateway.calls == []
    assert words(visitor, "&ask=1").count("€147") == 8, "seven dates, and the lowest"
    assert '<form class="dates__ask"' not in page(visitor), "all is known now"
    assert len(gateway.calls) == 7


def test_totals_come_in_as_they_are_asked_for(visitor, connect):
    gateway = connect(honest(40))
    stream = visitor.get(f"/hotels/dates/totals/?{QUERY}&view=month&month=2030-12&nights=2", headers=BROWSER)
    tables = b"".join(stream.streaming_content).decode().split("<!--next-->")
    assert tables.pop() == ""
    assert tables[-1].count("€147") == 32
    assert len(gateway.calls) == 31
    assert not visitor.get(
        f"/hotels/dates/totals/?{QUERY}&view=month&month=2030-12&nights=2", headers=BROWSER
    ).getvalue()


@pytest.mark.usefixtures("patient")
def test_the_own_date_is_measured_by_one_page_of_any_size(visitor, connect):
    # Without a total nothing says that a page was cut.
    connect(lambda page, _size: page_of(range(60)[page * 20 : page * 20 + 20], None))
    visitor.get(f"/hotels/?{QUERY}")
    dates = document(visitor, f"/hotels/dates/?{QUERY}&ask=1")["dates"]
    assert {(one["state"], one["compared"]) for one in dates} == {("known", 20)}


def test_totals_that_come_in_are_in_the_language_of_their_page(visitor, connect):
    connect(honest(40))
    path = f"/hotels/dates/totals/?{QUERY}&market=de-de"
    tables = b"".join(visitor.get(path, headers=BROWSER).streaming_content).decode()
    assert "am niedrigsten" in tables
    assert "Mo., 18." in tables.replace("\u00a0", " ")
    assert "Each total" not in tables


def test_robots_get_no_totals(visitor, connect):
    gateway = connect(honest(40))
    robot = {"user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"}
    assert visitor.get(f"/hotels/dates/totals/?{QUERY}", headers=robot).status_code == 204
    assert visitor.get(f"/hotels/dates/?{QUERY}", headers=robot).status_code == 200
    assert gateway.calls == []
    assert visitor.get("/hotels/dates/totals/?place=Rome&checkin=31").status_code == 400


def test_the_lowest_is_said_in_words(visitor, connect):
    connect(honest(40))
    visitor.get(f"/hotels/?{QUERY}")
    assert "Lowest" not in words(visitor), "one known date is the lowest of nothing"
    assert re.search(r"Lowest: Mon 18 Nov – Thu 21 Nov €147", words(visitor, "&ask=1"))


def test_a_total_per_night_is_that_of_the_stay_by_its_nights(visitor, connect):
    connect(honest(40))
    assert words(visitor, "&ask=1&per=night").count("€49") == 8


def test_a_month_says_which_days_lack_a_total(visitor, connect):
    connect(lambda _page, _size: page_of(range(4), 4))
    shown = words(visitor, "&ask=1&view=month&month=2030-12")
    assert "only 4 hotels to compare: 1, 2, 3, 4, 5" in shown
    assert "€" not in shown.partition("Mon Tue")[2]


SMALL = QUERY.replace("Lerwick", "Derry")


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    "query",
    [
        f"{SMALL}&free_cancellation=1&view=weekends",
        f"{SMALL.replace('EUR', 'PLN')}&stars=3&stars=4&max_price=2000",
        f"{QUERY}&sort=provider&view=weekends",
    ],
    ids=["a filter", "stars and a limit in another currency", "more hotels than a page has"],
)
def test_no_figure_contradicts_the_list_it_leads_to(visitor, query):
    dates = document(visitor, f"/hotels/dates/?{query}&ask=1")["dates"]
    assert any(one["total"] for one in dates)
    for one in dates[:2]:
        hotels, path = [], one["page"]
        while path:
            results = document(visitor, path)
            hotels += results["hotels"]
            path = results["links"]["next"]
        totals = [total for total in map(_total, hotels[:100]) if total is not None]
        assert one["compared"] == len(totals)
        if one["state"] == "known":
            assert Decimal(one["total"]["amount"]) == median_low(totals)
        else:
            assert (one["state"], len(totals) < 10) == ("few", True)


def _total(hotel: Any) -> Decimal | None:
    price = hotel["offers"][0]["price"] if hotel["offers"] else None
    comparable = price and price["total"] and not price["not_in_total"]
    return Decimal(price["total"]["amount"]) if comparable else None


@pytest.mark.usefixtures("patient")
def test_a_hotel_says_when_it_is_cheapest_and_its_page_agrees(visitor):
    hotel = document(visitor, f"/hotels/?{SMALL}")["hotels"][3]
    (address,) = re.findall(r'href="(/hotels/dates/[^"]*)"', visitor.get(hotel["page"]).content.decode())
    dates = document(visitor, f"{unescape(address)}&ask=1")["dates"]
    priced = [one for one in dates if one["total"]]
    assert len(priced) > 1
    for one in priced[:2]:
        assert _total(document(visitor, one["page"])["hotel"]) == Decimal(one["total"]["amount"])
    shown = visitor.get(f"{unescape(address)}&ask=1").content.decode()
    assert "Back to the hotel" in shown
    lowest = min(Decimal(one["total"]["amount"]) for one in priced)
    assert f"<strong>{whole_money(lowest, 'EUR', 'en_GB')}</strong>" in shown


def test_a_site_without_it_has_no_link_and_no_page(visitor):
    store.change({"date_strip_enabled": False})
    for path in ("/hotels/", "/"):
        assert "/hotels/dates/" not in visitor.get(f"{path}?{QUERY}").content.decode()
    for path in ("/hotels/dates/", "/hotels/dates/totals/"):
        assert visitor.get(f"{path}?{QUERY}").status_code == 404


def test_nonsense_dates_are_a_form_again(visitor):
    assert visitor.get("/hotels/dates/?place=Rome&checkin=31&checkout=2").status_code == 400


def test_colleagues_get_a_table(visitor, connect):
    connect(honest(40))
    path = f"/share/dates.csv?{QUERY}&view=weekends&month=2030-12"
    assert visitor.get(path).status_code == 404
    visitor.force_login(User.objects.create_superuser("ann"))
    rows = visitor.get(path).content.decode("utf-8-sig").splitlines()
    assert rows[0] == "Check-in,Check-out,Total,Currency,Hotels,Prices as of,Note"
    assert rows[1].startswith("2030-12-06,2030-12-08,147.00,EUR,40,2030-")
    assert len(rows) == 5
    assert "/share/dates.csv?" in page(visitor)
