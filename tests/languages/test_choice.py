"""Which market and language a visitor gets: by the address, else by the browser, else the site's own."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from threading import Barrier

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from search.destinations import ground
from search.domain.site_settings import Site
from search.site_settings import store
from search.web.markets import MarketLanguageMiddleware, best_market, language_of
from search.web.translation import get_language
from search.web.translation import gettext as _
from tests.languages.conftest import MARKETS
from tests.rows import each

OFFERED = Site().markets


def test_the_browser_s_wishes_choose_among_the_markets():
    for wishes, market in [
        ("", "en-gb"), ("de", "de-de"), ("de-AT,de;q=0.9,en;q=0.8", "de-de"), ("pt-BR,pt;q=0.9", "pt-pt"),
        ("pl;q=0.4,fr;q=0.8", "fr-fr"), ("en", "en-gb"), ("en-US,en;q=0.9", "en-us"), ("en-AU", "en-gb"),
        ("nl,it;q=0.5", "it-it"), ("nl", "en-gb"), ("es-419,es;q=0.9", "es-es"),
        ("de;q=0,fr;q=0.1", "fr-fr"), ("*", "en-gb"), ("zh-Hant-TW, x-klingon", "en-gb"),
        ("no such header;;q=ü", "en-gb"), ("de," * 10_000, "de-de"),
    ]:  # fmt: skip
        assert best_market(wishes, OFFERED, "en-gb") == market


def test_an_offered_country_comes_before_the_likeliest_one():
    markets = ("en-gb", "de-de", "de-at", "de-ch")
    assert best_market("de-AT", markets, "en-gb") == "de-at"
    assert best_market("de", markets, "en-gb") == "de-de"
    assert best_market("de", markets, "de-ch") == "de-ch"
    assert best_market("de", ("en-gb", "de-at"), "en-gb") == "de-at"


@each(
    ("market", "default", "language"),
    [("de-at", "en-gb", "de"), ("nl-nl", "en-gb", "en"), ("nl-nl", "fr-fr", "fr"), ("nl-nl", "nl-be", "en")],
)
def test_an_untranslated_market_reads_the_site_s_language(market, default, language):
    assert language_of(market, default) == language


def test_the_address_decides_whatever_the_browser_wishes(visitor):
    page = visitor.get("/", {"market": "fr-fr"}, headers={"Accept-Language": "en-US"})
    assert '<html lang="fr">' in page.content.decode()
    assert "Accept-Language" not in page.headers["Vary"]


def test_without_a_market_the_browser_decides(visitor):
    page = visitor.get("/", headers={"Accept-Language": "it"})
    html = page.content.decode()
    assert '<html lang="it">' in html
    assert "Accept-Language" in page.headers["Vary"]
    assert 'name="market" value="it-it"' in html
    assert "market=it-it" in html.split('class="featured__list"')[1]


def test_a_market_that_is_not_offered_is_no_choice(visitor):
    page = visitor.get("/", {"market": "xx-yy"}, headers={"Accept-Language": "fr"})
    assert '<html lang="fr">' in page.content.decode()
    assert "Accept-Language" in page.headers["Vary"]


def test_results_without_a_market_mean_the_same_to_all(visitor):
    page = visitor.get(
        "/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04", headers={"Accept-Language": "pl"}
    )
    html = page.content.decode()
    assert '<html lang="en">' in html
    assert "market=en-gb" in html.split('rel="canonical"')[1][:300]
    assert "Accept-Language" not in page.headers["Vary"]


@pytest.mark.parametrize("path", ["/", "/destinations/", "/no-such-page/"])
def test_the_shortlist_keeps_the_browser_s_language(visitor, path):
    html = unescape(visitor.get(path, headers={"Accept-Language": "de-AT"}).content.decode())
    link = re.search(r'href="(/shortlist/[^"]*)"', html)[1]
    page = visitor.get(link, headers={"Accept-Language": "de-AT"})
    assert '<html lang="de">' in page.content.decode()


def test_the_shortlist_in_the_site_s_language_names_no_market(visitor):
    assert 'href="/shortlist/"' in visitor.get("/", headers={"Accept-Language": "en-AU"}).content.decode()


def test_the_admin_stays_english(visitor):
    page = visitor.get("/admin/login/", headers={"Accept-Language": "de"})
    html = page.content.decode()
    assert 'lang="en' in html
    assert "Password" in html
    assert "Passwort" not in html


def test_what_machines_ask_for_is_not_said_to_differ_by_language(visitor):
    tile = f"/map/ground/{ground.version()}/de/0/0/0.json"
    for path in ("/healthz", "/robots.txt", "/favicon.ico", "/sandbox/photos/1/facade.svg", tile):
        assert "Accept-Language" not in visitor.get(path).headers.get("Vary", "")


def test_a_language_ends_with_its_request(visitor):
    visitor.get("/", {"market": "pl-pl"})
    assert get_language() == "en"


def test_requests_at_the_same_time_keep_their_languages_apart(db):
    store.current()
    together = Barrier(len(MARKETS))

    def view(request):
        together.wait(10)
        said = _("Where to?")
        together.wait(10)
        return HttpResponse(f"{get_language()} {said}")

    middleware = MarketLanguageMiddleware(view)

    def ask(market: str) -> str:
        return middleware(RequestFactory().get("/", {"market": market})).content.decode()

    with ThreadPoolExecutor(len(MARKETS)) as pool:
        said = dict(zip(MARKETS, pool.map(ask, MARKETS.values()), strict=True))
    assert said["de"] == "de Wohin?"
    assert said["pl"] == "pl Dokąd?"
    assert [text[:2] for text in said.values()] == list(MARKETS)


@pytest.mark.parametrize(
    "path", ["/nope/", "/hotels/?checkin=nonsense&checkout=x", "/destinations/?country=zz"]
)
def test_pages_of_errors_speak_the_language_too(visitor, path):
    joint = "&" if "?" in path else "?"
    page = visitor.get(f"{path}{joint}market=de-de")
    assert page.status_code in (400, 404)
    html = page.content.decode()
    assert '<html lang="de">' in html
    assert 'href="/?market=de-de"' in html


def test_links_to_other_markets_carry_what_is_read(visitor):
    address = "/hotels/?place=Porto&checkin=2030-05-01&checkout=2030-05-04&sort=rating&tracked=x&page=3"
    html = visitor.get(address).content.decode()
    carried = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&sort=rating&market=de-de"
    assert carried in unescape(html)
    assert "tracked" not in html


@pytest.mark.parametrize("long", [f"junk={'x' * 8_000}", f"q={'x' * 8_000}", "facility=ABCDEFGH&" * 470])
def test_a_long_address_makes_no_longer_page(visitor, long):
    plain, blown = (len(visitor.get(f"/nowhere?{query}").content) for query in ("q=x", long))
    # Three hundred values for each of the markets.
    assert blown < plain + len(Site().markets) * 7_000


def test_filters_of_another_place_stay_ignored(visitor):
    stay = "checkin=2030-05-01&checkout=2030-05-04"
    moved = visitor.get(f"/hotels/?place=Porto&{stay}&name=nowhere&place_before=Lisbon")
    (german,) = re.findall(r'href="([^"]*market=de-de)"', unescape(moved.content.decode()))
    assert "Name: nowhere" not in visitor.get(f"/hotels/{german}").content.decode()


def test_the_chosen_currency_goes_along_to_home_and_everywhere(visitor):
    stay = "checkin=2030-05-01&checkout=2030-05-04&guests=2&market=de-de"
    page = visitor.get(f"/hotels/?place=Lerwick&{stay}&currency=GBP").content.decode()
    for path in ("/", "/destinations/", "/shortlist/"):
        assert f'href="{path}?market=de-de&amp;currency=GBP"' in page
    for path in ("/", "/destinations/"):
        page = visitor.get(f"{path}?market=de-de&currency=GBP").content.decode()
        searches = re.findall(r'href="(/hotels/\?[^"]+|/destinations/from/[^"]+)"', page)
        assert searches
        assert all("currency=GBP" in one for one in searches)


def test_the_currency_of_a_market_is_named_in_no_address(visitor):
    page = visitor.get("/", {"market": "de-de", "currency": "EUR"}).content.decode()
    assert 'href="/destinations/?market=de-de"' in page
