"""When is it cheapest? The page, its table and its choices, with every text and link ready-made."""

import re
from calendar import Calendar
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple, Self

import msgspec
from babel import Locale

from search.domain.context import SearchContext
from search.domain.query import StayDates, encode_pairs
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


class DateView(NamedTuple):
    """Some dates as a choice. `total` is empty where there is none, `reason` says why, or what is wrong with
    it; `bar` is its share of the highest in percent, `heat` is from 0, the lowest, to 4."""

    dates: StayDates
    state: DateState
    days: str
    href: str
    total: str
    reason: str
    bar: int
    heat: int
    current: bool
    lowest: bool


class Month(NamedTuple):
    """The choices of a month as a calendar, without days that are over. `gaps` say which days lack a total,
    or have one that doesn't compare."""

    weekdays: list[str]
    weeks: list[list[DateView | None]]
    gaps: list[str]

    @classmethod
    def of(cls, views: tuple[DateView, ...], reader: Reader) -> Self:
        by_day = {one.dates.check_in: one for one in views}
        first, gaps = Locale.parse(reader.numbers).first_week_day, defaultdict[str, list[str]](list)
        weeks = Calendar(first).monthdatescalendar(min(by_day).year, min(by_day).month)
        for day, one in by_day.items():
            if one.reason and one.state is not DateState.WAITING:
                gaps[one.reason].append(str(day.day))
        return cls(
            weekdays=[formatting.weekday(day, reader.texts) for day in weeks[0]],
            weeks=[[by_day.get(day) for day in week] for week in weeks if not by_day.keys().isdisjoint(week)],
            gaps=[f"{reason}: {', '.join(days)}" for reason, days in gaps.items()],
        )


@dataclass(frozen=True, slots=True)
class DatesTable:
    """Parameters of results/dates_table.html; `known` counts the dates with a fresh answer."""

    dates: tuple[DateView, ...]
    month: Month | None
    known: int
    note: str
    stale_note: str

    @classmethod
    def build(cls, comparison: DateComparison) -> Self:
        context, question = comparison.context, comparison.question
        reader, totals = Reader.for_search(context), comparison.totals
        amounts = [one.total for one in totals if one.total is not None]
        views = tuple(_date_view(one, amounts, comparison, reader) for one in totals)
        stale = [one.measured.fetched_at for one in totals if one.stale and one.measured]
        return cls(
            dates=views,
            month=Month.of(views, reader) if question.view is View.MONTH and views else None,
            known=sum(one.state is not DateState.WAITING and not one.stale for one in totals),
            note=_measure_note(question, context.site),
            # How old the oldest total is, if that is past its fresh time.
            stale_note=reader.stale_note(min(stale)) if stale else "",
        )

    @property
    def lowest(self) -> DateView | None:
        return next((one for one in self.dates if one.lowest), None)

    @property
    def progress(self) -> str:
        return _("Dates asked for: %(known)d of %(all)d") % {"known": self.known, "all": len(self.dates)}


def _date_view(
    one: DateTotal, amounts: list[Decimal], comparison: DateComparison, reader: Reader
) -> DateView:
    context, question = comparison.context, comparison.question
    current, amount = one.dates == context.search.dates, one.total
    # A deeper pass is of its own dates alone.
    refinement = context.refinement if current else context.refinement.without("all")
    links = Links.of(replace(context.with_search(dates=one.dates), refinement=refinement))
    each = amount / one.dates.nights if amount is not None and question.per_night else amount
    total = "" if each is None else whole_money(each, context.search.currency, reader.numbers)
    return DateView(
        dates=one.dates,
        state=one.state,
        # It breaks at the dash alone.
        days=formatting.stay_days(one.dates, reader.texts, "MMMEd").replace(" ", "\u00a0"),
        href=links.property(*question.stay) if question.stay else links.results(),
        # A currency may take a line of its own: a day on a phone is narrow.
        total=_BESIDE_CURRENCY.sub(" ", total),
        reason=_reason(one, of_one=bool(question.stay)),
        bar=0 if amount is None else round(100 * amount / max(amounts)),
        heat=0 if amount is None else dates.heat(amount, amounts),
        current=current,
        lowest=one.lowest,
    )


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


@dataclass(frozen=True, slots=True)
class DatesPage:
    """Parameters of results/dates.html. `choices` are named groups of pills, `ask` is the address of
    `dates_as_they_come`, empty where nothing is due, `pairs` those of a form that asks without scripts."""

    comparison: DateComparison
    head: Head
    bar: SearchBar
    title: str
    summary: str
    back: tuple[str, str]
    tabs: tuple[Pill, ...]
    choices: tuple[tuple[str, tuple[Pill, ...]], ...]
    table: DatesTable
    pairs: tuple[tuple[str, str], ...]
    ask: str
    table_file: str

    @classmethod
    def build(cls, comparison: DateComparison) -> Self:
        context, question = comparison.context, comparison.question
        title, reader = _("When is it cheapest?"), Reader.for_search(context)
        search, query = context.search, encode_pairs(pairs := dates_pairs(context, question))
        length = comparison.dates[0].nights if comparison.dates else question.nights
        links = Links.of(context)
        back = (_("Back to the results"), links.results())
        if question.stay:
            back = (_("Back to the hotel"), links.property(*question.stay))
        views = {View.AROUND: _("Days around"), View.WEEKENDS: _("Weekends"), View.MONTH: _("Whole month")}
        return cls(
            comparison=comparison,
            head=Head(title=f"{formatting.before_days(search.place)} \u00b7 {title}", robots="noindex"),
            bar=SearchBar.of_search(context),
            title=title,
            summary=" \u00b7 ".join((search.place, nights(length), guests(search.guests))),
            back=back,
            tabs=_pills(context, question, "view", views),
            choices=tuple(_choices(context, question, reader)),
            table=DatesTable.build(comparison),
            pairs=tuple(pairs),
            ask=f"{reverse('dates-as-they-come')}?{query}" if comparison.due else "",
            table_file=f"{reverse('export-dates')}?{query}",
        )


def dates_pairs(context: SearchContext, question: DatesQuestion) -> list[tuple[str, str]]:
    return [*view_pairs(context), *question.pairs()]


def _choices(
    context: SearchContext, question: DatesQuestion, reader: Reader
) -> Iterator[tuple[str, tuple[Pill, ...]]]:
    """The choices of a view: the month, the days of weekends or the length of stays, per stay or night."""
    if question.view is not View.AROUND:
        first = (context.first_day or context.today).replace(day=1)
        months = dict.fromkeys([*dates.months_from(first, MONTHS), question.month])
        labels = {one: formatting.single_day(one, "yMMM", reader.texts) for one in months}
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
) -> tuple[Pill, ...]:
    def href(value: Any) -> str:
        other = msgspec.structs.replace(question, **{name: value})
        return f"{reverse('dates')}?{encode_pairs(dates_pairs(context, other))}"

    chosen = getattr(question, name)
    return tuple(Pill(label, href(value), value == chosen) for value, label in labels.items())
