"""Which full results a process is fetching, told to the others through the cache: what one of them already
fetches, the others wait for instead of collecting the same pages once more.
"""

import secrets
import time
from contextlib import suppress

import msgspec
from django.core.cache import cache

from search.domain import process
from search.gateway.cache_store import SafeStore

from .pagination import Coverage, CoverageState, Keys

# Without news for so long the process that fetched has ended.
SILENCE_SECONDS = 15.0
# Between two looks whether it is done: short at first, then longer.
LOOK_FIRST = 0.01
LOOK_LAST = 0.1
NOTHING_YET = Coverage(CoverageState.FETCHING, 0, None, None)


class Announcement(msgspec.Struct, frozen=True, array_like=True):
    """How far a fetch is; `pace` as in `Fetch`. `token` tells it from any other of the same results."""

    token: str
    coverage: Coverage = NOTHING_YET
    pages_left: int = 0
    pace: float = 0.0


# Made before there are threads: two that make it at once would end the process.
_DECODER = msgspec.json.Decoder(Announcement)


class Announcements:
    """The fetches under way in all processes, by the key of their results."""

    def __init__(self, store: SafeStore) -> None:
        self._store = store

    def begin(self, key: str) -> str | None:
        """A token for the fetch of these results; None if another one is under way."""
        token = secrets.token_hex(8)
        return token if self._store.add(_key(key), as_text(Announcement(token)), SILENCE_SECONDS) else None

    def tell(self, key: str, announcement: Announcement) -> None:
        known = self.read(key)
        # As in `end`: who waits for another one is to go on with that.
        if known is None or known.token == announcement.token:
            self._store.set(_key(key), as_text(announcement), SILENCE_SECONDS)

    def read(self, key: str) -> Announcement | None:
        """None where no fetch is under way."""
        with suppress(msgspec.MsgspecError, TypeError):
            return _DECODER.decode(self._store.get(_key(key)))
        return None

    def end(self, key: str, token: str) -> None:
        known = self.read(key)
        # After a long silence it may be another's by now.
        if known is not None and known.token == token:
            self._store.delete(_key(key))


def build_announcements() -> Announcements:
    return Announcements(SafeStore(cache))


class FetchElsewhere:
    """A fetch under way in another process, as far as this one knows: what it has fetched can be had when it
    is done, from the cache. `told` is the last that was heard of it; None: it is done."""

    at_hand = 0

    def __init__(self, key: str, told: Announcement | None) -> None:
        self._key = key
        self._ended = told is None
        self._told = told or Announcement("")

    @property
    def done(self) -> bool:
        """Whether it has ended; where another of the same results has begun since, this one has."""
        told = None if self._ended else process.part(build_announcements).read(self._key)
        if told is None or told.token != self._told.token:
            self._ended = True
        else:
            self._told = told
        return self._ended

    def coverage(self) -> Coverage:
        return self._told.coverage

    def fetched(self) -> None:
        """None: what another process fetches is in the cache once it is done."""

    def wait(self, seconds: float, _enough: int | None = None) -> None:
        """Until it is done, or the time is over."""
        ends_at, look = time.monotonic() + seconds, LOOK_FIRST
        while not self.done and (left := ends_at - time.monotonic()) > 0:
            time.sleep(min(look, left))
            look = min(look * 1.5, LOOK_LAST)

    def wait_for_due(self, seconds: float, at_once: int) -> None:
        """Until it is done where all pages are due within so many seconds, `at_once` at a time."""
        if self._told.pages_left / at_once * self._told.pace <= seconds:
            self.wait(seconds)

    def wait_for_entry(self, _keys: Keys, seconds: float) -> None:
        """As `wait`: no listing of it can be had before it is done."""
        self.wait(seconds)


def _key(key: str) -> str:
    return f"fetching:{key}"


def as_text(told: msgspec.Struct) -> str:
    """Not bytes, which a process keeps for the time that the cache is away: nobody could take it back."""
    return msgspec.json.encode(told).decode()
