"""Dates, the canonical address of a search, path parts, words for codes, distances."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from urllib.parse import parse_qsl, quote, unquote, urlencode

import pytest
from django.urls import resolve
from hypothesis import given
from hypothesis import strategies as st

from search.domain.hotels import Coordinates
from search.domain.query import (
    MapArea,
    Refinement,
    Sort,
    StayDates,
    StaySearch,
    canonical_stars,
    encode_pairs,
)
from search.domain.words import humanise, in_words
from search.web.links import Identifier, ProviderCode, path_part, property_path, provider_part
from tests.rows import each

MAY = date(2030, 5, 1)


def a_search(place: str = "Rome", **changes) -> StaySearch:
    values = {
        "dates": StayDates(MAY, date(2030, 5, 4)),
        "guests": 2,
        "stars": (),
        "currency": "EUR",
        "market": "en-gb",
    }
    return StaySearch(place=place, **{**values, **changes})


@each(("nights", "possible"), [(0, False), (-1, False), (1, True), (27, True), (28, False)])
def test_a_stay_has_1_to_27_nights(nights, possible):
    if possible:
        assert StayDates(MAY, MAY + timedelta(days=nights)).nights == nights
    else:
        with pytest.raises(ValueError, match="1 to 27"):
            StayDates(MAY, MAY + timedelta(days=nights))


def test_the_query_string_is_canonical():
    assert a_search("São Paulo", stars=(4, 5)).query_string() == (
        "place=S%C3%A3o%20Paulo&checkin=2030-05-01&checkout=2030-05-04"
        "&guests=2&stars=4&stars=5&currency=EUR&market=en-gb"
    )


def test_all_five_stars_are_the_same_as_none():
    assert canonical_stars([5, 4, 3, 2, 1]) == ()
    assert canonical_stars([5, 3, 5]) == (3, 5)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_place_survives_the_address_as_one_parameter(place):
    assert parse_qsl(a_search(place).query_string(), keep_blank_values=True)[0] == ("place", place)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_is_encoded_as_by_the_standard_library(text):
    pairs = [("name", text), (text, "value")]
    assert encode_pairs(pairs) == urlencode(pairs, quote_via=quote, safe="")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_identifier_survives_the_path_as_one_part(identifier):
    part = path_part(identifier)
    assert "/" not in part
    assert part not in (".", "..")
    assert Identifier().to_python(unquote(part)) == identifier


@each("identifier", [".", "..", "~.", "~~..", "~", "a/../b", "100%", "%2F"])
def test_identifiers_that_browsers_would_fold_away_survive(identifier):
    assert unquote(path_part(identifier)) not in (".", "..")
    assert Identifier().to_python(unquote(path_part(identifier))) == identifier


def test_codes_become_words():
    assert humanise("TAX_AND_FEES") == "Tax and fees"
    assert humanise("freeWifi") == "Free wifi"
    assert in_words("TOUR_DESK") == in_words("Tour Desk") == "Tour desk"
    assert humanise("GST") == "GST"
    assert humanise("BBQ_AREA") == "BBQ area"


@each("text", ["10% MwSt.", "Kurtaxe in %", "Taxe due in USD", "Taxe de séjour"])
def test_words_stay_as_they_were_written(text):
    assert in_words(text) == in_words(text[:1].lower() + text[1:]) == text


def test_distance_is_the_great_circle():
    stansted, gatwick = Coordinates(51.885, 0.235), Coordinates(51.148, -0.190)
    assert stansted.km_to(gatwick) == pytest.approx(87.2, abs=0.5)
    assert stansted.km_to(stansted) == 0


def test_a_refinement_spells_no_defaults_and_sorts_values():
    refinement = Refinement(sort=Sort.RATING, type=("VILLA", "HOTEL"), free_cancellation=True)
    assert refinement.pairs() == [
        ("sort", "rating"),
        ("type", "HOTEL"),
        ("type", "VILLA"),
        ("free_cancellation", "1"),
    ]
    assert Refinement().pairs() == []


def test_order_and_anchor_alone_narrow_nothing():
    assert not Refinement(sort=Sort.STARS, near="STN").narrows
    assert Refinement(pay_later=True).narrows


def test_limits_per_night_are_whole_amounts():
    asked = Refinement(min_price=Decimal(100), max_price=Decimal(100))
    night = asked.of_night(3)
    assert (night.min_price, night.max_price, night.per_night) == (33, 34, True)
    assert (night.of_stay(3).min_price, night.of_stay(3).max_price) == (99, 102)
    assert night.of_night(3) == night
    assert Refinement(min_price=Decimal(2)).of_night(3) == Refinement(per_night=True)
    assert not Refinement(per_night=True).narrows


def test_a_map_area_may_cross_the_date_line():
    fiji = MapArea(176, -20, -178, -15)
    assert fiji.holds(-17, 179)
    assert fiji.holds(-17, -179)
    assert not fiji.holds(-17, 0)


@given(st.text(min_size=1))
def test_a_provider_s_code_is_one_path_part(code):
    part = unquote(provider_part(code))
    assert "/" not in part
    assert part not in (".", "..")
    assert ProviderCode().to_python(part) == code


@each(("provider", "property_id"), [("A/B", "77"), ("A", "B/77"), ("A~1B", "77"), ("..", "a/"), ("/", "/")])
def test_a_slash_on_either_side_leads_to_its_property(provider, property_id):
    found = resolve(unquote(property_path(provider, property_id)))
    assert (found.kwargs["provider"], found.kwargs["property_id"]) == (provider, property_id)
