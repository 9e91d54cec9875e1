"""Texts and pictures of a hotel as the page, its title, its data and its table have them."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User

ENTITIES, TEMPLATE, NEWLINE = (
    json.loads(Path(f"tests/cases/{name}.json").read_text("utf-8"))
    for name in ("entities-in-names", "image-template", "raw-newline")
)
NAME, ADDRESS, RATE = "Hôtel de l'Étoile & Spa", "12 Rue de l'Opéra", "Double – B&B"
QUERY = ENTITIES["ask"].partition("?")[2]
SENT = re.compile(r"&amp;(?:amp|#\d+|\w+acute|ndash|apos);|%26(?:amp|%23|ndash)")


def read(visitor, wire, case, address):
    wire.search({"results": case["listing"], "Total": len(case["listing"])})
    wire.details(case["details"])
    response = visitor.get(address, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def hotel_of(html):
    """The hotel in the page's structured data."""
    data = json.loads(re.search(r'<script type="application/ld\+json"[^>]*>(.*?)</script>', html, re.S)[1])
    return data.get("@graph", [data])[0]


def picture_of(html):
    return re.search(r'<meta property="og:image" content="([^"]*)"', html)[1]


def with_name(name):
    case = json.loads(json.dumps(ENTITIES))
    case["listing"][0]["propertySummary"]["name"] = name
    case["details"]["propertyDetails"]["propertySummary"]["name"] = name
    return case


def test_entities_stand_for_their_characters_on_a_hotel_page(visitor, wire):
    html = read(visitor, wire, ENTITIES, ENTITIES["ask"])
    assert not SENT.findall(html)
    assert NAME in unescape(re.search("<title>(.*?)</title>", html, re.S)[1])
    hotel = hotel_of(html)
    assert (hotel["name"], hotel["address"]["streetAddress"]) == (NAME, ADDRESS)
    shown = unescape(html)
    assert NAME in shown
    assert ADDRESS in shown
    assert RATE in shown
    assert NAME in unquote(re.search(r"mailto:[^\"]*", html)[0])


def test_entities_stand_for_their_characters_in_results(visitor, wire):
    html = read(visitor, wire, ENTITIES, f"/hotels/?{QUERY}")
    assert not SENT.findall(html)
    assert NAME in unescape(html)


@pytest.mark.parametrize("sent", ["\n", "\r\n", "\t", "\x01 ", "\u2028"])
def test_a_control_character_in_a_text_is_read_as_a_blank(sent, visitor, wire):
    wire.search(body=NEWLINE["listing_raw"].replace("Hotel Example", f"Hotel{sent}Example"))
    assert ">Hotel Example<" in visitor.get(NEWLINE["ask"], follow=True).content.decode()


def test_a_hotel_is_found_by_the_name_that_is_shown(visitor, wire):
    found = read(visitor, wire, ENTITIES, f"/hotels/?{QUERY}&name=l%27%C3%89toile+%26+Spa")
    assert NAME in unescape(found)
    assert "listing-card__name" not in read(visitor, wire, ENTITIES, f"/hotels/?{QUERY}&name=amp")


def test_entities_stand_for_their_characters_in_the_table(visitor, wire):
    visitor.force_login(User.objects.create_superuser("staff"))
    table = read(visitor, wire, ENTITIES, f"/share/hotels.csv?{QUERY}")
    assert NAME in table
    assert ADDRESS in table


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("AT&amp;amp;T Hotel", "AT&amp;T Hotel"),
        ("L&#8217;H&#xf4;tel", "L’Hôtel"),
        ("Bed&para Bar&region R&D &unknown; &#1 &copycat", "Bed&para Bar&region R&D &unknown; &#1 &copycat"),
        ("One&#10;two&#8238;&#0;", "One two�"),
        ("&lt;b&gt;Bold&lt;/b&gt;&lt;script&gt;x", "<b>Bold</b><script>x"),
    ],
)
def test_an_entity_is_resolved_once_and_makes_no_markup(sent, shown, visitor, wire):
    html = read(visitor, wire, with_name(sent), ENTITIES["ask"])
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", html, re.S)[1]
    assert unescape(re.sub(r"<[^>]*>", "", heading)).strip() == shown
    assert hotel_of(html)["name"] == shown


@pytest.mark.parametrize(
    "place",
    ["{size}", "%7Bsize%7D", "%7bsize%7d", "{{width}}", "${w}", "[size]", "%5Bsize%5D", "<size>", "%SIZE%"],
)
def test_an_address_to_be_filled_in_is_no_picture(place, visitor, wire):
    case = json.loads(json.dumps(TEMPLATE).replace("{size}", place))
    page = read(visitor, wire, case, TEMPLATE["ask"])
    results = read(visitor, wire, case, f"/hotels/?{TEMPLATE['ask'].partition('?')[2]}")
    assert "/t/" not in page
    assert "/t/" not in results
    assert picture_of(page) == "https://cdn.example.org/d.jpg"
    assert hotel_of(page)["image"] == ["https://cdn.example.org/d.jpg"]
    assert 'src="https://cdn.example.org/d.jpg"' in results


@pytest.mark.parametrize(
    "address",
    [
        "c.jpg?crop[width]=300",
        "c.jpg?crop%5Bwidth%5D=300",
        "%7B0A1B-22CD%7D/c.jpg",
        "a%20b%C3%A9.jpg",
        "c[1].jpg",
    ],
)
def test_an_address_with_brackets_of_its_own_is_a_picture(address, visitor, wire):
    case = json.loads(json.dumps(TEMPLATE).replace("t/{size}/c.jpg", address))
    assert f"https://cdn.example.org/{address}" in read(visitor, wire, case, TEMPLATE["ask"])
