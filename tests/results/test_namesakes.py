"""A name that several places have: the most important is searched, the others are one click away."""

import re
from dataclasses import replace
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from search.domain.query import Refinement
from search.domain.words import fold
from search.results.page import ResultsBeginning, ResultsPage
from tests import builders as build

pytestmark = pytest.mark.usefixtures("few_hotels")

STAY = "checkin=2030-05-01&checkout=2030-05-04"


def page(client: Client, asked: str, view: str = "sort=provider") -> str:
    response = client.get(f"/hotels/?{asked}&{STAY}&{view}")
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


def test_the_most_important_is_searched_others_are_a_click_away(client: Client) -> None:
    html = page(client, "place=Valencia")
    assert heading(html) == "Hotels in Valencia, Spain"
    venezuela = namesakes(html)["Venezuela"]
    assert (venezuela["place"], venezuela["country"]) == ("Valencia", "VE")


@pytest.mark.parametrize(
    ("meant", "view"),
    [*[("place=San+Jose", view) for view in ("", "sort=provider", "page=900")], ("place=SJC", "")],
)
def test_the_place_shown_is_not_offered_as_another(client: Client, meant: str, view: str) -> None:
    """The sandbox takes the name alone for the one in Costa Rica, the table of places for that in California:
    so of all hotels, whatever their order, and of those that filters leave out."""
    html = page(client, meant, view)
    assert heading(html) == "Hotels in San Jose, Costa Rica"
    assert "<title>Hotels in San Jose, Costa Rica, 1–4 May 2030 ·" in html
    assert "under this name they sell San Jose, Costa Rica." in html
    assert list(namesakes(html)) == ["Philippines"]


def test_nor_is_one_in_the_same_country(client: Client) -> None:
    html = page(client, "place=Springfield")
    assert heading(html) == "Hotels in Springfield, Massachusetts, United States"
    assert "under this name they sell Springfield, Massachusetts, United States." in html
    assert not [where for where in namesakes(html) if "Massachusetts" in where]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("place=Valencia", "Hotels in Valencia, Spain"),
        ("place=Cordoba", "Hotels in Córdoba, Argentina"),
        ("place=London", "Hotels in London"),
    ],
)
def test_the_heading_tells_a_place_from_others_of_its_name(client: Client, asked: str, said: str) -> None:
    assert heading(page(client, asked)) == said


def test_until_something_is_found_a_name_alone_is_of_no_country() -> None:
    """The gateway decides which one it means; without scripts the title stays as it began."""
    alone = build.context(build.search(place="San Jose"), country="us")
    beginning = ResultsBeginning(alone, 1)
    assert beginning.title == "Hotels in San Jose"
    assert "United States" not in beginning.head.title
    chosen = replace(alone, refinement=Refinement(country="CR"), country="cr")
    assert ResultsBeginning(chosen, 1).title == "Hotels in San Jose, Costa Rica"


def test_the_choice_is_kept_in_the_address_and_said(client: Client) -> None:
    html = page(client, "place=San+José&country=CR")
    assert heading(html) == "Hotels in San José, Costa Rica"
    assert 'value="San José, CR"' in html
    (kept,) = re.findall(r'<link rel="canonical" href="([^"]*)"', html)
    assert "country=CR" in kept


@pytest.mark.parametrize("asked", ["Córdoba&country=AR", "Córdoba,+AR", "London&country=GB"])
def test_a_place_is_told_from_a_smaller_listed_one(client: Client, asked: str) -> None:
    html = page(client, f"place={asked}")
    links = [parse_qs(urlsplit(unescape(href)).query) for href in re.findall(r'href="(/hotels/[^"]*)"', html)]
    here = [one for one in links if one.get("place") == [re.split("[&,]", asked)[0]]]
    others = {one.get("country") for one in namesakes(html).values()}
    assert len(here) > 20
    assert {one.get("country", [""])[0] for one in here} - others == {asked[-2:]}


# The sandbox, which is asked for the name alone, takes each for the other one.
@pytest.mark.parametrize(
    ("asked", "picked", "sold", "there"),
    [
        ("place=Barcelona&country=VE", "Barcelona, Venezuela", "Barcelona, Spain", "ES"),
        ("place=Barcelona&country=VE&sort=stars&page=2", "Barcelona, Venezuela", "Barcelona, Spain", "ES"),
        ("place=Barcelona&country=VE&max_price=1", "Barcelona, Venezuela", "Barcelona, Spain", "ES"),
        ("place=San+Jose&country=US", "San Jose, United States", "San Jose, Costa Rica", "CR"),
        ("place=Paris,+Texas", "Paris, United States", "Paris, France", "FR"),
        ("place=Paris,+TX", "Paris, United States", "Paris, France", "FR"),
        ("place=Paris&country=US&region=Texas", "Paris, United States", "Paris, France", "FR"),
        ("place=Paris&country=Texas,+US", "Paris, United States", "Paris, France", "FR"),
    ],
)
def test_a_picked_place_without_hotels_is_no_list(
    client: Client, asked: str, picked: str, sold: str, there: str
) -> None:
    html = page(client, asked, "")
    assert heading(html) == f"No hotels in {picked}"
    assert f"<title>No hotels in {picked}, 1–4 May 2030 ·" in html
    assert f"look places up by name only; under this name they sell {sold}." in html
    assert "listing-card" not in html
    (button,) = re.findall(rf'<a class="button button--primary" href="([^"]*)">Hotels in {sold}<', html)
    assert parse_qs(urlsplit(unescape(button)).query)["country"] == [there]
    assert fold(heading(client.get(unescape(button)).content.decode())) == fold(f"Hotels in {sold}")


def test_larger_places_near_the_picked_one_are_offered(client: Client) -> None:
    html = page(client, "place=Barcelona&country=VE", "")
    near = re.findall(r'<li><a href="[^"]*country=VE"><bdi>(.*?)</bdi></a><span[^>]*>(\d+)\xa0mi<', html)
    assert len(near) == 4
    assert all(int(miles) < 125 for _name, miles in near)


@pytest.mark.parametrize(
    ("typed", "around"),
    [
        ("San Jose", {"US", "CR", "PH"}),
        ("Barcelona", {"ES", "VE"}),
        ("Springfield", {"US", "Illinois, US", "Oregon, US"}),
    ],
)
def test_every_suggestion_leads_to_an_address_with_its_country(
    client: Client, typed: str, around: set[str]
) -> None:
    html = client.get("/destinations/", {"q": typed}).content.decode()
    links = [parse_qs(urlsplit(unescape(href)).query) for href in re.findall(r'href="(/hotels/[^"]*)"', html)]
    offered = {", ".join(one.get("region", []) + one.get("country", [])) for one in links}
    assert around <= offered
    options = client.get("/destinations/", {"q": typed, "part": "options"}).content.decode()
    assert {f"{typed}, {one}" for one in around} <= {
        unescape(one).replace("é", "e") for one in re.findall(r'data-picked="([^"]*)"', options)
    }


def test_a_name_alone_gets_no_country(client: Client) -> None:
    (kept,) = re.findall(r'<link rel="canonical" href="([^"]*)"', page(client, "place=San+Jose"))
    assert "country" not in kept


def test_every_link_keeps_the_picked_region_and_country(client: Client) -> None:
    html = page(client, "place=Springfield&country=US&region=Massachusetts")
    assert heading(html) == "Hotels in Springfield, Massachusetts, United States"
    assert 'value="Springfield, Massachusetts, US"' in html
    hrefs = [unescape(one) for one in re.findall(r'href="([^"]*[?&]place=Springfield[^"]*)"', html)]
    assert len(hrefs) > 20
    others = set(namesakes(html))
    here = [one for one in hrefs if "country=US" in one and "region=Massachusetts" in one]
    assert len(hrefs) - len(here) <= len(others)


@pytest.mark.parametrize("asked", ["place=Paris", "place=London", "place=Barcelona", "place=Nowhere+at+all"])
def test_a_name_that_is_nearly_always_one_place_asks_nothing(client: Client, asked: str) -> None:
    assert not namesakes(page(client, asked))


@pytest.mark.parametrize(
    ("asked", "other", "where"),
    [
        ("place=St+Petersburg", "Saint Petersburg", "Russia"),
        ("place=Vienne", "Vienna", "Austria"),
        ("place=Edinburg", "Edinburgh", "Scotland, United Kingdom"),
    ],
)
def test_a_far_bigger_city_of_the_name_is_one_click_away(
    client: Client, asked: str, other: str, where: str
) -> None:
    assert namesakes(page(client, asked))[where]["place"] == other


@pytest.mark.parametrize(
    ("place", "market", "where"),
    [("Toledo", "es-es", "Ohio, Estados Unidos"), ("Toledo", "en-gb", "Castilla-La Mancha, Spain")],
)
def test_what_other_readers_mean_is_one_click_away(
    client: Client, place: str, market: str, where: str
) -> None:
    assert where in namesakes(page(client, f"place={place}&market={market}"))


@pytest.mark.parametrize("country", ["XX", "Atlantis, US"])
def test_a_country_that_makes_no_sense_asks_nothing(client: Client, country: str) -> None:
    html = page(client, f"place=Rome&country={country}")
    assert heading(html) == "Hotels in Rome"


def test_clearing_the_filters_keeps_which_place_is_meant(client: Client) -> None:
    html = page(client, "place=San+José&country=CR&max_price=1")
    cleared = re.findall(r'href="([^"]*)"[^>]*>\s*Clear all', html)
    assert {"country=CR" in unescape(href) for href in cleared} == {True}


@pytest.mark.parametrize(("country", "said"), [("us", "Spain"), ("es", ""), ("", "")])
def test_a_hotel_in_another_country_than_was_meant_says_so(country: str, said: str) -> None:
    listing = build.priced(build.offer(), country="es", city="Barcelona", address="Rambla 1")
    page = ResultsPage(build.context(country=country), build.found(listing))
    assert page.cards[0].place == ", ".join(filter(None, ("Rambla 1, Barcelona", said)))
