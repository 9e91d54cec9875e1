"""The index a process keeps: the gateway's list, the last good one, the bundled one; no page is blocked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from search.destinations.repository import DestinationRepository, bundled_airports
from search.destinations.service import resolve
from search.domain.hotels import Airport
from search.domain.process import Deadline
from search.domain.site_settings import DestinationOverride, Site
from search.gateway import Unavailable
from search.gateway.cache import CachedValue
from search.gateway.resilience import Background
from tests.destinations.airports import an_airport

LONDON = (an_airport("STN", "London Stansted", city="LONDON"),)
PARIS = (an_airport("BVA", "Paris Beauvais", city="PARIS"),)
SPARE = (an_airport("DUB", "Dublin"),)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Gateway:
    """Answers with `airports_now`, or fails without any."""

    def __init__(self, airports: tuple[Airport, ...] = ()) -> None:
        self.airports_now = airports
        self.calls = 0

    def airports(self, *, site: Site, deadline: Deadline) -> CachedValue[tuple[Airport, ...]]:
        self.calls += 1
        if not self.airports_now:
            raise Unavailable("connection")
        return CachedValue(self.airports_now, datetime(2026, 11, 21, tzinfo=UTC), stale=False)


class Behind(Background):
    """Work behind pages that is done at once, or, while it `hangs`, when it is let go."""

    def __init__(self) -> None:
        self.hangs = False
        self.jobs: list[Callable[[], None]] = []

    def start(self, job: Callable[[], None]) -> bool:
        if self.jobs:
            return False
        self.jobs.append(job)
        if not self.hangs:
            self.let_go()
        return True

    def let_go(self) -> None:
        self.hangs = False
        self.jobs[0]()
        self.jobs.clear()


class Scene:
    """A repository with a clock of its own, asked again and again."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.behind = Behind()
        self.destinations = DestinationRepository(bundled=lambda: SPARE, clock=self.clock, behind=self.behind)

    def codes(self, gateway: Gateway, *overrides: DestinationOverride, seconds: float = 5.0) -> list[str]:
        index = self.destinations.index(gateway, Site(overrides=overrides), Deadline(seconds, lambda: 0.0))
        return [entry.code for entry in index.entries]

    def later(self, gateway: Gateway, seconds: float = 600.0) -> list[str]:
        """What is known once the check that falls due by then has been made."""
        self.clock.now += seconds
        self.codes(gateway)
        return self.codes(gateway)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_the_first_page_already_has_the_gateways_list(scene: Scene) -> None:
    assert scene.codes(Gateway(LONDON)) == ["STN"]


def test_without_any_list_the_bundled_airports_stand_in(scene: Scene) -> None:
    assert scene.codes(Gateway()) == ["DUB"]


def test_a_gateway_that_fails_later_leaves_the_last_good_list(scene: Scene) -> None:
    gateway = Gateway(LONDON)
    scene.codes(gateway)
    gateway.airports_now = ()
    assert scene.later(gateway) == ["STN"]
    assert gateway.calls == 2


def test_a_new_list_takes_the_place_of_the_old_one(scene: Scene) -> None:
    gateway = Gateway(LONDON)
    scene.codes(gateway)
    gateway.airports_now = PARIS
    assert scene.later(gateway) == ["BVA"]


def test_a_list_that_comes_at_last_replaces_the_bundled_one(scene: Scene) -> None:
    gateway = Gateway()
    scene.codes(gateway)
    gateway.airports_now = LONDON
    assert scene.later(gateway, 2.5) == ["STN"]


def test_the_gateway_is_not_asked_for_every_page(scene: Scene) -> None:
    gateway = Gateway(LONDON)
    for _ in range(50):
        scene.codes(gateway)
    assert gateway.calls == 1


def test_a_gateway_that_hangs_costs_a_page_its_own_time(scene: Scene) -> None:
    gateway = Gateway(LONDON)
    scene.behind.hangs = True
    assert scene.codes(gateway, seconds=0.0) == ["DUB"]
    scene.clock.now = 2.0
    assert scene.codes(gateway, seconds=1_000_000) == ["DUB"], (
        "the first wait was in vain, so nobody waits again"
    )
    scene.behind.let_go()
    assert scene.codes(gateway) == ["STN"]


def test_a_list_asked_for_ahead_costs_the_first_page_no_wait(scene: Scene) -> None:
    gateway = Gateway(LONDON)
    scene.behind.hangs = True
    scene.destinations.ask(gateway, Site(), Deadline(5.0, lambda: 0.0))
    scene.behind.let_go()
    assert scene.codes(gateway, seconds=0.0) == ["STN"]
    assert gateway.calls == 1


def test_an_admins_correction_counts_at_once(scene: Scene) -> None:
    gateway = Gateway((*LONDON, *PARIS))
    assert len(scene.codes(gateway)) == 2
    assert scene.codes(gateway, DestinationOverride(airport="BVA", hidden=True)) == ["STN"]
    assert len(scene.codes(gateway)) == 2


def test_what_is_known_needs_no_gateway(scene: Scene) -> None:
    assert [entry.code for entry in scene.destinations.known(()).entries] == ["DUB"]
    scene.codes(Gateway(LONDON))
    assert [entry.code for entry in scene.destinations.known(()).entries] == ["STN"]


def test_the_bundled_airports_are_complete_and_searchable() -> None:
    airports = bundled_airports()
    assert len({airport.code for airport in airports}) == len(airports) > 200
    for airport in airports:
        assert airport.name
        assert airport.coordinates
        assert len(airport.country) == 2
        assert len(airport.currency) == 3
    index = DestinationRepository().known(())
    for text, place in (("STN", "London"), ("Bergamo", "Bergamo"), ("Łódź", "Lodz"), ("Rome", "Rome")):
        found = resolve(text, index, "en")
        assert found is not None
        assert found.place in (place, "Łódź")
