"""`python manage.py words`: keeps the catalogues of all languages (search/locale) in step with the source."""

import re
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from search.web.translation import source_of, stored

_GENERATED_BY = re.compile(rb"(Generated-By: Babel) [\d.]+")
_FRENCH_SPACE = re.compile("(?<=«) | (?=[:;?!»])")
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sd%]|\{\w*\}")


class Command(BaseCommand):
    help = "Gathers the words of the site into its catalogues (--update), or says what is wrong (--check)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--update", action="store_true", help="rewrite the catalogues from the source")
        what.add_argument("--check", action="store_true", help="change nothing; fail if anything is amiss")

    def handle(self, *args: Any, **options: Any) -> None:
        lines = check(options["update"])
        for line in lines:
            self.stdout.write(line)
        if options["update"]:
            self.stdout.write(f"{len(lines)} still to be translated")
        elif lines:
            raise CommandError(f"{len(lines)} found")


def languages() -> list[str]:
    """The languages that need a catalogue: all that are offered but the source's own."""
    return [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


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


def words_of_tables(file: BinaryIO, *_keywords: Any, **_options: Any) -> Iterator[tuple[Any, ...]]:
    """Babel's method for a file of tables whose values are words."""
    for table in tomllib.load(file).values():
        for words in table.values():
            yield 0, None, words, []


# Each file is read by the first method whose pattern fits. The admin and the commands stay English.
METHODS: Any = [
    ("search/web/labels.toml", words_of_tables),
    ("search/sharing/words.toml", words_of_tables),
    ("search/admin/**.py", "ignore"),
    ("search/management/**.py", "ignore"),
    ("search/site_settings/**.py", "ignore"),
    ("search/**.py", "python"),
    ("templates/django/**.html", "ignore"),
    ("templates/**.html", "jinja2"),
]


def gathered() -> Catalog:
    """Every message of the source, without translations."""
    catalogue, root = Catalog(), settings.BASE_DIR
    messages = extract_from_dir(
        root,
        METHODS,
        {"templates/**.html": {"silent": "false"}},  # a template that can't be read is an error
        {**DEFAULT_KEYWORDS, "gettext_lazy": None},
        directory_filter=lambda path: path.startswith((f"{root}/search", f"{root}/templates")),
    )
    for _path, _line, message, _comments, context in messages:
        catalogue.add(message, context=context)
    return catalogue


def updated(language: str, source: Catalog) -> Catalog:
    """A language's catalogue with exactly the messages of `source`: new ones empty, gone ones left out."""
    catalogue = stored(language)
    catalogue.update(source, no_fuzzy_matching=True, update_creation_date=False)
    for message in catalogue:
        texts = tuple(typeset(language, text) for text in _texts(message.string))
        message.string = texts if message.pluralizable else texts[0]
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
