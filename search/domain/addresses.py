"""Path parts of our addresses: any identifier the gateway can return survives the trip."""

from __future__ import annotations

import re
from urllib.parse import quote

# Browsers fold "." and ".." away even when they are percent-encoded, so those get a tilde in front.
_DOTS = re.compile(r"~*\.{1,2}")


def path_part(identifier: str) -> str:
    """`identifier` as one percent-encoded path part."""
    return quote(f"~{identifier}" if _DOTS.fullmatch(identifier) else identifier, safe="")


def identifier_of(part: str) -> str:
    """The identifier that `path_part` made `part` from (`part` already percent-decoded)."""
    return part[1:] if part.startswith("~") and _DOTS.fullmatch(part) else part
