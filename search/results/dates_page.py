"""When is it cheapest? The page, its table and its choices, with every text and link ready-made."""

import re
from calendar import Calendar
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import msgspec
from babel import Locale

from search.domain.context import SearchContext
from search.domain.query import encode_pairs
from search.domain.site_settings import Site
from search.web import formatting
from search.web.formatting import Reader, guests, nights, whole_money
from search.web.links import Head, Links, reverse, view_pairs
from search.web.search_form import SearchBar
from search.web.translation import gettext as _
from search.web.translation import ngettext

from . import dates
from .dates import DateComparison, DatesQuestion, DateState, DateTotal, View
from .toolbar import Pill

MONTHS = 12
_BESIDE_CURRENCY = re.compile(r"(?<=\d)[\u00a0\u202f](?=\D)|(?<=\D)[\u00a0\u202f](?=\d)")


class DateView:
    """Some dates as a choice. `total` is empty where there is none, `reason` says why, or what is wrong with
    it; `bar` is its share of the highest in percent, `heat` is from 0, the lowest, to 4."""

    def __init__(
        self, one: DateTotal, amounts: list[Decimal], comparison: DateComparison, reader: Reader
    ) -> None:
        context, stay = comparison.context, comparison.question.stay
        self.dates, self.state, self.lowest = one.dates, one.state, one.lowest
        self.current = one.dates == context.search.dates
        # A deeper pass is of its own dates alone.
        refinement = context.refinement if self.current else context.refinement.without("all")
        links = Links(replace(context.with_search(dates=one.dates), refinement=refinement))
        self.href = links.property(*stay) if stay else links.results()
        # It breaks at the dash alone.
        self.days = formatting.stay_days(one.dates, reader.texts, "MMMEd").replace(" ", "\u00a0")
        self.reason = _reason(one, of_one=bool(stay))
        self.total, self.bar, self.heat = "", 0, 0
        if one.total:
            each = one.total / one.dates.nights if comparison.question.per_night else one.total
            total = whole_money(each, context.search.currency, reader.numbers)
            # A currency may take a line of its own: a day on a phone is narrow.
            self.total = _BESIDE_CURRENCY.sub(" ", total)
            self.bar = round(100 * one.total / max(amounts))
            self.heat = dates.heat(one.total, amounts)


class Month:
    """The choices of a month as a calendar, without days that are over. `gaps` say which days lack a total,
    or have one that doesn't compare."""

    def __init__(self, views: Sequence[DateView], reader: Reader) -> None:
        by_day = {one.dates.check_in: one for one in views}
        first, calendar = min(by_day), Calendar(Locale.parse(reader.numbers).first_week_day)
        weeks = calendar.monthdatescalendar(first.year, first.month)
        self.weekdays = [formatting.weekday(day, reader.texts) for day in weeks[0]]
        self.weeks = list(filter(any, ([by_day.get(day) for day in week] for week in weeks)))
        gaps = defaultdict[str, list[str]](list)
        for day, one in by_day.items():
            if one.reason and one.state is not DateState.WAITING:
                gaps[one.reason].append(str(day.day))
        self.gaps = [f"{reason}: {', '.join(days)}" for reason, days in gaps.items()]


class DatesTable:
    """Parameters of results/dates_table.html; `known` counts the dates with a fresh answer."""

    def __init__(self, comparison: DateComparison) -> None:
        context, question, totals = comparison.context, comparison.question, comparison.totals
        reader = Reader.for_search(context)
        amounts = [*filter(None, (one.total for one in totals))]
        self.dates = [DateView(one, amounts, comparison, reader) for one in totals]
        self.month = Month(self.dates, reader) if question.view is View.MONTH and totals else None
        self.note = _measure_note(question, context.site)
        # How old the oldest total is, if that is past its fresh time.
        stale = [one.measured.fetched_at for one in totals if one.stale and one.measured]
        self.stale_note = reader.stale_note(min(stale)) if stale else ""
        waiting = [one.state for one in totals].count(DateState.WAITING)
        self.known = len(totals) - len(stale) - waiting
        self.progress = _("Dates asked for: %(known)d of %(all)d") % {"known": self.known, "all": len(totals)}

    @property
    def lowest(self) -> DateView | None:
        return next((one for one in self.dates if one.lowest), None)


def _reason(one: DateTotal, *, of_one: bool) -> str:
    compared = one.measured.compared if one.measured else 0
    few = ngettext("only %(count)s hotel to compare", "only %(count)s hotels to compare", compared)
    words = {
        DateState.KNOWN: "",
        DateState.OTHER: _("other hotels than on most dates"),
        DateState.FEW: few % {"count": compared},
        DateState.NONE: _("not listed") if of_one else _("no hotels that match"),
        DateState.APART: _("no comparable price"),
        DateState.FAILED: _("not available right now"),
        DateState.WAITING: _("not asked for yet"),
    }
    return words[one.state]


def _measure_note(question: DatesQuestion, site: Site) -> str:
    if question.stay:
        return _("Each total is the lowest of this hotel on these dates, with taxes and fees as on its page.")
    text = _(
        "Each total is the middle one of the hotels that match your filters among the first %(count)d of its "
        "dates, with taxes and fees as in the list."
    )
    return text % {"count": dates.sample_size(site)}


class DatesPage:
    """Parameters of results/dates.html. `choices` are named groups of pills, `ask` is the address of
    `dates_as_they_come`, empty where nothing is due, `pairs` those of a form that asks without scripts."""

    def __init__(self, comparison: DateComparison) -> None:
        self.comparison, self.title = comparison, _("When is it cheapest?")
        context, question = comparison.context, comparison.question
        search, links = context.search, Links(context)
        self.head = Head(f"{formatting.before_days(search.place)} \u00b7 {self.title}", robots="noindex")
        self.bar = SearchBar.of_search(context)
        length = comparison.dates[0].nights if comparison.dates else question.nights
        self.summary = " \u00b7 ".join((search.place, nights(length), guests(search.guests)))
        self.back = (_("Back to the results"), links.results())
        if question.stay:
            self.back = (_("Back to the hotel"), links.property(*question.stay))
        views = {View.AROUND: _("Days around"), View.WEEKENDS: _("Weekends"), View.MONTH: _("Whole month")}
        self.tabs = _pills(context, question, "view", views)
        self.choices = [*_choices(context, question)]
        self.table = DatesTable(comparison)
        self.pairs = [*view_pairs(context), *question.pairs()]
        query = encode_pairs(self.pairs)
        self.ask = f"{reverse('dates-as-they-come')}?{query}" if comparison.due else ""
        self.table_file = f"{reverse('export-dates')}?{query}"


def _choices(context: SearchContext, question: DatesQuestion) -> Iterator[tuple[str, list[Pill]]]:
    """The choices of a view: the month, the days of weekends or the length of stays, per stay or night."""
    reader = Reader.for_search(context)
    if question.view is not View.AROUND:
        months = [(context.first_day or context.today).replace(day=1)]
        while len(months) < MONTHS:
            months.append((months[-1] + timedelta(days=31)).replace(day=1))
        labels = {one: formatting.single_day(one, "yMMM", reader.texts) for one in (*months, question.month)}
        yield _("Month"), _pills(context, question, "month", labels)
    if question.view is View.WEEKENDS:
        monday = date(2024, 1, 1)
        weekdays = [formatting.weekday(monday + timedelta(days=number), reader.texts) for number in range(7)]
        named = {
            one: f"{weekdays[first]}\u2013{weekdays[(first + length) % 7]}"
            for one, (first, length) in dates.WEEKENDS.items()
        }
        yield _("Weekend"), _pills(context, question, "weekend", named)
    if question.view is View.MONTH:
        lengths = {count: reader.number(count) for count in range(1, dates.MOST_NIGHTS + 1)}
        yield _("Nights"), _pills(context, question, "nights", lengths)
    yield _("Total"), _pills(context, question, "per_night", {False: _("Per stay"), True: _("Per night")})


def _pills(
    context: SearchContext, question: DatesQuestion, name: str, labels: Mapping[Any, str]
) -> list[Pill]:
    def href(value: Any) -> str:
        other = msgspec.structs.replace(question, **{name: value})
        return f"{reverse('dates')}?{encode_pairs([*view_pairs(context), *other.pairs()])}"

    chosen = getattr(question, name)
    return [Pill(label, href(value), value == chosen) for value, label in labels.items()]
