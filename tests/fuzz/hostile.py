"""Requests that nobody would send by hand: every route of the site with hostile values, by a seed."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver

from search.domain.money import NO_CURRENCY
from search.domain.query import Filter
from tests.builders import SEARCH

# What the log must never hold: words of the searches and the codes of the shared links below.
SECRET = "qzxplace"
CODE = "qzxcode"
TOO_MANY_FIELDS = 1_001
CSRF_TOKEN = "a" * 32

METHODS = (
    "GET", "GET", "GET", "GET", "GET", "GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "DELETE",
    "OPTIONS", "PATCH", "TRACE", "PROPFIND", "get", "X" * 99,
)  # fmt: skip
BEYOND_THE_RESOLVER = ("static/css/", "static/<path:x>", "<path:x>", "//<path:x>", "%2e%2e/<path:x>")
ENDINGS = ("/", "//", "x", "/x", "/../", "%00", "%0a", "%ff", "?", ";a=b", "%E2%80%AE", ".php", "\t")
# Given percent-encoded, as bytes of no encoding, or bare.
HOSTILE = (
    "", " ", "0", "-1", "1", "2", "99999999999999999999", "9" * 4_000, "1.5", "1e400", "NaN", "-Infinity",
    "٣", "2030-05-01", "2030-02-30", "0000-00-00", "9999-12-31", "2030-05-01T00:00", "1,2,3,4",
    "-181,91,181,-91", "nan,0,1,1", "BCN", "bcn", "EUR", "JPY", NO_CURRENCY, "de-de", "xx-xx", "price",
    "distance", "AAA/1", "AAA", "AAA/", "/", "~", "~~0~1", "..", "...", "\x00", "\r\nX-Injected: 1",
    "\x1b[31m", "\u202e", "\ud800", "\ufffe", "🙂" * 60, "İıßẞ", "'\"><script>alert(1)</script>",
    "{{ 7*7 }}", "{% include 'x' %}", "${7}", "%s%n%(name)s", "True", "' OR 1=1 --", "../../../etc/passwd",
    "..\\..\\x", "a" * 9_000,
)  # fmt: skip
RAW = (
    "%",
    "%zz",
    "%c3%28",
    "%ff%fe",
    "%00",
    "%ed%a0%80",
    "%f0%9f",
    "+",
    "%2F",
    "%252e",
    "\xff\xfe",
    "a[]",
    "=",
    "#",
)
NAMES = [*dict(SEARCH.pairs()), "stars", *Filter, "near", "sort", "page", "q", "stay", "note", "_"]
HEADERS = {
    "HTTP_ACCEPT": ("*/*", "application/json", "text/html;q=", "a/b;" * 500, ",;,=", "\xff"),
    "HTTP_ACCEPT_LANGUAGE": ("de", "en-GB,en;q=0.5", "xx-" + "y" * 999, ",,;;", "a," * 999, "\xff"),
    "HTTP_HOST": ("testserver:99999", "evil.example", "", "[::", "a" * 999, "test server", "\xff"),
    "HTTP_ACCEPT_ENCODING": ("gzip", "br", "zstd;q=nan", "gzip;q=1e999, br;q=-1"),
    "HTTP_RANGE": ("bytes=0-1", "bytes=-", "bytes=9-1"),
    "HTTP_IF_MODIFIED_SINCE": ("x", "Thu, 99 Foo 99999 99:99:99 GMT"),
    "HTTP_IF_NONE_MATCH": ('"x"', "*", "\xff"),
    "HTTP_REFERER": (f"http://testserver/s/{CODE}/", "x", "http://[", "javascript:1"),
    "HTTP_COOKIE": ("sessionid=x; csrftoken=\xff", "=;=", "language=../x", f"csrftoken={CSRF_TOKEN}"),
    "HTTP_USER_AGENT": ("", "x" * 5_000, "\xff%s"),
    "HTTP_X_FORWARDED_FOR": ("1.1.1.1, x", "\x00"),
    "CONTENT_TYPE": ("application/json", "multipart/form-data", "multipart/form-data; boundary=\xff", "x"),
    "CONTENT_LENGTH": ("", "0", "99999999"),  # what is no number, servers refuse themselves
}  # fmt: skip


@dataclass(frozen=True)
class Request:
    environ: dict[str, Any]
    staff: bool

    def __str__(self) -> str:
        told = {name: value for name, value in self.environ.items() if isinstance(value, str)}
        return f"{'staff ' if self.staff else ''}{str(told)[:600]}"


def routes() -> list[str]:
    """Every route of the resolver, with its `<converter:name>` parts, and addresses no route holds."""
    return [*_routes(get_resolver(), ""), *BEYOND_THE_RESOLVER]


def _routes(resolver: URLResolver, before: str) -> Iterator[str]:
    for one in resolver.url_patterns:
        whole = before + str(one.pattern)
        if isinstance(one, URLPattern):
            yield whole
        else:
            yield from _routes(one, whole)


def requests(seed: int, codes: tuple[str, ...]) -> Iterator[Request]:
    """Without an end, and the same ones for the same seed; `codes` are those of live shared links."""
    chance, known = random.Random(seed), routes()
    others = [route for route in known if route.startswith("admin/")]
    own = [route for route in known if route not in others]
    while True:
        yield _request(chance, chance.choice(chance.choice((own, own, own, others))), codes)


def _request(chance: random.Random, route: str, codes: tuple[str, ...]) -> Request:
    path, _, query = (_path(chance, route, codes) + _sometimes(chance, 0.2, ENDINGS)).partition("?")
    method = chance.choice(METHODS)
    fields = _fields(chance)
    body = chance.choice((fields, _garbage(chance, 300), "")).encode("latin-1") if method != "GET" else b""
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": "/" + _unquoted(path),
        "QUERY_STRING": chance.choice((fields, query, _fields(chance))),
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "testserver",
        "HTTP_X_CSRFTOKEN": CSRF_TOKEN,
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
    }
    if chance.random() < 0.05:
        environ["PATH_INFO"] = environ["PATH_INFO"].replace("/", "//")
    for name in chance.sample(sorted(HEADERS), chance.choice((0, 0, 1, 2, 5))):
        environ[name] = chance.choice(HEADERS[name])
    return Request(environ, staff=chance.random() < 0.4)


def _path(chance: random.Random, route: str, codes: tuple[str, ...]) -> str:
    """The percent-encoded path of `route` with something for each of its parts."""
    plain = re.sub(r"\(\?P<.*", "<path:x>", route)  # the one regular expression, the admin's catch-all

    def part(match: re.Match[str]) -> str:
        if match[1] == "str:code" and route.startswith("s"):
            return chance.choice((*codes, CODE, CODE + _value(chance)))
        return chance.choice(("1", "AAA", "BCN", _value(chance), _value(chance)))

    return re.sub(r"<([^>]+)>", part, plain)


def _fields(chance: random.Random) -> str:
    """A query string or the body of a form: a search that works but for a few fields, or anything."""
    given = [(name, value) for name, value in SEARCH.pairs() if name != "place"]
    given.append(("place", chance.choice(("Porto", "Porto", SECRET))))
    given = chance.choice((given, given, []))
    pairs = [f"{name}={quote(value)}" for name, value in given]
    for _ in range(chance.choice((0, 1, 1, 2, 5, 30))):
        name = chance.choice(NAMES)
        pairs.append(f"{name}={SECRET if name in {'place', 'q', 'name'} else ''}{_value(chance)}")
    if chance.random() < 0.03:
        pairs *= TOO_MANY_FIELDS
    chance.shuffle(pairs)
    return chance.choice(("&", "&", "&", "&&", ";")).join(pairs)


def _value(chance: random.Random) -> str:
    if chance.random() < 0.15:
        return _garbage(chance, 30)
    if chance.random() < 0.2:
        return chance.choice(RAW)
    return quote(chance.choice(HOSTILE), safe="", errors="surrogatepass")


def _sometimes(chance: random.Random, share: float, among: Sequence[str]) -> str:
    return chance.choice(among) if chance.random() < share else ""


def _garbage(chance: random.Random, most: int) -> str:
    return "".join(chr(chance.randrange(256)) for _ in range(chance.randrange(most))).replace("?", "")


def _unquoted(path: str) -> str:
    """As servers do it: the bytes behind the percent signs, each as one character."""
    return re.sub(r"%([0-9a-fA-F]{2})", lambda match: chr(int(match[1], 16)), path)
