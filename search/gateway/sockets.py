"""The network adapter: requests over sockets that keep to a deadline and keep the key out of urllib3.

`timeout=` of requests bounds one read, so a server that sends a byte now and then holds a caller for ever.
Here the read timeout is the time for the whole response, headers included. A name is looked up by the system,
which may take longer: a caller of `Transport` doesn't wait for that.

The key is written into the request line at the last step, below urllib3, whose exceptions and log lines all
carry the address. The request object of requests has it, and never leaves `gateway.transport`.
"""

import math
import socket
import ssl
import time
from functools import partial
from typing import Any
from urllib.parse import quote

from requests import PreparedRequest, Response
from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import Timeout, create_urllib3_context


class _Ending:
    """Reads that together end at one moment of the monotonic clock."""

    ends_at = math.inf

    def recv_into(self, *args: Any) -> int:
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time for the whole response is over")
        if left < math.inf:
            self.settimeout(left)  # type: ignore[attr-defined]
        received: int = super().recv_into(*args)  # type: ignore[misc]
        return received


class EndingSocket(_Ending, socket.socket):
    pass


class EndingTLSSocket(_Ending, ssl.SSLSocket):
    pass


# Firewalls and balancers forget connections that rest, some within minutes and without a word to either side.
REST_SECONDS = 30.0


class _ConnectionMixin:
    """What our connections do differently from urllib3's; mixed into both schemes."""

    timeout: Any
    sock: Any

    def __init__(self, *args: Any, key: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._key = key
        self._asked_at = time.monotonic()

    @property
    def is_connected(self) -> bool:
        """Whether it can carry one more call: what has rested for long may lead nowhere."""
        rested = time.monotonic() - self._asked_at
        return rested < REST_SECONDS and super().is_connected  # type: ignore[misc]

    def _new_conn(self) -> socket.socket:
        opened = EndingSocket(fileno=super()._new_conn().detach())  # type: ignore[misc]
        opened.settimeout(self.timeout)
        return opened

    def putrequest(self, method: str, url: str, *args: Any, **kwargs: Any) -> None:
        joint = "&" if "?" in url else "?"
        super().putrequest(method, f"{url}{joint}apikey={self._key}", *args, **kwargs)  # type: ignore[misc]

    def getresponse(self) -> Any:
        self._asked_at = time.monotonic()
        self.sock.ends_at = self._asked_at + self.timeout
        return super().getresponse()  # type: ignore[misc]


class GatewayConnection(_ConnectionMixin, HTTPConnection):
    pass


class TLSGatewayConnection(_ConnectionMixin, HTTPSConnection):
    pass


class NetworkAdapter(HTTPAdapter):
    """Carries requests over the network. `timeout` is (to connect, from connecting to the last byte) in
    seconds, `connections` how many are kept open, `trust` by default the authorities requests ships with."""

    def __init__(self, api_key: str, connections: int, trust: ssl.SSLContext | None = None) -> None:
        self._key = quote(api_key, safe="")
        if trust is None:
            trust = create_urllib3_context(cert_reqs=ssl.CERT_REQUIRED)
            trust.load_verify_locations(DEFAULT_CA_BUNDLE_PATH)
        trust.sslsocket_class = EndingTLSSocket
        self._trust = trust
        super().__init__(pool_connections=1, pool_maxsize=connections)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **kwargs: Any) -> None:
        super().init_poolmanager(connections, maxsize, block, ssl_context=self._trust, **kwargs)

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*args, **kwargs)
        kind = TLSGatewayConnection if pool.scheme == "https" else GatewayConnection
        pool.ConnectionCls = partial(kind, key=self._key)
        return pool

    def request_url(self, request: PreparedRequest, proxies: Any) -> str:
        """The target as urllib3 gets to know it: without the key, which the connection writes."""
        return super().request_url(request, proxies).removesuffix(f"apikey={self._key}").rstrip("?&")

    def cert_verify(self, conn: Any, url: str, verify: Any, cert: Any) -> None:
        """The TLS context verifies; loading the authorities again for each connection costs 20 ms of CPU."""

    def send(  # type: ignore[override]
        self, request: PreparedRequest, *, timeout: tuple[float, float], **kwargs: Any
    ) -> Response:
        connect, whole = timeout
        bounds: Any = Timeout(connect=connect, read=whole, total=whole)
        return super().send(request, timeout=bounds, **kwargs)
