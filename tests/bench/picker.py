"""The destination picker with 10,000 airports: what its suggestions and its places cost."""

from __future__ import annotations

import random
import resource
import string
import time
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path
from statistics import quantiles

import airportsdata
import msgspec

from search.destinations import places
from search.destinations import service as destinations
from search.destinations.destination import Destination
from search.destinations.index import DestinationIndex
from search.destinations.names import CountryNames
from search.destinations.places import Places
from search.destinations.suggest import suggest
from search.domain.hotels import Airport
from tests.bench.figures import Figure
from tests.destinations.airports import an_airport

AIRPORTS = 10_000


def suggestions() -> Iterator[Figure]:
    """What suggestions cost with the world's places and few or many airports, and what the places take."""
    names = destinations.country_names("en")
    airports = _airports()
    began, before = time.perf_counter(), _megabytes()
    world = places.load()
    world.prepare()
    yield Figure("picker: 34,000 places are ready after", time.perf_counter() - began, "s", 1)
    yield Figure("picker: their memory", _megabytes() - before, "MB", 40)
    for listed, budget in ((airports[:250], 2.0), (airports, None)):
        cuts = quantiles(_times(DestinationIndex(listed, places=world), names), n=100)
        among = f"picker: a suggestion, 34,000 places and {len(listed):,} airports"
        yield Figure(f"{among}, p50, CPU", cuts[49], "ms")
        yield Figure(f"{among}, p99, CPU", cuts[98], "ms", budget)


PARTS = (suggestions,)


def _airports() -> list[Airport]:
    """The open dataset's airports, then as many again under other codes as are missing."""
    dice = random.Random(7)
    found = [_airport(one, dice) for one in airportsdata.load("IATA").values()]
    taken = {airport.code for airport in found}
    free = ("".join(letters) for letters in product(string.ascii_uppercase, repeat=3))
    spare = (code for code in free if code not in taken)
    twins = dice.sample(found, AIRPORTS - len(found))
    return found + [msgspec.structs.replace(one, code=next(spare), name=f"New {one.name}") for one in twins]


def _airport(one: airportsdata.Airport, dice: random.Random) -> Airport:
    return an_airport(
        one["iata"],
        one["name"],
        city=one["city"].upper().replace(" ", "_"),
        country=one["country"].lower(),
        region=one["subd"].upper().replace(" ", "_"),
        priority=dice.randint(1, 999),
        base=dice.random() < 0.1,
    )


def _times(index: DestinationIndex, names: CountryNames) -> Iterator[float]:
    """Milliseconds of suggestions: letter by letter, with mistakes, by code and by country."""
    for text in chain(_questions(index.entries), _places(index.places)):
        began = time.process_time()
        suggest(index, text, names)
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
