"""The interface's words in every language: where they are kept, and how Django gets them.

The tree holds texts (`search/locale/<language>/LC_MESSAGES/django.po`). Django reads compiled files; they
are made under var/ when the site starts and a text is newer, so that nobody has to remember a step.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from django.conf import settings

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
