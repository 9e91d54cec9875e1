"""What a page of results prints: cards in their order with their totals, the count, how far it reaches."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from html import unescape

from tests.journey.reading import text_of

_CARD = re.compile(r"<article")
_ID = re.compile(r'id="(stay-[0-9a-f]+)"')
_LINK = re.compile(r'href="(/hotels/[^"?]+/[^"?]+/\?[^"]+)"')
_TOTAL = re.compile(r"(?:€|£|JP¥)([\d,]+(?:\.\d\d)?) total")
_COUNT = re.compile(r"([\d,]+) (?:of ([\d,]+) )?places? (?:to stay|match)")
_EXACT = re.compile(r"(?:Exact order of|Filtered from) all ([\d,]+)")


@dataclass(frozen=True)
class Card:
    id: str
    link: str
    total: Decimal | None
    text: str


@dataclass(frozen=True)
class Results:
    """`count` is what passes the filters, `exact` how many the page claims to have compared completely."""

    cards: tuple[Card, ...]
    count: int | None
    exact: int | None
    text: str

    @classmethod
    def of(cls, html: str) -> Results:
        text = text_of(html)
        count, exact = _COUNT.search(text), _EXACT.search(text)
        return cls(
            cards=tuple(_card(piece) for piece in _CARD.split(html)[1:]),
            count=_number(count[1]) if count else None,
            exact=_number(exact[1]) if exact else None,
            text=text,
        )

    @property
    def totals(self) -> list[Decimal]:
        return [card.total for card in self.cards if card.total is not None]


def _card(piece: str) -> Card:
    text = text_of(f"<article{piece}")
    total, link = _TOTAL.search(text), _LINK.search(piece)
    return Card(
        id=_ID.search(piece)[1],
        link=unescape(link[1]) if link else "",
        total=Decimal(total[1].replace(",", "")) if total else None,
        text=text,
    )


def _number(text: str) -> int:
    return int(text.replace(",", ""))
