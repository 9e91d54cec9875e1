"""The language of the page at hand and its texts: `django.utils.translation` without its lock.

Django's active language stands behind one lock of the whole process, and a page asks it hundreds of times, so
threads that answer pages at the same time wait for each other. Here a request's catalogue is in a context
variable, which `MarketLanguageMiddleware` sets once and a copied context takes along into another thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils import translation
from django.utils.functional import lazy


def source_of(language: str) -> Path:
    """The file that translators edit."""
    return Path(settings.BASE_DIR) / "search" / "locale" / language / "LC_MESSAGES" / "django.po"


def stored(language: str) -> Catalog:
    """The texts of a language as its file holds them; none without one."""
    path = source_of(language)
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


class Catalogue:
    """The texts of one language, each looked up once."""

    def __init__(self, language: str) -> None:
        write_mo(compiled := BytesIO(), stored(language))
        compiled.seek(0)
        texts = GNUTranslations(compiled)
        self.language = language
        self.gettext = cache(texts.gettext)
        self.ngettext = lru_cache(maxsize=4_096)(texts.ngettext)
        self.npgettext = texts.npgettext


catalogue_of = cache(Catalogue)
_current: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def catalogue() -> Catalogue:
    """The catalogue of the page at hand; outside a request that of LANGUAGE_CODE."""
    return _current.get() or catalogue_of(settings.LANGUAGE_CODE)


@contextmanager
def override(language: str) -> Iterator[None]:
    """Speak `language`, in Django's own texts too (what a form says of a value that is no date)."""
    token = _current.set(catalogue_of(language))
    try:
        with translation.override(language):
            yield
    finally:
        _current.reset(token)


def get_language() -> str:
    return catalogue().language


def gettext(message: str) -> str:
    return catalogue().gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    return catalogue().ngettext(singular, plural, number)


def npgettext(context: str, singular: str, plural: str, number: int) -> str:
    """`ngettext` of a message that has another translation in another context."""
    return catalogue().npgettext(context, singular, plural, number)


gettext_lazy = lazy(gettext, str)
