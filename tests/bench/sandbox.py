"""The sandbox: a page of 20 costs the same whatever its number, and what hotels cost the first time."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from statistics import median

import msgspec

from search.sandbox import api
from search.sandbox.api import DEFAULT_KEY
from search.sandbox.weather import Weather
from tests.bench.figures import Figure, cpu_ms, unit

PATH = "/pub/v1/rooms/ha/v2/propertyOffers"
SIZE = 20


LARGE_PLACES = ("London", "Paris", "Rome", "Milan", "Berlin")
LARGEST = 200


def _target(page: int, place: str = "London", size: int = SIZE) -> tuple[str, str]:
    query = (
        f"checkinDate=2030-05-01&checkoutDate=2030-05-04&roomAllocations=2&place={place}&categories=1,2,3,4,5"
        f"&currencyCode=EUR&market=en-gb&size={size}&page={page}&apikey={DEFAULT_KEY}"
    )
    return PATH, query


def figures() -> Iterator[Figure]:
    total = msgspec.json.decode(api.answer(*_target(0)).body)["Total"]
    last = (total - 1) // SIZE
    limit = cpu_ms(lambda: [blake2b(str(number).encode()).digest() for number in range(SIZE)])
    for name, page in (("first page", 0), (f"last page ({last + 1:,})", last)):
        taken = cpu_ms(lambda page=page: api.answer(*_target(page)))
        yield Figure(f"sandbox, {name} of London ({total:,} properties), CPU", taken, "ms", None, "", 3)
    yield Figure("sandbox, hashing 20 numbers", limit, "ms")
    first = median(map(_first_time, LARGE_PLACES)) / unit()
    yield Figure("sandbox, 600 properties asked for the first time, CPU", first, "units", budget=0.55)


def _first_time(place: str) -> float:
    """Milliseconds of three pages of a place; a second time they would be partly remembered."""
    weather = Weather(max_size=LARGEST)
    targets = [_target(page, place, LARGEST) for page in range(3)]
    return cpu_ms(lambda: [api.answer(*one, weather=weather) for one in targets], runs=1, warm_up=0)
