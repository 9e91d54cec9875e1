"""What the misbehaving server does to one request: each function plays one misbehaviour."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import cache

from . import documents as doc
from .server import Peer, Play, head


def body(make: Callable[[], bytes] | bytes, *headers: str, type_: str = "application/json") -> Play:
    def play(peer: Peer) -> None:
        peer.answer(make() if callable(make) else make, 200, *headers, type_=type_)

    return play


def status(code: int, *headers: str, content: bytes = b"{}") -> Play:
    def play(peer: Peer) -> None:
        peer.answer(content, code, *headers)

    return play


# Time


def hang(peer: Peer) -> None:
    peer.linger(30)
    peer.close()


def hang_after_head(peer: Peer) -> None:
    peer.send(head(200, f"Content-Length: {len(peer.body)}"))
    hang(peer)


def hang_in_body(peer: Peer) -> None:
    peer.send(head(200, f"Content-Length: {len(peer.body)}") + peer.body[:1000])
    hang(peer)


def drip_body(peer: Peer) -> None:
    peer.send(head(200, f"Content-Length: {len(peer.body)}"))
    peer.drip(peer.body)


def drip_chunks(peer: Peer) -> None:
    peer.send(head(200, "Transfer-Encoding: chunked"))
    peer.drip(b"".join(b"1\r\n%c\r\n" % byte for byte in peer.body))


def drip_gzip(peer: Peer) -> None:
    packed = gzip.compress(peer.body)
    peer.send(head(200, "Content-Encoding: gzip", f"Content-Length: {len(packed)}"))
    peer.drip(packed)


def drip_head(peer: Peer) -> None:
    peer.drip(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 1000 + b"\r\n\r\n")


def drip_header_lines(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\n")
    for number in range(90):
        peer.send(b"X-%d: y\r\n" % number)
        peer.linger(0.1)


def endless_continue(peer: Peer) -> None:
    while not peer.stopping.is_set():
        peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        peer.linger(0.05)


def slow(peer: Peer) -> None:
    peer.linger(1)
    peer.answer(peer.body)


# Status


def no_content(peer: Peer) -> None:
    peer.send(head(204))


# Wire


def close(peer: Peer) -> None:
    peer.close()


def reset(peer: Peer) -> None:
    peer.reset()


def reset_in_body(peer: Peer) -> None:
    peer.send(head(200, f"Content-Length: {len(peer.body)}") + peer.body[:1000])
    peer.reset()


def close_in_head(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Le")
    peer.close()


def short_of_length(peer: Peer) -> None:
    peer.send(head(200, f"Content-Length: {len(peer.body) + 100}") + peer.body)
    peer.close()


def cut_without_length(peer: Peer) -> None:
    peer.send(head(200, "Connection: close") + peer.body[:5000])
    peer.close()


def length_too_small(peer: Peer) -> None:
    peer.send(head(200, "Content-Length: 1000") + peer.body)
    peer.close()


def chunks_cut(peer: Peer) -> None:
    peer.send(head(200, "Transfer-Encoding: chunked") + b"3e8\r\n" + peer.body[:1000] + b"\r\n")
    peer.close()


def chunk_size_nonsense(peer: Peer) -> None:
    peer.send(head(200, "Transfer-Encoding: chunked") + b"zz\r\n" + peer.body)
    peer.close()


def chunk_size_endless(peer: Peer) -> None:
    peer.send(head(200, "Transfer-Encoding: chunked") + b"1" * 300_000)
    peer.close()


def not_http(peer: Peer) -> None:
    peer.send(b"SSH-2.0-OpenSSH_9.2\r\n")
    peer.close()


def many_headers(peer: Peer) -> None:
    peer.answer(peer.body, 200, *(f"X-{number}: y" for number in range(10_000)))


def long_header(peer: Peer) -> None:
    peer.answer(peer.body, 200, "X-Long: " + "y" * 200_000)


def broken_header(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n")
    peer.close()


def end_by_close(peer: Peer) -> None:
    peer.send(head(200, "Connection: close") + peer.body)
    peer.close()


def chunked(peer: Peer) -> None:
    size = b"%x" % len(peer.body)
    peer.send(head(200, "Transfer-Encoding: chunked") + size + b"\r\n" + peer.body + b"\r\n0\r\n\r\n")


def gzipped(peer: Peer) -> None:
    peer.answer(gzip.compress(peer.body), 200, "Content-Encoding: gzip")


def with_cookie(peer: Peer) -> None:
    peer.answer(peer.body, 200, "Set-Cookie: track=visitor; Path=/; Max-Age=9999")


def close_silently_afterwards(peer: Peer) -> None:
    """Answers well and closes without saying so: the next call finds a dead connection in the pool."""
    peer.answer(peer.body)
    peer.close()


def elsewhere(peer: Peer) -> None:
    peer.answer(b"", 302, "Location: http://localhost:9/pub/v1/elsewhere")


def round_and_round(peer: Peer) -> None:
    peer.answer(b"", 301, f"Location: {peer.address}{peer.path}?again")


def redirect_with_huge_body(peer: Peer) -> None:
    peer.send(head(302, "Location: /x", f"Content-Length: {50 * 2**20}"))
    _send_blanks(peer, 50 * 2**20)


def _send_blanks(peer: Peer, count: int) -> None:
    block = b" " * 2**16
    for _ in range(count // len(block)):
        peer.send(block)


# Bodies


def huge_body(peer: Peer) -> None:
    peer.send(head(200, f"Content-Length: {50 * 2**20}", "Content-Type: application/json") + b"[")
    _send_blanks(peer, 50 * 2**20)


def huge_chunked_body(peer: Peer) -> None:
    peer.send(head(200, "Transfer-Encoding: chunked"))
    block = b"10000\r\n" + b" " * 2**16 + b"\r\n"
    for _ in range(50 * 2**20 // 2**16):
        peer.send(block)


def gzip_bomb(peer: Peer) -> None:
    peer.answer(packed_blanks(), 200, "Content-Encoding: gzip")


def gzip_bomb_in_a_gzip(peer: Peer) -> None:
    peer.answer(gzip.compress(packed_blanks()), 200, "Content-Encoding: gzip, gzip")


@cache
def packed_blanks() -> bytes:
    """200 MB of blanks in 200 kB."""
    return gzip.compress(b" " * 2**20) * 200


def truncated_gzip() -> bytes:
    return gzip.compress(json.dumps(doc.listing()).encode())[:-200]


def good() -> bytes:
    return json.dumps(doc.listing()).encode()
