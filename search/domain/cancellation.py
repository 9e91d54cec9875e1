"""Until when a stay can be cancelled free of charge, where a provider's words leave no doubt."""

import re
from calendar import month_abbr
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, time, timedelta
from functools import lru_cache

import msgspec

from .words import WORDS

_BEFORE_ARRIVAL = r"(?:before|prior to) (?:the |your )?(?:arrival|check[- ]?in)"
_FREE = r"(?:free cancellation|cancel (?:for free|free of charge)|free of charge|free)"
_UNTIL = rf"\b{_FREE},? (?:is possible )?(?:until|till|up to|(?P<before>before))"
_CLOCK = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)"
# `, 18:00`: a time of the property's own day; not `6:00 pm`, nor a time with a zone.
_BEHIND = (
    r"(?:,? (?:at )?\(?(?P<late_hour>[01]?\d|2[0-3]):(?P<late_minute>[0-5]\d)(?::[0-5]\d)?"
    r"(?!:| ?\(?(?:[ap]\.?m|utc|gmt|z\b|[+-]\d)))?"
)
_RELATIVE = rf"(?:(?P<days>\d{{1,3}}) days?|(?P<hours>\d{{1,4}}) hours?|(?:the )?day) {_BEFORE_ARRIVAL}\b"
_ISO = r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)"
_READINGS = tuple(
    re.compile(rf"{_UNTIL} (?:{_CLOCK} (?:on )?)?{day}{_BEHIND}", re.IGNORECASE | re.ASCII)
    for day in (_RELATIVE, _ISO)
)
_COSTS_NOTHING, _DENIES_FREEDOM = (
    re.compile("|".join(WORDS[name].values()), re.IGNORECASE) for name in ("costs_nothing", "not_refundable")
)
_DOUBT, _HOUR_BEHIND, _CANCELLING, _NOT_FREE, _FREE_AT_A_TIME, _CHARGE = (
    re.compile(WORDS["terms"][name], re.IGNORECASE)
    for name in ("doubt", "hour_behind", "cancelling", "not_free", "free_at_a_time", "charge")
)
_MONTHS = {name.lower(): number for number, name in enumerate(month_abbr) if number}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_YEAR = r"(?:,? (?P<year>\d{4}))?(?!\d)"
# Any day that a text names; of numbers alone it may be either of two.
_DAYS = tuple(
    re.compile(rf"\b{written}", re.IGNORECASE | re.ASCII)
    for written in (
        _RELATIVE,
        _ISO,
        rf"(?P<day>\d\d?)(?:st|nd|rd|th|\.)? {_MONTH}{_YEAR}",
        rf"{_MONTH} (?P<day>\d\d?)(?:st|nd|rd|th)?(?!\d){_YEAR}",
        r"(?P<day>\d\d?)[./-](?P<month>\d\d?)[./-](?P<year>\d{4})(?!\d)",
        r"(?P<month>\d\d?)[./-](?P<day>\d\d?)[./-](?P<year>\d{4})(?!\d)",
    )
)
# A number of days, an hour or a date, but no share of the price.
_TIME = re.compile(r"\d(?![\d.,]*\s?%)")


class FreeUntil(msgspec.Struct, frozen=True):
    """The last day of free cancellation at the property; `clock` if it ends within that day."""

    day: date
    clock: time | None = None


def free_until(lines: tuple[str, ...], check_in: date) -> FreeUntil | None:
    """The day that the lines of a policy name, if all name the same one and no word casts doubt on it."""
    if any(_DOUBT.search(line) for line in lines):
        return None
    days = {day for line in lines for day in _days_in(line, check_in)}
    return days.pop() if len(days) == 1 else None


def still_free(lines: tuple[str, ...], check_in: date, today: date) -> bool:
    """Whether an offer with free cancellation and these terms, or this rate, has it still."""
    return (last_free_day(lines, check_in) or today) >= today


@lru_cache(maxsize=4_096)
def last_free_day(lines: tuple[str, ...], check_in: date) -> date | None:
    """The last day on which the lines may grant free cancellation: `date.min` if they deny it, None if they
    leave it open. They say what holds, also against the listing."""
    if until := free_until(lines, check_in):
        return until.day
    granting = tuple(line for line in lines if _grants(line))
    others = "\n".join({*lines}.difference(granting))
    if granted := _named_days(granting, check_in):
        return max(granted)
    if _CHARGE.search(others) and (charged := _named_days((others,), check_in)):
        return min(charged) - timedelta(days=1)
    return date.min if not granting and _DENIES_FREEDOM.search(others) else None


def _grants(line: str) -> bool:
    if _NOT_FREE.search(line):
        return False
    return bool(_FREE_AT_A_TIME.search(line) or (_COSTS_NOTHING.search(line) and _CANCELLING.search(line)))


def _named_days(lines: tuple[str, ...], check_in: date) -> list[date]:
    days = []
    for match in (match for written in _DAYS for line in lines for match in written.finditer(line)):
        with suppress(ValueError, OverflowError):
            days.append(_day_of(match.groupdict(), check_in))
    return days


def may_be_terms_of(lines: tuple[str, ...], *, free: bool) -> bool:
    """Whether a room's words on cancelling fit an offer. Of one with `free` cancellation they must name a
    time, as without it they may deny it; of another they must not say that anything is free."""
    if free:
        return any(_TIME.search(line) for line in lines)
    return not any(_COSTS_NOTHING.search(line) for line in lines)


def _days_in(line: str, check_in: date) -> Iterator[FreeUntil]:
    for match in (match for reading in _READINGS for match in reading.finditer(line)):
        # An impossible date names no day.
        with suppress(ValueError, OverflowError):
            until = _read(match.groupdict(), check_in)
            if until.day <= check_in and not _HOUR_BEHIND.match(line, match.end()):
                yield until


def _read(parts: dict[str, str | None], check_in: date) -> FreeUntil:
    hour, minute = (parts.get(name) or parts.get(f"late_{name}") for name in ("hour", "minute"))
    day = _day_of(parts, check_in)
    if hour and minute:
        return FreeUntil(day, time(int(hour), int(minute)))
    return FreeUntil(day - timedelta(days=1) if parts.get("before") else day)


def _day_of(parts: dict[str, str | None], check_in: date) -> date:
    """A day without a year is the last such one before the stay."""
    if (month := parts.get("month")) and (number := parts["day"]):
        year = parts["year"]
        day = date(int(year or check_in.year), _MONTHS.get(month.lower()) or int(month), int(number))
        return day if year or day <= check_in else day.replace(year=day.year - 1)
    if hours := parts.get("hours"):
        # The text doesn't say from which hour they count: the last day that is free as a whole.
        return check_in - timedelta(days=-(-int(hours) // 24) + 1)
    return check_in - timedelta(days=int(parts.get("days") or 1))
