"""The site as it is set up now, `current()`. Each process keeps a copy for `RECHECK_SECONDS`; then one query
reads the settings row, and the content tables only when its `content_revision` has changed."""

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple, cast

import msgspec
from django.conf import settings
from django.db import DataError, Error, connection, transaction
from django.db import models as orm
from django.db.models.signals import post_delete, post_save

from search.domain import process
from search.domain import site_settings as domain
from search.domain.site_settings import SETTINGS, Site

from . import models
from .models import ROW, SiteSettings

RECHECK_SECONDS = 2.0
# A database that hangs on connecting costs a page its patience, so ask it less often.
RECHECK_AFTER_FAILURE_SECONDS = 10.0
# Raised for a stored value that can't be read; an unreachable database raises others.
UNREADABLE = (ValueError, TypeError, DataError)
ENVIRONMENT = ("search_fresh_seconds", "details_fresh_seconds", "airports_fresh_seconds")
CONTENT: dict[str, tuple[type[orm.Model], type[msgspec.Struct]]] = {
    "providers": (models.Provider, domain.ProviderEntry),
    "blocks": (models.BlockedProperty, domain.Block),
    "overrides": (models.DestinationOverride, domain.DestinationOverride),
    "featured": (models.FeaturedDestination, domain.FeaturedDestination),
    "code_labels": (models.CodeLabel, domain.CodeLabel),
}
# Made before there are threads: two that met the struct at once would end the process.
COPY = msgspec.json.Decoder(Site)

logger = logging.getLogger(__name__)


class Change(NamedTuple):
    """One setting's value before and after, as text."""

    name: str
    before: str
    after: str


class SettingsCache:
    """One process's copy of the site. The `clock` counts seconds from any start."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._site: Site | None = None
        self._revision: int | None = None
        self._content: dict[str, Any] = {}
        self._left_out: list[str] = []
        self._complaint = ""
        self._good_until = float("-inf")

    def invalidate(self) -> None:
        """Keep the copy, and check it on the next occasion."""
        self._good_until = float("-inf")

    def current(self) -> Site:
        if self._site is not None and self._clock() < self._good_until:
            return self._site
        # Only the first page of a process waits for the lock: later ones have a copy at hand.
        if self._lock.acquire(blocking=self._site is None):
            try:
                if self._site is None or self._clock() >= self._good_until:
                    self._recheck()
            finally:
                self._lock.release()
        return self._site or Site()

    def _recheck(self) -> None:
        # Claimed before reading, so that a change saved meanwhile can invalidate this very copy.
        claimed = self._good_until = self._clock() + RECHECK_SECONDS
        try:
            self._site = self._read()
            _write_copy(self._site)
        except Exception as error:
            with suppress(Exception):  # the next request replaces a connection that can't be closed
                connection.close_if_unusable_or_obsolete()
            self._complain(f"settings unreadable ({type(error).__name__}: {error})")
            self._site = replace(_last_good(self._site), **fixed_by_environment())
            if self._good_until == claimed:
                self._good_until = self._clock() + RECHECK_AFTER_FAILURE_SECONDS

    def _read(self) -> Site:
        complaint = ""
        try:
            site, revision = _settings_row()
        except UNREADABLE as error:
            site, revision = _last_good(self._site), None
            complaint = f"settings can't be used, the last good ones apply: {error}"
        if revision is None or revision != self._revision:
            self._left_out = []
            self._content = {name: _entries(*tables, self._left_out) for name, tables in CONTENT.items()}
            self._revision = revision
        self._complain("; ".join(filter(None, [complaint, *self._left_out])))
        return replace(site, **fixed_by_environment(), **self._content)

    def _complain(self, complaint: str) -> None:
        """Say what is wrong once, not at every reading."""
        if complaint and complaint != self._complaint:
            logger.warning("%s", complaint)
        self._complaint = complaint


def _settings_row() -> tuple[Site, int]:
    """The site of the stored row, without orders and filters of a later version, and its content revision.
    Raises one of UNREADABLE."""
    row = SiteSettings.objects.filter(pk=ROW).values(*SETTINGS, "content_revision").first() or {}
    revision = row.pop("content_revision", 0)
    for name in {"sorts", "filters"} & row.keys():
        row[name] = tuple(one for one in row[name] if one in SETTINGS[name].choices)
    # The default order may be one of a later version.
    if row.get("sorts") and row["default_sort"] not in row["sorts"]:
        row["default_sort"] = row["sorts"][0]
    return Site.read(row), revision


def _last_good(site: Site | None) -> Site:
    """The site as a process of this machine last read it: while the database is away all show the same."""
    with suppress(OSError, msgspec.DecodeError):
        return COPY.decode(settings.SETTINGS_COPY.read_bytes())
    return site or Site()


def _write_copy(site: Site) -> None:
    """Write the copy that `_last_good` reads, if it is another. A full disk keeps the old one."""
    copy, content = settings.SETTINGS_COPY, msgspec.json.encode(site)
    with suppress(OSError):
        if not copy.exists() or copy.read_bytes() != content:
            copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new = copy.with_suffix(f".{os.getpid()}")
            new.write_bytes(content)
            new.replace(copy)


def _entries(model: type[orm.Model], entry: type[msgspec.Struct], left_out: list[str]) -> tuple[Any, ...]:
    """The rows of one content table in its order; unusable ones are named in `left_out` instead."""
    rows = model._default_manager.all()
    with suppress(*UNREADABLE):
        return tuple(msgspec.convert(row, entry, from_attributes=True) for row in rows)
    entries = []
    for key in rows.values_list("pk", flat=True):
        try:
            entries.append(msgspec.convert(rows.get(pk=key), entry, from_attributes=True))
        except UNREADABLE as error:
            left_out.append(f"{model._meta.verbose_name} {key} left out: {error}")
    return tuple(entries)


def fixed_by_environment() -> dict[str, Any]:
    """The settings that the environment decides; they win over the row."""
    fixed = {name: getattr(settings, name.upper(), None) for name in ENVIRONMENT}
    return {name: seconds for name, seconds in fixed.items() if seconds is not None}


def current() -> Site:
    """The site's settings and content, at most `RECHECK_SECONDS` old; the last good ones while the database
    is away, the built-in defaults where there never were any."""
    return process.part(SettingsCache).current()


def stored() -> SiteSettings:
    """The row as it can be edited, out of range or not; built-in defaults when it can't be read at all."""
    if stored_row := _readable_row():
        return stored_row
    row = SiteSettings(pk=ROW)
    row._state.adding = False
    return row


def _readable_row() -> SiteSettings | None:
    try:
        return SiteSettings.objects.get(pk=ROW)
    except (SiteSettings.DoesNotExist, Error, ValueError, TypeError):
        return None


def _make_row() -> None:
    """The row with its defaults, where there is none."""
    SiteSettings.objects.bulk_create([SiteSettings(pk=ROW)], ignore_conflicts=True)


def save(row: SiteSettings, names: Iterable[str]) -> None:
    """Write these settings of the row, or all if the stored row can't be read; the others may have been
    changed by a colleague since."""
    _make_row()
    row.save(update_fields=[*(names if _readable_row() else SETTINGS)])


def proposed(row: SiteSettings) -> Site:
    """The site with this row and the content of now. Raises ValueError."""
    content = {name: getattr(current(), name) for name in CONTENT}
    return replace(Site.read(row.values()), **fixed_by_environment(), **content)


def change(values: Mapping[str, Any]) -> list[Change]:
    """Set some settings by name; what changed. Raises ValidationError."""
    row = stored()
    changes = assign(row, values)
    row.full_clean()
    save(row, [one.name for one in changes])
    return changes


def changes_by(values: Mapping[str, Any], row: orm.Model | Site) -> list[Change]:
    """What setting some fields of a row would change."""
    changes = [Change(name, as_text(getattr(row, name)), as_text(value)) for name, value in values.items()]
    return [one for one in changes if one.before != one.after]


def assign(row: orm.Model, values: Mapping[str, Any]) -> list[Change]:
    """Set some fields of a row without saving it; what that changes."""
    changes = changes_by(values, row)
    for name, value in values.items():
        setattr(row, name, value)
    return changes


def as_text(value: Any) -> str:
    """A setting's value as the history keeps it; `from_text` reads it back."""
    if value is None:
        return ""
    return " ".join(value) if isinstance(value, (tuple, list)) else str(value)


def from_text(name: str, text: str) -> Any:
    """The value of a setting from its text. Raises ValidationError."""
    field = cast("orm.Field[Any, Any]", SiteSettings._meta.get_field(name))
    return None if text == "" and field.null else field.to_python(text)


def settings_changed(**_signal: object) -> None:
    """Show a change in this process at once: now to the writer, and to all when it is committed."""
    cached = process.part(SettingsCache)
    cached.invalidate()
    transaction.on_commit(cached.invalidate)


def content_changed(**_signal: object) -> None:
    """Tell every process that content changed; after bulk updates, which send no signal, call this."""
    _make_row()
    SiteSettings.objects.filter(pk=ROW).update(content_revision=orm.F("content_revision") + 1)
    settings_changed()


for _event in (post_save, post_delete):
    _event.connect(settings_changed, sender=SiteSettings)
    for _model, _entry in CONTENT.values():
        _event.connect(content_changed, sender=_model)
