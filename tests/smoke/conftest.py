"""A real server: `manage.py serve` as a process of its own, over real HTTP."""

from collections.abc import Iterator

import pytest

from tests.servers import Site, running_site

TOKEN = "t0ken"


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """The site as a first start leaves it."""
    with running_site("--workers", "2", METRICS_TOKEN=TOKEN, SANDBOX_DAY="2000-01-01") as running:
        yield running
