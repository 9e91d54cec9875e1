"""A whole results page, CPU, the gateway's answer in the cache; beside it the same bytes by plain strings.

The plain page is the same request through the same middleware, view, services and page object; only the
template is replaced by joining ready pieces with the escaped texts of the page object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import timedelta
from html import escape, unescape
from io import BytesIO
from operator import attrgetter
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import msgspec
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.http import HttpResponse
from django.template.loader import get_template

from search.domain import process
from search.property import observed
from search.property.observed import Memory, ObservedTotal, Terms
from search.results import views as results
from search.site_settings import store
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


OBSERVED = 100_000


def hotel_page() -> Iterator[Figure]:
    """A hotel's page beside 100,000 remembered totals, twelve its own; and where none are remembered."""
    application = get_wsgi_application()
    with _own_database():
        query = urlsplit(results_path("Barcelona")).query
        listed = ask(application, query).decode()
        link = re.search(r'href="(/hotels/[^"?]+/[^"?]+/\?[^"]+)"', listed)
        path, _mark, query = unescape(link[1] if link else "").partition("?")

        def visit() -> bytes:
            return ask(application, query, path)

        visit()
        observed.write_pending()
        _remember(ObservedTotal.objects.get())
        process.put(Memory, Memory())
        if b"price-history" not in visit():
            raise AssertionError("the page says nothing of earlier totals")
        with_totals, without = [], []
        for _ in range(40):
            for is_on, times in ((True, with_totals), (False, without)):
                store.change({"remember_prices": is_on})
                times.append(cpu_ms(visit, runs=9, warm_up=2))
    # On a busy machine the median of neighbours says more than the least of each.
    ratio, limit = median(a / b for a, b in zip(with_totals, without, strict=True)), median(without)
    yield Figure("hotel page, earlier totals, CPU", ratio * limit, "ms", 1.03, limit, "none remembered")


@contextmanager
def _own_database() -> Iterator[None]:
    """A database that is made for this part and goes with it."""
    name = connection.settings_dict["NAME"]
    with TemporaryDirectory() as folder:
        connection.close()
        connection.settings_dict["NAME"] = f"{folder}/db.sqlite3"
        call_command("migrate", verbosity=0)
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = name


def _remember(own: ObservedTotal) -> None:
    """Totals of 10,000 hotels and of this one, a day apart."""
    terms = {name: getattr(own, name) for name in Terms._fields}
    rows = []
    for number in range(OBSERVED - 1):
        at = own.first_seen - timedelta(days=number % 12 + 1)
        hotel = own.hotel if number < 11 else f"hotel {number // 10}"
        amount = own.amount + number % 7 * 10 + 5
        rows.append(ObservedTotal(hotel=hotel, amount=amount, times=2, first_seen=at, last_seen=at, **terms))
    ObservedTotal.objects.bulk_create(rows, batch_size=5_000, ignore_conflicts=True)


PARTS = (plain_strings, hotel_page)


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
