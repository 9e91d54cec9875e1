"""The whole site in front of the sandbox in a dialect, and the sandbox's own JSON beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from search.sandbox import server
from search.sandbox.api import SEARCH_PATH, answer
from search.sandbox.server import RunningSandbox
from search.sandbox.weather import parse_weather
from search.site_settings.models import SiteSettings
from tests.dialects import model
from tests.dialects.reading import Results

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
DATES = {"checkin": "2030-05-01", "checkout": "2030-05-04", "guests": "2"}
NIGHTS = 3
MOST_LOOKS = 2_000


class Site:
    """The site while the gateway speaks one dialect. `calls` counts what the gateway was asked."""

    def __init__(self, new_process: Callable[[], object]) -> None:
        self._new_process = new_process
        self.calls = 0
        self.weather = ""
        self.site_settings: dict[str, Any] = {}
        self.client = Client(headers={"user-agent": BROWSER})

    def speak(self, weather: str, **site_settings: Any) -> None:
        """From now on the gateway has this weather, and the admin has set this."""
        settings.SANDBOX_WEATHER = self.weather = weather
        self.site_settings = site_settings
        SiteSettings.objects.all().delete()
        SiteSettings.objects.create(**site_settings)
        cache.clear()
        self._new_process()
        self.calls = 0

    @property
    def rules(self) -> model.Rules:
        """How prices are to be read by the settings."""
        return model.Rules(
            included=self.site_settings.get("surcharge_mode") == "included",
            nightly=self.site_settings.get("price_basis") == "night",
        )

    def get(self, path: str) -> HttpResponse:
        response = self.client.get(path)
        assert response.status_code < 500, (self.weather, path, response.status_code)
        return response

    def results(self, place: str, **wish: Any) -> Results:
        """The page of results once everything has come in that will."""
        query = urlencode({"place": place, **DATES, **wish}, doseq=True)
        self.get(f"/hotels/?{query}")
        for _look in range(MOST_LOOKS):
            if json.loads(self.get(f"/hotels/progress/?{query}").content)["done"]:
                break
        return Results.of(self.get(f"/hotels/?{query}").content.decode())

    def ask(
        self, place: str, currency: str = "EUR", dates: tuple[date, date] | None = None
    ) -> Callable[[int, int], dict[str, Any]]:
        """The gateway's own listing, page by page, as JSON."""
        weather = parse_weather(self.weather)

        def page(number: int, size: int) -> dict[str, Any]:
            first = {
                "checkinDate": str(dates[0]) if dates else DATES["checkin"],
                "checkoutDate": str(dates[1]) if dates else DATES["checkout"],
                "roomAllocations": "2",
            }
            query = urlencode({**first, "place": place, "currencyCode": currency, "market": "en-gb",
                               "size": size, "page": number + weather.page_from, "apikey": "sandbox"},
                              quote_via=quote)  # fmt: skip
            return _json(f"{query}&categories={{}}", weather)

        return page


def _json(query: str, weather: Any) -> dict[str, Any]:
    """One listing over all stars, in the spelling that the dialect takes; one after another where it takes
    one value only."""
    if weather.categories == "single":
        pages = [_document(query.format(star), weather) for star in range(1, 6)]
        return {"results": [one for page in pages for one in page["results"]]}
    spelled = "1&categories=2&categories=3&categories=4&categories=5"
    return _document(query.format(spelled if weather.categories == "repeat" else "1,2,3,4,5"), weather)


def _document(query: str, weather: Any) -> dict[str, Any]:
    given = answer(SEARCH_PATH, query, weather=weather)
    assert given.status == 200, given.body
    document: dict[str, Any] = json.loads(given.body, parse_float=Decimal)
    return document


@pytest.fixture
def site(db: None, new_process: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    found = Site(new_process)
    monkeypatch.setattr(server, "sleep", lambda _seconds: None)
    answered = RunningSandbox.answer

    def counted(asked: RunningSandbox, target: str, patience: float | None = None) -> Any:
        found.calls += not target.startswith("/photos/")
        return answered(asked, target, patience)

    monkeypatch.setattr(RunningSandbox, "answer", counted)
    yield found
    settings.SANDBOX_WEATHER = ""


@pytest.fixture
def sharer(db: None) -> Client:
    user = User.objects.create_user(username="ann", is_staff=True)
    user.groups.set(Group.objects.filter(name="Sharer"))
    client = Client(headers={"user-agent": BROWSER})
    client.force_login(user)
    return client
