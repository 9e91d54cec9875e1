"""Codes in words: facilities once and under six headings, what stands in for what the gateway leaves out."""

from __future__ import annotations

import msgspec

from search.domain.hotels import Facility
from search.domain.site_settings import CodeLabel, Site
from search.domain.words import CODES, POLICIES, TOPICS, CodeKind, known_code
from search.web import translation
from search.web.formatting import Reader
from search.web.jinja import icon
from search.web.labels import ICONS, KNOWN, facility_groups, policy, property_name
from tests import builders as build
from tests.rows import each


def texts(*facilities: Facility | str, site: Site | None = None) -> list[str]:
    named = (one if isinstance(one, Facility) else Facility("", one) for one in facilities)
    return [view.text for view in Reader.of(site or Site(), "en-gb").facilities.views(named)]


@each(
    ("named", "shown"),
    [
        (["Free Wi-Fi", "Free wifi", Facility("FREE_WIFI", "WLAN"), Facility("WIFI")], ["Free wifi"]),
        (["Swimming pool", "Indoor pool", "pool"], ["Indoor pool"]),
        (["Car park (charge)", Facility("PARKING")], ["Parking (charge)"]),
        (["Free parking", "Parking (charge)"], ["Free parking", "Parking (charge)"]),
        (["Pets on request", "Pets on request"], ["Pets welcome (on request)"]),
        (["Pets on request", Facility("PETS_ALLOWED")], ["Pets welcome"]),
        (["Hammocks on the roof", "hammocks on the roof"], ["Hammocks on the roof"]),
        ([Facility("HAMMOCK_ON_ROOF"), "Hammock on roof", Facility("")], ["Hammock on roof"]),
    ],
)
def test_a_facility_is_named_once(named, shown):
    assert texts(*named) == shown


def test_an_admins_words_stand_for_every_spelling():
    site = Site(
        code_labels=(CodeLabel("facility", "FREE_WIFI", "Gratis wifi"), CodeLabel("facility", "MOAT", "Pool"))
    )
    assert texts("Free Wi-Fi", Facility("MOAT", "Deep moat"), "Swimming pool", site=site) == [
        "Gratis wifi",
        "Pool",
    ]


def test_facilities_stand_under_headings_unknown_ones_last():
    views = Reader.of(Site(), "en-gb").facilities.views(Facility("", one) for one in ("Moat", "Lift", "Bar"))
    groups = [(heading, [view.text for view in group]) for heading, group in facility_groups(views).items()]
    assert groups == [
        ("Food and drink", ["Bar"]),
        ("Access and parking", ["Lift"]),
        ("More facilities", ["Moat"]),
    ]
    assert [view.known for view in views] == [False, True, True]


def test_facilities_speak_the_visitors_language():
    with translation.override("de"):
        assert texts("Car park (charge)", "Gym", "Moat") == [
            "Parkplätze (gegen Gebühr)",
            "Fitnessraum",
            "Moat",
        ]


def test_every_code_has_words_and_a_facility_an_icon():
    # What an availability says of a facility are notes, which have words of their own.
    for kind in {*CodeKind} - {CodeKind.AVAILABILITY}:
        assert KNOWN[kind].keys() == CODES[kind].keys()
    assert all(known_code(CodeKind.FACILITY, text) == code for code, text in KNOWN[CodeKind.FACILITY].items())
    assert ICONS.keys() == TOPICS.keys()
    assert all(map(icon, ICONS.values()))
    assert {*TOPICS.values(), "other"} == KNOWN["topic"].keys()
    assert len(TOPICS) >= 60


def test_common_policies_are_in_the_visitors_language():
    assert KNOWN["policy"].keys() == POLICIES.keys()
    with translation.override("fr"):
        lines = [policy(one) for one in ("Smoking is not permitted", "The pool is closed in March.")]
    assert [(one.text, one.known) for one in lines] == [
        ("Non-fumeur", True), ("The pool is closed in March.", False),
    ]  # fmt: skip


@each(
    ("name", "address", "city", "shown"),
    [
        ("Hotel Miramar", "1 Harbour Street", "Porto", "Hotel Miramar"),
        ("", "1 Harbour Street", "Porto", "Hotel in 1 Harbour Street"),
        ("", "", "Porto", "Hotel in Porto"),
        ("", "", "", "Hotel"),
    ],
)
def test_a_property_without_a_name_is_called_by_its_place(name, address, city, shown):
    building = msgspec.structs.replace(build.building(), name=name, address=address, city=city)
    assert property_name(building) == shown


def test_the_words_are_in_the_visitors_language():
    building = msgspec.structs.replace(build.building(), name="", address="", city="Porto")
    with translation.override("es"):
        assert property_name(building) == "Hotel en Porto"
