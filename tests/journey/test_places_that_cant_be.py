"""Points where a hotel can't be, and country codes of former days."""

import json
import re
from copy import deepcopy
from pathlib import Path

import pytest

SWAPPED = json.loads(Path("tests/cases/swapped-coordinates.json").read_text("utf-8"))
COUNTRY = json.loads(Path("tests/cases/country-uk.json").read_text("utf-8"))
SEARCH = f"/hotels/?{SWAPPED['ask'].partition('?')[2]}"


def serve(case, wire, **changes):
    """The case with its first hotel's summaries changed."""
    case = deepcopy(case)
    entry, details = case["listing"][0], case["details"]["propertyDetails"]
    entry["propertySummary"] |= changes
    details["propertySummary"] |= changes
    wire.search({"results": case["listing"], "Total": len(case["listing"])})
    wire.details(case["details"])


def hotel_of(html):
    scripts = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.S)
    return next(one for one in map(json.loads, scripts) if one["@type"] == "Hotel")


@pytest.mark.parametrize(
    "point",
    [
        SWAPPED["listing"][0]["propertySummary"]["coordinates"],
        {"latitude": 0, "longitude": 55.27},
        {"latitude": -1, "longitude": -1},
        {"latitude": 0, "longitude": -1},
        {"latitude": "55.19", "longitude": "25.11"},
        {"latitude": 38.71, "longitude": -9.14},
    ],
)
def test_a_point_in_another_country_is_none_of_the_hotel(point, wire, visitor):
    serve(SWAPPED, wire, coordinates=point)
    html = visitor.get(SWAPPED["ask"], follow=True).content.decode()
    assert "Swapped" in html
    assert not re.search(r"from [^<]*\((?:VNO|KUN|LIS)\)|(?:km|mi) from", html)
    assert "geo" not in hotel_of(html)
    visitor.get(SEARCH, follow=True)
    pins = visitor.get(SEARCH.replace("/hotels/", "/hotels/map/"), follow=True).json()
    assert (pins["matching"], pins["names"]) == (2, ["Right"])


@pytest.mark.parametrize(
    "changes",
    [
        {"coordinates": {"latitude": "25.19", "longitude": "55.25"}},
        # The country is wrong, but the point is near the place that is searched.
        {"coordinates": {"latitude": 25.19, "longitude": 55.25}, "countryCode": "gb"},
        {"coordinates": {"latitude": 51.5, "longitude": -0.12}, "countryCode": "uk"},
        {"coordinates": {"latitude": 25.19, "longitude": 55.25}, "countryCode": None},
    ],
)
def test_a_point_of_its_place_or_its_country_is_one(changes, wire, visitor):
    serve(SWAPPED, wire, **changes)
    html = visitor.get(SWAPPED["ask"], follow=True).content.decode()
    point = hotel_of(html)["geo"]
    assert point["latitude"] == float(changes["coordinates"]["latitude"])


@pytest.mark.parametrize(
    ("code", "name", "now"),
    [
        ("uk", "United Kingdom", "GB"),
        ("EL", "Greece", "GR"),
        ("su", "Russia", "RU"),
        ("an", "Curaçao", "CW"),
        ("zr", "Congo - Kinshasa", "CD"),
        ("tp", "Timor-Leste", "TL"),
        ("bu", "Myanmar", "MM"),
        ("yu", "Serbia", "RS"),
        ("cs", "Serbia", "RS"),
        ("dd", "Germany", "DE"),
        ("xk", "Kosovo", "XK"),
        ("gbr", "United Kingdom", "GB"),
    ],
)
def test_a_former_or_reserved_code_is_its_country(code, name, now, wire, visitor):
    serve(COUNTRY, wire, countryCode=code)
    html = visitor.get(COUNTRY["ask"], follow=True).content.decode()
    assert name in html
    assert hotel_of(html)["address"]["addressCountry"] == now


def test_one_country_is_listed_once_under_all_its_codes(wire, visitor):
    from tests.gateway.documents import an_airport

    london = {"cityCode": "LONDON", "coordinates": {"latitude": 51.9, "longitude": 0.2}}
    wire.airports(
        [
            an_airport(
                iataCode="STN", name="London Stansted", countryCode="uk", regionCode="ENGLAND", **london
            ),
            an_airport(iataCode="LTN", name="London Luton", countryCode="gb", regionCode="ENGLAND", **london),
            an_airport(iataCode="ATH", name="Athens", cityCode="ATHENS", countryCode="el", regionCode=""),
        ]
    )
    html = visitor.get("/destinations/").content.decode()
    assert "/destinations/gb/" in html
    assert "/destinations/gr/" in html
    assert not re.search(r"/destinations/(?:uk|el)/|>UK<|>EL<", html)
    rows = visitor.get("/destinations/?q=England", headers={"accept": "application/json"}).json()
    assert json.dumps(rows).count('"England"') <= 1, rows
    moved = visitor.get("/destinations/uk/?market=en-gb")
    assert (moved.status_code, moved["Location"]) == (301, "/destinations/gb/?market=en-gb")
