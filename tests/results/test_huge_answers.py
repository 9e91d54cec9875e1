"""Answers of absurd size: the page stays a page (reliability: at most 600 kB, layout intact)."""

from search.property.page import PropertyPage
from search.results.page import ResultsPage
from tests import builders as build
from tests.rendering import page_html

LARGEST_PAGE = 600_000


def property_html() -> str:
    rooms = build.room_type().rooms * 3
    room_types = tuple(
        build.room_type(name=f"Room type {number}", description="A room. " * 20, rooms=rooms)
        for number in range(60)
    )
    images = tuple(f"https://sandbox.invalid/photos/{number}/facade.svg" for number in range(200))
    listing = build.priced(name="x" * 600, description="word " * 4_000, images=images)
    policies = tuple("policy " * 100 for _ in range(60))
    details = build.details(room_types=room_types, room_types_sent=300, policies=policies)
    found = build.found_property(listing, details=details)
    page = PropertyPage(build.context(), found)
    return page_html("property/page.html", page=page)


def test_three_hundred_room_types_stay_below_the_limit():
    html = property_html()
    assert len(html.encode()) < LARGEST_PAGE
    assert "Room type 0" in html
    assert "60 of 300 room types" in html


def test_a_list_of_long_names_stays_below_the_limit():
    offers = tuple(build.offer("100", provider=f"P{number}", rate="r" * 300) for number in range(12))
    listings = tuple(
        build.priced(*offers, key=str(number), name="n" * 600, address="a" * 600) for number in range(20)
    )
    page = ResultsPage(build.context(), build.found(*listings))
    html = page_html("results/page.html", page=page)
    assert len(html.encode()) < LARGEST_PAGE
