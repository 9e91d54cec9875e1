"""A Django cache in one SQLite file: bounded in bytes, shared by processes, there after a restart.

Readers wait for no writer, and no write waits for the disk. The oldest entries go first when the bytes are
used up. A process that finds the file rotten makes it anew; the others go on with the new one.
"""

import fcntl
import logging
import os
import pickle
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from sqlite3 import Connection
from threading import Lock
from typing import Any, TypeVar
from zlib import crc32

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache

logger = logging.getLogger(__name__)

# How long a thread waits for others of its process: one may wait for a process that stands still.
PATIENCE_SECONDS = 2.0
# The last one is for a file that is whole, and not ours.
ERRORS = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
# `user_version` counts the entries that made room before they expired.
TABLE = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -256;
CREATE TABLE IF NOT EXISTS entries
    (number INTEGER PRIMARY KEY, name BLOB UNIQUE, written REAL, expiry REAL, checksum INTEGER, value BLOB);
"""
PUT = "INSERT OR REPLACE INTO entries (name, written, expiry, checksum, value) VALUES (?, ?, ?, ?, ?)"
LIVE = "SELECT checksum, value, expiry FROM entries WHERE name = ? AND expiry > ?"
OLDEST = "SELECT number, written, expiry FROM entries ORDER BY number LIMIT 1"
BYTES = (
    "SELECT (page_count - freelist_count) * page_size"
    " FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
)
USAGE = f"""
SELECT ({BYTES}), (SELECT COUNT(*) FROM entries), (SELECT written FROM entries ORDER BY number LIMIT 1),
    (SELECT user_version FROM pragma_user_version())
"""  # noqa: S608  # no value of ours

T = TypeVar("T")

# The inode of a file, and connections to it that no thread of this process uses just now.
_pools: dict[Path, tuple[int, list[Connection]]] = {}
# Held with a byte of that file, for threads of this process. SQLite's own waiting looks again and again.
_opening, _writing = Lock(), Lock()
# Claims lock bytes of this file. Never closed: that would end all claims of this process.
_claims: dict[Path, int] = {}
# What a child has of its parent is neither used nor closed.
_inherited: list[Any] = []


def _forget() -> None:
    _inherited.append(dict(_pools))
    _pools.clear()
    _claims.clear()


os.register_at_fork(after_in_child=_forget)


class Rotten(sqlite3.DatabaseError):
    """What SQLite doesn't notice: a value that isn't the one that was written, a sum that doesn't add up."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class FileCache(BaseCache):
    """CACHES' backend; LOCATION is a folder of its own, OPTIONS has MAX_BYTES."""

    # A file on this machine: no process needs copies of its values for the time that a cache is away.
    always_there = True

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._path = Path(location) / "cache.sqlite3"
        self._most = int(params["OPTIONS"]["MAX_BYTES"])

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """The value, or `default` without one that has not expired."""
        name = self._name(key, version)
        value, _expiry = self._ask(lambda database: _live(database, name))
        return default if value is None else pickle.loads(value)  # noqa: S301  # our own file, mode 0700

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Store the value, unless it is larger than a quarter of the cache."""
        self._store(key, value, timeout, version)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Store the value if the key is free; whether it was. One process of several wins."""
        return self._store(key, value, timeout, version, only_if_free=True)

    def _store(
        self, key: str, value: Any, timeout: Any, version: int | None, only_if_free: bool = False
    ) -> bool:
        name, packed = self._name(key, version), pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        moment = self.get_backend_timeout(timeout)

        def put(database: Connection) -> bool:
            is_free = not only_if_free or _live(database, name)[0] is None
            if is_free:
                self._put(database, name, packed, float("inf") if moment is None else moment)
            return is_free

        return self._ask(put, writes=True)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a number, in one step for all processes. Raises ValueError without one."""
        name = self._name(key, version)

        def count(database: Connection) -> int:
            value, expiry = _live(database, name)
            if value is None:
                raise ValueError(f"Key {key!r} not found")
            number = int(pickle.loads(value)) + delta  # noqa: S301  # our own file, mode 0700
            self._put(database, name, pickle.dumps(number), expiry)
            return number

        return self._ask(count, writes=True)

    def delete(self, key: str, version: int | None = None) -> bool:
        query, name = "DELETE FROM entries WHERE name = ?", self._name(key, version)
        return self._ask(lambda database: database.execute(query, [name]).rowcount > 0, writes=True)

    def clear(self) -> None:
        self._ask(lambda database: database.execute("DELETE FROM entries"), writes=True)

    def claim(self, key: str) -> Callable[[], None] | None:
        """A claim of this process on the key, as what gives it back; None while another process has it. It
        writes nothing, and the system takes back those of a process that dies."""
        claims, place = self._claims_file(), 1 + int.from_bytes(self._name(key, None)[:7], "big")
        try:
            fcntl.lockf(claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return None
        return partial(fcntl.lockf, claims, fcntl.LOCK_UN, 1, place)

    def usage(self) -> dict[str, float]:
        """Bytes and entries, when the oldest was written (in seconds since the epoch), and how many were
        dropped before they expired."""
        used, entries, oldest, evicted = self._ask(lambda database: database.execute(USAGE).fetchone())
        return {"bytes": used, "entries": entries, "oldest_at": oldest or time.time(), "evicted": evicted}

    def _name(self, key: str, version: int | None) -> bytes:
        return blake2b(self.make_key(key, version).encode(errors="surrogatepass"), digest_size=24).digest()

    def _put(self, database: Connection, name: bytes, value: bytes, expiry: float) -> None:
        if len(value) > self._most // 4:
            database.execute("DELETE FROM entries WHERE name = ?", [name])
            return
        now, evicted = time.time(), 0
        database.execute(PUT, [name, now, expiry, crc32(value, crc32(name)), value])
        while _number(database, BYTES) > self._most:
            if not (oldest := database.execute(OLDEST).fetchone()):
                raise Rotten
            database.execute("DELETE FROM entries WHERE number = ?", [oldest[0]])
            evicted += oldest[2] > now
        if evicted:
            evicted += _number(database, "PRAGMA user_version")
            database.execute(f"PRAGMA user_version = {evicted}")

    def _ask(self, action: Callable[[Connection], T], writes: bool = False) -> T:
        """What the action returns. A rotten file is made anew, and the action begins again."""
        inode = self._inode()
        try:
            return self._asked(action, writes)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in ERRORS:
                raise
            with self._alone():
                if self._inode() == inode:  # no other has made it anew meanwhile
                    logger.warning("cache=renewed")
                    for path in self._path.parent.glob(f"{self._path.name}*"):
                        path.unlink(missing_ok=True)
        return self._asked(action, writes)

    def _asked(self, action: Callable[[Connection], T], writes: bool) -> T:
        database, idle = self._connection()
        if writes:
            with self._alone(_writing, lambda file, lock: fcntl.lockf(file, lock, 1)), database:
                database.execute("BEGIN IMMEDIATE")
                answer = action(database)
        else:
            answer = action(database)
        # A connection that has failed isn't used again.
        idle.append(database)
        return answer

    def _connection(self) -> tuple[Connection, list[Connection]]:
        """A connection to the file that is in the folder now, and where to put it afterwards."""
        inode, idle = _pools.get(self._path, (-1, []))
        with suppress(IndexError):
            if inode == self._inode():
                return idle.pop(), idle
        with self._alone():
            self._path.touch(0o600)
            database = sqlite3.connect(
                self._path, PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
            )
            database.executescript(TABLE)
            if _pools.get(self._path, (-1, []))[0] != (inode := self._inode()):
                _pools[self._path] = inode, []
            return database, _pools[self._path][1]

    def _inode(self) -> int:
        try:
            return os.stat(self._path).st_ino
        except FileNotFoundError:
            return 0

    @contextmanager
    def _alone(
        self, lock: Any = _opening, hold: Callable[[int, int], object] = fcntl.flock
    ) -> Iterator[None]:
        """While no other thread or process does the same to the file."""
        if not lock.acquire(timeout=PATIENCE_SECONDS):
            raise sqlite3.OperationalError("locked")
        try:
            claims = self._claims_file()
            hold(claims, fcntl.LOCK_EX)
            try:
                yield
            finally:
                hold(claims, fcntl.LOCK_UN)
        finally:
            lock.release()

    def _claims_file(self) -> int:
        claims = _claims.get(self._path)
        if claims is None or not os.fstat(claims).st_nlink:  # an operator has emptied the folder
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            claims = os.open(self._path.with_name("claims"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            _claims[self._path] = claims
        return claims


def _live(database: Connection, name: bytes) -> tuple[bytes | None, float]:
    """The value of an entry and when it expires; None where there is none or it has expired."""
    row = database.execute(LIVE, [name, time.time()]).fetchone()
    if row is None:
        return None, 0.0
    checksum, value, expiry = row
    if crc32(value, crc32(name)) != checksum:
        raise Rotten
    return value, expiry


def _number(database: Connection, query: str) -> int:
    return int(database.execute(query).fetchone()[0])
