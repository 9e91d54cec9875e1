"""Hotels as real suppliers describe them: their pages have sentences, and no names of members."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

CASES = Path("tests/cases")
# A member's name with its value, as it may stand in a document.
RAW = re.compile(
    r"\b(?:(?:Begin|End) time|Instructions|(?:Group )?[iI]d|Type|Size|Count|Culture|Currency|Facility code"
    r"|Price unit|Configuration|Quantity|Rank|Types|Value|Lang): "
    r"|unspecified|[{}\[\]]|null|None\b|https?://cdn|\b[a-z]+_[a-z]+\b"
)


def hotel_page(case, wire, visitor):
    """The texts of the hotel's page, one a line, and its structured data."""
    if "listing" in case:
        wire.search({"results": case["listing"], "Total": len(case["listing"])})
    wire.details(case["details"])
    html = visitor.get(case["ask"], follow=True).content.decode()
    scripts = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.S)
    (data,) = (one for one in map(json.loads, scripts) if one["@type"] == "Hotel")
    main = html[html.index("<main") : html.index("</main>")]
    shown = re.sub(r"(?s)<(script|style|template|svg|dialog).*?</\1>", "", main)
    texts = [" ".join(unescape(text).split()) for text in re.split(r"<[^>]*>", shown)]
    return [text for text in texts if text], data


def named(name):
    return json.loads((CASES / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("facilities-by-id", ["Free wifi", "Free valet parking", "Outdoor pool"]),
        ("facility-text-ids", ["Free wifi", "Free valet parking"]),
        ("charged-amenities", ["Parking (charge)", "Air conditioning"]),
        ("time-objects", ["12:00 – midnight", "11:00", "Photo ID at check-in"]),
        ("cards-in-an-object", ["American Express", "Visa", "Cash"]),
        ("bed-objects", ["1 × Queen bed"]),
    ],
)
def test_the_page_says_what_the_object_means(name, texts, wire, visitor):
    shown, _data = hotel_page(named(name), wire, visitor)
    assert not [text for text in texts if text not in shown], shown
    assert not [text for text in shown if RAW.search(text)]


def test_search_engines_read_the_hours_of_an_object(wire, visitor):
    _shown, data = hotel_page(named("time-objects"), wire, visitor)
    assert (data["checkinTime"], data["checkoutTime"]) == ("12:00", "11:00")


DOCUMENTS = [
    pytest.param(document, id=f"{path.stem}: {document['title']}")
    for path in sorted((CASES / "suppliers").glob("*.json"))
    for document in json.loads(path.read_text("utf-8"))
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_suppliers_document_reads_as_sentences(document, wire, visitor):
    case = {"ask": named("time-objects")["ask"], "listing": named("time-objects")["listing"]}
    summary = named("time-objects")["details"]["propertyDetails"]["propertySummary"]
    details = {"propertyDetails": {"propertySummary": summary, **document.get("propertyDetails", {})}}
    details["roomTypes"] = document.get("roomTypes", [])
    shown, _data = hotel_page({**case, "details": details}, wire, visitor)
    assert not [text for text in document["seen"] if text not in shown], shown
    assert not [text for text in shown if RAW.search(text)]
    assert not [text for text in shown if text in document.get("unseen", ())]
