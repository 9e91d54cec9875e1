"""What every test stands on: plain settings whatever the machine, no network beyond it, a fresh cache."""

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache

PINNED = {
    "GATEWAY_BASE_URL": "",
    "GATEWAY_API_KEY": "",
    "GATEWAY_DEADLINE": 6.0,
    "SANDBOX_WEATHER": "",
    "SEARCH_FRESH_SECONDS": None,
    "DETAILS_FRESH_SECONDS": None,
    "AIRPORTS_FRESH_SECONDS": None,
    "MAP_TILE_URL": "",
    "MAP_ATTRIBUTION": "",
    "SECURE_TLS": False,
    "SECURE_SSL_REDIRECT": False,
    "TRUST_PROXY": False,
    "CACHES": {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 5_000},
        }
    },
    "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    # The throttle has tests of its own; elsewhere client.login() is handy, and axes wants a request for it.
    "AXES_ENABLED": False,
}


# A busy machine makes no example wrong, and the same examples on every machine make a failure everybody's.
hypothesis.settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")


def pytest_configure() -> None:
    """Pins the settings that a machine's environment could bend."""
    for name, value in PINNED.items():
        setattr(settings, name, value)
    # Hashed names exist after collectstatic only, and a live server would answer each of them with a 404.
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Browser tests need a browser: they run when asked for with `-p playwright`."""
    if collection_path == Path(__file__).parent / "browser":
        return not config.pluginmanager.hasplugin("playwright") or None
    return None


@pytest.fixture(autouse=True)
def _media_of_its_own(settings: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Uploaded pictures go to a folder that goes away."""
    settings.MEDIA_ROOT = _media_root(tmp_path_factory)  # type: ignore[attr-defined]


def _media_root(factory: pytest.TempPathFactory) -> Path:
    return factory.getbasetemp() / "media"


@pytest.fixture(autouse=True)
def _fresh_start() -> Iterator[None]:
    """No test finds what another one left in the cache or in the process's copy of the settings."""
    from search.site_settings import store  # models can't be imported before Django is set up

    cache.clear()
    store.forget()
    yield
    cache.clear()
    store.forget()
