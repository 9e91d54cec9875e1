"""What goes wrong has a clear page, never a 500, and no gateway call when it was known beforehand."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest

from search.domain.money import NO_CURRENCY
from tests.gateway.documents import (
    a_listing_document,
    a_min_price,
    a_summary,
    an_airport,
    an_entry,
    an_offer,
    details_document,
    triple,
)
from tests.journey.conftest import SEARCH
from tests.journey.reading import words
from tests.wire import Reply

GOOD = {"place": "Porto", "checkin": "2030-05-01", "checkout": "2030-05-04", "guests": "2"}


def address(**changes: str) -> str:
    return "/hotels/?" + "&".join(f"{name}={quote(value)}" for name, value in {**GOOD, **changes}.items())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"checkout": "2030-05-29"}, "27 nights"),
        ({"checkin": "2001-05-01"}, "has passed"),
        ({"checkin": "2030-02-31"}, "choose a day"),
        ({"guests": "0"}, "at least one guest"),
        ({"guests": "99"}, "8 at most"),
        ({"stars": "6"}, "from 1 to 5 stars"),
        ({"currency": NO_CURRENCY}, "one of these currencies"),
        ({"market": "xx-xx"}, "one of these languages"),
        ({"place": " "}, "where you want to go"),
        ({"place": "x" * 3000}, "too long"),
    ],
)
def test_what_cant_be_searched_is_said_beside_the_field(wire, visitor, changes, said):
    response = visitor.get(address(**changes))
    assert response.status_code == 400
    assert said in words(response)
    assert 'value="Porto"' in response.content.decode() or "place" in changes
    assert not wire.addresses()


@pytest.mark.parametrize("address", ["/hotels/?", "/hotels/ACME/1/?"])
def test_a_check_out_too_early_is_mended_and_said(sandbox, visitor, address):
    stay = "place=Porto&checkin=2030-05-10&checkout=2030-05-04"
    page = visitor.get(f"{address}{stay}")
    said = "Check-out must be after check-in. The stay is now 10–12 May 2030, 2 nights."
    assert said in words(page)
    assert 'value="2030-05-12"' in page.content.decode()


@pytest.mark.parametrize("query", [address(checkin=""), address(checkout=""), "/hotels/"])
def test_a_missing_day_brings_the_form_with_sensible_ones(wire, visitor, query):
    response = visitor.get(query)
    assert response.status_code == 200
    assert re.search(r'name="checkin"[^>]*value="20', response.text)
    assert ('value="Porto"' in response.text) == ("Porto" in query)
    assert not wire.addresses()


@pytest.mark.parametrize("order", ["", "&sort=provider"])
def test_a_page_far_beyond_the_end_says_so_and_leads_back(sandbox, visitor, order):
    response = visitor.get(f"/hotels/?{SEARCH}{order}&page=99999")
    assert response.status_code == 200
    assert "No more results" in words(response)
    main = response.content.decode().split("<main")[1].split("</main>")[0]
    assert "page=99999" not in main
    back = re.search(r'href="([^"]+)">Go to page 1<', main)
    first = visitor.get(unescape(back[1])).content.decode()
    assert first.count('class="listing-card"') == 20


@pytest.mark.parametrize("total", [None, 20])
@pytest.mark.parametrize("status", [204, 400, 404])
def test_a_refused_page_beyond_the_end_is_no_failure(wire, visitor, total, status):
    entries = [an_entry(a_summary(ryanairId=f"k{number}")) for number in range(20)]

    def answer(request):
        first = "page=0" in request.url
        return Reply(json=a_listing_document(*entries, total=total)) if first else Reply(status=status)

    wire.answer_search(answer)
    response = visitor.get(address(sort="provider", page="2"))
    assert response.status_code == 200
    assert "No more results" in words(response)
    assert "Go to page 1" in words(response)


@pytest.mark.parametrize("others", [True, False])
def test_an_empty_page_of_the_gateway_is_none_of_ours(wire, visitor, others):
    def answer(request):
        page = int(re.search(r"page=(\d)", request.url)[1])
        numbers = range(20) if page == 0 or (page == 2 and others) else ()
        entries = [an_entry(a_summary(ryanairId=f"k{page}-{number}")) for number in numbers]
        return Reply(json=a_listing_document(*entries, total=60))

    wire.answer_search(answer)
    response = visitor.get(address(sort="provider", page="2"))
    assert (response.text.count("<article") == 20) is others
    assert ("No more results" in words(response)) is not others


def test_a_page_number_of_nonsense_is_the_first_page(sandbox, visitor):
    for page in ("0", "-1", "abc", "1e9", "٣", "9" * 4000, "1.5", ""):
        found = visitor.get(f"/hotels/?{SEARCH}&page={quote(page)}", headers={"accept": "application/json"})
        assert found.json()["page"] == 1, page


def test_a_text_that_is_written_in_html_is_read_on_the_page(wire, visitor):
    text = "<p>Caf&eacute; <b>below</b>.</p><script>x</script>"
    wire.details({"propertyDetails": {"propertySummary": a_summary(name="<b>Sol</b>", description=text)}})
    page = visitor.get(f"/hotels/ACME/1/?{SEARCH}").content.decode()
    assert "Café below." in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert "&lt;b&gt;Sol&lt;/b&gt;" in page


@pytest.mark.parametrize("path", ["NOPE/1", "ACME/unknown", "..%2F/x", "A/~..", "x/%00"])
def test_an_unknown_property_is_a_page_with_a_way_back(sandbox, visitor, path):
    response = visitor.get(f"/hotels/{path}/?{SEARCH}")
    assert response.status_code == 404
    assert "/hotels/?place=Porto" in response.content.decode()


def test_any_property_identifier_has_a_link_that_works(wire, visitor):
    hostile = ["a/b", "a b", "100%", "?x=1&y", "#top", "\"'<>", "é", "..", ".", "x" * 400, "a\nb"]
    entries = [
        an_entry(a_summary(ryanairId=f"k{number}"), [an_offer(providerPropertyId=one)])
        for number, one in enumerate(hostile)
    ]
    wire.search(a_listing_document(*entries, total=len(entries)))
    html = visitor.get(f"/hotels/?{SEARCH}&sort=provider").content.decode()
    links = re.findall(r'listing-card__name"><a href="([^"]*)"', html)
    assert len(links) == len(hostile)
    for link in links:
        assert visitor.get(unescape(link)).status_code == 200, link
        called = wire.addresses("/property/")[-1].split("/property/")[1].split("?")[0]
        assert called not in ("", ".", "..")
        assert "/" not in called


def test_an_offer_whose_identifier_no_database_keeps_is_left_out(wire, visitor):
    offers = [an_offer(providerId="ACME", providerPropertyId="7\x007"), an_offer(providerId="BETA")]
    wire.search(a_listing_document(an_entry(a_summary(), offers=offers), total=1))
    links = re.findall(r'href="(/hotels/[^"/]+/[^"]+)"', visitor.get(f"/hotels/?{SEARCH}").content.decode())
    assert any(link.startswith("/hotels/BETA/") for link in links)
    assert not any("%00" in link for link in links)


@pytest.mark.parametrize("hostile", ["\x01", "\x1b", "\x85", "\u202e", "\u2066", "\ufffe"])
def test_an_identifier_that_would_spoil_the_page_is_not_printed(wire, visitor, hostile):
    offer = an_offer(providerId=f"A{hostile}B", providerPropertyId=f"7{hostile}7")
    wire.search(a_listing_document(an_entry(a_summary(), offers=[offer]), total=1))
    results = visitor.get(f"/hotels/?{SEARCH}")
    link = unescape(re.search(r'href="(/hotels/A[^"]+)"', results.content.decode())[1])
    for page in (results, visitor.get(link)):
        assert page.status_code == 200
        assert hostile not in words(page)
        assert "A\ufffdB" in words(page)
    assert "(7\ufffd7)" in visitor.get(link).content.decode()


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pages_only_answer_reading(wire, visitor, method):
    for path in ("/", f"/hotels/?{SEARCH}", f"/hotels/ACME/77/?{SEARCH}"):
        assert getattr(visitor, method)(path).status_code == 405
        assert visitor.head(path).status_code == 200


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        *(({"status": status}, 503) for status in (204, 400, 401, 403, 404, 500, 502, 503)),
        ({"status": 429}, 429),
        ({"json": {"error": "busy"}}, 503),
        ({"json": None}, 503),
        ({"body": "<html>"}, 503),
        ({"status": 302, "headers": {"Location": "https://evil.example/"}}, 503),
    ],
)
def test_a_gateway_that_fails_gives_the_sorry_page(wire, visitor, answer, status):
    wire.search(**answer)
    response = visitor.get(f"/hotels/?{SEARCH}")
    assert response.status_code == status
    assert "Retry-After" in response
    assert 'value="Porto"' in response.content.decode()
    assert "0 results" not in words(response)
    assert "SECRETKEY" not in response.content.decode()


@pytest.mark.parametrize("order", ["", "&sort=provider", "&free_cancellation=1"])
def test_a_count_of_hotels_none_of_which_came_is_not_shown(wire, visitor, order):
    wire.search(a_listing_document(total=600))
    text = words(visitor.get(f"/hotels/?{SEARCH}{order}"))
    assert "600" not in text
    assert "compared" not in text.partition("How this list")[0]


@pytest.mark.parametrize(("status", "shown"), [(503, 503), (500, 503), (400, 503), (404, 404)])
def test_details_that_fail_give_the_sorry_page_or_the_404(wire, visitor, status, shown):
    wire.search(a_listing_document(total=0))
    wire.details(status=status)
    assert visitor.get(f"/hotels/ACME/77/?{SEARCH}").status_code == shown


def test_a_property_stands_without_its_prices(wire, visitor):
    wire.search(status=503)
    response = visitor.get(f"/hotels/ACME/77/?{SEARCH}")
    assert response.status_code == 200
    assert "Double with sea view" in words(response)
    assert 'class="price__total"' not in response.content.decode()


def test_airports_that_fail_never_block_the_form(wire, visitor):
    wire.airports(status=503)
    response = visitor.get("/")
    assert response.status_code == 200
    assert "(STN)" in response.content.decode()


def test_a_hotel_without_an_identifier_is_not_linked(wire, visitor):
    nameless = a_summary(providerId=None, id=None)
    wire.search(a_listing_document(an_entry(nameless, offers=[]), total=1))
    page = visitor.get(f"/hotels/?{SEARCH}").content.decode()
    assert nameless["name"] in page
    assert "/hotels//" not in page
    assert 'href=""' not in page


def test_a_known_place_without_hotels_still_leads_to_other_dates(wire, visitor):
    wire.airports([an_airport(iataCode="OPO", name="Porto", cityCode="PORTO")])
    wire.search(a_listing_document(total=0))
    assert "/hotels/dates/" in visitor.get(address(place="Porto (OPO)")).content.decode()


def test_prices_without_a_rate_cost_the_rate_alone(wire, visitor):
    price = triple(0.01, propertyPrice={"value": 999_999_999_999, "currencyCode": "JPY"})
    wire.search(a_listing_document(an_entry(offers=[an_offer(minPrice=a_min_price(price=price))]), total=1))
    response = visitor.get("/hotels/?" + SEARCH)
    assert response.status_code == 200
    assert "JP¥999,999,999,999 charged in the hotel's currency" in words(response)
    assert "≈" not in words(response)


def test_a_total_without_a_middle_costs_the_example_alone(wire, visitor):
    def entry(number, total, rating):
        summary = a_summary(ryanairId=f"k{number}", id=str(number), rating={"value": rating, "code": "GOOD"})
        return an_entry(summary, offers=[an_offer(minPrice=a_min_price(price=triple(total), surcharges=[]))])

    entries = (entry(number, 0.01, 8.4) for number in range(1, 20))
    wire.search(a_listing_document(entry(0, 999_999_999_999, 8.5), *entries, total=20))
    response = visitor.get(f"/hotels/?{SEARCH}&sort=rating")
    assert response.status_code == 200
    assert "€999,999,999,999.00" in words(response)
    assert "For the first one here" not in words(response)


@pytest.mark.parametrize("before", [[], [address()]], ids=["first", "after all stars"])
def test_a_hotel_has_all_its_offers_under_its_stars(wire, visitor, before):
    bare = a_summary(providerId="BARE", id="1", category=None)
    cheapest = an_offer(
        providerId="BARE", providerPropertyId="1", minPrice=a_min_price(price=triple(90), surcharges=[])
    )
    wire.search(a_listing_document(an_entry(bare, [cheapest]), an_entry(), total=2))
    for asked in before:
        visitor.get(asked)
    assert "€90.00 total" in words(visitor.get(address(stars="4")))


@pytest.mark.parametrize(
    ("key", "shown"), [("other", "Hotel Miramar"), ("a1b2c3", "Another"), (None, "Another")]
)
def test_details_of_another_hotel_replace_nothing(wire, visitor, key, shown):
    document = details_document()
    document["propertyDetails"]["propertySummary"] = a_summary(ryanairId=key, name="Another", images=[])
    wire.search(a_listing_document(an_entry(), total=1))
    wire.details(document)
    page = visitor.get(f"/hotels/ACME/77/?{SEARCH}").content.decode()
    assert f"<title>{shown}, Porto" in page
    assert "https://pictures.example/1.jpg" in page
    assert "€412.60" in page


def test_of_another_place_the_gateway_s_distances_count(wire, visitor):
    """All of them are an ocean away from the centre that the site knows, the second one a little less."""

    def hotel(number: int, km: float, latitude: float) -> dict:
        at = {"longitude": -48.4, "latitude": latitude}
        told = a_summary(ryanairId=f"h{number}", id=str(number), name=f"Hotel {number}", coordinates=at)
        offer = an_offer(providerPropertyId=str(number))
        return an_entry(told, [offer], distance={"value": km, "unit": "KM"})

    wire.search(a_listing_document(hotel(1, 0.3, -10.7), hotel(2, 5, -10.6), hotel(3, 2, -10.8), total=3))
    said = words(visitor.get(address(sort="distance")))
    assert said.index("Keep Hotel 1") < said.index("Keep Hotel 3") < said.index("Keep Hotel 2")
    assert "the centre" not in said
    assert "By the distance from the destination that the providers give" in said
    assert "0 of 3 places match" in words(visitor.get(address(sort="distance", max_km="5")))
