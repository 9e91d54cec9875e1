"""The sandbox: a page of 20 costs the same whatever its number."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

import msgspec

from search.sandbox import api
from search.sandbox.api import DEFAULT_KEY
from tests.bench.figures import Figure, cpu_ms

PATH = "/pub/v1/rooms/ha/v2/propertyOffers"
SIZE = 20


def _target(page: int) -> tuple[str, str]:
    query = (
        "checkinDate=2030-05-01&checkoutDate=2030-05-04&roomAllocations=2&place=London&categories=1,2,3,4,5"
        f"&currencyCode=EUR&market=en-gb&size={SIZE}&page={page}&apikey={DEFAULT_KEY}"
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
