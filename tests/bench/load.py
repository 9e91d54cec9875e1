"""The real site under visitors: what a page costs, alone and in a crowd, and when it can be seen."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import date, timedelta
from html import unescape
from html.parser import HTMLParser
from itertools import count
from statistics import fmean, median
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from django.core.wsgi import get_wsgi_application

from search.domain.query import StayDates, StaySearch
from search.gateway.client import PageQuery
from search.results.pagination import SIZES
from tests.faults.measures import stale_and_breaker
from tests.servers import CHECK_IN, Site, results, running_sandbox, running_site
from tests.services.parts import cache_url, running_redis

from . import visitors
from .figures import Figure, cpu_ms, unit
from .pages import ask
from .visitors import load, memory_mb, open_page

CROWDS = (1, 16, 64)
THREADS_EACH = 32
LATENCY = 0.3
# What goes on behind the page of a cold search is over by then.
BEHIND_SECONDS = 2.0
# What processes hold goes up and down by what they have just done.
REST_SECONDS = 12.0
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
    with _site_and_sandbox() as (site, path):
        before = unit()
        for crowd in CROWDS:
            seen = load(site, lambda _visitor, _number: path, crowd, 192 // crowd)
            one, piece = one or seen.cpu_ms, piece or fmean((before, unit()))
            name = f"warm page, {crowd} at once"
            yield Figure(f"{name}, CPU a page", seen.cpu_ms, "ms", 1.15, one, "one visitor")
            yield Figure(f"{name}, p95", seen.p95_ms, "ms")
        yield Figure("warm page in units", one / piece, "units", 0.25)


def cold_search() -> Iterator[Figure]:
    """Searches of large places that are in no cache, with all that runs behind their pages: processor time
    of the site, whose gateway is another process."""
    with _site_and_sandbox() as (site, _path):
        numbers = count()
        alone = [_cold_cost(site, numbers, 1) for _ in range(10)]
        crowds = [_cold_cost(site, numbers, 16) for _ in range(4)]
    yield Figure("cold search of 600, 1 visitor", median(units for _ms, units in alone), "units", 1.3)
    yield Figure("cold search of 600, 16 visitors", median(units for _ms, units in crowds), "units", 1.1)
    limit = 16 * median(ms for ms, _units in alone)
    for crowd in (16, 32):
        with _site_and_sandbox() as (site, _path):
            seen = load(site, lambda who, number: cold(who * 4 + number), crowd, 4)
        name = f"{crowd} visitors x 4 cold searches"
        if crowd == 16:
            yield Figure(f"{name}, p95", seen.p95_ms, "ms", 2, limit, "16 x CPU of one")
        yield Figure(f"{name}, not answered", 4 * crowd - seen.answered(), "pages", 0)


def _cold_cost(site: Site, numbers: Iterator[int], crowd: int) -> tuple[float, float]:
    """CPU milliseconds and units of a search where so many visitors make one each at the same moment."""
    before, began = unit(), visitors.cpu_seconds(site)
    searches = [cold(next(numbers)) for _ in range(crowd)]
    load(site, lambda who, _number: searches[who], crowd, 1)
    time.sleep(BEHIND_SECONDS)
    spent = (visitors.cpu_seconds(site) - began) / crowd * 1000
    return spent, spent / fmean((before, unit()))


def known_search() -> Iterator[Figure]:
    """Searches that another process has fetched: what the first page of each takes beyond a warm one."""
    searches, costs = [cold(number) for number in range(10)], []
    with running_sandbox() as sandbox:
        gateway = {"GATEWAY_BASE_URL": sandbox.url, "GATEWAY_API_KEY": "sandbox"}
        with (
            running_site(**gateway) as first,
            running_site(**gateway, CACHE_URL=f"file://{first.folder}/cache") as second,
        ):
            for path in searches:
                first.get(path)
                second.get(results("Barcelona"))
            time.sleep(BEHIND_SECONDS)
            for _ in range(3):
                began = visitors.cpu_seconds(second)
                for path in searches:
                    second.get(path)
                costs.append((visitors.cpu_seconds(second) - began) / len(searches) * 1000)
    known, *warm = costs
    yield Figure("known search in another process, CPU beyond a warm page", known - min(warm), "ms", 25)


def home_page() -> Iterator[Figure]:
    """The home page and a view that does nothing, both through all middleware."""
    application = get_wsgi_application()
    empty = cpu_ms(lambda: ask(application, "", "/healthz"))
    yield Figure("an empty view through all middleware, CPU", empty, "ms")
    yield Figure("home page, CPU", cpu_ms(lambda: ask(application, "", "/")), "ms", 2)


def throughput() -> Iterator[Figure]:
    """128 visitors, each page one call of a gateway that takes 300 ms; two processes and Redis."""
    with (
        running_redis() as redis,
        _site_and_sandbox(
            "--workers",
            "2",
            "--threads",
            str(THREADS_EACH),
            weather=f"slow={LATENCY}",
            CACHE_URL=cache_url(redis),
        ) as (site, _path),
    ):
        beside = visitors.cpu_seconds_beside(site)
        seen = load(site, lambda who, number: cold(who * 8 + number, sort="provider"), 128, 8)
        # Gateway, Redis and visitors run on the same processors.
        left = 2 - (visitors.cpu_seconds_beside(site) - beside) / seen.seconds
    most = min(2 * THREADS_EACH / LATENCY, left / (seen.cpu_ms / 1000))
    name = "pages a second, gateway 300 ms, 128 visitors"
    yield Figure(name, seen.steady_rate(), "/s", 0.85, most, "threads / latency, cores / CPU")
    yield Figure("of 1,024 pages, not answered", 1024 - seen.answered(), "pages", 0)


def cheapest_dates() -> Iterator[Figure]:
    """A month of totals as a browser asks for them, five calls at once, beside the gateway's own time for
    such calls: 300 ms, and what it takes to make 31 pages."""
    month = (CHECK_IN + timedelta(days=40)).replace(day=1)
    with running_sandbox(SANDBOX_WEATHER=f"slow={LATENCY}") as sandbox:
        alone = _calls_of_a_month(sandbox.url, month)
        with running_site(GATEWAY_BASE_URL=sandbox.url, GATEWAY_API_KEY="sandbox") as site:
            site.get(results("Barcelona"))
            runs = [_month_of_totals(site, place, f"{month:%Y-%m}") for place in PLACES[:5]]
    first, last = (median(times) for times in zip(*runs, strict=True))
    yield Figure("first totals of a month", first, "s", 0.6)
    yield Figure("all totals of a month", last, "s", (alone + 1) / alone, alone, "the gateway alone")


def _calls_of_a_month(gateway: str, month: date) -> float:
    """Seconds for a page of each day of a month, five at once."""

    def ask(number: int) -> bytes:
        day = month + timedelta(days=number)
        search = StaySearch("Vienna", StayDates(day, day + timedelta(days=2)), 2, (), "EUR", "en-gb")
        call = PageQuery(search, 0, SIZES[0]).call()
        with urlopen(f"{gateway}{call.path}?{call.query}&apikey=sandbox") as page:
            return bytes(page.read())

    began = time.monotonic()
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(ask, range(31)))
    return time.monotonic() - began


def _month_of_totals(site: Site, place: str, month: str) -> tuple[float, float]:
    """Seconds from the press on "Whole month" to the first totals and to all of them."""
    began, query = time.monotonic(), f"{results(place).partition('?')[2]}&view=month&month={month}&nights=2"
    site.get(f"/hotels/dates/?{query}")
    reader = {"User-Agent": "Mozilla/5.0 Firefox/140", "Connection": "close"}
    request = Request(f"{site.url}/hotels/dates/totals/?{query}", headers=reader)
    first, body = 0.0, b""
    with urlopen(request) as response:
        while part := response.read1(65536):
            body += part
            first = first or (time.monotonic() - began if b"<!--next-->" in body else 0.0)
    return first, time.monotonic() - began


def memory() -> Iterator[Figure]:
    """What the processes hold after 10,000 pages, a tenth of them cold searches, and after a hundred."""
    with running_site() as site:
        path = results("Barcelona")
        load(site, lambda who, number: cold(who * 25 + number), 4, 25)
        time.sleep(REST_SECONDS)
        early, _most = memory_mb(site)
        load(site, lambda who, number: path if number % 10 else cold(100 + who * 1_000 + number), 4, 2_475)
        time.sleep(REST_SECONDS)
        late, most = memory_mb(site)
    yield Figure("memory after 10,000 pages", late, "MB", 1.05, early, "after 100 searches")
    yield Figure("memory of one process then, the larger", most, "MB", 200)


def failing_gateway() -> Iterator[Figure]:
    """Pages without a gateway: an older copy, or the sorry page of an open breaker."""
    measures = (measure for measure in stale_and_breaker() if measure.unit == "ms")
    yield from (Figure(measure.name, measure.value, "ms", 20) for measure in measures)


def first_paint() -> Iterator[Figure]:
    """When a page that a browser opens begins, and when its first hotel comes, at a slow gateway."""
    for seconds in (1, 3):
        with running_site(SANDBOX_WEATHER=f"slow={seconds}") as site:
            just_started = open_page(site, cold(3)).first_byte
            time.sleep(2 * seconds + 1)  # the rest of its hotels
            seen = [open_page(site, cold(number)) for number in range(3)]
        gateway = f"gateway at {seconds} s"
        yield Figure(f"first byte of a process just started, {gateway}", just_started * 1000, "ms", 300)
        yield Figure(f"first byte, {gateway}", min(one.first_byte for one in seen) * 1000, "ms", 300)
        card = min((one.card - seconds for one in seen if one.card), default=float("nan"))
        yield Figure(f"first hotel after the answer, {gateway}", card * 1000, "ms", 60)


def weights() -> Iterator[Figure]:
    """Elements of a results page, and what a first visit fetches, photos apart."""
    with running_site() as site:
        path = results("Barcelona")
        page = site.get(path).text
        hotel = re.search(r'listing-card__name"><a href="([^"]+)"', page)
        yield Figure("elements of a results page", _Page(page).elements, "", 0.8, 1500, "Lighthouse")
        paths = {
            "home": ("/", 30),
            "results": (path, 50),
            "property": (unescape(hotel[1]) if hotel else "", 40),
        }
        for name, (address, budget) in paths.items():
            files = [address, *dict.fromkeys(_Page(site.get(address).text).files)]
            answers = [site.get(one, Accept_Encoding="br, gzip") for one in files]
            if any(answer.status != 200 for answer in answers):
                raise AssertionError(f"{name}: {[answer.status for answer in answers]}")
            yield Figure(f"first visit, {name}", sum(len(one.body) for one in answers) / 1000, "kB", budget)
            yield Figure(f"first visit, {name}", len(files), "requests", 12)


PARTS = (
    warm_page,
    cold_search,
    known_search,
    home_page,
    throughput,
    cheapest_dates,
    memory,
    failing_gateway,
    first_paint,
    weights,
)


@contextmanager
def _site_and_sandbox(*options: str, weather: str = "", **variables: str) -> Iterator[tuple[Site, str]]:
    """A site whose gateway is the sandbox in another process, and a search that is in its cache."""
    with (
        running_sandbox(SANDBOX_WEATHER=weather) as sandbox,
        running_site(*options, GATEWAY_BASE_URL=sandbox.url, GATEWAY_API_KEY="sandbox", **variables) as site,
    ):
        path = results("Barcelona")
        for _ in range(8):
            site.get(path)
        yield site, path


def cold(number: int, **more: str) -> str:
    """Another search for each number."""
    day = CHECK_IN + timedelta(days=30 + number // len(PLACES))
    dates = {"checkin": day.isoformat(), "checkout": (day + timedelta(days=3)).isoformat()}
    return results(PLACES[number % len(PLACES)], **dates, **more)


class _Page(HTMLParser):
    """The elements of a page as a browser with scripts holds them, and the files it needs."""

    # What is inside is no element of the page.
    ASIDE = ("template", "noscript")
    FILES = ("stylesheet", "icon", "modulepreload", "preload")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements = self._aside = 0
        self.files: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements += not self._aside
        self._aside += tag in self.ASIDE
        given = dict(attrs)
        file = given.get("href") if tag == "link" and given.get("rel") in self.FILES else given.get("src")
        if file and tag in ("link", "script") and urlsplit(file).path.startswith("/static/"):
            self.files.append(file)

    def handle_endtag(self, tag: str) -> None:
        self._aside -= tag in self.ASIDE
