"""What every test stands on: plain settings whatever the machine, one day whatever the calendar, no network
beyond it, a new process."""

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import xdist.plugin
from babel.numbers import get_territory_currencies
from django.conf import settings
from django.core.cache import cache, caches
from django.utils import timezone
from jinja2 import Environment, FileSystemBytecodeCache
from jinja2.bccache import Bucket

from hotelsite import environment
from search.domain import process
from search.domain.process import Process
from tests.builders import NOON
from tests.wire import BASE, Wire

# What one of pytest's processes has compiled neither the others nor servers that tests start compile again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

HERE = Path(__file__).parent
CURRENCIES = "search.domain.site_settings.get_territory_currencies"

PINNED = {
    "GATEWAY_BASE_URL": "",
    "GATEWAY_API_KEY": "",
    "GATEWAY_DEADLINE": 6.0,
    "SANDBOX_WEATHER": "",
    # So long before any stay no price has moved yet, whenever the tests run.
    "SANDBOX_DAY": date(2000, 1, 1),
    "SEARCH_FRESH_SECONDS": None,
    "DETAILS_FRESH_SECONDS": None,
    "AIRPORTS_FRESH_SECONDS": None,
    # Every `Client` reads all files that a server of this checkout may have collected, which no test needs.
    "STATIC_ROOT": None,
    "MAP_TILE_URL": "",
    "MAP_ATTRIBUTION": "",
    "SECURE_TLS": False,
    "SECURE_SSL_REDIRECT": False,
    "TRUST_PROXY": False,
    "DRAIN_SECONDS": 0.0,
    "METRICS_TOKEN": "",
    "EMAIL_URL": "",
    "WATCH_INSIDE": False,
    "CACHES": {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 5_000},
        },
        "process": {"BACKEND": environment.LOCAL_MEMORY, "LOCATION": "process"},
    },
    "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    # The throttle has tests of its own; elsewhere client.login() is handy, and axes wants a request for it.
    "AXES_ENABLED": False,
}


# A busy machine makes no example wrong, and the same examples on every machine make a failure everybody's.
hypothesis.settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=8,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("steady")
# `python -m tests.services`, which the gate runs, has the time.
hypothesis.settings.register_profile("thorough", hypothesis.settings.get_profile("steady"), max_examples=100)
# `python -m tests.mutations` runs them hundreds of times, and the smallest example tells it nothing.
hypothesis.settings.register_profile(
    "mutations",
    hypothesis.settings.get_profile("steady"),
    max_examples=25,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)


# Set by `python -m tests.services`, as DATABASE_URL is.
REDIS = os.environ.get("TEST_CACHE_URL", "")


def pytest_configure(config: pytest.Config) -> None:
    """Pins the settings that a machine's environment could bend, and the day: addresses of tests have fixed
    dates. A browser, like every other process, has the machine's clock."""
    if not config.pluginmanager.hasplugin("playwright"):
        late = datetime.now(UTC) - NOON
        timezone.now = lambda: datetime.now(UTC) - late
    if REDIS:
        # A test empties its cache, so each of pytest's processes has a database of its own.
        number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        location = f"{REDIS.rpartition('/')[0]}/{number}"
        PINNED["CACHES"]["default"] = {"BACKEND": environment.REDIS, "LOCATION": location}
    for name, value in PINNED.items():
        setattr(settings, name, value)
    # Hashed names exist after collectstatic only, and a live server would answer each of them with a 404.
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """One process more than there are processors: many tests wait for a deadline, or for a server to start.
    A browser keeps its processor busy."""
    browser = config.pluginmanager.hasplugin("playwright")
    return None if browser else xdist.plugin.pytest_xdist_auto_num_workers(config) + 1


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Each of pytest's processes begins with other rooms: to compile all tests takes each of them longer than
    to collect them, and so each compiles its part."""
    report = yield
    worker = getattr(collector.config, "workerinput", None)
    if worker and collector.path == HERE and report.passed:
        rooms = report.result
        first = len(rooms) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        report.result = rooms[first:] + rooms[:first]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All processes have to name the tests in one order."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)


def pytest_collection_finish() -> None:
    """What was collected stays until the end: as in the server, the collector need not walk it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Browser tests need a browser: they run with `-p playwright`; those of services need theirs."""
    if collection_path == HERE / "browser":
        return not config.pluginmanager.hasplugin("playwright") or None
    if collection_path == HERE / "services":
        return not REDIS or None
    return None


class CompiledTemplates(FileSystemBytecodeCache):
    """Templates that another of pytest's processes has compiled, each in its language."""

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        return super().get_bucket(environment, f"{environment.globals['language']}/{name}", filename, source)


@pytest.fixture(scope="session", autouse=True)
def _folders_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Uploaded pictures and the copy of the settings go to a folder that goes away."""
    own = tmp_path_factory.getbasetemp()
    settings.MEDIA_ROOT, settings.SETTINGS_COPY = own / "media", own / "settings.json"
    of_all = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    settings.TEMPLATES[0]["OPTIONS"]["bytecode_cache"] = CompiledTemplates(str(of_all))


@pytest.fixture(scope="session", autouse=True)
def _same_for_all() -> Iterator[None]:
    """The sandbox says the same every time, so each of pytest's processes makes an answer once; every country
    has the euro, as the scripted gateways have."""
    from search.sandbox import server

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "answer", lru_cache(maxsize=128)(server.answer))
        patch.setattr(CURRENCIES, lambda _country: ["EUR"])
        yield


@pytest.fixture(scope="session")
def _destinations() -> Any:
    """The sandbox's airports, which take a second to index and are the same for every test."""
    # Models can't be imported before Django is set up.
    from search.destinations import repository
    from search.domain.process import Deadline
    from search.domain.site_settings import Site
    from search.gateway.factory import gateway

    airports, long = repository.DestinationRepository(), 60.0
    with pytest.MonkeyPatch.context() as patch:
        # The first tests of a worker must not meet the bundled airports.
        patch.setattr(repository, "PATIENCE_SECONDS", long)
        airports.index(gateway(), Site(), Deadline(long, time.monotonic))
    return airports


@pytest.fixture
def new_process(_destinations: Any) -> Callable[[], Process]:
    """Starts a process that knows the sandbox's airports; one that has to ask is `process.start()`."""

    def start() -> Process:
        started = process.start()
        started.put(type(_destinations), _destinations)
        return started

    return start


@pytest.fixture
def few_hotels(db: None) -> None:
    """For pages of the sandbox of which a test reads something else than the hotels: one call finds them."""
    from search.site_settings import store

    store.change({"cap": 20})


@pytest.fixture
def currencies_of_countries(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests in which prices are in the currency of the visitor's country."""
    monkeypatch.setattr(CURRENCIES, get_territory_currencies)


@pytest.fixture(autouse=True)
def _own_process(new_process: Callable[[], Process], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test finds what another one left in the cache or in the process, but for the sandbox's airports."""
    from search.results import fetcher, tiles

    pools: list[ThreadPoolExecutor] = []

    def noted(build_pool: Callable[[], ThreadPoolExecutor]) -> Callable[[], ThreadPoolExecutor]:
        def build() -> ThreadPoolExecutor:
            pools.append(build_pool())
            return pools[-1]

        return build

    for module in (fetcher, tiles):
        monkeypatch.setattr(module, "build_pool", noted(module.build_pool))
    for one in (cache, caches["process"]):
        one.clear()
    settings.SETTINGS_COPY.unlink(missing_ok=True)
    new_process()
    yield
    # What is still being fetched, in any process of the test, would reach the next test's cache.
    for pool in pools:
        pool.shutdown(cancel_futures=True)
    cache.clear()


@pytest.fixture
def wire(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Wire:
    """A process of the test's own whose gateway answers as the test says."""
    from search.destinations import repository
    from search.gateway import factory

    # A busy machine must not make the bundled airports stand in.
    monkeypatch.setattr(repository, "PATIENCE_SECONDS", 60.0)
    settings.GATEWAY_BASE_URL, settings.GATEWAY_API_KEY = BASE, "SECRETKEY"
    wire = Wire()
    process.start().put(factory.build_adapter, wire)
    return wire
