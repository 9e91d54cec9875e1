"""Path parts of our addresses: any identifier the gateway can return survives the trip.

Path parts that hold an identifier of the gateway, whatever is in it.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

# Browsers fold "." and ".." away even when they are percent-encoded, so those get a tilde in front.
_DOTS = re.compile(r"~*\.{1,2}")
# A slash in a provider's code would end it: written as in JSON pointers (RFC 6901).
_ESCAPES = (("~", "~0"), ("/", "~1"))


def path_part(identifier: str) -> str:
    """`identifier` as one percent-encoded path part."""
    return quote(f"~{identifier}" if _DOTS.fullmatch(identifier) else identifier, safe="")


def provider_part(code: str) -> str:
    """A provider's code as one path part; a slash in it doesn't end it."""
    for plain, escaped in _ESCAPES:
        code = code.replace(plain, escaped)
    return path_part(code)


def provider_of(part: str) -> str:
    """The code that `provider_part` made `part` from (`part` already percent-decoded)."""
    code = identifier_of(part)
    for plain, escaped in reversed(_ESCAPES):
        code = code.replace(escaped, plain)
    return code


def identifier_of(part: str) -> str:
    """The identifier that `path_part` made `part` from (`part` already percent-decoded)."""
    return part[1:] if part.startswith("~") and _DOTS.fullmatch(part) else part


class Identifier:
    """Everything up to the last slash: a server has decoded %2F long before Django sees the path."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        return identifier_of(value)

    def to_url(self, value: str) -> str:
        # reverse() percent-encodes, but leaves slashes alone: links are made by `web.links` instead.
        return unquote(path_part(value))


class ProviderCode(Identifier):
    """Everything up to the first slash: `provider_part` leaves none in it."""

    regex = r"[^/]+"

    def to_python(self, value: str) -> str:
        return provider_of(value)

    def to_url(self, value: str) -> str:
        return unquote(provider_part(value))
