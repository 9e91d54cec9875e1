"""Random searches in random dialects: what the pages print is what the naive model computes, to the cent."""

from __future__ import annotations

from threading import Thread

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from search.sandbox.server import SandboxServer
from search.sandbox.weather import parse_weather
from tests.dialects import model
from tests.dialects.conftest import NIGHTS

PAGE = 20
# Each with the settings that `probe_gateway --apply` gives the site for it.
DIALECTS = [
    ("", {}),
    ("max_size=20,too_large=refused", {}),
    ("repeats", {}),
    ("repeats=stars", {}),
    ("repeats=prices,max_size=20", {}),
    ("repeats=half,max_size=20", {}),
    ("shared_ids", {}),
    ("total=moving", {}),
    ("surcharges=property-currency", {}),
    ("surcharges=unreadable,zero_prices", {}),
    ("surcharges=included", {"surcharge_mode": "included"}),
    ("basis=night,zero_prices", {"price_basis": "night"}),
    ("categories=single,max_size=50", {"categories_style": "each"}),
    ("prices=-40%,categories=repeat", {"categories_style": "repeat"}),
]
PLACES = ["Lerwick", "Jersey", "Calvi"]
wishes = st.builds(
    model.Wish,
    stars=st.sampled_from([(), (), (3,), (4, 5), (1, 2, 5)]),
    max_price=st.sampled_from([None, None, 150, 400, 900]),
    min_rating=st.sampled_from([None, None, 7, 8]),
    free_cancellation=st.booleans(),
    pay_later=st.booleans(),
    provider=st.sampled_from(["", "", "NB", "OTR"]),
    sort=st.sampled_from(["price", "rating", "stars"]),
)


def numbers_of(found):
    return [(card.id, card.total) for card in found.cards], found.count, found.exact


@settings(max_examples=4, phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(DIALECTS), st.sampled_from(PLACES), st.sampled_from(["EUR", "GBP", "JPY"]), wishes)
def test_the_pages_print_what_the_raw_answers_say(site, dialect, place, currency, wish):
    weather, site_settings = dialect
    site.speak(weather, **site_settings)
    entries = model.every_entry(site.ask(place, currency))
    expected = model.rows(entries, wish, currency, site.rules, NIGHTS)
    found = site.results(place, currency=currency, **wish.parameters())
    site.results(place, currency=currency)
    warm = site.results(place, currency=currency, **wish.parameters())
    assert numbers_of(warm) == numbers_of(found), "as cold, so warm"
    assert [card.id for card in found.cards] == [row.card for row in expected[:PAGE]]
    assert [card.total for card in found.cards] == [row.total for row in expected[:PAGE]]
    for card in warm.cards[:3]:
        total = None if card.total is None else f"{card.total:,}"
        assert total is None or total in site.get(card.link).content.decode(), "as on its card"
    if expected:
        assert found.count == len(expected)
        last = (len(expected) - 1) // PAGE
        cards = site.results(place, currency=currency, page=last + 1, **wish.parameters()).cards
        assert [card.id for card in cards] == [row.card for row in expected[last * PAGE :]]


@pytest.mark.parametrize(
    "weather", ["", "surcharges=unreadable", "surcharges=property-currency", "zero_prices"]
)
def test_the_model_itself_finds_every_kind_of_price(site, weather):
    site.speak(weather)
    expected = model.rows(model.every_entry(site.ask("Lerwick")), model.Wish(), "EUR", site.rules, NIGHTS)
    ranks = {row.order[0] for row in expected}
    assert {0, 3} <= ranks
    assert len({row.card for row in expected}) == len(expected) > 100


WORDS = ["repeats=stars,max_size=20", "repeats=prices,max_size=20", "repeats=half,max_size=20", "shared_ids"]


@pytest.mark.parametrize(
    "weather", [WORDS[0], *(pytest.param(one, marks=pytest.mark.thorough) for one in WORDS[1:])]
)
@pytest.mark.parametrize(
    "wish", [model.Wish(max_price=600), model.Wish(free_cancellation=True, sort="rating")]
)
def test_over_a_socket_cold_and_warm_are_alike(site, settings, weather, wish):
    server = SandboxServer("127.0.0.1", 0, parse_weather(weather))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    settings.GATEWAY_BASE_URL, settings.GATEWAY_API_KEY = server.base_url, "sandbox"
    try:
        site.speak(weather)
        cold = numbers_of(site.results("Lerwick", **wish.parameters()))
        site.results("Lerwick")
        warm = numbers_of(site.results("Lerwick", **wish.parameters()))
        entries = model.every_entry(site.ask("Lerwick"))
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    expected = model.rows(entries, wish, "EUR", site.rules, NIGHTS)[:PAGE]
    assert cold == warm
    assert cold[0] == [(row.card, row.total) for row in expected]
