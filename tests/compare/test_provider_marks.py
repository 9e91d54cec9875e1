"""A provider's initials, drawn beside its name wherever a hotel's offers are."""

from __future__ import annotations

import pytest

from search.site_settings.models import Provider
from tests.compare.conftest import SEARCH
from tests.sharing.conftest import hotel

MARKED = ' data-mark="BO">Bookings of the Moon<'


def page_of(visitor, path: str) -> str:
    return visitor.get(f"{path}{'&' if '?' in path else '?'}{SEARCH}").content.decode()


@pytest.mark.parametrize("path", ["/hotels/", "/hotels/ACME/aa/", "/compare/?stay=ACME/aa&stay=ACME/bb"])
def test_a_provider_with_a_label_has_its_mark(market, visitor, path):
    assert MARKED not in page_of(visitor, path)
    Provider.objects.create(code="ACME", label="Bookings of the Moon")
    assert MARKED in page_of(visitor, path)


def test_every_offer_has_the_mark_of_its_own_provider(market, visitor):
    Provider.objects.create(code="ACME", label="Bookings of the Moon")
    Provider.objects.create(code="EX", label="Extra Rooms")
    entry = hotel("aa", 100)
    entry["offers"] += hotel("aa", 120, providerId="EX")["offers"]
    market.has(entry)
    for path in ("/hotels/", "/hotels/ACME/aa/"):
        page = page_of(visitor, path)
        assert MARKED in page
        assert ' data-mark="ER">Extra Rooms<' in page
