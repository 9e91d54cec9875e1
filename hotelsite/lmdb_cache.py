"""A Django cache in one memory-mapped file: bounded in bytes, shared by processes, there after a restart.

LMDB reads without a lock; a write takes the file's one write lock for some microseconds and doesn't wait for
the disk. The oldest entries go first when the bytes are used up. What is rotten in the file is found when a
process opens it or reads it; that process then makes the file anew, and the others go on with the new one.
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
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import lmdb
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from isal.isal_zlib import crc32

from . import lmdb_look
from .lmdb_look import DATABASES, ERRORS, HEAD, READERS, ROTTEN, RottenError, value_of

logger = logging.getLogger(__name__)

T = TypeVar("T")

# Longer values stand in pages of their own, shorter ones in pages with others.
PAGE, SHORT = 4096, 2000
# What an entry takes beside its value: its key, its place in the order, the empty part of its page.
OVERHEAD = 256
# Room for pages that are being replaced while they are still read.
SLACK = 2
# Of LMDB's lock file: a head, and 64 for each reader.
LOCK_BYTES = 128 + 64 * READERS
# A large file on a slow disk; one that leads round in circles takes for ever.
LOOK_SECONDS = 30
# How long a process may go on with a file in whose place another one has put a new one.
CHECK_SECONDS = 1.0
# How a rotten file ends the process that reads it.
CRASHES = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}
_NUMBER = struct.Struct(">Q")
_TOTAL, _EVICTED = b"total", b"evicted"


class Usage(NamedTuple):
    """Bytes used of `most`, entries, seconds since the epoch when the oldest one was written, and how many
    were dropped before they expired since the file was made."""

    bytes: int
    most: int
    entries: int
    oldest_at: float | None
    evicted: int


@dataclass(slots=True)
class _File:
    """An open file of `most` bytes: `entries` by key, keys in `order` of writing, `sums` of both; `claims` is
    the file whose bytes are locked, each for a key. `checked` is when it last stood in its folder."""

    most: int
    inode: int | None
    claims: int
    environment: lmdb.Environment
    entries: Any
    order: Any
    sums: Any
    checked: float = 0.0


_files: dict[str, _File] = {}
_opening = Lock()


def _close_all() -> None:
    """An environment doesn't survive a fork: the child opens its own."""
    for file in _files.values():
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
        name = self._name(key, version)

        def read(file: _File, transaction: Any) -> Any:
            packed = _live(transaction.get(name, db=file.entries))
            return default if packed is None else pickle.loads(packed)  # noqa: S301  # our own file, mode 0700

        return self._do(read)

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

        def store(file: _File, transaction: Any) -> bool:
            if only_if_free and _live(transaction.get(name, db=file.entries)) is not None:
                return False
            _put(file, transaction, name, packed, expiry)
            return True

        return self._do(store, write=True)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Adds to a number, in one step for all processes. Raises ValueError without one."""
        name = self._name(key, version)

        def count(file: _File, transaction: Any) -> int:
            entry = transaction.get(name, db=file.entries)
            if (packed := _live(entry)) is None:
                raise ValueError(f"Key {key!r} not found")
            number = int(pickle.loads(packed)) + delta  # noqa: S301  # our own file, mode 0700
            _put(file, transaction, name, pickle.dumps(number), HEAD.unpack_from(entry)[0])
            return number

        return self._do(count, write=True)

    def delete(self, key: str, version: int | None = None) -> bool:
        name = self._name(key, version)
        return self._do(lambda file, transaction: _remove(file, transaction, name), write=True)

    def clear(self) -> None:
        def empty(file: _File, transaction: Any) -> None:
            for database in (file.entries, file.order, file.sums):
                transaction.drop(database, delete=False)

        self._do(empty, write=True)

    def claim(self, key: str) -> Callable[[], None] | None:
        """A claim of this process on the key, as what gives it back; None while another process has it. It
        writes nothing, and the system takes back those of a process that dies."""
        place = 1 + int.from_bytes(self._name(key, None)[:7], "big")
        claims = self._file().claims
        try:
            fcntl.lockf(claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return None
        return partial(fcntl.lockf, claims, fcntl.LOCK_UN, 1, place)

    def usage(self) -> Usage:
        def read(file: _File, transaction: Any) -> Usage:
            with transaction.cursor(file.order) as order:
                oldest_at = _NUMBER.unpack(order.key())[0] / 1e6 if order.first() else None
            entries = transaction.stat(file.entries)["entries"]
            total, evicted = (_sum(file, transaction, name) for name in (_TOTAL, _EVICTED))
            return Usage(total, file.most, entries, oldest_at, evicted)

        return self._do(read)

    def _name(self, key: str, version: int | None) -> bytes:
        return blake2b(self.make_key(key, version).encode(errors="surrogatepass"), digest_size=24).digest()

    def _do(self, action: Callable[[_File, Any], T], *, write: bool = False) -> T:
        """What `action` makes of a transaction; once more with a new file where this one is rotten."""
        file = self._file()
        try:
            with file.environment.begin(write=write, buffers=True) as transaction:
                return action(file, transaction)
        except ERRORS:
            logger.warning("cache=renewed")
            with _opening, self._alone(file.claims):
                if self._inode() == file.inode:
                    self._remove_files()
                if _files.get(self._folder) is file:
                    del _files[self._folder]
        file = self._file()
        with file.environment.begin(write=write, buffers=True) as transaction:
            return action(file, transaction)

    def _file(self) -> _File:
        """The file that stands in the folder, opened by this process on first use."""
        file, now = _files.get(self._folder), time.monotonic()
        if file is not None and now < file.checked + CHECK_SECONDS:
            return file
        with _opening:
            file = _files.get(self._folder)
            if file is None or file.inode != self._inode():
                file = _files[self._folder] = self._open()
            file.checked = now
            return file

    def _inode(self) -> int | None:
        try:
            return self._data.stat().st_ino
        except FileNotFoundError:
            return None

    def _open(self) -> _File:
        Path(self._folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in (self._data, self._lock):
            if path.is_dir():
                shutil.rmtree(path)
        # Never closed: that would end all claims of this process.
        claims = os.open(Path(self._folder) / "claims", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        rotten = self._is_rotten()
        with self._alone(claims):
            # Another process may have made it anew meanwhile.
            if rotten and self._is_rotten():
                logger.warning("cache=renewed")
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

    @contextmanager
    def _alone(self, claims: int) -> Iterator[None]:
        """While no other process opens or removes the file."""
        fcntl.lockf(claims, fcntl.LOCK_EX, 1)
        try:
            yield
        finally:
            fcntl.lockf(claims, fcntl.LOCK_UN, 1)

    def _is_rotten(self) -> bool:
        if not self._data.exists():
            return False
        self._allocate_lock()
        command = [sys.executable, "-P", lmdb_look.__file__, self._folder]
        try:
            look = subprocess.run(command, capture_output=True, timeout=LOOK_SECONDS, check=False)  # noqa: S603
        except subprocess.TimeoutExpired:
            return True
        return look.returncode == ROTTEN or -look.returncode in CRASHES

    def _remove_files(self) -> None:
        for path in (self._data, self._lock):
            path.unlink(missing_ok=True)

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


def _live(entry: memoryview | None) -> memoryview | None:
    """The value of an entry, unless it has expired."""
    if entry is None or HEAD.unpack_from(entry)[0] <= time.time():
        return None
    return value_of(entry)


def _room(size: int) -> int:
    """The bytes of the file that a value of this size takes."""
    return OVERHEAD + (size if size < SHORT else -(-size // PAGE) * PAGE)


def _put(file: _File, transaction: Any, name: bytes, packed: bytes, expiry: float) -> None:
    _remove(file, transaction, name)
    if len(packed) > file.most // 4:
        return
    with transaction.cursor(file.order) as order:
        while _sum(file, transaction, _TOTAL) + _room(len(packed)) > file.most:
            oldest = bytes(order.value()) if order.first() else b""
            if transaction.get(oldest or name, db=file.entries) is None:
                raise RottenError  # or this would go on for ever
            _add(file, transaction, _EVICTED, _remove(file, transaction, oldest))
        last = _NUMBER.unpack(order.key())[0] if order.last() else 0
    # The time, in whose order entries are written even after a clock was set back.
    number = max(last + 1, int(time.time() * 1e6))
    transaction.put(name, HEAD.pack(expiry, number, crc32(packed)) + packed, db=file.entries)
    transaction.put(_NUMBER.pack(number), name, db=file.order, append=True)
    _add(file, transaction, _TOTAL, _room(len(packed)))


def _remove(file: _File, transaction: Any, name: bytes) -> bool:
    """Whether there was an entry that has not expired."""
    entry = transaction.get(name, db=file.entries)
    if entry is None:
        return False
    (expiry, number, _checksum), size = HEAD.unpack_from(entry), len(entry) - HEAD.size
    transaction.delete(name, db=file.entries)
    transaction.delete(_NUMBER.pack(number), db=file.order)
    _add(file, transaction, _TOTAL, -_room(size))
    return bool(expiry > time.time())


def _sum(file: _File, transaction: Any, name: bytes) -> int:
    packed = transaction.get(name, db=file.sums)
    return 0 if packed is None else int(_NUMBER.unpack(packed)[0])


def _add(file: _File, transaction: Any, name: bytes, number: int) -> None:
    if number:
        transaction.put(name, _NUMBER.pack(_sum(file, transaction, name) + number), db=file.sums)
