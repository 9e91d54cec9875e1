"""A whole results page, CPU, the gateway's answer in the cache; beside it the same bytes by plain strings.

The plain page is the same request through the same middleware, view, services and page object; only the
template is replaced by joining ready pieces with the escaped texts of the page object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from html import escape
from io import BytesIO
from operator import attrgetter
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import msgspec
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.template.loader import get_template

from search.results import views as results
from tests.bench.figures import Figure, cpu_ms
from tests.servers import results as results_path

Getter = Callable[[Any], Any]


def plain_strings() -> Iterator[Figure]:
    application = get_wsgi_application()
    query = f"{urlsplit(results_path('Barcelona')).query}&sort=provider"

    def visit() -> bytes:
        return ask(application, query)

    original = visit()
    templated = cpu_ms(visit)
    with mock.patch.object(results, "render", _plain(original.decode(), query, application)):
        if visit() != original:
            raise AssertionError("the plain page is not the same page")
        plain = cpu_ms(visit)
    name = "results page, 20 cards, whole request, CPU"
    yield Figure(name, templated, "ms", 1.6, plain, "plain strings")


PARTS = (plain_strings,)


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
