"""The interface's words in every language: where they are kept, and how Django gets them.

The tree holds texts (`search/locale/<language>/LC_MESSAGES/django.po`). Django reads compiled files; they
are made under var/ when the site starts and a text is newer, so that nobody has to remember a step.

The words a visitor may meet, gathered from the source, and the catalogues that must translate them.

No gettext on the machine: Babel reads Python, Django's own `templatize` makes templates readable for it.
The admin's words stay English, so its modules and templates are not gathered.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

SOURCE = "en"

_log = logging.getLogger(__name__)


def languages() -> list[str]:
    """The languages that need a catalogue: all that are offered but the one the source is written in."""
    return [code for code, _name in settings.LANGUAGES if code != SOURCE]


def source_of(language: str) -> Path:
    """The text that translators edit."""
    return Path(settings.BASE_DIR) / "search" / "locale" / language / "LC_MESSAGES" / "django.po"


def compiled_of(language: str) -> Path:
    """The file that Django reads."""
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.mo"


def compile_changed() -> list[str]:
    """Compiles the catalogues whose text is another one than was compiled last; their languages.

    Where nothing can be written the site goes on with what is there; missing words are English then.
    """
    changed = [language for language in languages() if not _is_fresh(language)]
    for language in changed:
        try:
            _compile(language)
        except OSError as error:
            _log.warning("the words of %s could not be compiled (%s)", language, error.strerror)
    return changed


def _is_fresh(language: str) -> bool:
    text, compiled = source_of(language), compiled_of(language)
    try:
        return text.stat().st_mtime_ns == compiled.stat().st_mtime_ns
    except OSError:
        return not text.exists()


def _compile(language: str) -> None:
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    text, compiled = source_of(language), compiled_of(language)
    stamp = text.stat()
    with text.open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled.parent.mkdir(parents=True, exist_ok=True)
    # Several processes may start at once: each writes a file of its own, and the last one in place wins.
    fresh = compiled.with_suffix(f".{os.getpid()}")
    with fresh.open("wb") as file:
        write_mo(file, catalogue)
    os.utime(fresh, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    fresh.replace(compiled)


KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
# The models' words are seen in the admin alone.
ADMIN_ONLY = (
    "search/admin",
    "search/site_settings",
    "search/sharing/models.py",
    "search/management",
    "search/migrations",
    "templates/django",
)
# Colleagues who build the site read the style page, and the admin.
ENGLISH_ONLY = (
    *ADMIN_ONLY,
    "search/styleguide.py",
    "templates/styleguide.html",
    "search/sandbox",
    "search/domain",
)

_HEADER = "# PROJECT: the words of the site in one language."
_DATED = datetime(2026, 11, 21, tzinfo=UTC)
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sd%]|\{\w*\}")

Entry = tuple[str, ...]


def gathered() -> Catalog:
    """Every message of the source, without translations."""
    found = Catalog()
    for path in _sources():
        for _line, words, _comments, context in _messages(path):
            found.add(words, context=context)
    return found


def updated(language: str, source: Catalog) -> Catalog:
    """A language's catalogue with exactly the messages of `source`: new ones empty, gone ones left out."""
    known = stored(language)
    fresh = Catalog(
        locale=language,
        header_comment=_HEADER,
        project="hotelsite",
        version="1",
        creation_date=_DATED,
        revision_date=_DATED,
        last_translator="the site's engineers",
        language_team=language,
        fuzzy=False,
    )
    for message in source:
        if not message.id:
            continue
        old = known.get(_key(message), context=message.context)
        same = old is not None and _ids(old) == _ids(message)
        fresh.add(message.id, old.string if old and same else None, context=message.context)
    return fresh


def stored(language: str) -> Catalog:
    """The catalogue of a language as the tree holds it; empty if there is none yet."""
    path = source_of(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def written(catalogue: Catalog) -> bytes:
    """A catalogue as its file: in a fixed order and without places, so that a change shows what changed."""
    file = BytesIO()
    write_po(file, catalogue, width=100, no_location=True, sort_output=True)
    return file.getvalue()


def update() -> list[str]:
    """Brings every catalogue in step with the source; what is still to be translated, one line each."""
    source = gathered()
    missing = []
    for language in languages():
        catalogue = updated(language, source)
        path = source_of(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(catalogue))
        missing += problems(language, catalogue)
    return missing


def check() -> list[str]:
    """What is wrong with the catalogues, one line each; empty when all is in step and complete."""
    source, found = gathered(), []
    for language in languages():
        catalogue = stored(language)
        if written(updated(language, source)) != written(catalogue):
            found.append(f"{language}: not in step with the source, run `manage.py words --update`")
        found += problems(language, catalogue)
    return found


def problems(language: str, catalogue: Catalog) -> list[str]:
    """The messages that are missing, doubtful, or have other placeholders than their source."""
    return [
        f"{language}: {complaint}: {message.id!r}"
        for message in catalogue
        if message.id and (complaint := _complaint(message, catalogue.num_plurals))
    ]


def _complaint(message: Message, forms: int) -> str:
    strings, ids = _strings(message), _ids(message)
    if message.fuzzy:
        return "fuzzy"
    if len(strings) != (forms if message.pluralizable else 1) or not all(strings):
        return "missing"
    wanted = sorted(_PLACEHOLDER.findall(ids[-1]))
    if any(sorted(_PLACEHOLDER.findall(text)) != wanted for text in strings):
        return "other placeholders"
    if any(_edges(text) != _edges(ids[0]) for text in strings):
        return "other line breaks or spaces at its ends"
    return ""


def _edges(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()


def _key(message: Message) -> str:
    return _ids(message)[0]


def _ids(message: Message) -> Entry:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _strings(message: Message) -> Entry:
    return (message.string or "",) if isinstance(message.string, str | None) else tuple(message.string)


def _sources() -> Iterator[Path]:
    for folder, kind in (("search", "*.py"), ("hotelsite", "*.py"), ("templates", "*.html")):
        for path in sorted((Path(settings.BASE_DIR) / folder).rglob(kind)):
            place = path.relative_to(settings.BASE_DIR).as_posix()
            if not any(place == one or place.startswith(f"{one}/") for one in ENGLISH_ONLY):
                yield path


def _messages(path: Path) -> Iterator[tuple[int, str | tuple[str, ...], list[str], str | None]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        # What stood between the tags is meaningless letters now; its indentation would be a syntax error.
        text = "\n".join(line.lstrip() for line in templatize(text, origin=str(path)).splitlines())
    yield from extract("python", BytesIO(text.encode()), keywords=KEYWORDS)
