"""The destination picker: what its suggestions and the places of the world cost."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from statistics import quantiles

import airportsdata

from search.destinations import places
from search.destinations.index import Destination, DestinationIndex
from search.destinations.names import country_names
from search.destinations.places import Places
from search.destinations.suggest import suggest
from search.domain.hotels import Airport
from tests.bench.figures import Figure
from tests.destinations.airports import an_airport

AIRPORTS = 250


def suggestions() -> Iterator[Figure]:
    """What suggestions cost with the world's places and some airports, and what the places take."""
    country_names("en")
    began, before = time.perf_counter(), _megabytes()
    world = places.world(places.TABLE)  # read anew, not the one that is kept
    yield Figure("picker: 34,000 places are ready after", time.perf_counter() - began, "s", 1)
    yield Figure("picker: their memory", _megabytes() - before, "MB", 40)
    cuts = quantiles(_times(DestinationIndex(_airports(), places=world)), n=100)
    yield Figure("picker: a suggestion, p50, CPU", cuts[49], "ms")
    yield Figure("picker: a suggestion, p99, CPU", cuts[98], "ms", 2)


PARTS = (suggestions,)


def _airports() -> list[Airport]:
    """Some of the open dataset's airports."""
    dice = random.Random(7)
    return [
        an_airport(
            one["iata"],
            one["name"],
            city=one["city"].upper().replace(" ", "_"),
            country=one["country"].lower(),
            region=one["subd"].upper().replace(" ", "_"),
            priority=dice.randint(1, 999),
            base=dice.random() < 0.1,
        )
        for one in dice.sample([*airportsdata.load("IATA").values()], AIRPORTS)
    ]


def _times(index: DestinationIndex) -> Iterator[float]:
    """Milliseconds of suggestions: letter by letter, with mistakes, by code and by country."""
    for text in chain(_questions(index.entries), _places(index.places)):
        began = time.process_time()
        suggest(index, text, "en")
        yield (time.process_time() - began) * 1000


def _questions(entries: tuple[Destination, ...]) -> Iterator[str]:
    dice = random.Random(11)
    for entry in dice.sample(entries, 250):
        name = entry.name
        yield from (name[:length] for length in range(1, len(name) + 1))
        place = dice.randrange(len(name))
        yield name[:place] + name[place + 1 :]
        yield name[:place] + "x" + name[place + 1 :]
        yield entry.code
    yield from ("germany", "united kingdom", "zzzzzzzz", "東京", "x" * 5_000)


def _places(world: Places) -> Iterator[str]:
    """Cities of the world letter by letter, with a mistake, and by names in other scripts."""
    dice = random.Random(13)
    for number in dice.choices(range(2_000), k=200) + dice.choices(range(len(world)), k=200):
        name = world[number].name
        yield from (name[:length] for length in range(1, len(name) + 1))
        place = dice.randrange(len(name))
        yield name[:place] + name[place + 1 :]
        yield name[:place] + "x" + name[place + 1 :]
    yield from ("москва", "м", "القا", "東", "san", "saint", "paris texas", "san jose costa rica")


def _megabytes() -> float:
    """The memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6
