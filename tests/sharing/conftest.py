"""Staff who may share, visitors with a browser, and hotels whose prices a test moves."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from tests.gateway.documents import a_listing_document, a_min_price, a_summary, an_entry, an_offer, triple
from tests.journey.conftest import sandbox as sandbox
from tests.journey.conftest import wire as wire
from tests.wire import Wire, forget

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SEARCH = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2"
RESULTS = f"/share/hotels/?{SEARCH}"
ONE_PROPERTY = f"/share/hotels/ACME/77/?{SEARCH}"
EXPORT = f"/share/hotels.csv?{SEARCH}"


def signed_in(name: str, *roles: str, **flags: bool) -> Client:
    user = User.objects.create_user(username=name, **{"is_staff": True, **flags})
    user.groups.set(Group.objects.filter(name__in=roles))
    client = Client(headers={"user-agent": BROWSER})
    client.force_login(user)
    return client


@pytest.fixture
def sharer(db: None) -> Client:
    return signed_in("ann", "Sharer")


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"user-agent": BROWSER})


def share(sharer: Client, path: str = RESULTS, **said: str) -> str:
    """The code of a link made as the form makes it."""
    answer = sharer.post(path, said)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"]).partition("?")[0].rstrip("/").rpartition("/")[2]


def hotel(key: str, price: float | None = 100, **offer: Any) -> dict[str, Any]:
    """An entry of the listing: hotel `key` at one price for the stay, surcharges none."""
    summary = a_summary(ryanairId=key, id=key, name=f"Hotel {key}")
    plain = {"originalPrice": None, "discountPercentage": 0, "surcharges": []}
    total = triple(price) if price is not None else None
    sold = an_offer(providerPropertyId=key, minPrice=a_min_price(price=total, **plain), **offer)
    return an_entry(summary, [sold])


class Market:
    """The hotels of Porto, as the gateway tells of them from now on."""

    def __init__(self, answers: Wire) -> None:
        self.wire = answers

    def has(self, *entries: dict[str, Any]) -> None:
        forget()
        self.wire.search(a_listing_document(*entries, total=len(entries)))

    def is_away(self) -> None:
        forget()
        self.wire.search(status=503)
        self.wire.details(status=503)


@pytest.fixture
def market(wire: Wire) -> Market:
    found = Market(wire)
    found.has(hotel("aa", 100), hotel("bb", 200), hotel("cc", 300))
    return found
