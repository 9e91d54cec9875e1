"""HTML and JSON in brotli or gzip, where compressing can't give a secret away."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import cast

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from hotelsite.middleware import GetResponse

SMALLEST = 500
BROTLI_QUALITY = 5
GZIP_LEVEL = 6
# Pages that many ask for in a row, such as the first one of each market; one of results is smaller.
MOST_KEPT = 16
LARGEST_KEPT = 200_000
GZIP_WINDOW = 31  # zlib's largest window, with gzip's header
_TEXT = re.compile(r"(text/|application/(json|ld\+json|xml|geo\+json)|image/svg\+xml)")


class CompressionMiddleware:
    """Compresses texts for visitors who carry no secret.

    The size of a compressed page that mixes a secret (a CSRF token) with text from the address tells the
    secret bit by bit (BREACH). So nothing is compressed for a request or an answer that has to do with a
    session: staff get plain pages.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, compressed when that is safe, worth it and understood."""
        response = self.get_response(request)
        if response.status_code == 304:
            # It has no type, and says what its 200 said.
            patch_vary_headers(response, ("Accept-Encoding",))
        if response.has_header("Content-Encoding") or not _TEXT.match(response.get("Content-Type", "")):
            return response
        if not response.streaming and len(response.content) < SMALLEST:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        encoding = preferred_encoding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
        if encoding and not self._holds_secret(request, response):
            self._compress(response, encoding)
        return response

    @staticmethod
    def _holds_secret(request: HttpRequest, response: HttpResponse) -> bool:
        names = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME}
        return bool(names & request.COOKIES.keys() or response.cookies or "CSRF_COOKIE" in request.META)

    @staticmethod
    def _compress(response: HttpResponse, encoding: str) -> None:
        response.headers["Content-Encoding"] = encoding
        if response.streaming:
            pieces = cast("Iterable[bytes]", response.streaming_content)  # type: ignore[attr-defined]
            response.streaming_content = compressed(pieces, encoding)  # type: ignore[attr-defined]
            return
        if encoding == "br":
            small = len(response.content) <= LARGEST_KEPT
            content = (_known_in_brotli if small else _in_brotli)(response.content)
        else:
            content = gzip.compress(response.content, GZIP_LEVEL, mtime=0)
        response.content = content
        response.headers["Content-Length"] = str(len(content))
        if (etag := response.get("ETag", "")).startswith('"'):
            response.headers["ETag"] = f"W/{etag}"


def _in_brotli(content: bytes) -> bytes:
    packed: bytes = brotli.compress(content, quality=BROTLI_QUALITY)
    return packed


_known_in_brotli = lru_cache(MOST_KEPT)(_in_brotli)


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
