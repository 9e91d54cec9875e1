"""A gateway that misbehaves on demand, over real sockets: mocks can't drip, reset or explode."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .documents import good_body

DOCUMENT = "application/json"


@dataclass
class Peer:
    """One request as the server sees it, and the means to answer it badly."""

    sock: socket.socket
    head: bytes
    stopping: threading.Event
    address: str
    keep: bool = True

    @property
    def path(self) -> str:
        target = self.head.split(b" ", 2)[1].decode("latin-1") if b" " in self.head else ""
        return target.split("?", 1)[0]

    @property
    def body(self) -> bytes:
        return good_body(self.path)

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def answer(self, body: bytes, status: int | str = 200, *headers: str, type_: str = DOCUMENT) -> None:
        """A well-framed answer; what is wrong is in its content."""
        self.send(head(status, f"Content-Length: {len(body)}", f"Content-Type: {type_}", *headers) + body)

    def close(self) -> None:
        self.keep = False

    def reset(self) -> None:
        """RST instead of a polite end."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def linger(self, seconds: float) -> None:
        """Do nothing, at most until the server stops."""
        self.stopping.wait(seconds)

    def drip(self, data: bytes, every: float = 0.1) -> None:
        for number in range(len(data)):
            if self.stopping.is_set():
                return
            self.send(data[number : number + 1])
            self.linger(every)


def head(status: int | str, *headers: str) -> bytes:
    line = f"{status} Whatever" if isinstance(status, int) else status
    return "\r\n".join([f"HTTP/1.1 {line}", *headers, "", ""]).encode("latin-1")


Play = Callable[[Peer], None]


def behave(peer: Peer) -> None:
    peer.answer(peer.body)


@dataclass
class MisbehavingServer:
    """Answers well until told to `misbehave`; keeps the heads of the requests since then.

    `only` is the part of a path that the misbehaviour is for; other paths are answered well and not counted.
    """

    only: str = ""
    port: int = 0
    tls: ssl.SSLContext | None = None
    connections: int = 0
    heads: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=256)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.stopping = threading.Event()
        self._play: Play = behave
        self._times: int | None = None
        self._on_accept = False
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def calls(self) -> int:
        return len(self.heads)

    def misbehave(self, play: Play, times: int | None = None, on_accept: bool = False) -> None:
        """Play this from now on, or `times` times; `on_accept` means before reading the request."""
        with self._lock:
            self._play, self._times, self._on_accept = play, times, on_accept
            self.heads.clear()

    def recover(self) -> None:
        self.misbehave(behave)

    def stop(self) -> None:
        """Be gone: later connections are refused, for closing alone leaves a waiting accept() listening."""
        self.stopping.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while not self.stopping.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, sock: socket.socket) -> None:
        with contextlib.suppress(OSError), sock:
            sock.settimeout(60)
            if self.tls is not None:
                sock = self.tls.wrap_socket(sock, server_side=True)
            buffered = b""
            keep = True
            while keep and not self.stopping.is_set():
                if self._on_accept:
                    request, buffered = b"", b""
                else:
                    request, buffered = _one_request(sock, buffered)
                    if not request:
                        return
                if self.stopping.is_set():
                    return
                peer = Peer(sock, request, self.stopping, self.url)
                self._play_for(peer)(peer)
                keep = peer.keep

    def _play_for(self, peer: Peer) -> Play:
        with self._lock:
            if self.only not in peer.path and peer.head:
                return behave
            self.heads.append(peer.head)
            if self._times is None:
                return self._play
            if self._times == 0:
                return behave
            self._times -= 1
            self._on_accept = self._on_accept and self._times > 0
            return self._play


def _one_request(sock: socket.socket, buffered: bytes) -> tuple[bytes, bytes]:
    """The head of the next request and what came after it; no head when the other side is done."""
    while b"\r\n\r\n" not in buffered:
        data = sock.recv(65536)
        if not data:
            return b"", b""
        buffered += data
    request, rest = buffered.split(b"\r\n\r\n", 1)
    return request, rest


@contextlib.contextmanager
def misbehaving_server(only: str = "") -> Iterator[MisbehavingServer]:
    server = MisbehavingServer(only)
    try:
        yield server
    finally:
        server.stop()
