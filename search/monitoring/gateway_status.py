"""The staff panel on the gateway: address, error and hit rate, last calls, data quality. Nothing secret."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.conf import settings

from search.domain.site_settings import Site

from . import setup_check
from .data_quality import ProviderQuality
from .metrics import KEPT_DAYS, Call, Report, last_days, reports
from .setup_check import CallCheck

__all__ = ["Call", "CallCheck", "CodeSeen", "Panel", "ProviderQuality", "check_now", "panel"]

SERVED_WITHOUT_A_CALL = ("hit", "stale", "joined")


class CodeSeen(NamedTuple):
    """A code of an open list and how often it was met in the last days."""

    kind: str
    code: str
    times: int


@dataclass(frozen=True)
class Panel:
    """Numbers are of today; `codes` and `quality` of the last days. `calls` is latest first.

    `address` and `key` are masked already. With a cache of its own (`shared` False) a process can tell of
    itself alone. `breakers`, `paused` (seconds), `refused` and `in_flight` are this process's own.
    """

    sandbox: bool
    address: str
    key: str
    weather: str
    shared: bool
    processes: int
    breakers: Mapping[str, str]
    paused: float
    refused: tuple[str, ...]
    in_flight: int
    calls: tuple[Call, ...]
    made: int
    failed: int
    answers: Mapping[str, int]
    codes: tuple[CodeSeen, ...]
    quality: tuple[tuple[str, ProviderQuality], ...]

    @property
    def error_rate(self) -> float | None:
        """Failed calls per call made; None before the first."""
        return self.failed / self.made if self.made else None

    @property
    def hit_rate(self) -> float | None:
        """The share of values served without a call of their own; None before the first."""
        asked = sum(self.answers.values())
        return sum(self.answers.get(source, 0) for source in SERVED_WITHOUT_A_CALL) / asked if asked else None


def panel() -> Panel:
    """The panel as of now; makes no gateway call."""
    status = setup_check.status()
    days = last_days(KEPT_DAYS)
    found = reports(days)
    today, week = _merged(found, days[0]), _merged(found, None)
    return Panel(
        sandbox=setup_check.uses_sandbox(),
        address=settings.GATEWAY_BASE_URL,
        key=masked(settings.GATEWAY_API_KEY),
        weather=settings.SANDBOX_WEATHER,
        shared=settings.CACHE_IS_SHARED,
        processes=len({report.process for report in found if report.day == days[0]}),
        breakers=status.breakers,
        paused=status.paused,
        refused=status.refused,
        in_flight=status.in_flight,
        calls=tuple(reversed(today.calls)),
        made=today.made,
        failed=today.failed,
        answers=today.answers,
        codes=tuple(
            CodeSeen(kind, code, count)
            for kind, codes in sorted(week.seen.codes.items())
            for code, count in sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))
        ),
        quality=tuple(sorted(week.seen.providers.items())),
    )


def check_now(place: str, site: Site, today: date) -> list[CallCheck]:
    """The three calls, made past the cache: how long each took and what it found."""
    return list(
        setup_check.check_calls(
            place, settings=site, today=today, seconds=settings.GATEWAY_DEADLINE, clock=time.monotonic
        )
    )


def masked(key: str) -> str:
    """That there is a key, and how long it is: enough to notice a cut-off one, useless to anyone else."""
    return f"{'•' * min(len(key), 12)} ({len(key)})" if key else ""


def _merged(found: list[Report], day: date | None) -> Report:
    """One report of all processes, of one day or of all."""
    whole = Report("", day or date.min)
    for report in found:
        if day is None or report.day == day:
            whole.merge(report)
    return whole
