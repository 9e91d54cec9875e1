"""Host names to addresses within a time limit, which the resolver of the system does not offer."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

# (family, type, protocol, canonical name, socket address), as socket.getaddrinfo gives them.
Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]


class Lookup:
    """One question to the system's resolver, asked in a thread of its own because it can't be interrupted."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._done = threading.Event()
        self.addresses: Sequence[Address] = ()
        threading.Thread(target=self._ask, name="gateway-name", daemon=True).start()

    def _ask(self) -> None:
        try:
            self.addresses = socket.getaddrinfo(*self._target, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            self.addresses = ()
        finally:
            self._done.set()

    def wait(self, seconds: float) -> bool:
        """Whether the resolver answered, well or badly, within `seconds`."""
        return self._done.wait(max(0.0, seconds))


class Names:
    """Remembers addresses for `keep` seconds, and beyond that as long as the resolver doesn't answer better.

    There is at most one lookup under way for a name, however many calls wait for it.
    """

    def __init__(self, keep: float = 30.0) -> None:
        self._keep = keep
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int], tuple[float, Sequence[Address]]] = {}
        self._asking: dict[tuple[str, int], Lookup] = {}

    def addresses(self, host: str, port: int, seconds: float) -> Sequence[Address]:
        """The addresses of a host, never empty; OSError without any, TimeoutError after `seconds`."""
        target = (host, port)
        with self._lock:
            told, known = self._known.get(target, (0.0, ()))
            if known and time.monotonic() - told < self._keep:
                return known
            lookup = self._asking.get(target)
            if lookup is None:
                lookup = self._asking[target] = Lookup(host, port)
        answered = lookup.wait(seconds)
        if answered:
            self._learn(target, lookup)
        found = lookup.addresses or known
        if found:
            return found
        if not answered:
            raise TimeoutError("no address within the time to connect")
        raise OSError("the name has no address")

    def _learn(self, target: tuple[str, int], lookup: Lookup) -> None:
        with self._lock:
            if self._asking.get(target) is lookup:
                del self._asking[target]
                if lookup.addresses:
                    self._known[target] = (time.monotonic(), lookup.addresses)
