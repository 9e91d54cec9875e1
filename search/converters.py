"""Path parts that hold an identifier of the gateway, whatever is in it."""

from __future__ import annotations

from urllib.parse import unquote

from search.domain.addresses import identifier_of, path_part


class Identifier:
    """Everything up to the last slash: a server has decoded %2F long before Django sees the path."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        return identifier_of(value)

    def to_url(self, value: str) -> str:
        # reverse() percent-encodes, but leaves slashes alone: links are made by pages.links instead.
        return unquote(path_part(value))


class ProviderCode(Identifier):
    regex = r"[^/]+"
