"""Until when a stay can be cancelled free of charge, where a provider's words can be read without doubt."""

import re
from datetime import date, time, timedelta

import msgspec

from .text import WORDS

_ARRIVAL = r"(?:arrival|check[- ]?in)"
_FREE = r"(?:free cancellation|cancel (?:for free|free of charge)|free of charge|free)"
_UNTIL = rf"\b{_FREE},? (?:is possible )?(?:until|till|up to|(?P<before>before))"
_CLOCK = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)"
# `, 18:00`: a time of the property's own day; not `6:00 pm`, nor a time with a zone.
_BEHIND = (
    r"(?:,? (?:at )?\(?(?P<late_hour>[01]?\d|2[0-3]):(?P<late_minute>[0-5]\d)(?::[0-5]\d)?"
    r"(?!:| ?\(?(?:[ap]\.?m|utc|gmt|z\b|[+-]\d)))?"
)
_READINGS = tuple(
    re.compile(rf"{_UNTIL} {rest}", re.IGNORECASE | re.ASCII)
    for rest in (
        rf"(?:{_CLOCK} on )?(?P<eve>the day) before {_ARRIVAL}\b{_BEHIND}",
        rf"(?:{_CLOCK} )?(?P<days>\d{{1,3}}) days? before {_ARRIVAL}\b{_BEHIND}",
        rf"(?P<hours>\d{{1,4}}) hours? before {_ARRIVAL}\b",
        rf"(?:{_CLOCK} on )?(?P<date>\d{{4}}-\d\d-\d\d)\b{_BEHIND}",
    )
)
# An hour that the same part of the sentence goes on to name in another form: the day is not free as a whole.
_HOUR_BEHIND = re.compile(
    r"[^.;]*?\b(?:\d{1,2}[:h]\d\d|\d{1,2} ?(?:[ap]\.?m|o.clock|h|uhr)|noon|midday|midnight)\b",
    re.IGNORECASE | re.ASCII,
)
# Words that may take back what the rest promises, as may a text that was cut off; or what is free is changing
# a booking, not cancelling it.
_DOUBT = re.compile(
    r"non-?\s?refundable|not refundable|no refund|except|unless|\bnot? free|\bif\b|\bonly\b|member|…\Z"
    r"|\b(?:chang|modif|amend)",
    re.IGNORECASE,
)

_COSTS_NOTHING = re.compile("|".join(WORDS["costs_nothing"].values()), re.IGNORECASE)
# A number of days, an hour or a date; a share of the price is none.
_TIME = re.compile(r"\d(?![\d.,]*\s?%)")


class FreeUntil(msgspec.Struct, frozen=True):
    """The last day of free cancellation, in the days of the property's country; `clock` where it ends within
    that day."""

    day: date
    clock: time | None = None


def free_until(lines: tuple[str, ...], check_in: date) -> FreeUntil | None:
    """What the lines of a policy say, where all together name one day and nothing casts doubt on it."""
    if any(_DOUBT.search(line) for line in lines):
        return None
    read = {found for line in lines for found in _days_in(line, check_in)}
    return read.pop() if len(read) == 1 else None


def may_be_terms_of(lines: tuple[str, ...], *, free: bool) -> bool:
    """Whether a room's words on cancelling can be the terms of an offer that sells it. The offer says itself
    whether cancelling is `free`: if so, the words must name a time, in whatever language, as without one they
    may deny it; if not, they must not speak of anything that is free."""
    if free:
        return any(_TIME.search(line) for line in lines)
    return not any(_COSTS_NOTHING.search(line) for line in lines)


def _days_in(line: str, check_in: date) -> list[FreeUntil]:
    matches = [match for reading in _READINGS for match in reading.finditer(line)]
    plain = (match.groupdict() for match in matches if not _HOUR_BEHIND.match(line, match.end()))
    return [found for parts in plain if (found := _day_of(parts, check_in))]


def _day_of(parts: dict[str, str | None], check_in: date) -> FreeUntil | None:
    hour, minute = (parts.get(name) or parts.get(f"late_{name}") for name in ("hour", "minute"))
    clock = time(int(hour), int(minute)) if hour and minute else None
    if named := parts.get("date"):
        day = _iso_day(named)
    elif hours := parts.get("hours"):
        # Counted from an hour nobody names: the last day that is free as a whole.
        day = check_in - timedelta(days=-(-int(hours) // 24) + 1)
    else:
        day = check_in - timedelta(days=int(parts.get("days") or 1))
    if day and parts.get("before") and not clock:
        # The day itself is one too late.
        day = day - timedelta(days=1) if day > date.min else None
    return FreeUntil(day, clock) if day and day <= check_in else None


def _iso_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
