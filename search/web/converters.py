"""Path parts that hold an identifier of the gateway, whatever is in it."""

import re
from functools import lru_cache
from urllib.parse import unquote

from search.domain.query import quoted

# Browsers fold "." and ".." away even when they are percent-encoded, so those get a tilde in front.
_DOTS = re.compile(r"~*\.{1,2}")
# A slash in a provider's code would end it: written as in JSON pointers (RFC 6901).
_ESCAPES = (("~", "~0"), ("/", "~1"))
# A code that is no longer is remembered.
_OFTEN = 60


def path_part(identifier: str) -> str:
    """`identifier` as one percent-encoded path part."""
    return quoted(f"~{identifier}" if _DOTS.fullmatch(identifier) else identifier)


def provider_part(code: str) -> str:
    """A provider's code as one path part; a slash in it doesn't end it."""
    # Whoever asks for an address writes it, at any length.
    return (_known_provider_part if len(code) <= _OFTEN else _provider_part)(code)


def _provider_part(code: str) -> str:
    for plain, escaped in _ESCAPES:
        code = code.replace(plain, escaped)
    return path_part(code)


_known_provider_part = lru_cache(maxsize=256)(_provider_part)


class Identifier:
    """Everything up to the last slash: a server has decoded %2F long before Django sees the path."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        return value[1:] if value.startswith("~") and _DOTS.fullmatch(value) else value

    def to_url(self, value: str) -> str:
        # reverse() percent-encodes, but leaves slashes alone: links are made by `web.links` instead.
        return unquote(path_part(value))


class ProviderCode(Identifier):
    """Everything up to the first slash: `provider_part` leaves none in it."""

    regex = r"[^/]+"

    def to_python(self, value: str) -> str:
        code = super().to_python(value)
        for plain, escaped in reversed(_ESCAPES):
            code = code.replace(escaped, plain)
        return code

    def to_url(self, value: str) -> str:
        return unquote(provider_part(value))
