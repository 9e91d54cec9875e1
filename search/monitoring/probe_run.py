"""The probe as an admin starts it from a page: one at a time, behind the page, its findings kept."""

import logging
from threading import Thread
from typing import Any

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.utils.timezone import localdate

from search.domain import process
from search.domain.site_settings import Site
from search.gateway.factory import build_safe_store
from search.site_settings import store

from . import probe
from .probe_rules import Finding

KEPT_SECONDS = 7 * 86_400
RUNNING = "probe:running"

logger = logging.getLogger(__name__)

_FINDINGS = msgspec.msgpack.Decoder(list[Finding])


def found_key() -> str:
    """The findings' key in the cache: those about another gateway say nothing about this one."""
    return f"probe:found:{settings.GATEWAY_BASE_URL}"


def start(place: str) -> bool | None:
    """Begin to probe behind the page; False where a probe is under way, in whatever process, and None without
    a cache or a thread."""
    # Longer than MOST_CALLS calls may take, so that a process that was stopped doesn't block it for ever.
    seconds = probe.MOST_CALLS * settings.GATEWAY_DEADLINE + 12
    try:
        begins = cache.add(RUNNING, place, seconds)
    except Exception:  # each backend raises errors of its own, and all mean the same
        return None
    if begins:
        # The settings are read here: in a thread of its own nobody would close the database's connection.
        thread = Thread(target=_run, args=(place, store.current()), name="probe", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            cache.delete(RUNNING)
            return None
    return begins


def _run(place: str, site: Site) -> None:
    try:
        found = probe.probe(probe.prober(), site, localdate(), place)
        cache.set(found_key(), msgspec.msgpack.encode(found), KEPT_SECONDS)
    except Exception:
        logger.exception("probe=failed")
    finally:
        cache.delete(RUNNING)


def is_running() -> bool:
    return process.part(build_safe_store).get(RUNNING) is not None


def findings() -> list[Finding]:
    """What the last probe found; empty before the first, and for what another version of this code kept."""
    try:
        kept = process.part(build_safe_store).get(found_key())
        return _FINDINGS.decode(kept or b"\x90")
    except msgspec.DecodeError:
        return []


def decided() -> dict[str, Any]:
    """The settings that the last probe's findings decide, as they should be; empty where nothing answered."""
    return probe.suggestions(findings())


def suggestions() -> list[store.Change]:
    """The settings that the last probe would change."""
    return store.changes_by(decided(), store.current())
