"""The interface's words in every language: gathered, checked and compiled by Babel.

The tree holds texts (`search/locale/<language>/LC_MESSAGES/django.po`). Django reads compiled files, which
the site makes under var/ when it starts and a text has changed.
"""

import logging
import os
import re
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings

KEYWORDS = {**DEFAULT_KEYWORDS, "gettext_lazy": None}
# Each file is read by the first method whose pattern fits. The admin and the commands stay English.
METHODS = [
    ("search/web/labels.toml", "hotelsite.translations:words_of_tables"),
    ("search/admin/**.py", "ignore"),
    ("search/management/**.py", "ignore"),
    ("search/site_settings/**.py", "ignore"),
    ("search/**.py", "python"),
    ("templates/django/**.html", "ignore"),
    ("templates/**.html", "jinja2"),
]
OPTIONS = {"templates/**.html": {"silent": "false"}}  # a template that can't be read is an error

_GENERATED_BY = re.compile(rb"(Generated-By: Babel) [\d.]+")
_FRENCH_SPACE = re.compile("(?<=«) | (?=[:;?!»])")
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sd%]|\{\w*\}")

_log = logging.getLogger(__name__)


def languages() -> list[str]:
    """The languages that need a catalogue: all that are offered but the source's own."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def source_of(language: str) -> Path:
    """The text that translators edit."""
    return Path(settings.BASE_DIR) / "search" / "locale" / language / "LC_MESSAGES" / "django.po"


def compiled_of(language: str) -> Path:
    """The file that Django reads."""
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.mo"


def compile_changed() -> list[str]:
    """Compiles the catalogues whose text has changed; their languages. Where nothing can be written, the site
    goes on with the words that are there."""
    changed = []
    for language in filter(lambda one: source_of(one).exists(), languages()):
        compiled, text = compiled_of(language), source_of(language).read_bytes()
        if compiled.exists() and _is_of(text, compiled.read_bytes()):
            continue
        changed.append(language)
        write_mo(file := BytesIO(), stored(language))
        words = file.getvalue()
        try:
            compiled.parent.mkdir(parents=True, exist_ok=True)
            # Several processes may start at once: each writes its own file, and the last in place wins.
            fresh = compiled.with_suffix(f".{os.getpid()}")
            fresh.write_bytes(words + sha256(text + words).digest())
            fresh.replace(compiled)
        except OSError as error:
            _log.warning("the words of %s could not be compiled (%s)", language, error.strerror)
    return changed


def _is_of(text: bytes, compiled: bytes) -> bool:
    """Whether a compiled file is whole and of this text: a hash of both ends it, which Django doesn't read.
    Dates say nothing: var/ outlives versions."""
    return compiled.endswith(sha256(text + compiled[:-32]).digest())


def gathered() -> Catalog:
    """Every message of the source, without translations."""
    catalogue = Catalog()
    folders = tuple(str(Path(settings.BASE_DIR) / name) for name in ("search", "templates"))
    messages = extract_from_dir(
        settings.BASE_DIR, METHODS, OPTIONS, KEYWORDS, directory_filter=lambda path: path.startswith(folders)
    )
    for _path, _line, message, _comments, context in messages:
        catalogue.add(message, context=context)
    return catalogue


def words_of_tables(file: BinaryIO, *_keywords: Any, **_options: Any) -> Iterator[tuple[Any, ...]]:
    """Babel's method for a file of tables whose values are words."""
    for table in tomllib.load(file).values():
        for words in table.values():
            yield 0, None, words, []


def stored(language: str) -> Catalog:
    """The catalogue of a language as the tree holds it; empty if there is none yet."""
    path = source_of(language)
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str, source: Catalog) -> Catalog:
    """A language's catalogue with exactly the messages of `source`: new ones empty, gone ones left out."""
    catalogue = stored(language)
    catalogue.update(source, no_fuzzy_matching=True, update_creation_date=False)
    for message in catalogue:
        if isinstance(message.string, str):
            message.string = typeset(language, message.string)
        elif message.string:
            message.string = tuple(typeset(language, text) for text in message.string)
    return catalogue


def typeset(language: str, text: str) -> str:
    """French and Italian with their apostrophe, French with no-break spaces before : ; ? ! and inside « »,
    Polish with one before a dash, which begins no line there."""
    if language == "fr":
        text = _FRENCH_SPACE.sub("\u00a0", text)
    if language == "pl":
        text = text.replace(" –", "\u00a0–")
    return text.replace("'", "’") if language in ("fr", "it") else text


def written(catalogue: Catalog) -> bytes:
    """A catalogue as its file: in a fixed order, without places and versions: a change shows what changed."""
    file = BytesIO()
    write_po(file, catalogue, width=100, no_location=True, sort_output=True, ignore_obsolete=True)
    return _GENERATED_BY.sub(rb"\1", file.getvalue())


def check(update: bool = False) -> list[str]:
    """What is wrong with the catalogues, one line each; `update` brings them in step with the source."""
    source, wrong = gathered(), []
    for language in languages():
        catalogue, path = updated(language, source), source_of(language)
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written(catalogue))
        elif written(catalogue) != written(stored(language)):
            wrong.append(f"{language}: not in step with the source, run `manage.py words --update`")
        wrong += problems(language, stored(language))
    return wrong


def problems(language: str, catalogue: Catalog) -> list[str]:
    """The messages that are missing, doubtful, or have other placeholders than their source."""
    return [
        f"{language}: {complaint}: {message.id!r}"
        for message in catalogue
        if message.id and (complaint := _complaint(message, catalogue.num_plurals))
    ]


def _complaint(message: Message, forms: int) -> str:
    ids, strings = _texts(message.id), _texts(message.string)
    if message.fuzzy:
        return "fuzzy"
    if len(strings) != (forms if message.pluralizable else 1) or not all(strings):
        return "missing"
    if any(sorted(_PLACEHOLDER.findall(text)) != sorted(_PLACEHOLDER.findall(ids[-1])) for text in strings):
        return "other placeholders"
    if len({(text[:1].isspace(), text[-1:].isspace()) for text in (*strings, ids[0])}) > 1:
        return "other line breaks or spaces at its ends"
    return ""


def _texts(said: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """A message in all its plural forms."""
    return (said or "",) if isinstance(said, str | None) else tuple(said)
