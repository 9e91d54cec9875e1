"""A name that several places have: the most important is searched, the others are one click away."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from search.results.page import ResultsPage
from tests import builders as build

STAY = "checkin=2030-05-01&checkout=2030-05-04"


def page(client: Client, asked: str) -> str:
    response = client.get(f"/hotels/?{asked}&{STAY}")
    assert response.status_code == 200
    return response.content.decode()


def heading(html: str) -> str:
    (found,) = re.findall(r"<h1[^>]*>(.*?)</h1>", html, re.DOTALL)
    return unescape(found).strip()


def namesakes(html: str) -> dict[str, dict[str, str]]:
    """Where the others are, each with the parameters of its address."""
    line = "".join(re.findall(r'<p class="results__namesakes">.*?</p>', html, re.DOTALL))
    links = re.findall(r'<a href="([^"]*)">(.*?)</a>', line)
    return {
        unescape(where): {name: one[0] for name, one in parse_qs(urlsplit(unescape(href)).query).items()}
        for href, where in links
    }


def test_the_most_important_is_searched_and_the_others_are_one_click_away(client: Client) -> None:
    html = page(client, "place=San+Jose")
    assert heading(html) == "Hotels in San Jose"
    costa_rica = namesakes(html)["Costa Rica"]
    assert (costa_rica["place"], costa_rica["country"]) == ("San José", "CR")


def test_the_choice_is_kept_in_the_address_and_said(client: Client) -> None:
    html = page(client, "place=San+José&country=CR")
    assert heading(html) == "Hotels in San José, Costa Rica"
    assert 'value="San José, CR"' in html
    assert "California, United States" in namesakes(html)
    kept = re.findall(r'<link rel="canonical" href="([^"]*)"', html)
    assert kept == [] or "country=CR" in kept[0]


@pytest.mark.parametrize("asked", ["place=Paris,+Texas", "place=Paris&country=Texas,+US", "place=Paris,+TX"])
def test_a_place_within_a_country_is_meant_by_its_region(client: Client, asked: str) -> None:
    html = page(client, asked)
    assert heading(html) == "Hotels in Paris, United States"
    assert "Île-de-France, France" in namesakes(html)


@pytest.mark.parametrize("asked", ["place=Paris", "place=London", "place=Barcelona", "place=Nowhere+at+all"])
def test_a_name_that_is_nearly_always_one_place_asks_nothing(client: Client, asked: str) -> None:
    assert not namesakes(page(client, asked))


@pytest.mark.parametrize("country", ["XX", "<script>", "Atlantis, US", "us"])
def test_a_country_that_makes_no_sense_asks_nothing(client: Client, country: str) -> None:
    html = page(client, f"place=Rome&country={country}")
    assert heading(html) == "Hotels in Rome"


def test_clearing_the_filters_keeps_which_place_is_meant(client: Client) -> None:
    html = page(client, "place=San+José&country=CR&max_price=1")
    cleared = re.findall(r'href="([^"]*)"[^>]*>\s*Clear all', html)
    assert all("country=CR" in unescape(href) for href in cleared)


@pytest.mark.parametrize(("country", "said"), [("us", "Spain"), ("es", ""), ("", "")])
def test_a_hotel_in_another_country_than_was_meant_says_so(country: str, said: str) -> None:
    listing = build.priced(build.offer(), country="es", city="Barcelona", address="Rambla 1")
    page = ResultsPage.build(build.context(country=country), build.found(listing))
    assert page.cards[0].place == ", ".join(filter(None, ("Rambla 1, Barcelona", said)))
