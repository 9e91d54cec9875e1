"""A place that nobody knows is searched as it was typed, with the name it is near to on top."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

STAY = "checkin=2030-05-01&checkout=2030-05-04"


def offered(client: Client, place: str) -> str:
    html = client.get(f"/hotels/?place={place}&{STAY}").content.decode()
    assert f"Hotels in {place}" in unescape(html)
    found = re.findall(r'Did you mean [^<]*<a href="([^"]*)">', html)
    return parse_qs(urlsplit(unescape(found[0])).query)["place"][0] if found else ""


def test_a_misspelt_name_is_searched_and_a_near_one_offered(client: Client) -> None:
    assert offered(client, "Barcelna") == "Barcelona"
    assert offered(client, "Torotno") == "Toronto"


def test_a_known_name_and_one_near_to_nothing_are_left_alone(client: Client) -> None:
    assert offered(client, "Barcelona") == ""
    assert offered(client, "Xyzzyqwfp") == ""


def test_a_name_that_only_the_gateway_knows_is_left_alone(client: Client) -> None:
    assert "115 places to stay" in client.get(f"/hotels/?place=Lerwick&{STAY}").content.decode()
    assert offered(client, "Lerwick") == ""


@pytest.mark.parametrize("place", ["Dorset", "Alps", "Elounda", "Kavos"])
def test_an_unlisted_place_is_not_mended_into_a_little_one(client: Client, place: str) -> None:
    assert offered(client, place) == ""
