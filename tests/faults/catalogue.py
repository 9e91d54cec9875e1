"""The faults, by name: what the gateway does, how the transport names it, and what a visitor gets.

`wire` is what `Transport.get` makes of it: "ok" or the kind of the error. `page` is the status of the
page that is visited while paths with `only` in them are answered badly. A fault with `once` happens to one
request only and must not be seen by the visitor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from . import documents as doc
from . import plays
from .plays import body, status
from .server import Play

SORRY = 503
SEARCHES = "propertyOffers"
DETAILS = "/provider/"
AIRPORTS = "/airports"


@dataclass(frozen=True)
class Fault:
    name: str
    group: str
    play: Play
    wire: str = "ok"
    page: int = 200
    once: bool = False
    on_accept: bool = False
    only: str = SEARCHES
    visit: str = "results"


def _time() -> Iterator[Fault]:
    for name, play in {
        "hangs": plays.hang,
        "hangs after the head": plays.hang_after_head,
        "hangs in the body": plays.hang_in_body,
        "drips the body": plays.drip_body,
        "drips chunks": plays.drip_chunks,
        "drips a gzip body": plays.drip_gzip,
        "drips a header": plays.drip_head,
        "drips header lines": plays.drip_header_lines,
        "says 100 Continue for ever": plays.endless_continue,
    }.items():
        yield Fault(name, "time", play, "timeout", SORRY)
    yield Fault("takes a second", "time", plays.slow)
    yield Fault("hangs once", "time", plays.hang, once=True)
    yield Fault("drips the head once", "time", plays.drip_head, once=True)


def _status() -> Iterator[Fault]:
    for code in (400, 405, 410, 414, 418):
        yield Fault(f"{code}", "status", status(code), "request", SORRY)
    yield Fault("404 for a search", "status", status(404), "request", SORRY)
    for code in (500, 501, 502, 503, 504, 599):
        yield Fault(f"{code}", "status", status(code), "status", SORRY)
    yield Fault("503 retry after an hour", "status", status(503, "Retry-After: 3600"), "status", SORRY)
    for code in (500, 502, 503, 504):
        yield Fault(f"{code} once", "status", status(code), once=True)
    yield Fault("204", "status", plays.no_content, "empty", SORRY)
    yield Fault("206", "status", status(206), "status", SORRY)
    yield Fault("status 999", "status", status(999), "status", SORRY)
    yield Fault("redirect elsewhere", "status", plays.elsewhere, "redirect", SORRY)
    yield Fault("redirect to itself", "status", plays.round_and_round, "redirect", SORRY)
    yield Fault("redirect with 50 MB", "status", plays.redirect_with_huge_body, "redirect", SORRY)


def _refusals() -> Iterator[Fault]:
    yield Fault("429 once, no word", "refusal", status(429), once=True)
    yield Fault("429 once, one second", "refusal", status(429, "Retry-After: 1"), once=True)
    for said in ("3600", "Wed, 21 Oct 2099 07:28:00 GMT", "soon", "-1", "9" * 5000, "1.5", "inf"):
        name = f"429 retry after {said[:12]}"
        yield Fault(name, "refusal", status(429, f"Retry-After: {said}"), "throttled", 429)
    yield Fault("429 for ever", "refusal", status(429), "throttled", 429)
    yield Fault("401", "refusal", status(401), "key", SORRY)
    yield Fault("403", "refusal", status(403), "key", SORRY)


def _wire() -> Iterator[Fault]:
    for name, play, kind in (
        ("closes", plays.close, "connection"),
        ("resets", plays.reset, "connection"),
        ("resets in the body", plays.reset_in_body, "connection"),
        ("closes in the head", plays.close_in_head, "empty"),
        ("shorter than its length", plays.short_of_length, "connection"),
        ("cut without a length", plays.cut_without_length, "json"),
        ("longer than its length", plays.length_too_small, "json"),
        ("chunks cut", plays.chunks_cut, "connection"),
        ("chunk size nonsense", plays.chunk_size_nonsense, "connection"),
        ("chunk size endless", plays.chunk_size_endless, "connection"),
        ("speaks no HTTP", plays.not_http, "connection"),
        ("10,000 headers", plays.many_headers, "connection"),
        ("200 kB header", plays.long_header, "connection"),
    ):
        yield Fault(name, "wire", play, kind, SORRY)
        yield Fault(f"{name}, once", "wire", play, once=True)
    yield Fault("closes on accept", "wire", plays.close, "connection", SORRY, on_accept=True)
    yield Fault("resets on accept, once", "wire", plays.reset, once=True, on_accept=True)
    yield Fault("broken header line", "wire", plays.broken_header, "empty", SORRY)
    yield Fault("body ends by closing", "wire", plays.end_by_close)
    yield Fault("chunked", "wire", plays.chunked)
    yield Fault("gzip", "wire", plays.gzipped)
    yield Fault("sets a cookie", "wire", plays.with_cookie)
    yield Fault("closes silently afterwards", "wire", plays.close_silently_afterwards)


def _bodies() -> Iterator[Fault]:
    for name, content, kind in (
        ("empty", b"", "empty"),
        ("HTML", b"<html><h1>Down for maintenance</h1></html>", "json"),
        ("null", b"null", "json"),
        ("a string", b'"sorry"', "json"),
        ("a number", b"42", "json"),
        ("a list", b"[]", "ok"),
        ("truncated JSON", plays.good()[:9000], "json"),
        ("trailing garbage", plays.good() + b"<!-- cached -->", "json"),
        ("two documents", plays.good() + b"{}", "ok"),
        ("invalid UTF-8", plays.good().replace(b"Steadfast", b"\xff\xfe\xfa"), "ok"),
        ("UTF-16", plays.good().decode().encode("utf-16"), "json"),
        ("100,000 nested lists", b"[" * 100_000 + b"]" * 100_000, "ok"),
        ("6,000-digit integer", b'{"results": [], "Total": ' + b"9" * 6000 + b"}", "ok"),
        ("error with status 200", b'{"error": {"code": 17, "message": "<b>no</b>"}}', "ok"),
    ):
        yield Fault(name, "body", body(content), kind, SORRY)
    yield Fault("HTML once", "body", body(b"<html></html>"), once=True)
    yield Fault("empty once", "body", body(b""), once=True)
    yield Fault("false gzip label", "body", body(plays.good(), "Content-Encoding: gzip"), "encoding", SORRY)
    yield Fault("truncated gzip", "body", body(plays.truncated_gzip, "Content-Encoding: gzip"), "json", SORRY)
    yield Fault("unknown encoding", "body", body(plays.good(), "Content-Encoding: x-rot13"))
    yield Fault("byte order mark", "body", body(b"\xef\xbb\xbf" + plays.good()))
    yield Fault("wrong content type", "body", body(plays.good(), type_="text/html"))
    yield Fault("50 MB", "body", plays.huge_body, "size", SORRY)
    yield Fault("50 MB in chunks", "body", plays.huge_chunked_body, "size", SORRY)
    yield Fault("200 MB gzip bomb", "body", plays.gzip_bomb, "size", SORRY)
    yield Fault("gzip bomb in a gzip", "body", plays.gzip_bomb_in_a_gzip, "size", SORRY)


def _documents() -> Iterator[Fault]:
    for price in ("NaN", "Infinity", "1e400", "-5", '"12"', "null", "[]", "9" * 400):
        yield Fault(f"price {price[:9]}", "document", body(doc.listing_of_offers(price)))
    for name, value in (("missing", ...), ("null", None), ("an object", {}), ("text", "none")):
        yield Fault(f"results {name}", "document", body(doc.listing_with(results=value)), page=SORRY)
    totals = (("missing", ...), ("null", None), ("-1", -1), ("text", "many"), ("1e308", 1e308), ("3", 3))
    for name, value in totals:
        yield Fault(f"Total {name}", "document", body(doc.listing_with(Total=value)))
    yield Fault("nothing found", "document", body(doc.listing_with(results=[], Total=0)))
    one_bad = [*doc.listing(19)["results"], 7]
    yield Fault("one entry is a number", "document", body(doc.listing_with(results=one_bad)))
    markup = "<script>alert(1)</script>\"'&"
    yield Fault("markup in a name", "document", body(doc.listing_with_summary(name=markup)))
    yield Fault("lone surrogate", "document", body(doc.listing_with_summary(name="Hotel \ud800")))
    yield Fault("control characters", "document", body(doc.listing_with_summary(name="A\x00\x1b[31m\u202e")))
    yield Fault("20 kB description", "document", body(doc.listing_with_summary(description="word " * 4000)))
    images = [f"https://img.example/{number}.jpg" for number in range(200)] + ["javascript:alert(1)"]
    yield Fault("200 images", "document", body(doc.listing_with_summary(images=images)))
    slash = doc.listing_with_summary(id="../../x?y#z%\n")
    yield Fault("hostile identifier", "document", body(slash))


def _elsewhere() -> Iterator[Fault]:
    """Faults of the other two calls, seen on the pages that make them."""
    for name, play, page in (
        ("details 404", status(404), 404),
        ("details 410", status(410), SORRY),
        ("details 500", status(500), SORRY),
        ("details hang", plays.hang, SORRY),
        ("details drip", plays.drip_body, SORRY),
        ("details are null", body(b"null"), SORRY),
        ("details are empty", body(b"{}"), SORRY),
        ("details are a bomb", plays.gzip_bomb, SORRY),
    ):
        yield Fault(name, "elsewhere", play, page=page, only=DETAILS, visit="property")
    yield Fault("details reset once", "elsewhere", plays.reset, once=True, only=DETAILS, visit="property")
    for name, play in (
        ("airports 500", status(500)),
        ("airports 404", status(404)),
        ("airports hang", plays.hang),
        ("airports are text", body(b'"soon"')),
        ("airports are numbers", body(b"[1, 2, null]")),
        ("airports are 50 MB", plays.huge_body),
    ):
        yield Fault(name, "elsewhere", play, only=AIRPORTS, visit="home")


FAULTS: tuple[Fault, ...] = tuple(
    fault
    for group in (_time, _status, _refusals, _wire, _bodies, _documents, _elsewhere)
    for fault in group()
)
