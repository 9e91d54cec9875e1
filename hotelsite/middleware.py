"""What every request meets: an id, a log line, counts, headers, compression; and where it comes from."""

import ipaddress
import logging
import re
import secrets
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, cast

import brotli
from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware as DjangoCommonMiddleware
from django.template.loader import render_to_string
from django.urls import get_resolver
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from prometheus_client import Counter, Histogram

from hotelsite.logging import request_id

# fmt: off
UNUSED_FEATURES = (
    "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media",
    "gyroscope", "magnetometer", "microphone", "midi", "payment", "usb",
)
# fmt: on

HEADERS = {
    # Shared caches keep only what says that they may.
    "Cache-Control": "private",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(["geolocation=(self)", *(f"{one}=()" for one in UNUSED_FEATURES)]),
}

BROTLI_QUALITY = 5
GZIP_LEVEL = 6
GZIP_WINDOW = 31  # zlib's largest window, with gzip's header
SMALLEST_COMPRESSED = 500

REQUESTS = Counter("hotelsite_http_requests", "Answers by view and status", ["view", "status"])
_seconds = Histogram(
    "hotelsite_http_request_duration_seconds",
    "Time until the answer was made, by view",
    ["view"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 7.5),
)
_log = logging.getLogger("hotelsite.request")
_TEXT = re.compile(r"(text/|application/(json|ld\+json|xml|geo\+json)|image/svg\+xml)")
_GOOD_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# Some proxies add the port, which is another one with each connection: 192.0.2.1:50321, [2001:db8::1]:50321
_WITH_PORT = re.compile(r"\[(.+)\](?::\d+)?|([\d.]+):\d+")
_SESSION = re.compile(r"[a-z0-9]{8,40}")


def open_files() -> None:
    """Opens all files in which this process counts; they serve it even when deleted. Raises OSError."""
    # Before the first label there is no histogram, and with its file those of counters and gauges are opened.
    _seconds.labels("static")


class RequestMiddleware:
    """Gives each request an id, for its log lines and its X-Request-ID header, and the headers that neither
    Django nor django-csp sets; logs one line about it and counts it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        # A trusted proxy's id, so that logs can be read together; else a fresh one.
        given = request.META.get("HTTP_X_REQUEST_ID", "") if settings.TRUST_PROXY else ""
        token = request_id.set(given if _GOOD_ID.fullmatch(given) else secrets.token_hex(8))
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = request_id.get()
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            if hasattr(response, "true_status"):
                self._note_at_the_end(request, response, started)
            else:
                self._note(request, response.status_code, started)
            return response
        finally:
            request_id.reset(token)

    def _note_at_the_end(self, request: HttpRequest, response: Any, started: float) -> None:
        """Notes how a streamed page ended, and when (search/web/streaming.py)."""
        pieces = response.streaming_content

        def noted() -> Iterator[bytes]:
            try:
                yield from pieces
            finally:
                token = request_id.set(response["X-Request-ID"])
                self._note(request, response.true_status, started)
                request_id.reset(token)

        response.streaming_content = noted()

    @staticmethod
    def _note(request: HttpRequest, status: int, started: float) -> None:
        seconds = time.perf_counter() - started
        view = getattr(request.resolver_match, "view_name", "") or "none"
        if request.path_info.startswith(settings.STATIC_URL):
            view = "static"
        REQUESTS.labels(view, status).inc()
        _seconds.labels(view).observe(seconds)
        if view == "static" and status < 400:
            return
        # Without the query, which says where a visitor means to sleep. A blank would begin a pair of its own.
        path = request.path.replace(" ", "%20")
        _log.info("method=%s path=%s status=%d ms=%d", request.method, path, status, seconds * 1000)


class UnreadableMiddleware(MiddlewareMixin):
    """Keeps from Django what it can't read: 400 for more parameters than it takes; a session cookie that it
    can't have made is dropped, as PostgreSQL refuses to look some of them up."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if not _SESSION.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        if request.META.get("QUERY_STRING", "").count("&") < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
            return None
        request.META["QUERY_STRING"] = ""  # the error page reads it, too
        handler = get_resolver().resolve_error_handler(400)
        answer: HttpResponse = handler(request, exception=TooManyFieldsSent())  # type: ignore[call-arg]  # the stubs know of 500 only
        return answer


class FailureMiddleware(MiddlewareMixin):
    """Pages for what Django leaves bare: a 405 gets that of an address that can't be read; a page that needs
    a database while none answers (the admin's) is a 503 and one warning, not a 500 and a traceback."""

    def process_response(self, _request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("400.html")
        return response

    def process_exception(self, _request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if settings.DEBUG or not isinstance(exception, OperationalError | InterfaceError):
            return None
        _log.warning("database=unavailable error=%s", type(exception).__name__)
        # A page made from the request would ask who is signed in.
        return HttpResponse(render_to_string("500.html"), status=503, headers={"Retry-After": "30"})


class CommonMiddleware(DjangoCommonMiddleware):
    """Django's own, but for the host name of what machines ask: they know the site by its address."""

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        return None if request.path_info in settings.MACHINE_PATHS else super().process_request(request)


class CompressionMiddleware(MiddlewareMixin):
    """Compresses texts for visitors without a session. The size of a compressed page that mixes a secret (a
    CSRF token) with text from the address gives the secret away bit by bit (BREACH)."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.status_code == 304:
            # It has no type, and says what its 200 said.
            patch_vary_headers(response, ("Accept-Encoding",))
        if response.has_header("Content-Encoding") or not _TEXT.match(response.get("Content-Type", "")):
            return response
        if not response.streaming and len(response.content) < SMALLEST_COMPRESSED:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        encoding = preferred_encoding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        names = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}
        secret = names & request.COOKIES.keys() or response.cookies or "CSRF_COOKIE" in request.META
        if encoding and not secret:
            self._compress(response, encoding)
        return response

    @staticmethod
    def _compress(response: HttpResponse, encoding: str) -> None:
        response.headers["Content-Encoding"] = encoding
        if response.streaming:
            pieces = cast("Iterable[bytes]", response.streaming_content)  # type: ignore[attr-defined]
            response.streaming_content = compressed(pieces, encoding)  # type: ignore[attr-defined]
            return
        content = b"".join(compressed([response.content], encoding))
        response.content = content
        response.headers["Content-Length"] = str(len(content))
        if (etag := response.get("ETag", "")).startswith('"'):
            response.headers["ETag"] = f"W/{etag}"


def compressed(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The same text, each piece of it complete as soon as it is sent."""
    if encoding == "br":
        compressor = brotli.Compressor(quality=BROTLI_QUALITY)
        yield from (compressor.process(piece) + compressor.flush() for piece in pieces)
        yield compressor.finish()
        return
    deflater = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, GZIP_WINDOW)
    yield from (deflater.compress(piece) + deflater.flush(zlib.Z_SYNC_FLUSH) for piece in pieces)
    yield deflater.flush()


def preferred_encoding(accepted: str) -> str:
    """ "br", "gzip" or "" for an Accept-Encoding header."""
    names = set()
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        if weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}:
            names.add(name.strip())
    return next((name for name in ("br", "gzip") if name in names), "")


def visitor_address(request: HttpRequest) -> str:
    """The address a request comes from: the peer's, or, behind a trusted proxy, the one that proxy saw."""
    if settings.TRUST_PROXY:
        # Only the last entry is the proxy's own word; the visitor may have sent the others.
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rsplit(",", 1)[-1].strip()
        with_port = _WITH_PORT.fullmatch(forwarded)
        address = (with_port[1] or with_port[2]) if with_port else forwarded
        with suppress(ValueError):  # of a proxy that says "unknown"
            return str(ipaddress.ip_address(address.partition("%")[0]))
    return str(request.META.get("REMOTE_ADDR", ""))


def visitor_network(request: HttpRequest) -> str:
    """The address under which a visitor's wrong guesses are counted. One IPv6 address comes with the 2**64
    beside it, so all of them count as the first."""
    address = visitor_address(request)
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or ipaddress.IPv6Address(int(parsed) >> 64 << 64))
