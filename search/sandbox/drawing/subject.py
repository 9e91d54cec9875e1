"""Whose picture it is."""

from __future__ import annotations

from typing import NamedTuple


class Subject(NamedTuple):
    """What a picture depends on besides its dice: stars, language group, and the properties of the city."""

    stars: int
    language: str
    size: int
