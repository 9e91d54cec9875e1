"""A whole results page, CPU, the gateway's answer in the cache; beside it the same bytes by plain strings.

The plain page is the same request through the same middleware, view, services and page object; only the
template is replaced by joining ready pieces with the escaped texts of the page object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal
from html import escape
from io import BytesIO
from operator import attrgetter
from typing import Any
from unittest import mock
from urllib.parse import urlencode

import msgspec
from babel.numbers import format_currency
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.template.loader import get_template

from search.results import views as results
from search.web.formatting import money
from tests.bench.figures import Figure, cpu_ms
from tests.faults.site import SEARCH

QUERY = urlencode({"place": "Barcelona", **SEARCH})

Getter = Callable[[Any], Any]


def figures() -> Iterator[Figure]:
    application = get_wsgi_application()
    templated, plain = _measured(application, f"{QUERY}&sort=provider")
    yield Figure(
        "results page, 20 cards, whole request, CPU", templated, "ms", plain, "plain strings", 1.6, "2.6x"
    )
    pieces = templated / cpu_ms(_piece, 9)
    yield Figure("the same, in fixed pieces of Python", pieces, "pieces", budget=0.25, first="0.53")
    babel = cpu_ms(lambda: _amounts(format_currency))
    yield Figure("a thousand amounts, CPU", cpu_ms(lambda: _amounts(money)), "ms", babel, "Babel's")


def _amounts(written: Callable[..., str]) -> None:
    for cents in range(1_000, 2_000):
        written(Decimal(cents * 137) / 100, "EUR", locale="en_GB")


def _piece() -> None:
    """What a machine's speed is measured by: ratios to it hold on other machines too."""
    kept = [""] * 256
    for number in range(400_000):
        kept[number & 255] = f"{number}:{number & 7}"


def _measured(application: Any, query: str) -> tuple[float, float]:
    def visit() -> bytes:
        return ask(application, query)

    original = visit()
    templated = cpu_ms(visit)
    with mock.patch.object(results, "render", _plain(original.decode(), query, application)):
        if visit() != original:
            raise AssertionError("the plain page is not the same page")
        return templated, cpu_ms(visit)


def ask(application: Any, query: str, path: str = "/hotels/") -> bytes:
    """The body of a page that is answered with 200."""
    status: list[str] = []
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80", "HTTP_HOST": "127.0.0.1", "wsgi.url_scheme": "http", "wsgi.input": BytesIO(),
        "wsgi.errors": BytesIO(),
    }  # fmt: skip
    body = b"".join(application(environ, lambda line, _headers: status.append(line)))
    if not status[0].startswith("200"):
        raise AssertionError(status[0])
    return body


def _plain(html: str, query: str, application: Any) -> Callable[..., HttpResponse]:
    """A stand-in for `render` that joins the pieces of `html` around the texts of the page object."""
    caught: list[Any] = []

    def catch(_request: Any, name: str, context: dict[str, Any], **_rest: Any) -> HttpResponse:
        caught.append(context["page"])
        return HttpResponse(get_template(name).render(context, _request))

    with mock.patch.object(results, "render", catch):
        ask(application, query)
    getters: dict[str, Getter] = {}
    _collect(caught[0], "", getters)
    pattern = "|".join(re.escape(text) for text in sorted(getters, key=len, reverse=True))
    pieces = re.split(f"({pattern})", html)
    plan = [(pieces[at], getters[pieces[at + 1]]) for at in range(0, len(pieces) - 1, 2)]
    end = pieces[-1]

    def build(_request: Any, _name: str, context: dict[str, Any], **_rest: Any) -> HttpResponse:
        page = context["page"]
        parts: list[str] = []
        for piece, text in plan:
            parts += (piece, escape(text(page)))
        return HttpResponse("".join([*parts, end]))

    return build


def _collect(value: Any, path: str, found: dict[str, Getter]) -> None:
    """Every text of the page object, as it stands escaped in the page, with the way to get it again."""
    if isinstance(value, str):
        if len(value) > 2:
            found.setdefault(escape(value), _getter(path))
    elif isinstance(value, tuple):
        for number, one in enumerate(value):
            _collect(one, f"{path}.{number}", found)
    elif is_dataclass(value) or isinstance(value, msgspec.Struct):
        names = [field.name for field in fields(value)] if is_dataclass(value) else value.__struct_fields__
        for name in names:
            _collect(getattr(value, name), f"{path}.{name}", found)


def _getter(path: str) -> Getter:
    steps = [int(step) if step.isdigit() else attrgetter(step) for step in path.strip(".").split(".")]

    def get(page: Any) -> Any:
        for step in steps:
            page = page[step] if isinstance(step, int) else step(page)
        return page

    return get
