"""Comparing all: a deeper pass that a visitor starts, its progress, its end, and what pages say then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client

from search.domain.query import Refinement
from search.domain.site_settings import Site
from search.results import full_results
from search.results import service as results
from search.site_settings import store
from tests.builders import OURS
from tests.results import cached_views as shown
from tests.results.cached_views import end_of_fetches
from tests.scripted_gateway import NOW, failing, honest

SITE = Site(page_size=20, cap=100, compare_all_limit=300, parallel_calls=4)
ALL = Refinement(all=True)
QUERY = "place=Rome&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch, patient: None) -> Iterator[None]:
    monkeypatch.setattr(store, "current", lambda: SITE)
    yield
    end_of_fetches()


def page(query: str = QUERY, client: Client | None = None) -> str:
    return unescape((client or Client()).get(f"/hotels/?{query}").content.decode())


def test_where_all_is_there_nothing_is_said_to_be_missing(connect, monkeypatch):
    """Suppliers may count before they know what is free."""
    gateway = connect(honest(60, 75))
    for settled in (full_results.SETTLED, timedelta(seconds=-1)):
        monkeypatch.setattr(full_results, "SETTLED", settled)
        told = page().partition("<stay-map")[0]
        assert "The 60 that came; the provider counts 75<" in told
        assert len(gateway.calls) == 2
        for more in ("could not be loaded", "Try again", "Compare all"):
            assert more not in told


def started(client: Client, query: str = QUERY) -> str:
    """Press the button; the address it leads to."""
    return client.post(f"/hotels/all/?{query}", headers=OURS).headers["Location"]


def test_a_pass_reaches_its_own_limit_and_says_so(connect):
    connect(honest(1_000))
    before = page()
    assert "1,000 places to stay" in before
    assert "Prices of 100 compared" in before
    assert re.search(r'action="(/hotels/all/\?[^"]+)" method="post"><button[^>]*>Compare all<', before)
    address = started(Client())
    assert address == f"/hotels/?{QUERY}&all=1"
    end_of_fetches()
    after = page(f"{QUERY}&all=1")
    assert "Prices of 300 compared, checked 1 minute ago" in after
    assert "/hotels/all/" not in after


@pytest.mark.parametrize(
    ("total", "said"), [(150, "Exact order of all 150"), (151, "Prices of 100 compared")]
)
def test_a_little_more_than_the_cap_is_collected_whole(connect, total, said):
    connect(honest(total))
    assert said in page()
    assert ("Compare all" in page()) is (total > 150)


def test_where_the_limit_holds_them_the_order_is_exact_over_all(connect):
    connect(honest(250))
    assert "Compare all<" in page()
    started(Client())
    end_of_fetches()
    assert "Exact order of all 250, checked" in page(f"{QUERY}&all=1")
    pages = [shown.keys(shown.view(ALL, number, site=SITE)) for number in range(1, 14)]
    assert len({key for keys in pages for key in keys}) == 250


def words(html: str) -> str:
    """The line under the title as it is read."""
    line = html.partition('<div class="results__coverage">')[2].partition("</div>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", line).split())


def test_what_a_pass_found_is_there_for_an_hour(connect, clock):
    gateway = connect(honest(250))
    page()
    started(Client())
    end_of_fetches()
    calls = len(gateway.calls)
    assert re.search(r'href="/hotels/\?[^"]+&all=1"[^>]*>Compare all<', page())
    page(f"{QUERY}&all=1")
    assert len(gateway.calls) == calls
    clock.pass_seconds(timedelta(hours=1, seconds=1).total_seconds())
    assert "Compare all<" in page(f"{QUERY}&all=1")


def test_a_pass_that_fails_makes_no_price_newer(connect, clock):
    gateway = connect(honest(250))
    page()
    started(Client())
    end_of_fetches()
    clock.pass_seconds(timedelta(minutes=61).total_seconds())
    gateway.script = lambda number, size: (failing() if number > 2 else honest(250))(number, size)
    assert "Compare all<" in page()
    started(Client())
    end_of_fetches()
    after = page(f"{QUERY}&all=1")
    assert "Compare all<" in after
    assert "checked" not in words(after)


def test_a_pass_that_lost_pages_can_be_made_again(connect, clock):
    gateway = connect(honest(250))
    page()
    gateway.script = lambda number, size: (failing() if number == 4 else honest(250))(number, size)
    started(Client())
    end_of_fetches()
    assert "Compare all<" in page(f"{QUERY}&all=1")
    gateway.script = honest(250)
    clock.pass_seconds(3)
    started(Client())
    end_of_fetches()
    assert "Exact order of all 250" in page(f"{QUERY}&all=1")


def test_a_hotel_has_the_prices_of_a_pass_and_says_their_age(connect, clock):
    connect(honest(250))
    page()
    started(Client())
    end_of_fetches()
    context = shown.context_of(site=SITE, refinement=ALL)
    assert not results.find_listing(context, "k7").stale
    clock.pass_seconds(timedelta(minutes=55).total_seconds())
    found = results.find_listing(context, "k7")
    assert (found.stale, found.fetched_at) == (True, NOW)
    page()
    assert results.find_listing(context, "k7").fetched_at == NOW


def test_an_address_alone_starts_nothing(connect):
    connect(honest(250))
    assert "Compare all<" in page(f"{QUERY}&all=1")
    assert Client().get(f"/hotels/all/?{QUERY}").status_code == 405


def test_a_pass_under_way_tells_every_page_how_far_it_is(connect):
    gateway = connect(honest(1_000))
    page()
    gateway.hold()
    started(Client())
    running = page(f"{QUERY}&all=1")
    assert re.search(r'<result-progress[^>]* data-ask="/hotels/progress/\?[^"]*all=1"', running)
    assert Client().get(f"/hotels/progress/?{QUERY}&all=1").json()["done"] is False
    gateway.release()
    end_of_fetches()
    assert Client().get(f"/hotels/progress/?{QUERY}&all=1").json()["done"] is True


def test_the_progress_is_that_of_the_place_that_was_meant(connect):
    query = f"{QUERY}&country=IT"
    gateway = connect(honest(1_000))
    page(query)
    gateway.hold()
    visitor = Client()
    started(visitor, query)
    (ask,) = re.findall(r'<result-progress[^>]* data-ask="([^"]*)"', page(f"{query}&all=1"))
    assert visitor.get(ask).json()["done"] is False


def test_two_passes_at_once_are_enough_for_a_process(connect):
    gateway = connect(honest(1_000))
    places = ["Rome", "Porto", "Lyon"]
    for place in places:
        page(QUERY.replace("Rome", place))
    gateway.hold()
    led_to = [started(Client(), QUERY.replace("Rome", place)) for place in places]
    assert "Other searches are being compared" in page(led_to[-1].partition("?")[2])
    gateway.release()


def test_a_button_on_another_site_starts_nothing(connect):
    connect(honest(250))
    assert Client(headers={"Sec-Fetch-Site": "cross-site"}).post(f"/hotels/all/?{QUERY}").status_code == 403


def test_without_a_limit_beyond_the_cap_there_is_no_button(connect, monkeypatch):
    monkeypatch.setattr(store, "current", lambda: Site(cap=100, compare_all_limit=0))
    connect(honest(250))
    assert "/hotels/all/" not in page(f"{QUERY}&all=1")
    assert Client().post(f"/hotels/all/?{QUERY}").status_code == 404
