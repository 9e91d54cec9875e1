"""Django's active language stands behind a lock of the whole process: pages hardly ask for it."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.utils.translation import trans_real

from tests.languages.test_pages import SEARCH
from tests.sharing.conftest import share, signed_in

MOST_ACCESSES = 5  # the middleware reads it, sets it, and puts it back


class Counted:
    """Stands for Django's active language and counts whoever reads, sets or deletes it."""

    def __init__(self, real: Any) -> None:
        vars(self).update(real=real, accesses=0)

    def _counted(self) -> Any:
        vars(self)["accesses"] += 1
        return vars(self)["real"]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._counted(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._counted(), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._counted(), name)


@pytest.fixture
def active(monkeypatch: pytest.MonkeyPatch) -> Counted:
    counted = Counted(trans_real._active)
    monkeypatch.setattr(trans_real, "_active", counted)
    return counted


def test_search_and_property_hardly_ask_for_the_language(visitor, active):
    results = f"/hotels/?{SEARCH}&sort=provider&market=de-de"
    html = visitor.get(results).content.decode()
    card = re.search(r'class="listing-card__name"><a href="([^"]+)"', html)
    check(visitor, active, results, unescape(card[1]), "/?market=de-de", "/destinations/?market=de-de")


def test_links_and_comparison_hardly_ask_for_the_language(visitor, active):
    code = share(signed_in("ann", "Sharer"), f"/share/hotels/?{SEARCH}")
    marks = re.findall(r'name="stay" value="([^"]+)"', visitor.get(f"/s/{code}/").content.decode())
    compared = "&".join(f"stay={mark}" for mark in marks[:3])
    check(visitor, active, f"/s/{code}/?market=de-de", f"/s/{code}/compare/?market=de-de&{compared}")


def check(visitor, active, *addresses: str) -> None:
    for address in addresses:
        visitor.get(address)
        before = active.accesses
        page = visitor.get(address)
        assert '<html lang="de">' in page.content.decode()
        assert active.accesses - before <= MOST_ACCESSES, address
