"""The gateway's codes as choices: one for all with the same words, providers in the admin's order."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from search.domain.site_settings import CodeLabel, ProviderEntry, Site
from search.results.context import refinement_of
from search.results.index import RowIndex
from search.results.selection import Question, Selection, facets
from tests.results.naive_filters import offer, row
from tests.rows import each

ORDERED = Site(providers=(ProviderEntry("ZZ", order=1), ProviderEntry("BB", order=2)))
POOLS = [
    row("a", 0, offer("100", facilities=("POOL",))),
    row("b", 1, offer("100", facilities=("SWIMMING_POOL",)), offer("110", facilities=("POOL",))),
    row("c", 2, offer("100", facilities=("PISCINE", "GYM"))),
]


def choices(name: str, rows: list, site: Site, query: str = "") -> list[tuple[str, int | None, bool]]:
    refinement = refinement_of(QueryDict(query), site)
    values = facets(Selection(RowIndex(rows, site), Question(refinement)))[name]
    return [(one.value, one.own, one.selected) for one in values]


def test_codes_with_the_same_words_are_one_choice():
    assert choices("facility", POOLS, Site()) == [
        ("POOL", 2, False),
        ("GYM", 1, False),
        ("Piscine", 1, False),
    ]


@pytest.mark.parametrize("code", ["TOUR_DESK", "Tour desk", "tourDesk"])
def test_spellings_of_an_unknown_code_are_one_choice(code):
    rows = [
        row(key, 0, offer("100", facilities=(one,))) for key, one in (("a", "TOUR_DESK"), ("b", "Tour Desk"))
    ]
    assert choices("facility", rows, Site(), f"facility={code}") == [("Tour desk", 2, True)]


@each("code", ["POOL", "SWIMMING_POOL", "swimming_pool", "PISCINE"])
def test_words_of_an_admin_join_codes(code):
    site = Site(code_labels=(CodeLabel("facility", "PISCINE", "Pool"),))
    assert choices("facility", POOLS, site, f"facility={code}") == [("POOL", 3, True), ("GYM", 1, False)]


def test_a_code_an_admin_names_otherwise_stays_apart():
    site = Site(code_labels=(CodeLabel("facility", "SWIMMING_POOL", "Large pool"),))
    assert ("SWIMMING_POOL", 1, False) in choices("facility", POOLS, site)


def test_the_providers_to_choose_are_in_the_admins_order():
    rows = [row(str(number), number, *(offer("90", code) for code in codes)) for number, codes in enumerate(
        (("AA", "CC", "BB"), ("CC", "BB"), ("CC", "ZZ"))
    )]  # fmt: skip
    assert [value for value, _own, _chosen in choices("provider", rows, ORDERED)] == ["ZZ", "BB", "CC", "AA"]
    assert choices("provider", rows, Site())[0] == ("CC", 3, False)


WIFIS = [
    row("a", 0, offer("100", facilities=("FREE_WIFI",))),
    row("b", 1, offer("100", facilities=("wi-fi",))),
    row("c", 2, offer("100", facilities=("Wireless internet", "GYM"))),
]


@pytest.mark.parametrize("code", ["WIFI", "wifi", "Wi-Fi"])
def test_asking_for_wifi_finds_every_spelling(code):
    assert ("WIFI", 3, True) in choices("facility", WIFIS, Site(), f"facility={code}")


def test_free_wifi_stays_a_choice_of_its_own():
    found = choices("facility", WIFIS, Site())
    assert found == [("WIFI", 3, False), ("FREE_WIFI", 1, False), ("GYM", 1, False)]


def test_of_codes_with_the_same_hotels_the_narrower_one_stays():
    assert choices("facility", WIFIS[:1], Site()) == [("FREE_WIFI", 1, False)]
    chosen = choices("facility", WIFIS[:1], Site(), "facility=WIFI")
    assert sorted(chosen) == [("FREE_WIFI", 1, False), ("WIFI", 1, True)]


def test_an_address_with_a_broader_code_finds_more():
    assert ("INTERNET_ACCESS", 3, True) in choices("facility", WIFIS, Site(), "facility=INTERNET_ACCESS")
