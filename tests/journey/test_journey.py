"""From the form to a room, on the sandbox, as a visitor without JavaScript goes."""

from __future__ import annotations

import re
from html import unescape

import pytest

from search.domain import process
from search.site_settings.models import SiteSettings
from tests.journey.reading import text_of, words

SEARCH = "place=Barcelona&checkin=2030-05-01&checkout=2030-05-04&guests=2"
CARD = re.compile(r'<article[^>]*class="[^"]*listing-card')
CARD_LINK = re.compile(r'href="(/hotels/[^"?]+/[^"?]+/\?[^"]+)"')
TOTAL = re.compile(r"(€[\d,]+\.\d\d) total")

pytestmark = pytest.mark.usefixtures("sandbox")


def cards(response) -> int:
    return len(CARD.findall(response.content.decode()))


def links(response, pattern: re.Pattern[str]) -> list[str]:
    return [unescape(found) for found in pattern.findall(response.content.decode())]


def test_a_search_shows_twenty_cards_with_totals(visitor):
    response = visitor.get(f"/hotels/?{SEARCH}")
    assert response.status_code == 200
    assert cards(response) == 20
    assert len(TOTAL.findall(words(response))) >= 18


def test_the_home_page_offers_the_form_filled_and_the_airports(visitor):
    html = visitor.get("/").content.decode()
    assert "<form" in html
    assert 'method="get"' in html
    assert re.search(r'<input[^>]*name="checkin"[^>]*value="\d{4}-\d\d-\d\d"', html)
    assert html.count("<option") > 100
    assert "(STN)" in html


@pytest.mark.parametrize("order", ["", "&sort=provider"])
def test_the_pager_reaches_the_last_page_and_no_further(visitor, order):
    first = visitor.get(f"/hotels/?{SEARCH}{order}")
    last_number = max(int(number) for number in re.findall(r"[?&;]page=(\d+)", first.content.decode()))
    last = visitor.get(f"/hotels/?{SEARCH}{order}&page={last_number}")
    assert last.status_code == 200
    assert 1 <= cards(last) <= 20
    assert f"page={last_number + 1}" not in last.content.decode()
    assert 'rel="prev"' in last.content.decode()


@pytest.mark.parametrize("order", ["&sort=provider", "&sort=rating&page=2"])
def test_a_card_leads_to_its_property_at_the_same_price(visitor, order):
    results = visitor.get(f"/hotels/?{SEARCH}{order}")
    html = results.content.decode()
    pieces = html.split("<article")[1:]
    checked = 0
    for piece in pieces[:5]:
        card = f"<article{piece}"
        link = unescape(CARD_LINK.findall(card)[0])
        page = visitor.get(link)
        assert page.status_code == 200
        name = re.search(r"<h2[^>]*>(.*?)</h2>", card, re.S)
        assert text_of(name[0]) in words(page)
        total = TOTAL.search(text_of(card))
        if total:
            assert total[1] in words(page)
            checked += 1
        assert '<article class="room-type">' in page.content.decode()
    assert checked >= 3


def test_the_pages_of_a_small_place_show_each_property_once(visitor):
    place = "place=Lerwick&checkin=2030-05-01&checkout=2030-05-04&sort=provider"
    seen: list[str] = []
    for number in range(1, 12):
        page = visitor.get(f"/hotels/?{place}&page={number}")
        found = re.findall(r'id="(stay-[0-9a-f]+)"', page.content.decode())
        if not found:
            break
        seen += found
    count = int(
        re.search(r"([\d,]+) places? to stay", words(visitor.get(f"/hotels/?{place}")))[1].replace(",", "")
    )
    assert len(seen) == len(set(seen)) == count


def test_stars_choose(visitor):
    html = visitor.get(f"/hotels/?{SEARCH}&stars=5&sort=provider").content.decode()
    labels = [
        re.search(r'class="stars" role="img" aria-label="([^"]+)"', card) for card in CARD.split(html)[1:]
    ]
    assert [label and label[1] for label in labels] == ["5 stars"] * 20


def test_code_name_and_city_mean_the_same_destination(visitor):
    for text in ("STN", "stn", "London Stansted (STN)", "london stansted", "LONDON"):
        response = visitor.get("/hotels/", {"place": text, "checkin": "2030-05-01", "checkout": "2030-05-04"})
        assert "Hotels in London" in words(response)
        assert re.search(r'rel="canonical" href="[^"]*place=London&amp;', response.content.decode())


def test_the_canonical_address_spells_out_every_default(visitor):
    html = visitor.get("/hotels/?place=Barcelona&checkin=2030-05-01&checkout=2030-05-04").content.decode()
    canonical = unescape(re.search(r'rel="canonical" href="([^"]+)"', html)[1])
    assert canonical.endswith(
        "/hotels/?place=Barcelona&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"
    )


def test_money_and_words_follow_currency_and_market(visitor):
    page = words(visitor.get(f"/hotels/?{SEARCH}&currency=JPY&market=de-de&sort=provider"))
    assert re.search(r"[\d.]+ (¥|JPY)", page.replace("JP¥", "¥"))


def test_a_changed_page_size_shows_on_the_next_request(visitor):
    SiteSettings.objects.update_or_create(defaults={"page_size": 10})
    process.start()
    assert cards(visitor.get(f"/hotels/?{SEARCH}")) == 10


def test_photos_are_drawn_by_the_site_itself(visitor):
    html = visitor.get(f"/hotels/?{SEARCH}&sort=provider").content.decode()
    address = re.search(r'src="(/sandbox/photos/[^"]+)"', html)[1]
    photo = visitor.get(address)
    assert photo["Content-Type"] == "image/svg+xml"
    assert b"<svg" in photo.content
    assert "immutable" in photo["Cache-Control"]


def test_the_site_says_that_it_shows_sandbox_data(visitor):
    for address in ("/", f"/hotels/?{SEARCH}"):
        assert "andbox" in words(visitor.get(address))


def test_browsing_sets_no_cookie(visitor):
    for address in ("/?market=de-de", f"/hotels/?{SEARCH}", "/destinations/"):
        assert not visitor.get(address).cookies


def test_the_way_back_leads_to_the_card(visitor):
    results = visitor.get(f"/hotels/?{SEARCH}")
    addresses = links(results, CARD_LINK)[:3]
    assert addresses
    for address in addresses:
        back = re.findall(r'href="/hotels/\?[^"#]+#(stay-[0-9a-f]+)"', visitor.get(address).content.decode())
        card = results.content.decode().partition(f'id="{back[0]}"')[2].partition("</article>")[0]
        assert address.partition("?")[0] in unescape(card)


def test_a_hotel_of_past_days_asks_for_others(visitor):
    link = links(visitor.get(f"/hotels/?{SEARCH}"), CARD_LINK)[0]
    passed = link.replace("2030-05-0", "2020-05-0") + "&sort=rating&type=HOTEL&type=HOSTEL"
    moved = visitor.get(passed)
    assert moved.status_code == 302
    assert "2020" not in moved.headers["Location"]
    assert moved.headers["Location"].endswith("&sort=rating&type=HOTEL&type=HOSTEL")
    page = visitor.get(moved.headers["Location"])
    assert page.status_code == 200
    assert "Choose dates to see prices." in words(page)
    # What else is wrong is told.
    assert visitor.get(passed.replace("guests=2", "guests=999")).status_code == 400


NAMING = re.compile(r'\s(?:for|list|form|aria-(?:labelledby|describedby|controls))="([^"]+)"')


def test_no_id_stands_twice_and_what_names_one_finds_it(visitor):
    hotels = links(visitor.get(f"/hotels/?{SEARCH}"), CARD_LINK)
    stays = "&".join("stay=" + link.removeprefix("/hotels/").split("/?")[0] for link in hotels[:2])
    for address in (
        "/",
        f"/hotels/?{SEARCH}",
        hotels[-1],
        f"/compare/?{stays}&{SEARCH}",
        "/shortlist/",
        "/destinations/",
    ):
        response = visitor.get(address)
        assert response.status_code == 200
        html = response.content.decode()
        assert not re.findall(r'<a\b(?![^>]*\shref="[^"])[^>]*>', html), "a link without an address"
        ids = re.findall(r'\sid="([^"]+)"', html)
        assert len(ids) == len(set(ids)), (address, sorted({one for one in ids if ids.count(one) > 1}))
        assert {one for named in NAMING.findall(html) for one in named.split()} <= set(ids), address
