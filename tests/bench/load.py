"""The real site under visitors: what a page costs, alone and in a crowd, and when it can be seen."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from itertools import count, islice
from statistics import fmean, median
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from django.core.wsgi import get_wsgi_application

from hotelsite.worker import GIVE_BACK_SECONDS
from tests.faults.measures import stale_and_breaker
from tests.faults.site import CHECK_IN, SEARCH, Site, running_site
from tests.services.parts import cache_url, running_redis

from . import visitors
from .figures import Figure, cpu_ms, unit
from .pages import ask
from .refine import LATENCY, slow_gateway
from .visitors import Load, load, memory_mb, open_page

CROWDS = (1, 16, 64)
THREADS_EACH = 32
REST_SECONDS = 1.0
# Nothing runs behind pages any more where a site needs less than this share of a processor for so long.
QUIET_SHARE, QUIET_SECONDS = 0.02, 0.05
# Each has more than 600 hotels in the sandbox.
PLACES = (
    "Rome", "Paris", "London", "Berlin", "Madrid", "Lisbon", "Vienna", "Prague", "Dublin", "Milan", "Porto",
    "Athens", "Naples", "Budapest", "Amsterdam", "Brussels", "Copenhagen", "Stockholm", "Oslo", "Warsaw",
    "Krakow", "Munich", "Hamburg", "Seville", "Valencia", "Malaga", "Venice", "Florence", "Edinburgh",
    "Manchester", "Marrakesh", "Istanbul",
)  # fmt: skip


def warm_page() -> Iterator[Figure]:
    """A results page in the cache, for 1, 16 and 64 visitors at once."""
    one = piece = 0.0
    with running_site("", LOG_LEVEL="INFO") as site:
        path = results_path("Barcelona")
        _warm(site, path)
        before = unit()
        for crowd in CROWDS:
            seen = load(site, lambda _visitor, _number: path, crowd, 192 // crowd)
            one, piece = one or seen.cpu_ms, piece or fmean((before, unit()))
            yield Figure(
                f"warm page, {crowd} at once, CPU a page", seen.cpu_ms, "ms", one, "one visitor", 1.15,
                first="18-25 ms, 1.0-1.5x",
            )  # fmt: skip
            yield Figure(f"warm page, {crowd} at once, p95", seen.p95_ms, "ms")
        yield Figure("warm page in units", one / piece, "units", budget=0.25, first="0.53")


def cold_search() -> Iterator[Figure]:
    """A search of a large place that nobody asked for yet, its 600 hotels collected behind the page: all in
    one process, and with a gateway that makes up its hotels elsewhere."""
    with running_site("", LOG_LEVEL="INFO") as site:
        cost = _cold_costs(site)
        one = cost.milliseconds
        yield Figure("cold search of 600, CPU, 1 visitor", cost.alone, "units", budget=1.1, first="5.9")
        yield Figure("the same, the site at rest before", cost.rested, "units")
        yield Figure("cold search of 600, CPU, 16 visitors", cost.crowd, "units", budget=1.3, first="5.8")
    with (
        slow_gateway(0) as gateway,
        running_site(gateway, GATEWAY_API_KEY="sandbox", LOG_LEVEL="INFO") as site,
    ):
        cost = _cold_costs(site)
        yield Figure("the same, its gateway on a socket, 1 visitor", cost.alone, "units")
        yield Figure("the same, its gateway on a socket, 16 visitors", cost.crowd, "units")
    with running_site("", LOG_LEVEL="INFO") as site:
        _warm(site, results_path("Barcelona"))
        seen = load(site, lambda who, number: _cold(who * 4 + number), 16, 4)
        yield Figure(
            "16 visitors x 4 cold searches, p95", seen.p95_ms, "ms", 16 * one, "16 x CPU of one", 2,
            first="11-12 s",
        )  # fmt: skip
        yield Figure("16 visitors x 4 cold searches, not answered", 64 - seen.answered(), "pages", budget=0)
    with running_site("", LOG_LEVEL="INFO") as site:
        _warm(site, results_path("Barcelona"))
        seen = load(site, lambda who, number: _cold(who * 4 + number), 32, 4)
        yield Figure("32 visitors x 4 cold searches, not answered", 128 - seen.answered(), "pages", budget=0)


def home_page() -> Iterator[Figure]:
    """The home page and a view that does nothing, both through all middleware."""
    application = get_wsgi_application()
    empty = cpu_ms(lambda: ask(application, "", "/healthz"))
    yield Figure("an empty view through all middleware, CPU", empty, "ms")
    home = cpu_ms(lambda: ask(application, "", "/"))
    yield Figure("home page, CPU", home, "ms", budget=2, first="5-9 ms")


def throughput() -> Iterator[Figure]:
    """128 visitors, each page one call of a gateway that takes 300 ms; two processes and Redis."""
    with (
        running_redis() as redis,
        slow_gateway() as gateway,
        running_site(
            gateway,
            *("--workers", "2", "--threads", str(THREADS_EACH)),
            CACHE_URL=cache_url(redis),
            GATEWAY_API_KEY="sandbox",
            LOG_LEVEL="INFO",
        ) as site,
    ):
        _warm(site, results_path("Barcelona"))
        beside = visitors.cpu_seconds_beside(site)
        seen = load(site, lambda who, number: _cold(who * 8 + number, sort="provider"), 128, 8)
        # Gateway, Redis and visitors run on the same processors.
        left = 2 - (visitors.cpu_seconds_beside(site) - beside) / seen.seconds
        most = min(2 * THREADS_EACH / LATENCY, left / (seen.cpu_ms / 1000))
        yield Figure(
            "pages a second, gateway 300 ms, 128 visitors", seen.steady_rate(), "/s", most,
            "threads / latency, cores / CPU", 0.85,
        )  # fmt: skip
        yield Figure("of 1,024 pages, not answered", 1024 - seen.answered(), "pages", budget=0)


def memory() -> Iterator[Figure]:
    """What the processes hold after 10,000 pages, a tenth of them searches that nobody asked for yet, beside
    after the first hundred of those; each time once they have given back what is free."""
    with running_site("", LOG_LEVEL="WARNING") as site:
        path = results_path("Barcelona")
        load(site, lambda who, number: _cold(who * 25 + number), 4, 25)
        time.sleep(GIVE_BACK_SECONDS + 2)
        early, _most = memory_mb(site)
        load(site, lambda who, number: path if number % 10 else _cold(100 + who * 1_000 + number), 4, 2_475)
        time.sleep(GIVE_BACK_SECONDS + 2)
        late, most = memory_mb(site)
        yield Figure("memory after 10,000 pages", late, "MB", early, "after 100 searches", 1.05)
        yield Figure("memory of one process then, the larger", most, "MB", budget=200)


def failing_gateway() -> Iterator[Figure]:
    """Pages without a gateway: an older copy, or the sorry page of an open breaker."""
    for measure in stale_and_breaker():
        if measure.unit == "ms":
            yield Figure(measure.name, measure.value, "ms", budget=20, first="10 ms")


def first_paint() -> Iterator[Figure]:
    """When a page that a browser opens begins, and when its first hotel comes, at a slow gateway."""
    for seconds, first in ((1, "1.13 s"), (3, "3.1 s")):
        with running_site("", SANDBOX_WEATHER=f"slow={seconds}", LOG_LEVEL="INFO") as site:
            just_started = open_page(site, _cold(3)).first_byte
            time.sleep(2 * seconds + REST_SECONDS)  # the rest of its hotels
            seen = [open_page(site, _cold(number)) for number in range(3)]
        name = f"first byte of a process just started, gateway at {seconds} s"
        yield Figure(name, just_started * 1000, "ms", budget=300, first=first)
        byte = min(one.first_byte for one in seen)
        yield Figure(f"first byte, gateway at {seconds} s", byte * 1000, "ms", budget=300, first=first)
        cards = [one.card - seconds for one in seen if one.card]
        if cards:
            name = f"first hotel after the answer, gateway at {seconds} s"
            yield Figure(name, min(cards) * 1000, "ms", budget=60, first="100 ms")


def weights() -> Iterator[Figure]:
    """Elements of a results page, and what a first visit fetches, photos apart."""
    with running_site("", LOG_LEVEL="INFO") as site:
        path = results_path("Barcelona")
        page = site.get(path).text
        hotel = re.search(r'listing-card__name"><a href="([^"]+)"', page)
        elements = _Page(page).elements
        yield Figure("elements of a results page", elements, "", 1500, "Lighthouse", 0.8, first="1,730")
        paths = {"home": "/", "results": path, "property": unescape(hotel[1]) if hotel else "/"}
        for name, budget, first in (("home", 30, "24"), ("results", 50, "41"), ("property", 40, "28")):
            sizes = _first_visit(site, paths[name])
            yield Figure(f"first visit, {name}", sum(sizes) / 1000, "kB", budget=budget, first=first)
            yield Figure(f"first visit, {name}", len(sizes), "requests", budget=12, first="8-11")


PARTS = (
    warm_page, cold_search, home_page, throughput, memory, failing_gateway, first_paint, weights,
)  # fmt: skip


def results_path(place: str, **more: str) -> str:
    return "/hotels/?" + urlencode({"place": place, **SEARCH, **more})


def _cold(number: int, **more: str) -> str:
    """Another search for each number."""
    day = CHECK_IN + timedelta(days=30 + number // len(PLACES))
    dates = {"checkin": day.isoformat(), "checkout": (day + timedelta(days=3)).isoformat()}
    return results_path(PLACES[number % len(PLACES)], **dates, **more)


def _warm(site: Site, path: str) -> None:
    """Each process has the page."""
    for _ in range(8):
        site.get(path)


class _ColdCosts(NamedTuple):
    """What a cold search costs: CPU milliseconds, and units of the time around it where one visitor asks for
    one after another, where the site had nothing to do before each, and with sixteen visitors at once."""

    milliseconds: float
    alone: float
    rested: float
    crowd: float


def _cold_costs(site: Site) -> _ColdCosts:
    """Medians, for many a machine is half as fast for seconds."""
    _warm(site, results_path("Barcelona"))
    numbers = count()

    def costs(times: int, crowd: int = 1, rest: float = 0.0) -> list[tuple[float, float]]:
        """CPU milliseconds and units of each search, or of a search of each crowd."""
        before, spent = unit(), []
        for _ in range(times):
            time.sleep(rest)
            spent.append(_settled(site, [*islice(numbers, crowd)]))
        piece = fmean((before, unit()))
        return [(ms, ms / piece) for ms in spent]

    alone = [one for _ in range(4) for one in costs(8)]
    rested = [one for _ in range(8) for one in costs(1, rest=REST_SECONDS)]
    crowds = [one for _ in range(3) for one in costs(1, crowd=16)]
    in_units = (median(units for _ms, units in some) for some in (alone, rested, crowds))
    return _ColdCosts(median(ms for ms, _units in alone), *in_units)


def _settled(site: Site, numbers: list[int]) -> float:
    """CPU milliseconds a search, all that runs behind its page included; each by another visitor."""
    before = visitors.cpu_seconds(site)
    seen: Load = load(site, lambda who, _number: _cold(numbers[who]), len(numbers), 1)
    spent, last = visitors.cpu_seconds(site), -1.0
    while spent - last > QUIET_SHARE * QUIET_SECONDS:
        time.sleep(QUIET_SECONDS)
        last, spent = spent, visitors.cpu_seconds(site)
    return (spent - before) / len(seen.visits) * 1000


class _Page(HTMLParser):
    """The elements of a page as a browser with scripts holds them, and the files it needs."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements = self._aside = 0
        self.files: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements += not self._aside
        self._aside += tag in _ASIDE
        given = dict(attrs)
        file = given.get("href") if tag == "link" and _is_file(given) else given.get("src")
        if file and tag in ("link", "script") and urlsplit(file).path.startswith("/static/"):
            self.files.append(file)

    def handle_endtag(self, tag: str) -> None:
        self._aside -= tag in _ASIDE


# What is inside is no element of the page.
_ASIDE = ("template", "noscript")


def _is_file(attributes: dict[str, str | None]) -> bool:
    return attributes.get("rel") in ("stylesheet", "icon", "modulepreload", "preload")


def _first_visit(site: Site, path: str) -> list[int]:
    """Bytes of the page and of its files, as sent."""
    files = dict.fromkeys(_Page(site.get(path).text).files)
    return [_sent_bytes(site, one) for one in (path, *files)]


def _sent_bytes(site: Site, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    connection.request("GET", path, headers={"Accept-Encoding": "br, gzip"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise AssertionError(f"{path}: {answer.status}")
    return len(body)
