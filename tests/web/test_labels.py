"""Words that stand in for what the gateway leaves out."""

from __future__ import annotations

import msgspec

from search.web import translation
from search.web.labels import property_name
from tests import builders as build
from tests.rows import each


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
