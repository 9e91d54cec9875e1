"""Codes of open lists (FREE_WIFI, TAX_AND_FEES) as words."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(r"[\s_\-.]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def humanise(code: str) -> str:
    """`FREE_WIFI` -> `Free wifi`: readable text for a code nobody gave a label."""
    words = _SEPARATORS.sub(" ", _CAMEL.sub(" ", code)).strip().lower()
    return words[:1].upper() + words[1:]
