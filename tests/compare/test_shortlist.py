"""`/shortlist/`: the hotels of an address in as few calls as its searches need, and what is gone."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from search.compare.shortlist import (
    AT_ONCE,
    MOST_KEPT,
    SEARCHES_A_PAGE,
    KeptSearch,
    Stay,
    kept_searches,
    shortlist_path,
    stays_of,
)
from search.site_settings import store
from search.site_settings.models import BlockedProperty, Provider
from tests.compare.conftest import SEARCH
from tests.gateway.documents import a_listing_document
from tests.journey.reading import words
from tests.sharing.conftest import hotel
from tests.wire import Reply, forget

STAY = "checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR"


def searches(query: str) -> list[tuple[dict[str, str], list[str]]]:
    """What an address means: each search with its hotels."""
    kept = kept_searches(RequestFactory().get(f"/shortlist/?{query}"))
    return [(dict(one.search), [str(stay) for stay in one.stays]) for one in kept]


def names(html: str) -> list[str]:
    return re.findall(r"(?:listing-card__name|shared-gone__name)[^>]*>(?:<a[^>]*>)?([^<]*)<", html)


def test_one_search_and_its_hotels_may_stand_in_any_order():
    one = {"place": "Porto", "guests": "2"}
    assert searches("stay=A/1&place=Porto&stay=B/2&guests=2") == [(one, ["A/1", "B/2"])]


def test_each_place_begins_a_search_that_says_only_what_is_new():
    assert searches(
        f"place=Porto&{STAY}&near=OPO&stay=A/1&place=Rome&stay=B/2&place=Rome&guests=3&stay=C/3"
    ) == [
        (dict(QueryDict(f"place=Porto&{STAY}&near=OPO").items()), ["A/1"]),
        (dict(QueryDict(f"place=Rome&{STAY}").items()), ["B/2"]),
        (dict(QueryDict(f"place=Rome&{STAY}").items()) | {"guests": "3"}, ["C/3"]),
    ]


def test_equal_searches_are_one_and_a_hotel_is_in_a_list_once():
    found = searches("place=Porto&stay=A/1&stay=A/1&place=Rome&stay=B/2&place=Porto&stay=C/3&stay=B/2")
    assert found == [({"place": "Porto"}, ["A/1", "C/3"]), ({"place": "Rome"}, ["B/2"])]


def test_fifty_hotels_are_read_and_no_more():
    many = "".join(f"&stay=A/{number}" for number in range(90))
    assert (
        sum(len(stays) for _search, stays in searches(f"place=Porto{many}&place=Rome&stay=B/1")) == MOST_KEPT
    )


def test_what_is_dropped_is_left_out_and_what_is_added_comes_in():
    assert searches("place=Porto&stay=A/1&stay=B/2&drop=A/1") == [({"place": "Porto"}, ["B/2"])]
    assert searches("place=Porto&stay=A/1&add=B/2") == [({"place": "Porto"}, ["A/1", "B/2"])]


@pytest.mark.parametrize(
    "query",
    ["", "stay=", "stay=/", "stay=nothing", "place=Porto", f"place={'x' * 9000}&stay=/", "%FF%00=%FE"],
)
def test_an_address_without_hotels_is_an_empty_list(visitor, query):
    assert searches(query) == []


texts = st.text("aZ0 &=?#%/+.~;é屋\x00\u202e", min_size=1, max_size=12)
stays = st.builds(Stay, texts, texts)
values = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("place", "checkin", "guests", "currency", "near"), texts)
)


@given(st.lists(st.tuples(values, st.lists(stays, min_size=1, max_size=4)), max_size=5))
def test_every_list_survives_its_address(lists):
    """Whatever is in the names of hotels and places, and whatever one search leaves out that another has."""
    seen: set[Stay] = set()
    kept: dict[tuple, list[Stay]] = {}
    for said, several in lists:
        search = tuple(
            (name, said[name]) for name in ("place", "checkin", "guests", "currency", "near") if name in said
        )
        for stay in several:
            if stay not in seen:
                kept.setdefault(search, []).append(stay)
            seen.add(stay)
    wanted = [KeptSearch(search, tuple(several)) for search, several in kept.items()]
    request = RequestFactory().get(shortlist_path(wanted))
    assert list(kept_searches(request)) == wanted


@given(texts, texts)
def test_a_hotel_is_found_by_what_an_address_calls_it(provider, property_id):
    stay = Stay(provider, property_id)
    assert stays_of([str(stay)], 1) == (stay,)


def test_two_searches_take_one_call_each_however_many_hotels(market, visitor):
    rome = a_listing_document(hotel("rr", 70), hotel("ss", 80), total=2)
    porto = a_listing_document(hotel("aa", 100), hotel("bb", 200), hotel("cc", 300), total=3)
    forget()
    market.wire.answer_search(lambda request: Reply(rome if "place=Rome" in str(request.url) else porto))
    page = visitor.get(
        f"/shortlist/?place=Porto&{STAY}&stay=ACME/bb&stay=ACME/aa&place=Rome&stay=ACME/ss&stay=ACME/rr"
    )
    html = page.content.decode()
    assert page.status_code == 200
    assert names(html) == ["Hotel bb", "Hotel aa", "Hotel ss", "Hotel rr"]
    assert re.findall(r'data-now="([^"]*)"', html) == ["€200.00", "€100.00", "€80.00", "€70.00"]
    assert len(market.wire.addresses()) == 2
    assert not market.wire.addresses("/property/")
    assert '<meta name="robots" content="noindex">' in html


@pytest.mark.parametrize(("other", "told"), [("USD", ["EUR", "USD"]), ("EUR", [])])
def test_groups_of_two_currencies_say_which_each_is_in(market, visitor, other, told):
    dollars = STAY.replace("EUR", other)
    html = visitor.get(
        f"/shortlist/?place=Porto&{STAY}&stay=ACME/aa&place=Porto&{dollars}&stay=ACME/bb"
    ).content.decode()
    assert re.findall(r'<p class="muted">1–\W?4 May 2030 · .*? · ([A-Z]{3})</p>', html) == told


def test_of_many_searches_the_rest_is_on_the_next_page(market, visitor):
    many = "".join(f"&place=Place{number}&stay=ACME/h{number}" for number in range(MOST_KEPT))
    first = visitor.get(f"/shortlist/?{STAY}{many}")
    asked = {QueryDict(urlsplit(one).query)["place"] for one in market.wire.addresses()}
    assert asked == {f"Place{number}" for number in range(SEARCHES_A_PAGE)}
    (link,) = re.findall(r'rel="next" href="([^"]+)"', first.content.decode())
    visitor.get(unescape(link))
    asked = {QueryDict(urlsplit(one).query)["place"] for one in market.wire.addresses()}
    assert len(asked) == 2 * SEARCHES_A_PAGE
    few = many.partition(f"&place=Place{SEARCHES_A_PAGE}&")[0]
    assert 'rel="next"' not in visitor.get(f"/shortlist/?{STAY}{few}").content.decode()


@pytest.mark.parametrize("search", [SEARCH, STAY])
def test_hotels_without_a_result_have_few_details_asked_for(market, visitor, search):
    gone = "".join(f"&stay=ACME/gone{number}" for number in range(MOST_KEPT))
    page = visitor.get(f"/shortlist/?{search}{gone}")
    assert page.status_code == 200
    assert 0 < len(set(market.wire.addresses("/property/"))) <= 2 * AT_ONCE


def test_a_hotel_that_is_gone_stays_and_says_so(market, visitor):
    html = visitor.get(f"/shortlist/?{SEARCH}&stay=ACME/aa&stay=ACME/gone").content.decode()
    assert names(html) == ["Hotel aa", "Hotel gone"]
    assert "No longer offered for these dates" in html
    # Its heart says that it is kept, as those of the others do.
    hearts = re.findall(r'<button class="keep"[^>]+aria-pressed="true" aria-label="([^"]+)"', html)
    assert hearts == ["Keep Hotel aa", "Keep Hotel gone"]


def test_an_unknown_hotel_is_named_as_in_the_comparison(market, visitor):
    market.wire.details(status=404)
    named = f"{SEARCH.partition('&')[2]}&stay=ACME/none&stay=ACME/neither"
    for address in ("/shortlist/", "/compare/"):
        page = words(visitor.get(f"{address}?{named}"))
        assert "No longer offered here" in page
        assert "not known right now" not in page


def test_without_prices_the_list_stands(market, visitor):
    market.wire.search(status=503)
    forget()
    page = visitor.get(f"/shortlist/?{SEARCH}&stay=ACME/aa")
    assert page.status_code == 200
    assert "Its price is not known right now" in words(page)
    assert names(page.content.decode()) == ["Hotel aa"]


@pytest.mark.parametrize("search", [SEARCH, STAY])
def test_older_prices_are_said_to_be_old_in_an_outage(market, visitor, search):
    store.change({"search_fresh_seconds": 0})
    address = f"/shortlist/?{search}&stay=ACME/aa"
    assert "They may have changed since." not in words(visitor.get(address))
    market.wire.search(status=503)
    assert "They may have changed since." in words(visitor.get(address))


def test_a_list_of_passed_days_says_so_and_leads_to_the_form(market, visitor):
    page = visitor.get(f"/shortlist/?{SEARCH.replace('2030', '2020')}&stay=ACME/aa")
    assert "This day has passed" in words(page)
    assert names(page.text) == ["Hotel aa"]
    assert not market.wire.addresses()
    (href,) = re.findall(r'<a class="button[^>]* href="(/hotels/\?[^"]*)"', page.text)
    asked = visitor.get(unescape(href))
    assert asked.status_code == 200
    assert asked.content.decode().count('value="Porto"') == 1
    assert "We filled in sensible dates" in words(asked)


def test_a_hotel_without_a_place_is_looked_up_by_itself(market, visitor):
    page = visitor.get(f"/shortlist/?{STAY}&stay=ACME/aa")
    assert "€100.00" in words(page)


def test_a_hotel_taken_down_is_named_at_none_of_its_addresses(market, visitor):
    BlockedProperty.objects.create(key="ACME:bb", reason="closed")
    for stay in (f"place=Rome&{STAY}&", STAY.replace("2030", "2020") + "&", ""):
        assert "Hotel bb" not in visitor.get(f"/shortlist/?{stay}stay=ACME/bb").content.decode()
    assert visitor.get("/hotels/ACME/bb/").status_code == 404


def test_a_hotel_of_a_disabled_provider_has_no_address_left(market, visitor):
    market.has(hotel("aa", 100))
    Provider.objects.create(code="ACME", enabled=False)
    for stay in (f"{SEARCH}&", f"{STAY}&", STAY.replace("2030", "2020") + "&", ""):
        html = visitor.get(f"/shortlist/?{stay}stay=ACME/aa&stay=ACME/gone").content.decode()
        assert names(html) == ["A hotel on this list"] * 2
        assert "/hotels/ACME/" not in html
    assert not market.wire.addresses("/property/")


def test_adding_and_dropping_without_scripts_lead_to_the_list(visitor, db):
    added = visitor.get(f"/shortlist/?{SEARCH}&stay=ACME/aa&add=ACME/bb")
    assert added.status_code == 302
    assert searches(urlsplit(added["Location"]).query)[0][1] == ["ACME/aa", "ACME/bb"]
    assert "add" not in added["Location"]
    dropped = visitor.get(f"{added['Location']}&drop=ACME/aa")
    assert searches(urlsplit(dropped["Location"]).query)[0][1] == ["ACME/bb"]


def test_an_empty_list_says_how_to_fill_it(visitor, db):
    page = visitor.get("/shortlist/")
    assert page.status_code == 200
    assert "Press a hotel's heart to keep it" in words(page)


def test_cards_and_hotel_pages_have_a_heart_without_scripts(market, visitor):
    html = visitor.get(f"/hotels/?{SEARCH}").content.decode()
    assert re.findall(r'form="tray" formaction="/shortlist/" name="add" value="([^"]+)"', html) == [
        "ACME/aa",
        "ACME/bb",
        "ACME/cc",
    ]
    html = visitor.get(f"/hotels/ACME/aa/?{SEARCH}").content.decode()
    assert 'data-keep="ACME/aa"' in html
    assert 'data-name="Hotel aa" data-total="€100.00"' in html


def test_a_hotel_sold_by_several_is_known_by_each_of_its_names(market, visitor):
    entry = hotel("aa", 100)
    entry["offers"] += hotel("aa", 90, providerId="EX")["offers"]
    market.has(entry)
    html = visitor.get(f"/shortlist/?{SEARCH}&stay=ACME/aa").content.decode()
    assert 'data-keep="ACME/aa EX/aa"' in html
    assert 'data-entry="ACME/aa EX/aa"' in html


def test_a_hotel_kept_under_a_filter_has_its_lowest_total(market, visitor):
    entry = hotel("aa", 100, freeCancellation=False)
    entry["offers"] += hotel("aa", 120, providerId="EX", freeCancellation=True)["offers"]
    market.has(entry)
    filtered = visitor.get(f"/hotels/?{SEARCH}&free_cancellation=1")
    assert "€120.00 total" in words(filtered)
    assert 'data-keep="EX/aa ACME/aa" data-total="€100.00"' in filtered.content.decode()
    plain = visitor.get(f"/hotels/?{SEARCH}").content.decode()
    assert 'data-keep="ACME/aa EX/aa" aria-label' in plain
    kept = visitor.get(f"/shortlist/?{SEARCH}&stay=EX/aa").content.decode()
    assert 'data-now="€100.00"' in kept


def test_a_list_means_the_same_in_every_language(market, visitor):
    """Totals may depend on the market."""
    visitor.get(f"/shortlist/?place=Porto&{STAY}&stay=ACME/aa", headers={"accept-language": "pl"})
    (asked,) = market.wire.addresses()
    assert QueryDict(urlsplit(asked).query)["market"] == "en-gb"


def test_the_list_in_another_language_is_the_same_list(market, visitor):
    query = f"place=Porto&{STAY}&stay=ACME/aa&place=Rome&stay=ACME/bb"
    html = visitor.get(f"/shortlist/?{query}").content.decode()
    (german,) = re.findall(r'class="market-choice__one" href="\?([^"]+)" lang="de" hreflang="de-DE"', html)
    assert searches(unescape(german)) == searches(query)


def test_every_link_of_a_list_keeps_its_readers_market(market, visitor):
    market.has(hotel("aa", 100))
    many = "".join(f"&place=Town{number}&stay=ACME/t{number}" for number in range(5))
    query = f"place=Porto&{STAY}&stay=ACME/aa&stay=ACME/gone{many}"
    html = visitor.get(f"/shortlist/?{query}&market=de-de").content.decode().partition("<main")[2]
    links = [QueryDict(urlsplit(unescape(one)).query) for one in re.findall(r'href="(/[^"]+\?[^"]+)"', html)]
    assert any("page" in one for one in links)
    assert {one.get("market") for one in links} == {"de-de"}
    form = html.partition('<form id="list"')[2].partition("</form>")[0]
    assert '<input type="hidden" name="market" value="de-de">' in form
    (address,) = re.findall(r'id="list-address"[^>]*value="([^"]+)"', html)
    assert address.startswith("http://testserver/shortlist/?")
    assert "market" not in address
