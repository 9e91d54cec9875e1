"""A Django cache in one memory-mapped file: bounded in bytes, shared by processes, there after a restart.

LMDB reads without a lock and without copying; a write takes the file's one write lock for some microseconds.
The oldest entries go first when the bytes are used up.
"""

import os
import pickle
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import lmdb
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

DEFAULT_BYTES = 64 * 2**20
# What an entry costs beside its value: a page that is not full, its key, its place in the order.
OVERHEAD = 4096
# Room for pages that are being replaced while they are still read.
SLACK = 2
READERS = 1024
# Of LMDB's lock file: a head, and 64 for each reader.
LOCK_BYTES = 128 + 64 * READERS
_HEAD = struct.Struct(">dQ")
_NUMBER = struct.Struct(">Q")
_TOTAL, _LAST = b"total", b"last"


class _File(NamedTuple):
    """An open file of `most` bytes: `entries` by key, keys in `order` of writing, the `sums` of both."""

    most: int
    environment: lmdb.Environment
    entries: Any
    order: Any
    sums: Any


_files: dict[str, _File] = {}
_opening = Lock()


def _close_all() -> None:
    """An environment doesn't survive a fork: the child opens its own."""
    for file in _files.values():
        file.environment.close()
    _files.clear()


os.register_at_fork(after_in_child=_close_all)


class LMDBCache(BaseCache):
    """CACHES' backend; LOCATION is a folder of its own, OPTIONS may have MAX_BYTES."""

    # A file on this machine: no process needs copies of its values for the time that a cache is away.
    always_there = True

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._folder = str(location)
        self._most = int(params.get("OPTIONS", {}).get("MAX_BYTES", DEFAULT_BYTES))

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """The value, or `default` without one that has not expired."""
        with self._transaction(write=False) as (file, transaction):
            packed = _live(transaction.get(self._name(key, version), db=file.entries))
        return default if packed is None else pickle.loads(packed)  # noqa: S301  # our own file, mode 0700

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Stores the value, unless it is larger than a quarter of the cache."""
        self._store(self._name(key, version), value, timeout, only_if_free=False)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Stores the value if the key is free; whether it was. One process of several wins."""
        return self._store(self._name(key, version), value, timeout, only_if_free=True)

    def _store(self, name: bytes, value: Any, timeout: Any, only_if_free: bool) -> bool:
        packed = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        moment = self.get_backend_timeout(timeout)
        expiry = float("inf") if moment is None else float(moment)
        with self._transaction(write=True) as (file, transaction):
            if only_if_free and _live(transaction.get(name, db=file.entries)) is not None:
                return False
            _put(file, transaction, name, packed, expiry)
        return True

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Adds to a number, in one step for all processes. Raises ValueError without one."""
        name = self._name(key, version)
        with self._transaction(write=True) as (file, transaction):
            entry = transaction.get(name, db=file.entries)
            if (packed := _live(entry)) is None:
                raise ValueError(f"Key {key!r} not found")
            number = int(pickle.loads(packed)) + delta  # noqa: S301  # our own file, mode 0700
            _put(file, transaction, name, pickle.dumps(number), _HEAD.unpack_from(entry)[0])
        return number

    def delete(self, key: str, version: int | None = None) -> bool:
        with self._transaction(write=True) as (file, transaction):
            return _remove(file, transaction, self._name(key, version))

    def clear(self) -> None:
        with self._transaction(write=True) as (file, transaction):
            for database in (file.entries, file.order, file.sums):
                transaction.drop(database, delete=False)

    def _name(self, key: str, version: int | None) -> bytes:
        return blake2b(self.make_key(key, version).encode(errors="surrogatepass"), digest_size=24).digest()

    @contextmanager
    def _transaction(self, write: bool) -> Iterator[tuple[_File, Any]]:
        if (file := _files.get(self._folder)) is None:
            with _opening:
                file = _files.get(self._folder) or _files.setdefault(self._folder, self._open())
        with file.environment.begin(write=write) as transaction:
            yield file, transaction

    @property
    def _data(self) -> Path:
        return Path(self._folder) / "data.mdb"

    def _open(self) -> _File:
        Path(self._folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            return self._opened()
        except (lmdb.CorruptedError, lmdb.InvalidError, lmdb.VersionMismatchError):
            # What a power cut or another version left behind is only a cache.
            self._data.unlink()
            return self._opened()

    def _opened(self) -> _File:
        self._allocate_lock()
        environment = lmdb.open(
            self._folder,
            map_size=self._most * SLACK,
            max_dbs=3,
            max_readers=READERS,
            mode=0o600,
            # A cache may be lost with the machine's power; a process that dies loses nothing.
            sync=False,
            metasync=False,
        )
        whole = (environment.info()["last_pgno"] + 1) * environment.stat()["psize"]
        if self._data.stat().st_size < whole:
            # The system kills a process that reads a page which the file has lost.
            environment.close()
            raise lmdb.CorruptedError(f"{self._data} is cut short")
        environment.reader_check()
        databases = (environment.open_db(name) for name in (b"entries", b"order", b"sums"))
        return _File(self._most, environment, *databases)

    def _allocate_lock(self) -> None:
        """Raises OSError on a full disk, where the system would kill a process that writes through memory to
        a hole of the lock file. Only before LMDB opens it: closing it ends LMDB's locks."""
        lock = os.open(Path(self._folder) / "lock.mdb", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(lock).st_blocks * 512 < LOCK_BYTES:
                with suppress(AttributeError):  # another system
                    os.posix_fallocate(lock, 0, LOCK_BYTES)
        finally:
            os.close(lock)


def _live(entry: bytes | None) -> bytes | None:
    """The value of an entry, unless it has expired."""
    if entry is None or _HEAD.unpack_from(entry)[0] <= time.time():
        return None
    return entry[_HEAD.size :]


def _put(file: _File, transaction: Any, name: bytes, packed: bytes, expiry: float) -> None:
    _remove(file, transaction, name)
    if len(packed) > file.most // 4:
        return
    while _sum(file, transaction, _TOTAL) + len(packed) + OVERHEAD > file.most:
        with transaction.cursor(file.order) as oldest:
            oldest.first()
            _remove(file, transaction, oldest.value())
    number = _sum(file, transaction, _LAST) + 1
    transaction.put(name, _HEAD.pack(expiry, number) + packed, db=file.entries)
    transaction.put(_NUMBER.pack(number), name, db=file.order, append=True)
    _add(file, transaction, _LAST, 1)
    _add(file, transaction, _TOTAL, len(packed) + OVERHEAD)


def _remove(file: _File, transaction: Any, name: bytes) -> bool:
    entry = transaction.pop(name, db=file.entries)
    if entry is None:
        return False
    transaction.delete(_NUMBER.pack(_HEAD.unpack_from(entry)[1]), db=file.order)
    _add(file, transaction, _TOTAL, _HEAD.size - len(entry) - OVERHEAD)
    return _live(entry) is not None


def _sum(file: _File, transaction: Any, name: bytes) -> int:
    packed = transaction.get(name, db=file.sums)
    return 0 if packed is None else int(_NUMBER.unpack(packed)[0])


def _add(file: _File, transaction: Any, name: bytes, number: int) -> None:
    transaction.put(name, _NUMBER.pack(_sum(file, transaction, name) + number), db=file.sums)
