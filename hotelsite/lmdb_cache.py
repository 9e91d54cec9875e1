"""A Django cache in one memory-mapped file: bounded in bytes, shared by processes, there after a restart.

LMDB reads without a lock; a write takes the file's one write lock for some microseconds and doesn't wait for
the disk. The oldest entries go first when the bytes are used up. A process that finds the file rotten, when
it opens it or later, makes it anew; the others go on with the new one.
"""

import fcntl
import logging
import os
import pickle
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import lmdb
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from isal.isal_zlib import crc32

from . import lmdb_look
from .lmdb_look import DATABASES, ERRORS, HEAD, READERS, ROTTEN, value_of

logger = logging.getLogger(__name__)

# What an entry takes beside its value. Longer values have pages of their own, shorter ones share theirs.
OVERHEAD, SHORT, PAGE = 256, 2000, 4096
# Room for pages that are being replaced while they are still read.
SLACK = 2
# Of LMDB's lock file: a head, and 64 for each reader.
LOCK_BYTES = 128 + 64 * READERS
# A rotten file may lead round in circles.
LOOK_SECONDS = 30
# How long a process may go on with a file in whose place there is a new one.
CHECK_SECONDS = 1.0
# How a rotten file ends the process that reads it.
CRASHES = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}
_NUMBER = struct.Struct(">Q")
_TOTAL, _EVICTED = b"total", b"evicted"


class _File(NamedTuple):
    """An open file of `most` bytes: `entries` by key, keys in `order` of writing, the `sums` of both. A claim
    locks a byte of the file `claims`."""

    most: int
    inode: int
    claims: int
    environment: lmdb.Environment
    entries: Any
    order: Any
    sums: Any


# Each with the moment from which on it is to be checked whether it is still in its folder.
_files: dict[str, tuple[_File, float]] = {}
_opening = Lock()


def _close_all() -> None:
    """An environment doesn't survive a fork: the child opens its own."""
    for file, _due in _files.values():
        file.environment.close()
    _files.clear()


os.register_at_fork(after_in_child=_close_all)


class LMDBCache(BaseCache):
    """CACHES' backend; LOCATION is a folder of its own, OPTIONS has MAX_BYTES."""

    # A file on this machine: no process needs copies of its values for the time that a cache is away.
    always_there = True

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._folder = str(location)
        self._data, self._lock = (Path(location) / name for name in ("data.mdb", "lock.mdb"))
        self._most = int(params["OPTIONS"]["MAX_BYTES"])

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
            _put(file, transaction, name, pickle.dumps(number), HEAD.unpack_from(entry)[0])
        return number

    def delete(self, key: str, version: int | None = None) -> bool:
        with self._transaction(write=True) as (file, transaction):
            return _remove(file, transaction, self._name(key, version))

    def clear(self) -> None:
        with self._transaction(write=True) as (file, transaction):
            for database in (file.entries, file.order, file.sums):
                transaction.drop(database, delete=False)

    def claim(self, key: str) -> Callable[[], None] | None:
        """A claim of this process on the key, as what gives it back; None while another process has it. It
        writes nothing, and the system takes back those of a process that dies."""
        claims, place = self._file().claims, 1 + int.from_bytes(self._name(key, None)[:7], "big")
        try:
            fcntl.lockf(claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return None
        return partial(fcntl.lockf, claims, fcntl.LOCK_UN, 1, place)

    def usage(self) -> dict[str, float]:
        """Bytes and entries, when the oldest was written (in seconds since the epoch), and how many were
        dropped before they expired."""
        with self._transaction(write=False) as (file, transaction):
            oldest = next(transaction.cursor(file.order).iternext(values=False), None)
            return {
                "bytes": _sum(file, transaction, _TOTAL),
                "entries": transaction.stat(file.entries)["entries"],
                "oldest_at": _NUMBER.unpack(oldest)[0] / 1e6 if oldest else time.time(),
                "evicted": _sum(file, transaction, _EVICTED),
            }

    def _name(self, key: str, version: int | None) -> bytes:
        return blake2b(self.make_key(key, version).encode(errors="surrogatepass"), digest_size=24).digest()

    @contextmanager
    def _transaction(self, write: bool) -> Iterator[tuple[_File, Any]]:
        file = self._file()
        try:
            with file.environment.begin(write=write, buffers=True) as transaction:
                yield file, transaction
        except ERRORS:
            with _opening, _alone(file.claims):
                if self._inode() == file.inode:
                    self._remove_files()
            _files.pop(self._folder, None)
            raise

    def _file(self) -> _File:
        file, due = _files.get(self._folder, (None, 0.0))
        if file is None or time.monotonic() >= due:
            with _opening:
                file, _due = _files.get(self._folder, (None, 0.0))
                if file is None or file.inode != self._inode():
                    file = self._open()
                _files[self._folder] = file, time.monotonic() + CHECK_SECONDS
        return file

    def _inode(self) -> int:
        with suppress(FileNotFoundError):
            return self._data.stat().st_ino
        return 0

    def _open(self) -> _File:
        Path(self._folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        # Never closed: that would end all claims of this process.
        claims = os.open(Path(self._folder) / "claims", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        rotten = self._is_rotten()
        with _alone(claims):
            # Another process may have made it anew meanwhile.
            if rotten and self._is_rotten():
                self._remove_files()
            self._allocate_lock()
            environment = lmdb.open(
                self._folder,
                map_size=self._most * SLACK,
                max_dbs=len(DATABASES),
                max_readers=READERS,
                mode=0o600,
                # A cache may be lost with the machine's power; a process that dies loses nothing.
                sync=False,
                metasync=False,
            )
            environment.reader_check()
            entries, order, sums = (environment.open_db(name) for name in DATABASES)
            return _File(self._most, self._inode(), claims, environment, entries, order, sums)

    def _is_rotten(self) -> bool:
        if not self._data.is_file():
            return self._data.exists()
        self._allocate_lock()
        command = [sys.executable, "-P", lmdb_look.__file__, self._folder]
        try:
            look = subprocess.run(command, capture_output=True, timeout=LOOK_SECONDS, check=False)  # noqa: S603
        except OSError:  # no process can be started
            return False
        except subprocess.TimeoutExpired:
            return True
        return look.returncode == ROTTEN or -look.returncode in CRASHES

    def _remove_files(self) -> None:
        logger.warning("cache=renewed")
        for path in (self._data, self._lock):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def _allocate_lock(self) -> None:
        """Raises OSError on a full disk, where the system would kill a process that writes through memory to
        a hole of the lock file. Only before LMDB opens it: closing it ends LMDB's locks."""
        lock = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if os.fstat(lock).st_blocks * 512 < LOCK_BYTES:
                with suppress(AttributeError):  # another system
                    os.posix_fallocate(lock, 0, LOCK_BYTES)
        finally:
            os.close(lock)


@contextmanager
def _alone(claims: int) -> Iterator[None]:
    """While no other process opens or removes the file."""
    fcntl.lockf(claims, fcntl.LOCK_EX, 1)
    try:
        yield
    finally:
        fcntl.lockf(claims, fcntl.LOCK_UN, 1)


def _live(entry: memoryview | None) -> memoryview | None:
    """The value of an entry, unless it has expired."""
    if entry is None or HEAD.unpack_from(entry)[0] <= time.time():
        return None
    return value_of(entry)


def _room(size: int) -> int:
    return OVERHEAD + (size if size < SHORT else -(-size // PAGE) * PAGE)


def _put(file: _File, transaction: Any, name: bytes, packed: bytes, expiry: float) -> None:
    _remove(file, transaction, name)
    if len(packed) > file.most // 4:
        return
    with transaction.cursor(file.order) as order:
        while _sum(file, transaction, _TOTAL) + _room(len(packed)) > file.most:
            if not order.first() or transaction.get(oldest := bytes(order.value()), db=file.entries) is None:
                raise lmdb.CorruptedError("order")  # or this would go on for ever
            _add(file, transaction, _EVICTED, _remove(file, transaction, oldest))
        last = _NUMBER.unpack(order.key())[0] if order.last() else 0
    # The time, but later than the last one's after a clock was set back.
    number = max(last + 1, int(time.time() * 1e6))
    transaction.put(name, HEAD.pack(expiry, number, crc32(packed)) + packed, db=file.entries)
    transaction.put(_NUMBER.pack(number), name, db=file.order, append=True)
    _add(file, transaction, _TOTAL, _room(len(packed)))


def _remove(file: _File, transaction: Any, name: bytes) -> bool:
    """Whether there was an entry that has not expired."""
    entry = transaction.get(name, db=file.entries)
    if entry is None:
        return False
    expiry, number, _checksum = HEAD.unpack_from(entry)
    _add(file, transaction, _TOTAL, -_room(len(entry) - HEAD.size))
    transaction.delete(_NUMBER.pack(number), db=file.order)
    transaction.delete(name, db=file.entries)
    return bool(expiry > time.time())


def _sum(file: _File, transaction: Any, name: bytes) -> int:
    packed = transaction.get(name, db=file.sums)
    return 0 if packed is None else int(_NUMBER.unpack(packed)[0])


def _add(file: _File, transaction: Any, name: bytes, number: int) -> None:
    transaction.put(name, _NUMBER.pack(_sum(file, transaction, name) + number), db=file.sums)
