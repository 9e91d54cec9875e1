"""The language of the page at hand and its texts: `django.utils.translation` without its lock.

Django's active language stands behind one lock of the whole process, and a page asks it hundreds of times, so
threads that answer pages at the same time wait for each other. Here a request's catalogue is in a context
variable, which `MarketLanguageMiddleware` sets once and a copied context takes along into another thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache

from django.conf import settings
from django.utils import translation
from django.utils.functional import lazy
from django.utils.translation import trans_real

_CONTEXT_END = "\x04"  # between a message's context and the message, in every compiled catalogue


class Catalogue:
    """The texts of one language, as Django loads them, each looked up once."""

    def __init__(self, language: str) -> None:
        loaded = trans_real.translation(language)
        self.language = language
        self.gettext = cache(loaded.gettext)
        self.ngettext = lru_cache(maxsize=4_096)(loaded.ngettext)


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
    before = f"{context}{_CONTEXT_END}"
    return ngettext(before + singular, before + plural, number).removeprefix(before)


gettext_lazy = lazy(gettext, str)
