"""The results page: what it says, where its links lead, and that it can't be broken from outside."""

from datetime import timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from search.domain.hotels import Coordinates, Distance, GuestRating
from search.domain.query import Refinement, Sort, canonical_stars
from search.domain.site_settings import ProviderEntry, Site
from search.results.card import place_line
from search.results.listings import priced
from search.results.page import ResultsPage
from search.results.pagination import Coverage, CoverageState
from search.web.links import card_anchor
from tests import builders as build
from tests.rendering import page_html
from tests.rows import each


def page_of(
    *listings, asked=build.SEARCH, refinement=None, site=None, anchor=None, centre=None, **found
) -> ResultsPage:
    listings = listings or (build.priced(of=asked),)
    context = build.context(asked, refinement, site=site, anchor=anchor, centre=centre)
    return ResultsPage(context, build.found(*listings, **found))


def html_of(page: ResultsPage) -> str:
    return page_html("results/page.html", page=page)


def test_the_head_line_says_where_when_and_for_whom():
    page = page_of(asked=build.search(stars=canonical_stars([5, 4])), total=1412)
    assert page.title == "Hotels in Barcelona"
    assert page.count == "1,412 places to stay"
    assert page.summary == "3–6 Dec 2026 · 3 nights · 2 guests · 4 and 5 stars"


def test_a_name_from_right_to_left_leaves_days_in_order():
    page = page_of(asked=build.search(place="القاهرة"))
    assert page.bar.summary.startswith("القاهرة\u200e\u00a0· 3–\u20606\u00a0Dec")
    assert page.head.title == "Hotels in القاهرة\u200e, 3–6 Dec 2026"
    assert page.title == "Hotels in القاهرة"


TOLEDO_OF_SPAIN, TOLEDO_OF_BRAZIL = Coordinates(39.86, -4.03), Coordinates(-24.71, -53.74)


def in_toledo(of_the_hotel: Coordinates | None, country: str = "br") -> ResultsPage:
    """The page of Toledo in Spain, whose hotel is there and in that country."""
    asked = build.search(place="Toledo")
    context = build.context(asked, Refinement(country="ES"), country="es", centre=TOLEDO_OF_SPAIN)
    hotel = build.building(coordinates=of_the_hotel, country=country)
    listing = replace(build.priced(of=asked).listing, property=hotel)
    return ResultsPage(context, build.found(priced(listing, context)))


@pytest.mark.parametrize("where", [TOLEDO_OF_BRAZIL, None])
def test_hotels_of_another_place_of_the_name_say_so(where):
    page = in_toledo(where)
    assert page.title == "No hotels in Toledo, Spain"
    assert "under this name they sell Toledo, Brazil." in html_of(page)
    assert not page.cards


@each(
    ("where", "country"),
    # What is near may be said to be in another country: of Hong Kong some say China.
    [(TOLEDO_OF_SPAIN, "es"), (TOLEDO_OF_SPAIN, "br"), (None, "de"), (None, ""), (TOLEDO_OF_BRAZIL, "es")],
)
def test_no_other_country_is_named_without_need(where, country):
    page = in_toledo(where, country)
    assert page.title == "Hotels in Toledo, Spain"
    assert "in another country" not in html_of(page)


def test_a_place_that_is_known_is_not_said_to_be_misspelt():
    context = build.context(build.search(place="Zermatt"), country="ch")
    html = html_of(ResultsPage(context, build.found(total=0)))
    assert "list no places to stay under this name" in html
    assert "spelling" not in html
    unknown = build.context(build.search(place="Zermattt"))
    assert "Check the spelling" in html_of(ResultsPage(unknown, build.found(total=0)))


def test_an_unknown_total_is_not_counted():
    assert page_of(coverage=Coverage(CoverageState.CAPPED, 0, None, None)).count == ""


def test_a_card_links_to_the_property_of_its_cheapest_offer():
    page = page_of(refinement=Refinement(near="BCN"), page=3, last_page=9)
    assert page.cards[0].href == (
        "/hotels/AAA/AAA-1/?place=Barcelona&checkin=2026-12-03&checkout=2026-12-06"
        "&guests=2&currency=EUR&market=en-gb&near=BCN&page=3"
    )


def test_an_identifier_of_an_element_never_comes_from_upstream():
    assert card_anchor('"><script>').startswith("stay-")
    assert card_anchor('"><script>').removeprefix("stay-").isalnum()


def test_names_with_markup_are_text():
    html = html_of(page_of(build.priced(name="<script>alert(1)</script>", address='"><img src=x>')))
    assert "<script>alert" not in html
    assert "<img src=x" not in html


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("https://sandbox.invalid/photos/7/pool.svg", "/sandbox/photos/7/pool.svg"),
        ("https://images.example/a.jpg", "https://images.example/a.jpg"),
        ("http://images.example/a.jpg", ""),
        ("javascript:alert(1)", ""),
        ("data:image/png;base64,x", ""),
        ("", ""),
    ],
)
def test_pictures_come_from_us_or_by_https(given, shown):
    page = page_of(build.priced(images=(given,)))
    assert page.cards[0].photo == shown
    assert ("No picture" in html_of(page)) == (not shown)


def test_pictures_load_late_except_in_the_first_row():
    page = page_of(*(build.priced(key=str(number)) for number in range(4)))
    assert [card.eager for card in page.cards] == [True, True, True, False]


def test_stars_are_read_out_in_words():
    html = html_of(page_of(build.priced(stars=4)))
    assert 'role="img" aria-label="4 stars">★★★★<' in html


def test_a_rating_has_words_and_a_bare_number():
    card = page_of(build.priced(rating=GuestRating(Decimal("8.40"), "VERY_GOOD"))).cards[0]
    assert (card.rating_value, card.rating_words) == ("8.4", "Very good")


@pytest.mark.parametrize(
    ("scale", "sent", "shown"),
    [
        (10, ["9"], ["9.0/10"]),
        # A scale that is too small for a rating isn't named.
        (5, ["4.5", "7.2"], ["4.5/5", "7.2"]),
        (0, ["9", "9.44"], ["9.0", "9.4"]),
        # Out of a hundred they are whole, as in the filter beside them; a decimal that was sent stays.
        (0, ["83", "83.0", "83.4", "100"], ["83", "83", "83.4", "100"]),
    ],
)
def test_a_rating_has_its_scale_and_as_many_decimals(scale, sent, shown):
    rated = (build.priced(rating=GuestRating(Decimal(value), "")) for value in sent)
    cards = page_of(*rated, site=Site(rating_scale=scale or None)).cards
    assert [card.rating_value for card in cards] == shown


@each(
    ("market", "unit", "value", "first", "second"),
    [
        ("en-gb", "MI", "5.4", "5.4\u00a0mi", "20\u00a0mi"),
        ("en-us", "KM", "5.4", "3.4\u00a0mi", "20\u00a0mi"),
        ("en-ie", "MI", "5.4", "8.7\u00a0km", "32\u00a0km"),
        ("de-de", "KILOMETERS", "5.4", "5,4\u00a0km", "32\u00a0km"),
        ("en-us", "Kilometros", "5.4", "3.4\u00a0mi", "20\u00a0mi"),
        ("de-de", "M", "350", "350\u00a0m", "32\u00a0km"),
        ("de-de", "FURLONG", "5.4", "5,4\u00a0furlong", "32\u00a0km"),
        ("de-de", "Feet", "5000", "1,5\u00a0km", "32\u00a0km"),
        ("en-gb", "yd", "880", "0.5\u00a0mi", "20\u00a0mi"),
        ("de-de", "MTR", "350", "350\u00a0m", "32\u00a0km"),
        ("en-gb", "SMI", "5.4", "5.4\u00a0mi", "20\u00a0mi"),
        ("de-de", "m.", "350", "350\u00a0m", "32\u00a0km"),
        ("de-de", "km.", "5.4", "5,4\u00a0km", "32\u00a0km"),
        ("en-gb", "Mi.", "5.4", "5.4\u00a0mi", "20\u00a0mi"),
        ("de-de", "", "5.4", "", "32\u00a0km"),
    ],
)
def test_all_distances_of_a_card_are_in_the_market_s_unit(market, unit, value, first, second):
    asked = build.search(market=market)
    found = build.priced(of=asked, anchor_km=32.0)
    far = replace(found.listing, distance=Distance(Decimal(value), unit))
    card = page_of(replace(found, listing=far), asked=asked, anchor=build.airport()).cards[0]
    assert (card.distance.split(" ")[0], card.anchor_distance.split(" ")[0]) == (first, second)


def test_the_origin_of_a_distance_is_named():
    page = page_of(build.priced(anchor_km=12.34), anchor=build.airport())
    assert page.cards[0].distance == "0.7\u00a0mi from destination"
    assert page.cards[0].anchor_distance == "7.7\u00a0mi from BCN in a straight line"
    assert "We searched Barcelona, for Barcelona El Prat (BCN)." in html_of(page)


def test_a_hotel_far_away_says_what_the_gateway_says():
    listing = build.priced(build.offer()).listing
    here = listing.property.coordinates
    there = replace(here, latitude=here.latitude + 20)
    near, far = (priced(listing, build.context(centre=centre)) for centre in (here, there))
    assert (near.centre_km, far.centre_km) == (0, None)
    assert page_of(far).cards[0].distance == "0.7\u00a0mi from destination"


def test_nearest_means_the_centre_of_the_city_and_says_so():
    nearest = Refinement(sort=Sort.DISTANCE, max_km=Decimal("1.61"))
    html = html_of(page_of(build.priced(centre_km=1.0), refinement=nearest, from_centre=True))
    assert "Nearest to the centre" in html
    assert "By distance from the centre of Barcelona in a straight line, nearest first." in html


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
@pytest.mark.parametrize(
    ("passed", "said"),
    [
        ({"minutes": 16}, "16 minutes ago"),
        ({"hours": 3}, "3 hours ago"),
        ({"hours": 24}, "1 day ago"),
        ({"seconds": -9}, "1 minute ago"),
    ],
)
def test_stale_prices_say_how_old_they_are(settings, clock, zone, passed, said):
    """In no time zone, and not as of the future where clocks differ."""
    settings.TIME_ZONE, clock.now = zone, build.NOON + timedelta(**passed)
    page = page_of(stale=True)
    assert page.stale_note == f"Prices checked {said}. They may have changed since."
    assert page_of(stale=True, newer_coming=True).stale_note == ""
    assert "UTC" not in html_of(page)


def test_the_pager_never_offers_a_page_that_cannot_exist():
    last = page_of(total=60, page=3, last_page=3)
    assert last.pager.next == ""
    assert last.pager.previous.endswith("&page=2")
    assert page_of(total=1).pager is None


def test_the_pager_reaches_the_last_page_at_once():
    pager = page_of(total=412, page=10, last_page=21).pager
    assert [number for number, _href in pager.pages] == ["1", "", "8", "9", "10", "11", "12", "", "21"]


def test_nothing_found_and_a_page_beyond_the_end_are_different():
    nothing = ResultsPage(build.context(), build.found(total=0))
    beyond = ResultsPage(build.context(), build.found(total=5, page=9))
    assert "Nothing found" in html_of(nothing)
    assert "No more results" in html_of(beyond)
    assert beyond.first_page == nothing.head.canonical


@pytest.mark.parametrize(("anchor", "near"), [(None, ""), (build.AIRPORT, "&near=BCN")])
def test_an_unknown_airport_is_not_in_the_canonical_address(anchor, near):
    page = page_of(refinement=Refinement(near="BCN", deals=True), anchor=anchor)
    assert page.head.canonical == f"/hotels/?{build.SEARCH.query_string()}&deals=1{near}"


@pytest.mark.parametrize("deals", [True, False])
def test_while_nothing_has_come_filters_are_named_if_any(deals):
    coming = Coverage(CoverageState.FETCHING, 50, 412, 412)
    context = build.context(refinement=Refinement(deals=deals))
    html = html_of(ResultsPage(context, build.found(coverage=coming)))
    assert "Nothing so far" in html
    assert ("matches your filters" in html) is deals


def test_a_right_to_left_name_is_kept_apart_from_our_words():
    html = html_of(page_of(build.priced(name="فندق البحر", address="شارع ١", city="")))
    assert 'dir="auto">فندق البحر</a>' in html
    assert '<bdi class="listing-card__place">شارع ١</bdi>' in html


def test_a_provider_s_name_is_kept_apart_from_our_words():
    offered = [build.priced(build.offer("10", provider=code), key=code) for code in ("SEA", "SUN")]
    html = html_of(page_of(*offered, site=Site(providers=(ProviderEntry("SEA", "بحر"),))))
    assert "Offered by <bdi>بحر</bdi> <" in html
    assert "Offered by SUN <" in html


def test_the_pin_of_the_cheapest_stay_on_the_map_stands_out():
    nowhere = build.priced(build.offer("10"), key="a", coordinates=None)
    cheap = build.priced(build.offer("20"), key="b")
    dear = build.priced(build.offer("30"), key="c")
    assert [card.cheapest for card in page_of(dear, nowhere, cheap).cards] == [False, False, True]


@pytest.mark.parametrize(
    ("address", "city", "line"),
    [
        ("12 Bathurst Road", "Bath", "12 Bathurst Road, Bath"),
        ("Via Venice 3", "Nice", "Via Venice 3, Nice"),
        ("1 High Street, BATH BA1", "Bath", "1 High Street, BATH BA1"),
    ],
)
def test_a_city_is_left_out_only_where_the_address_names_it(address, city, line):
    assert place_line(build.building(address=address, city=city)) == line
