"""The structured data of a property page, held against the parts of schema.org it uses."""

import json
import re

from search.domain.query import Refinement
from search.property.page import PropertyPage
from search.web.translation import override
from tests import builders as build
from tests.rendering import page_html
from tests.rows import each

ADDRESS = r"https://\S+"
TIME = r"([01]\d|2[0-3]):[0-5]\d"
TEXT, NUMBER = r"(?s).+", r"-?\d+(\.\d+)?"

# Type -> property -> what its text looks like, or the type of what it holds. Properties with ! must be there.
SCHEMA = {
    "Hotel": {
        "name!": TEXT,
        "url!": ADDRESS,
        "description": TEXT,
        "image": ADDRESS,
        "address": "PostalAddress",
        "geo": "GeoCoordinates",
        "starRating": "Rating",
        "checkinTime": TIME,
        "checkoutTime": TIME,
        "amenityFeature": "LocationFeatureSpecification",
        "makesOffer": "Offer",
    },
    "PostalAddress": {"streetAddress": TEXT, "addressLocality": TEXT, "addressCountry": r"[A-Z]{2}"},
    "GeoCoordinates": {"latitude!": NUMBER, "longitude!": NUMBER},
    "Rating": {"ratingValue!": r"[1-5]"},
    "LocationFeatureSpecification": {"name!": TEXT, "value!": r"True"},
    "Offer": {
        "name": TEXT,
        "description!": TEXT,
        "price!": r"\d+(\.\d+)?",
        "priceCurrency!": r"[A-Z]{3}",
        "url!": ADDRESS,
        "seller!": "Organization",
    },
    "Organization": {"name!": TEXT},
}


def faults(node, kind):
    """What of a node of structured data isn't as SCHEMA has it."""
    if not isinstance(node, dict) or node.get("@type") != kind:
        return [f"{node!r} is no {kind}"]
    known = {name.rstrip("!"): value for name, value in SCHEMA[kind].items()}
    missing = [name for name in SCHEMA[kind] if name.endswith("!") and name[:-1] not in node]
    found = [f"{kind}.{name} is missing" for name in missing]
    for name, value in node.items():
        if name != "@type" and name not in known:
            found.append(f"{kind}.{name} is unknown")
        for one in value if isinstance(value, list) and name != "@type" else [value]:
            if known.get(name) in SCHEMA:
                found += faults(one, known[name])
            elif name in known and not re.fullmatch(known[name], str(one)):
                found.append(f"{kind}.{name} is {one!r}")
    return found


def structured(**changes):
    """The hotel of a page, valid."""
    found = build.found_property(**changes)
    page = PropertyPage(build.context(), found, origin="https://hotels.example")
    hotel = json.loads(page.head.data)
    assert hotel.pop("@context") == "https://schema.org"
    assert faults(hotel, "Hotel") == []
    return hotel


def test_a_hotel_says_what_is_known_of_it():
    hotel = structured()
    assert hotel["address"] == {
        "@type": "PostalAddress",
        "streetAddress": "Carrer de Mallorca 401",
        "addressLocality": "Barcelona",
        "addressCountry": "ES",
    }
    assert hotel["geo"]["latitude"] == 41.40363
    assert hotel["starRating"]["ratingValue"] == "4"


def test_its_facilities_are_named_as_the_page_names_them():
    details = build.details(facilities=("SWIMMING_POOL", "Car park (charge)", "Moat"))
    free_wifi = build.offer(facilities=(build.Facility("FREE_WIFI"), build.Facility("POOL")))
    with override("de"):
        hotel = structured(details=details, listing=build.priced(free_wifi))
    names = [one["name"] for one in hotel["amenityFeature"]]
    assert names == ["Pool", "Parkplätze (gegen Gebühr)", "Moat", "Kostenloses WLAN"]


def test_what_is_not_known_is_absent():
    bare = build.priced(
        address="", city="", country="", coordinates=None, stars=None, images=(), description=""
    )
    details = build.details(check_in_time=(), check_out_time=(), facilities=())
    hotel = structured(listing=bare, details=details, listed=False)
    assert set(hotel) == {"@type", "name", "url"}


def test_offers_are_the_totals_of_the_page_with_their_sellers():
    listing = build.priced(build.offer("390.00"), build.offer("300.00", provider="BBB"))
    offers = structured(listing=listing)["makesOffer"]
    told = [(one["price"], one["priceCurrency"], one["seller"]["name"], one["description"]) for one in offers]
    stay = "3–6 Dec 2026 · 3 nights · 2 guests"
    assert told == [("322.60", "EUR", "BBB", stay), ("412.60", "EUR", "AAA", stay)]
    assert offers[0]["url"].startswith("https://hotels.example/hotels/BBB/BBB-1/?place=Barcelona&")


def test_a_price_has_the_decimals_of_its_currency():
    yen = build.offer(price=build.price("41260.4", "JPY"), surcharges=())
    assert structured(listing=build.priced(yen))["makesOffer"][0]["price"] == "41260"


def test_an_offer_leads_to_the_search_of_the_picked_place():
    context = build.context(refinement=Refinement(country="VE", region="Lara"))
    page = PropertyPage(context, build.found_property(), origin="https://hotels.example")
    (offer,) = json.loads(page.head.data)["makesOffer"]
    assert offer["url"].endswith("&country=VE&region=Lara")


def test_incomplete_missing_and_old_prices_are_no_offers():
    apart = (build.Surcharge("CITY_TAX", build.price("9", "USD")),)
    for changes in (
        {"listing": build.priced(build.offer(surcharges=apart))},
        {"listing": build.priced(build.offer(None))},
        {"stale": True},
        {"listed": False},
    ):
        assert "makesOffer" not in structured(**changes)


@each(
    ("check_in", "check_out", "told"),
    [
        (("15:00",), ("11:00",), ("15:00", "11:00")),
        (("15:00 – 23:00",), ("07:00-11:00",), ("15:00", "11:00")),
        (("From 3 pm",), ("until noon",), (None, None)),
        (("15:00", "Ring the bell"), ("25:00",), (None, None)),
        ((), (), (None, None)),
    ],
)
def test_times_are_times_of_day_or_absent(check_in, check_out, told):
    hotel = structured(details=build.details(check_in_time=check_in, check_out_time=check_out))
    assert (hotel.get("checkinTime"), hotel.get("checkoutTime")) == told


def test_it_names_the_page_and_its_pictures_by_whole_addresses():
    pictures = ("https://sandbox.invalid/photos/1/facade.svg", "https://pictures.example/1.jpg")
    hotel = structured(listing=build.priced(images=pictures))
    assert hotel["url"].startswith("https://hotels.example/hotels/AAA/AAA-1/?place=Barcelona&")
    assert len(hotel["image"]) == 2


def test_it_is_json_that_cannot_end_its_script():
    page = PropertyPage(build.context(), build.found_property(listing=build.priced(name="</script><b>x")))
    html = page_html("property/page.html", page=page)
    data = re.search(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    assert json.loads(data.group(1))["name"] == "</script><b>x"
