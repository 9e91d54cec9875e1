"""What a stay cost before: one sentence, a line of steps, a table. No trend, no forecast."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, Self

from django.utils import timezone

from search.domain import process
from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.offers import PricedOffer
from search.domain.site_settings import ProviderEntry, Site
from search.results.listings import FoundProperty, NoOffers
from search.web.formatting import Reader, short_day
from search.web.translation import gettext as _

from .observed import LONGEST_GAP, Memory, Run, Runs, Terms, added, lowest

# From so many on a page says what was seen.
LEAST_TIMES, LEAST_DAYS = 3, 2
MOST_ROWS = 20
WIDTH, HEIGHT, EDGE = 320, 48, 4
# A total that was seen once is a line, too.
LEAST_WIDTH = 3


class Shown(NamedTuple):
    """What a page shows of a hotel now: its offers, when they were fetched, and if older ones stand in."""

    offers: tuple[PricedOffer, ...]
    fetched_at: datetime | None
    stale: bool = False


class PastTotal(NamedTuple):
    """A row of the table."""

    days: str
    total: str
    provider: str


@dataclass(frozen=True, slots=True)
class PriceHistory:
    """Parameters of property/price_history.html. `path` is the line as SVG draws it, `words` say what it
    shows; the rows are the newest first."""

    line: str
    path: str
    words: str
    rows: tuple[PastTotal, ...]

    @classmethod
    def of(cls, runs: Runs, now: Money | None, currency: str, reader: Reader) -> Self | None:
        """None where too little was seen. `now` is the total that the page shows, which ends the runs."""
        seen = [run for run in runs if run.amount is not None]
        days = {timezone.localtime(at).date() for run in seen for at in (run.first_seen, run.last_seen)}
        if sum(run.times for run in seen) < LEAST_TIMES or len(days) < LEAST_DAYS:
            return None
        words = _Words(reader, currency)
        return cls(
            line=words.line(seen, now),
            path=steps(runs),
            words=words.span(seen),
            rows=tuple(map(words.row, reversed(runs[-MOST_ROWS:]))),
        )


class _Style(NamedTuple):
    """What the words of a page depend on; days of another year say theirs."""

    currency: str
    numbers: str
    texts: str
    year: int


# Of a hotel that is opened again and again: a tenth of its page (`python -m tests.bench --only hotel_page`).
@lru_cache(maxsize=1_000)
def _history(
    runs: Runs, now: Money | None, style: _Style, providers: tuple[ProviderEntry, ...]
) -> PriceHistory | None:
    reader = Reader(Site(providers=providers), style.numbers, style.texts)
    return PriceHistory.of(runs, now, style.currency, reader)


class _Words(NamedTuple):
    reader: Reader
    currency: str

    def money(self, run: Run) -> str:
        return self.reader.money(Money(run.amount, self.currency)) if run.amount is not None else ""

    def line(self, seen: list[Run], now: Money | None) -> str:
        """`Lowest we saw for these dates: €412.00 on 3 Nov; now €398.00`."""
        before = seen[:-1] if now and now.amount == seen[-1].amount else seen
        if now and not before:
            values = {"amount": self.reader.money(now), "day": short_day(seen[0].first_seen, self.reader)}
            return _("%(amount)s for these dates each time we looked since %(day)s") % values
        least = min(reversed(before), key=lambda run: run.amount or 0)
        values = {"amount": self.money(least), "day": short_day(least.last_seen, self.reader)}
        if now is None:
            return _("Lowest we saw for these dates: %(amount)s on %(day)s") % values
        text = _("Lowest we saw for these dates: %(amount)s on %(day)s; now %(now)s")
        return text % {**values, "now": self.reader.money(now)}

    def span(self, seen: list[Run]) -> str:
        ordered = sorted(seen, key=lambda run: run.amount or 0)
        return _("Totals from %(lowest)s to %(highest)s, seen between %(first)s and %(last)s") % {
            "lowest": self.money(ordered[0]),
            "highest": self.money(ordered[-1]),
            "first": short_day(seen[0].first_seen, self.reader),
            "last": short_day(seen[-1].last_seen, self.reader),
        }

    def row(self, run: Run) -> PastTotal:
        first, last = (short_day(at, self.reader) for at in (run.first_seen, run.last_seen))
        days = first if first == last else f"{first} – {last}"
        if run.amount is None:
            return PastTotal(days, _("No price"), "")
        return PastTotal(days, self.money(run), self.reader.site.provider_label(run.provider))


class _Plot(NamedTuple):
    """Where moments and amounts are in the drawing."""

    begin: datetime
    end: datetime
    low: Decimal
    high: Decimal

    def x(self, at: datetime) -> float:
        return EDGE + (WIDTH - 2 * EDGE) * ((at - self.begin) / (self.end - self.begin))

    def y(self, amount: Decimal) -> float:
        share = (self.high - amount) / (self.high - self.low) if self.high > self.low else Decimal("0.5")
        return EDGE + (HEIGHT - 2 * EDGE) * float(share)


def steps(runs: Runs) -> str:
    """The path of a line of steps, with gaps where there was no price or nothing was seen for longer than
    `LONGEST_GAP`."""
    amounts = [run.amount for run in runs if run.amount is not None]
    plot = _Plot(runs[0].first_seen, runs[-1].last_seen, min(amounts), max(amounts))
    path, goes_on = "", False
    for run, after in zip(runs, (*runs[1:], None), strict=True):
        joins = after is not None and after.first_seen - run.last_seen <= LONGEST_GAP
        if run.amount is not None:
            x, y = plot.x(run.first_seen), plot.y(run.amount)
            end = plot.x(after.first_seen) if after and joins else max(plot.x(run.last_seen), x + LEAST_WIDTH)
            path += f"V{y:.1f}H{end:.1f}" if goes_on else f"M{x:.1f} {y:.1f}H{end:.1f}"
        goes_on = joins and run.amount is not None
    return path


def histories(context: SearchContext, hotels: Mapping[str, Shown]) -> dict[str, PriceHistory]:
    """What was seen of these hotels for the stay of a search, where it is enough, by their keys."""
    if not (context.site.remember_prices and hotels):
        return {}
    search, reader = context.search, Reader.for_search(context)
    style = _Style(search.currency, reader.numbers, reader.texts, timezone.localdate().year)
    stored = process.part(Memory).runs(Terms.of(search, context.site), hotels)
    made = {}
    for hotel, shown in hotels.items():
        now = lowest(context, hotel, shown.offers, shown.fetched_at) if shown.fetched_at else None
        runs = added(stored[hotel], now) if now else stored[hotel]
        total = Money(now.amount, search.currency) if now and now.amount and not shown.stale else None
        if history := _history(runs, total, style, context.site.providers):
            made[hotel] = history
    return made


def history(context: SearchContext, hotel: FoundProperty) -> PriceHistory | None:
    """What was seen of one hotel; None for an address without dates."""
    if hotel.no_offers is NoOffers.NO_DATES:
        return None
    key, shown = hotel.building.key, Shown(hotel.offers or (), hotel.prices_from, hotel.stale)
    return histories(context, {key: shown}).get(key)
