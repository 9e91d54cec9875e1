"""Full results in the cache: their version, the compact rows of that version, and listings in a few entries.

A version never changes, nor do the listings of a stamp: a process asks for what it has met only once.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from cachetools import LRUCache
from isal import isal_zlib

from search.domain.offers import Listing
from search.gateway.cache import KEEP
from search.gateway.cache_store import (
    ENTRY_BYTES,
    DecompressionError,
    Packer,
    SafeStore,
    Store,
    fingerprint,
    fits,
)
from search.gateway.errors import Garbled
from search.gateway.search_page import Entry, unpacked

from .index import RowIndex
from .pagination import Coverage
from .rows import Row

T = TypeVar("T")


class Recent(Generic[T]):
    """At most `most` things by name, safe between threads; the one unused for longest goes first."""

    def __init__(self, most: int) -> None:
        self._lock = Lock()
        self._things: LRUCache[Hashable, T] = LRUCache(most)

    def get(self, name: Hashable) -> T | None:
        with self._lock:
            return self._things.get(name)

    def put(self, name: Hashable, thing: T) -> None:
        with self._lock:
            self._things[name] = thing


LISTINGS_PER_CHUNK = 100
# Compressed as one: each alone takes twice the time, all together have to be unpacked for each card.
LISTINGS_TOGETHER = 10
# At the end of a version, for each entry more than one that its rows take: thousands with many offers each.
MORE_PARTS = "+"
# Result sets that this process keeps decoded; one of 600 properties takes about a megabyte.
KEPT_IN_PROCESS = 8
# Indexes of each of them, of as many properties some 300 kB: visitors rarely see different ones.
KEPT_INDEXES = 2
# Entries of listings that it keeps as they are cached, some 80 kB each: those of two searches, as the others
# are of searches that nobody pages through any more.
KEPT_CHUNKS = 12
# Listings that it keeps read, some 6 kB each: those of pages that are asked for again and again.
KEPT_LISTINGS = 200


class ResultSet(msgspec.Struct, frozen=True, array_like=True):
    """The full results of a search, compact. `stamp` names this very set; `fetched_at` is that of its
    oldest page, `collected_at` when it was complete; row n has position n. `stale` if a page of it was.
    `page_size` is that of the gateway pages that the rows name."""

    stamp: str
    fetched_at: datetime
    collected_at: datetime
    stale: bool
    coverage: Coverage
    page_size: int
    rows: tuple[Row, ...]


def recent_indexes() -> Recent[RowIndex]:
    return Recent(KEPT_INDEXES)


class Kept(NamedTuple):
    """A result set that this process keeps decoded, and its indexes for as long."""

    result_set: ResultSet
    indexes: Recent[RowIndex]


_rows: Packer[ResultSet] = Packer(ResultSet)
_chunks = msgspec.msgpack.Decoder(list[bytes])
_encoder = msgspec.msgpack.Encoder()

# Part of every key, so that an entry of another form is simply not found.
FORM = f"{fingerprint(ResultSet, Entry, Listing)[:16]}-{LISTINGS_PER_CHUNK}-{LISTINGS_TOGETHER}"


class ResultStore:
    """Result sets by key on `store`; whatever is missing or unreadable reads as not there."""

    def __init__(self, store: Store) -> None:
        self._store = SafeStore(store)
        self._decoded: Recent[Kept] = Recent(KEPT_IN_PROCESS)
        self._chunks: Recent[bytes] = Recent(KEPT_CHUNKS)
        self._listings: Recent[Listing] = Recent(KEPT_LISTINGS)

    def read(self, key: str) -> ResultSet | None:
        kept = self.kept(key)
        return kept and kept.result_set

    def kept(self, key: str) -> Kept | None:
        """The result set with the indexes this process has built of it; None where it is not in the cache."""
        version = self._store.get(_key(key))
        if not isinstance(version, bytes):
            return None
        known = self._decoded.get(version)
        if known is None:
            decoded = self._read_rows(key, version.decode(errors="replace"))
            if decoded is not None:
                known = Kept(decoded, recent_indexes())
                self._decoded.put(version, known)
        return known

    def write(
        self,
        key: str,
        result_set: ResultSet,
        entries: Sequence[Entry] = (),
        seconds: float = KEEP["search"],
    ) -> None:
        """Store both; `entries` in the order of the rows, none if those of this stamp are there already."""
        packed = _rows.pack(result_set)
        parts = [packed[start : start + ENTRY_BYTES] for start in range(0, len(packed), ENTRY_BYTES)]
        version = f"{result_set.stamp}-{result_set.collected_at.timestamp()}{MORE_PARTS * (len(parts) - 1)}"
        self._decoded.put(version.encode(), Kept(result_set, recent_indexes()))
        for start in range(0, len(entries), LISTINGS_PER_CHUNK):
            chunk = _packed_chunk(entries[start : start + LISTINGS_PER_CHUNK])
            if fits(chunk):
                number = start // LISTINGS_PER_CHUNK
                self._store.set(_key(key, result_set.stamp, number), chunk, seconds)
        for name, part in zip(_part_keys(key, version), parts, strict=True):
            self._store.set(name, part, seconds)
        self._store.set(_key(key), version.encode(), seconds)

    def _read_rows(self, key: str, version: str) -> ResultSet | None:
        parts = [self._store.get(name) for name in _part_keys(key, version)]
        return _rows.unpack(b"".join(parts)) if all(isinstance(part, bytes) for part in parts) else None

    def listings(
        self, key: str, stamp: str, positions: Iterable[int], entries: Sequence[Entry] = ()
    ) -> dict[int, Listing]:
        """The listings at these positions, as far as they are still there; of `entries`, which are those of
        the rows, where they are at hand."""
        found: dict[int, Listing] = {}
        wanted: dict[int, list[int]] = defaultdict(list)
        for position in positions:
            if known := self._listings.get((stamp, position)):
                found[position] = known
            elif entries:
                found[position] = entries[position].listing
                self._listings.put((stamp, position), found[position])
            else:
                number, place = divmod(position, LISTINGS_PER_CHUNK)
                wanted[number].append(place)
        for number, places in wanted.items():
            for place, listing in _unpacked(self._chunk(_key(key, stamp, number)), places):
                position = number * LISTINGS_PER_CHUNK + place
                found[position] = listing
                self._listings.put((stamp, position), listing)
        return found

    def _chunk(self, name: str) -> Any:
        known = self._chunks.get(name)
        if known is None:
            known = self._store.get(name)
            if known is not None:
                self._chunks.put(name, known)
        return known


def _key(*parts: str | int) -> str:
    """Of a version; with the version, of its rows; with a stamp and a number, of some listings."""
    return ":".join(["results", FORM, *map(str, parts)])


def _part_keys(key: str, version: str) -> list[str]:
    """Of the rows of a version, in as many entries as it says."""
    return [_key(key, version + str(number or "")) for number in range(1 + version.count(MORE_PARTS))]


def _packed_chunk(entries: Sequence[Entry]) -> bytes:
    starts = range(0, len(entries), LISTINGS_TOGETHER)
    packed = [entry.packed for entry in entries]
    groups = (_encoder.encode(packed[start : start + LISTINGS_TOGETHER]) for start in starts)
    # Level 1 makes a tenth less of so small a text, in twice the time.
    return _encoder.encode([isal_zlib.compress(group, level=0) for group in groups])


def _unpacked(entry: Any, places: list[int]) -> Iterator[tuple[int, Listing]]:
    """The listings at these places of a chunk that can be read."""
    for place in places:
        group, member = divmod(place, LISTINGS_TOGETHER)
        with suppress(msgspec.MsgspecError, TypeError, DecompressionError, IndexError, Garbled):
            groups = _chunks.decode(entry)
            yield place, unpacked(_chunks.decode(isal_zlib.decompress(groups[group]))[member])
