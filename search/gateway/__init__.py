"""The errors of gateway calls: unavailable, rejected, not found, garbled.

An error carries a kind and a status and nothing else, and has no `__cause__` and no `__context__`: addresses,
bodies and the exceptions of the HTTP library may hold the API key.
"""

from typing import Self

# Kinds of failure by which the gateway says that it has no such page.
NO_SUCH_PAGE = frozenset({"request", "empty"})


class GatewayError(Exception):
    """A call that brought no usable value; `str()` is safe to log and to show to staff. `kind` is one word,
    listed at each subclass; `retry_after` the seconds after which asking again may help. One more call at
    once, or after these seconds, may help where it is `repeatable`."""

    def __init__(
        self, kind: str, status: int | None = None, retry_after: float | None = None, repeatable: bool = False
    ) -> None:
        super().__init__(kind, status, retry_after)
        self.kind = kind
        self.status = status
        self.retry_after = retry_after
        self.repeatable = repeatable

    def __str__(self) -> str:
        return self.kind if self.status is None else f"{self.kind} {self.status}"

    def afresh(self) -> Self:
        """An equal error without the history of this one, to be raised in another thread; not repeatable."""
        return type(self)(self.kind, self.status, self.retry_after)


class Unavailable(GatewayError):
    """Calling later may help: timeout, connection, status (5xx), throttled (429), open (breaker), full."""


class Rejected(GatewayError):
    """Repeating the call won't help: key (401, 403), request (other 4xx)."""


class NotFound(Rejected):
    """404: the gateway doesn't know what was asked for."""


class Garbled(GatewayError):
    """The response breaks the interface. While receiving, with a status: json (doesn't end like JSON),
    encoding, size (over the cap), empty, redirect, status (none it has). While reading, without a status:
    json, encoding, envelope, entries (none usable)."""
