"""A cache server that goes away and comes back."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache

from hotelsite.file_cache import FileCache
from search.gateway.cache import MET_BYTES, PAUSE_AFTER_ERROR_SECONDS, SafeStore
from search.gateway.resilience import Clock

ROOM: dict[str, Any] = {"OPTIONS": {"MAX_BYTES": 2**24}}


class Fragile:
    """Django's cache on a server, which can be away."""

    always_there = False
    claim = None
    away = False

    def __getattr__(self, name: str) -> Any:
        if self.away:
            raise ConnectionError("no cache server")
        return getattr(cache, name)


def test_values_met_lately_survive_a_cache_that_is_away() -> None:
    inside = Fragile()
    store = SafeStore(inside)
    cache.set("read", b"read before")
    store.get("read")
    store.set("written", b"written before", 60)
    inside.away = True
    assert [store.get(key) for key in ("read", "written", "never met")] == [
        b"read before",
        b"written before",
        None,
    ]


def test_what_is_written_while_it_is_away_is_kept_by_the_process() -> None:
    inside = Fragile()
    inside.away = True
    store = SafeStore(inside)
    store.set("key", b"value", 60)
    assert store.get("key") == b"value"


def test_what_is_deleted_while_it_is_away_is_gone() -> None:
    inside = Fragile()
    store = SafeStore(inside)
    store.set("key", b"value", 60)
    inside.away = True
    store.delete("key")
    assert store.get("key") is None


def test_a_claim_is_not_believed_while_it_is_away() -> None:
    inside = Fragile()
    store = SafeStore(inside)
    give_back = store.claim("key")
    assert give_back
    assert store.claim("key") is None
    inside.away = True
    assert store.claim("key")
    inside.away = False
    give_back()


class OnDisk(FileCache):
    """A cache in a file, whose disk can be full."""

    full = False

    def set(self, *entry: Any, **options: Any) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().set(*entry, **options)


def test_a_full_disk_gives_what_it_has(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    inside, seconds = OnDisk(str(tmp_path / "cache"), ROOM), [0.0]
    store = SafeStore(inside, Clock(monotonic=lambda: seconds[0]))
    store.set("before", b"in the file", 60)
    inside.full = True
    store.set("while", b"kept", 60)
    store.set("before", b"newer", 60)
    store.set("token", "nobody would take it back", 60)
    assert [store.get(key) for key in ("before", "while", "token")] == [b"newer", b"kept", None]
    assert store.get_many(["before", "while", "token"]) == {"before": b"newer", "while": b"kept"}
    assert caplog.text.count("cache=unavailable") == 1
    process_beside = SafeStore(OnDisk(str(tmp_path / "cache"), ROOM))
    assert process_beside.get("before") == b"in the file"
    inside.full = False
    seconds[0] += PAUSE_AFTER_ERROR_SECONDS
    assert [store.get(key) for key in ("before", "while")] == [b"in the file", None]


def test_when_it_is_back_it_alone_is_believed() -> None:
    inside, seconds = Fragile(), [0.0]
    store = SafeStore(inside, Clock(monotonic=lambda: seconds[0]))
    store.set("key", b"older", 60)
    inside.away = True
    assert store.get("key") == b"older"
    inside.away = False
    seconds[0] += PAUSE_AFTER_ERROR_SECONDS
    cache.set("key", b"newer")
    assert store.get("key") == b"newer"
    cache.delete("key")
    assert store.get("key") is None


def test_what_is_kept_has_a_bound_in_bytes() -> None:
    inside = Fragile()
    inside.away = True
    store = SafeStore(inside)
    size = 500_000
    for number in range(2 * MET_BYTES // size):
        store.set(f"key {number}", bytes(size), 60)
    kept = [number for number in range(2 * MET_BYTES // size) if store.get(f"key {number}")]
    assert len(kept) == MET_BYTES // size
    assert 0 not in kept
