"""What a stay cost before: one sentence, a line of steps, a table. No trend, no forecast."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Self

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


class PriceHistory:
    """Parameters of property/price_history.html. `path` is the line as SVG draws it, `words` say what it
    shows; the rows are days, total and provider, the newest first."""

    def __init__(self, runs: Runs, now: Money | None, currency: str, reader: Reader) -> None:
        """`now` is the total that the page shows, which ends the runs."""
        self._reader, self._currency = reader, currency
        seen = [run for run in runs if run.amount is not None]
        self.line = self._line(seen, now)
        self.path = steps(runs)
        self.rows = [self._row(run) for run in reversed(runs[-MOST_ROWS:])]
        ordered = sorted(seen, key=lambda run: run.amount or 0)
        self.words = _("Totals from %(lowest)s to %(highest)s, seen between %(first)s and %(last)s") % {
            "lowest": self._money(ordered[0]),
            "highest": self._money(ordered[-1]),
            "first": short_day(seen[0].first_seen, reader),
            "last": short_day(seen[-1].last_seen, reader),
        }

    @classmethod
    def of(cls, runs: Runs, now: Money | None, currency: str, reader: Reader) -> Self | None:
        """None where too little was seen."""
        seen = [run for run in runs if run.amount is not None]
        days = {timezone.localtime(at).date() for run in seen for at in (run.first_seen, run.last_seen)}
        is_enough = sum(run.times for run in seen) >= LEAST_TIMES and len(days) >= LEAST_DAYS
        return cls(runs, now, currency, reader) if is_enough else None

    def _money(self, run: Run) -> str:
        return self._reader.money(Money(run.amount, self._currency)) if run.amount is not None else ""

    def _line(self, seen: list[Run], now: Money | None) -> str:
        """`Lowest we saw for these dates: €412.00 on 3 Nov; now €398.00`."""
        before = seen[:-1] if now and now.amount == seen[-1].amount else seen
        if now and not before:
            values = {"amount": self._reader.money(now), "day": short_day(seen[0].first_seen, self._reader)}
            return _("%(amount)s for these dates each time we looked since %(day)s") % values
        least = min(reversed(before), key=lambda run: run.amount or 0)
        values = {"amount": self._money(least), "day": short_day(least.last_seen, self._reader)}
        if now is None:
            return _("Lowest we saw for these dates: %(amount)s on %(day)s") % values
        text = _("Lowest we saw for these dates: %(amount)s on %(day)s; now %(now)s")
        return text % {**values, "now": self._reader.money(now)}

    def _row(self, run: Run) -> tuple[str, str, str]:
        days = dict.fromkeys(short_day(at, self._reader) for at in (run.first_seen, run.last_seen))
        provider = self._reader.site.provider_label(run.provider) if run.provider else ""
        return " – ".join(days), self._money(run) or _("No price"), provider


# What the words of a page depend on: currency, locales, and the year, since days of another one say theirs.
Style = tuple[str, str, str, int]


# Of a hotel that is opened again and again: a tenth of its page (`python -m tests.bench --only hotel_page`).
@lru_cache(maxsize=1_000)
def _history(
    runs: Runs, now: Money | None, style: Style, providers: tuple[ProviderEntry, ...]
) -> PriceHistory | None:
    currency, numbers, texts, _year = style
    return PriceHistory.of(runs, now, currency, Reader(Site(providers=providers), numbers, texts))


def steps(runs: Runs) -> str:
    """The path of a line of steps, with gaps where there was no price or nothing was seen for longer than
    `LONGEST_GAP`."""
    amounts = [run.amount for run in runs if run.amount is not None]
    begin, span = runs[0].first_seen, runs[-1].last_seen - runs[0].first_seen
    low, high = min(amounts), max(amounts)

    def across(at: datetime) -> float:
        return EDGE + (WIDTH - 2 * EDGE) * ((at - begin) / span)

    def down(amount: Decimal) -> float:
        share = (high - amount) / (high - low) if high > low else Decimal("0.5")
        return EDGE + (HEIGHT - 2 * EDGE) * float(share)

    path, goes_on = "", False
    for run, after in zip(runs, (*runs[1:], None), strict=True):
        joins = after is not None and after.first_seen - run.last_seen <= LONGEST_GAP
        if run.amount is not None:
            x, y = across(run.first_seen), down(run.amount)
            end = across(after.first_seen) if after and joins else max(across(run.last_seen), x + LEAST_WIDTH)
            path += f"V{y:.1f}H{end:.1f}" if goes_on else f"M{x:.1f} {y:.1f}H{end:.1f}"
        goes_on = joins and run.amount is not None
    return path


def histories(
    context: SearchContext,
    hotels: Mapping[str, Iterable[PricedOffer]],
    fetched_at: datetime | None,
    *,
    stale: bool = False,
) -> dict[str, PriceHistory]:
    """What was seen of these hotels for the stay of a search, where it is enough, by their keys."""
    if not context.site.remember_prices:
        return {}
    search, reader = context.search, Reader.for_search(context)
    style = (search.currency, reader.numbers, reader.texts, timezone.localdate().year)
    stored = process.part(Memory).runs(Terms.of(search, context.site), hotels)
    seen = {}
    for hotel, offers in hotels.items():
        now = lowest(context, offers, fetched_at) if fetched_at else None
        runs = added(stored[hotel], now) if now else stored[hotel]
        total = Money(now.amount, search.currency) if now and now.amount and not stale else None
        seen[hotel] = _history(runs, total, style, context.site.providers)
    return {hotel: history for hotel, history in seen.items() if history}


def history(context: SearchContext, hotel: FoundProperty) -> PriceHistory | None:
    """What was seen of one hotel; None for an address without dates."""
    if hotel.no_offers is NoOffers.NO_DATES:
        return None
    offers = {hotel.building.key: hotel.card.offers}
    return next(iter(histories(context, offers, hotel.prices_from, stale=hotel.stale).values()), None)
