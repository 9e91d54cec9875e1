"""What every answer carries, good or bad, and what our error pages need: nothing."""

import gzip
from typing import Any

import brotli
import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.test import Client
from django.urls import include, path

from hotelsite.middleware import preferred_encoding, visitor_address

LONG = "<p>" + "calm " * 400 + "</p>"


def _broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("broken on purpose")


def _closed(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def _text(request: HttpRequest) -> HttpResponse:
    return HttpResponse(LONG)


def _form(request: HttpRequest) -> HttpResponse:
    return HttpResponse(LONG + get_token(request))


def _cookie(request: HttpRequest) -> HttpResponse:
    response = HttpResponse(LONG)
    response.set_cookie("anything", "secret")
    return response


def _picture(request: HttpRequest) -> HttpResponse:
    return HttpResponse(LONG.encode(), content_type="image/png")


urlpatterns = [
    path("broken", _broken),
    path("closed", _closed),
    path("text", _text),
    path("form", _form),
    path("cookie", _cookie),
    path("picture", _picture),
    path("short", lambda request: JsonResponse({})),
    path("", include("hotelsite.urls")),
]


@pytest.fixture
def visitor() -> Client:
    """A visitor of the site with the pages above, who gets error pages rather than exceptions."""
    return Client(raise_request_exception=False)


pytestmark = pytest.mark.urls(__name__)

DIRECTIVES = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "status", "headers"),
    [
        ("/text", 200, {}),
        ("/healthz", 200, {}),
        ("/admin/login/", 200, {}),
        ("/nowhere", 404, {}),
        ("/closed", 403, {}),
        ("/broken", 500, {}),
        ("/text/", 404, {}),
        ("/admin/login/", 400, {"host": "evil.example"}),
    ],
)
def test_every_answer_carries_the_headers(
    visitor: Client, address: str, status: int, headers: dict[str, str]
) -> None:
    answer = visitor.get(address, headers=headers)
    assert answer.status_code == status
    assert set(answer["Content-Security-Policy"].split("; ")) == DIRECTIVES
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "geolocation=(self)" in answer["Permissions-Policy"]
    assert "camera=()" in answer["Permissions-Policy"]
    assert answer["X-Request-ID"]


def test_the_500_page_needs_neither_database_nor_request(visitor: Client) -> None:
    answer = visitor.get("/broken")  # without the django_db mark, a query would be an error of the test
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.text
    assert 'href="/"' in answer.text
    assert "broken on purpose" not in answer.text
    assert "style=" not in answer.text


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/text", "/nowhere", "/static/nothing.css", "/media/nothing.png"])
def test_too_many_parameters_are_a_bad_request(
    visitor: Client, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert visitor.get(f"{path}?{'stars=4&' * 999}").status_code in {200, 404}
    answer = visitor.get(f"{path}?{'stars=4&' * 1_001}")
    assert answer.status_code == 400
    assert "We could not read that address" in answer.text
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("deflate", ""),
        ("", ""),
        ("GZIP", "gzip"),
        ("br ; q=0.0", ""),
    ],
)
def test_brotli_is_preferred_and_a_zero_weight_is_a_no(accepted: str, encoding: str) -> None:
    assert preferred_encoding(accepted) == encoding


@pytest.mark.parametrize(("encoding", "decompress"), [("br", brotli.decompress), ("gzip", gzip.decompress)])
def test_a_visitors_page_is_compressed(visitor: Client, encoding: str, decompress: object) -> None:
    answer = visitor.get("/text", headers={"accept-encoding": encoding})
    assert answer["Content-Encoding"] == encoding
    assert "Accept-Encoding" in answer["Vary"]
    assert int(answer["Content-Length"]) == len(answer.content) < len(LONG) / 5
    assert decompress(answer.content).decode() == LONG  # type: ignore[operator]


@pytest.mark.parametrize(
    ("address", "cookies"),
    [
        ("/form", {}),
        ("/cookie", {}),
        ("/text", {"sessionid": "x" * 32}),
        ("/text", {"csrftoken": "x" * 32}),
        ("/picture", {}),
        ("/short", {}),
    ],
)
def test_no_secret_and_nothing_that_gains_nothing_is_compressed(
    visitor: Client, address: str, cookies: dict[str, str]
) -> None:
    visitor.cookies.load(cookies)
    answer = visitor.get(address, headers={"accept-encoding": "br"})
    assert "Content-Encoding" not in answer
    assert ("Accept-Encoding" in answer.get("Vary", "")) is (address not in {"/picture", "/short"})


def test_tls_redirects_all_but_machines(visitor: Client, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 3600
    assert Client().get("/text").status_code == 301
    assert Client().get("/healthz").status_code == 200
    assert "max-age=3600" in Client().get("/text", secure=True)["Strict-Transport-Security"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("6.6.6.6, 5.5.5.5", "5.5.5.5"),
        ("5.5.5.5:50321", "5.5.5.5"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("unknown", "127.0.0.1"),
        ("", "127.0.0.1"),
    ],
)
def test_a_trusted_proxys_address_counts_without_its_port(
    rf: object, settings: Any, said: str, meant: str
) -> None:
    # With its port each connection would be another guesser, and PostgreSQL takes nothing but addresses.
    request = rf.get("/", headers={"x-forwarded-for": said})
    assert visitor_address(request) == "127.0.0.1"
    settings.TRUST_PROXY = True
    assert visitor_address(request) == meant


@pytest.mark.parametrize(("said", "taken"), [("proxy-id-1", True), ("bad\nid", False)])
def test_a_trusted_proxys_request_id_is_taken_over(
    visitor: Client, settings: Any, said: str, taken: bool
) -> None:
    assert visitor.get("/text", headers={"x-request-id": said})["X-Request-ID"] != said
    settings.TRUST_PROXY = True
    assert (visitor.get("/text", headers={"x-request-id": said})["X-Request-ID"] == said) is taken


@pytest.mark.django_db
def test_anonymous_visitors_get_no_cookie(visitor: Client) -> None:
    for address in ("/text", "/nowhere", "/healthz", "/broken"):
        assert not visitor.get(address).cookies
