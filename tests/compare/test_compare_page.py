"""`/compare/`: what hotels of an address are shown side by side, in how few calls, and what isn't there."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import pytest

from search.compare.side_by_side import Found, back_link, compare_page
from search.site_settings import store
from search.web.links import Stay
from tests import builders as build
from tests.compare.conftest import SEARCH, details_of
from tests.gateway.documents import a_listing_document
from tests.journey.reading import words
from tests.sharing.conftest import hotel
from tests.threads import no_thread_left
from tests.wire import Reply


def address(*stays: str, search: str = SEARCH) -> str:
    return f"/compare/?{search}" + "".join(f"&stay={stay}" for stay in stays)


def names(html: str) -> list[str]:
    return re.findall(r'<th class="compare__name"[^>]*><(?:a|span)[^>]*>([^<]*)<', html)


def row(html: str, label: str) -> str:
    return unescape(next(part for part in html.split("<tr") if f">{label}<" in part))


def test_three_hotels_stand_in_the_order_of_the_address(market, visitor):
    page = visitor.get(address("ACME/bb", "ACME/aa", "ACME/cc"))
    html = page.content.decode()
    assert page.status_code == 200
    assert names(html) == ["Hotel bb", "Hotel aa", "Hotel cc"]
    assert re.findall(r"€\d+\.\d\d(?=</p>)", row(html, "Total")) == ["€200.00", "€100.00", "€300.00"]
    assert "lowest" in row(html, "Total").partition("€100.00")[2].partition("</td>")[0]
    assert '<meta name="robots" content="noindex">' in html
    assert "<title>3 hotels side by side ·" in html
    assert "1–4 May 2030" in words(page)
    assert "><span>Back to the results</span>" in html
    assert "/hotels/ACME/bb/?" in html
    assert row(html, "Distance").count("from the centre") == 3
    assert "the providers' own" not in unescape(html)
    assert row(html, "Rooms").count("Double") == 3
    assert "“?” means" not in html
    assert ">Where they are</h2>" in html


def test_a_process_without_threads_compares_in_the_one_it_has(market, visitor):
    visitor.get("/")  # asks for the airports in a thread of its own
    with no_thread_left():
        page = visitor.get(address("ACME/bb", "ACME/aa"))
    assert names(page.content.decode()) == ["Hotel bb", "Hotel aa"]


def test_a_comparison_of_passed_days_keeps_its_hotels(market, visitor):
    """Its address is passed on and kept; the days that take the place of its own are named."""
    past = address("ACME/bb", "ACME/aa", search=SEARCH.replace("2030", "2020"))
    page = visitor.get(f"{past}&sort=rating", follow=True)
    html = page.content.decode()
    assert page.status_code == 200
    assert names(html) == ["Hotel bb", "Hotel aa"]
    asked = dict(parse_qsl(urlsplit(market.wire.addresses()[-1]).query))
    assert asked["place"] == "Porto"
    year = asked["checkinDate"][:4]
    assert f"{year} \u00b7" in words(page)
    assert f"checkin={asked['checkinDate']}" in html
    assert "sort=rating" in html
    wrong = past.replace("guests=2", "guests=99")
    assert visitor.get(wrong).status_code == 400


def test_the_same_hotels_can_be_compared_for_other_dates(market, visitor):
    market.has(hotel("a a/1", 150), hotel("bb", 200))
    stays = [quote(str(Stay("ACME", one))) for one in ("a a/1", "bb")]
    html = visitor.get(address(*stays, search=f"{SEARCH}&sort=rating&all=1")).content.decode()
    form = html.partition('<form class="stay-box__dates" action="/compare/"')[2].partition("</form>")[0]
    fields = [*map(unescape, re.findall(r'name="([^"]+)"', form))]
    values = [*map(unescape, re.findall(r' value="([^"]*)"', form))]
    asked = urlencode([*zip(fields, values, strict=True)])
    assert "checkin=2030-05-01&checkout=2030-05-04" in asked
    assert "sort=rating" in asked
    assert "all=1" not in asked
    later = visitor.get(f"/compare/?{asked.replace('2030', '2031')}")
    assert re.findall(r"€[0-9.]+", row(later.content.decode(), "Total")) == ["€150.00", "€200.00"]
    assert "1–4 May 2031" in words(later)


def test_a_check_out_that_was_mended_is_told(market, visitor):
    page = visitor.get(address("ACME/bb", "ACME/aa", search=SEARCH.replace("05-04", "05-01")))
    assert "Check-out must be after check-in. The stay is now 1–3 May 2030, 2 nights." in words(page)


def test_the_order_and_the_filters_are_kept_there_and_back(market, visitor):
    narrowed = "max_price=250&sort=rating&all=1"
    html = visitor.get(f"/hotels/?{SEARCH}&{narrowed}").content.decode()
    form = html.partition('id="tray"')[2].partition("</form>")[0]
    fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form)
    assert set(parse_qsl(narrowed)) < set(fields)
    chosen = urlencode([*fields, ("stay", "ACME/aa"), ("stay", "ACME/bb"), ("stay", "ACME/cc")])
    html = visitor.get(f"/compare/?{chosen}").content.decode()
    assert names(html) == ["Hotel aa", "Hotel bb", "Hotel cc"]
    content = html.partition("<main")[2]
    links = [unescape(link) for link in re.findall(r'href="(/(?:compare|hotels)/\?[^"]+)"', content)]
    assert {urlsplit(link).path for link in links} == {"/compare/", "/hotels/"}
    for link in links:
        assert set(parse_qsl(narrowed)) < set(parse_qsl(urlsplit(link).query))


def test_each_hotel_shows_the_same_offer_as_in_the_list(market, visitor):
    strict, free = hotel("aa", 100, freeCancellation=False), hotel("aa", 220, freeCancellation=True)
    market.has({**strict, "offers": strict["offers"] + free["offers"]}, hotel("bb", 200))
    stays = ("ACME/aa", "ACME/bb")
    narrowed = address(*stays, search=f"{SEARCH}&free_cancellation=1")
    total = row(visitor.get(narrowed).content.decode(), "Total")
    assert re.findall(r"€[0-9.]+", total) == ["€220.00", "€200.00"]
    assert total.index("lowest") > total.index("€200.00")
    for search in (SEARCH, f"{SEARCH}&free_cancellation=1&max_price=50"):
        total = row(visitor.get(address(*stays, search=search)).content.decode(), "Total")
        assert re.findall(r"€[0-9.]+", total) == ["€100.00", "€200.00"]


@pytest.mark.parametrize("property_id", ["\u65e5" * 100, "/" * 400], ids=["letters", "slashes"])
def test_a_hotel_of_a_long_identifier_is_the_one_that_was_ticked(market, visitor, property_id):
    market.has(hotel(property_id, 150), hotel("bb", 200))
    stays = [quote(str(Stay("ACME", one))) for one in (property_id, "bb")]
    html = visitor.get(address(*stays)).content.decode()
    assert re.findall(r"€[0-9.]+", row(html, "Total")) == ["€150.00", "€200.00"]
    asked = [unquote(one.partition("/property/")[2]) for one in market.wire.addresses("/property/")]
    assert {one.partition("?check")[0] for one in asked} == {property_id, "bb"}


def test_it_takes_one_search_and_the_details_of_each(market, visitor):
    visitor.get(address("ACME/aa", "ACME/bb", "ACME/cc"))
    assert len(market.wire.addresses()) == 1
    assert len(market.wire.addresses("/property/")) == 3
    visitor.get(address("ACME/cc", "ACME/aa"))
    assert len(market.wire.addresses()) == 1
    assert len(market.wire.addresses("/property/")) == 3


def test_a_hotel_that_is_gone_says_so_in_its_column(market, visitor):
    market.wire.answer_details(
        lambda request: Reply(status=404) if "/bb" in str(request.url) else details_of(request)
    )
    html = visitor.get(address("ACME/aa", "ACME/bb")).content.decode()
    assert ">No longer offered here<" in row(html, "Total")
    assert names(html) == ["Hotel aa", "Hotel"]
    assert "/hotels/ACME/bb/" not in html


def test_one_without_an_offer_and_one_that_fails_say_so(market, visitor):
    market.wire.answer_details(
        lambda request: Reply(status=503) if "/lost" in str(request.url) else details_of(request)
    )
    html = visitor.get(address("ACME/aa", "ACME/lost", "ACME/nowhere")).content.decode()
    assert ">Not available right now<" in row(html, "Total")
    assert "No price for these dates" in row(html, "Total")


def test_one_whose_details_alone_fail_has_its_total(market, visitor):
    market.wire.answer_details(
        lambda request: Reply(status=503) if "/bb" in str(request.url) else details_of(request)
    )
    html = visitor.get(address("ACME/aa", "ACME/bb")).content.decode()
    assert row(html, "Total").count("€") == 2
    assert row(html, "Rooms").count("Double") == 1
    assert "“?” means" in html


def test_without_any_answer_it_is_sorry(market, visitor):
    market.is_away()
    assert visitor.get(address("ACME/aa", "ACME/bb")).status_code == 503


def test_with_one_gone_and_the_other_out_of_reach_it_is_sorry(market, visitor):
    market.is_away()
    market.wire.answer_details(lambda request: Reply(status=404 if "/aa" in str(request.url) else 503))
    assert visitor.get(address("ACME/aa", "ACME/bb")).status_code == 503


def test_prices_that_are_not_available_are_told_from_none(market, visitor):
    market.wire.search(status=503)
    html = visitor.get(address("ACME/aa", "ACME/bb")).content.decode()
    assert row(html, "Total").count(">Its price is not known right now<") == 2


@pytest.mark.parametrize(
    "stays",
    [
        (),
        ("ACME/aa",),
        ("ACME/aa", "ACME/aa"),
        ("ACME/aa", "nothing"),
        ("/", "ACME/"),
        ("%00", "%2F%2F", "ACME"),
    ],
)
def test_fewer_than_two_hotels_lead_to_choosing_some(market, visitor, stays):
    page = visitor.get(address(*stays))
    assert page.status_code == 200
    assert "Choose two to four hotels" in words(page)
    assert "/hotels/?place=Porto" in page.content.decode()
    assert not market.wire.addresses("/property/")


def test_of_nine_hotels_the_first_four_are_compared(market, visitor):
    market.has(*(hotel(f"h{number}", 100 + number) for number in range(9)))
    page = visitor.get(address(*(f"ACME/h{number}" for number in range(9))))
    html = page.content.decode()
    assert len(names(html)) == 4
    assert ">At most four hotels are compared: these are the first four.<" in html


def test_without_a_place_the_way_back_is_the_first_page():
    address, label = back_link(build.context(build.search(place="", market="en-ie")))
    assert (address, label) == ("/?currency=EUR&market=en-ie", "Search for hotels")


def test_of_prices_of_several_moments_the_oldest_is_dated():
    found: dict[Stay, Found] = {
        Stay("ACME", key): build.found_property(
            build.priced(key=key), stale=True, fetched_at=build.NOON - timedelta(hours=hours)
        )
        for key, hours in (("aa", 1), ("bb", 3), ("cc", 2))
    }
    (notice,) = compare_page(build.context(), found, left_out=False).notices
    assert "3 hours ago" in notice


def test_the_same_hotel_at_two_providers_is_one_column(market, visitor):
    entry = hotel("aa", 100)
    entry["offers"] += hotel("aa", 120, providerId="EX")["offers"]
    market.wire.search(a_listing_document(entry, hotel("bb", 300), total=2))
    html = visitor.get(address("ACME/aa", "EX/aa", "ACME/bb", "ACME/cc")).content.decode()
    assert len(names(html)) == 3
    (without,) = re.findall(r'compare__remove" href="([^"]+)" aria-label="Leave out Hotel aa"', html)
    assert re.findall(r"stay=([^&]+)", unescape(without)) == ["ACME%2Fbb", "ACME%2Fcc"]


def test_one_can_be_left_out_while_two_remain(market, visitor):
    html = visitor.get(address("ACME/aa", "ACME/bb", "ACME/cc")).content.decode()
    without = [unescape(one) for one in re.findall(r'compare__remove" href="([^"]+)"', html)]
    assert [re.findall(r"stay=([^&]+)", one) for one in without] == [
        ["ACME%2Fbb", "ACME%2Fcc"],
        ["ACME%2Faa", "ACME%2Fcc"],
        ["ACME%2Faa", "ACME%2Fbb"],
    ]
    assert "compare__remove" not in visitor.get(without[0]).content.decode()


def test_what_is_alike_everywhere_can_be_hidden(market, visitor):
    html = visitor.get(address("ACME/aa", "ACME/bb")).content.decode()
    assert 'id="only-differences"' in html
    assert "compare__same" in html.partition(">Stars<")[0].rpartition("<tr")[2]
    assert "compare__same" not in html.partition(">Total<")[0].rpartition("<tr")[2]


def test_comparing_can_be_switched_off(market, visitor):
    store.change({"compare_enabled": False})
    assert visitor.get(address("ACME/aa", "ACME/bb")).status_code == 404
    assert "Compare" not in words(visitor.get(f"/hotels/?{SEARCH}"))
