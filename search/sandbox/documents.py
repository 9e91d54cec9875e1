"""JSON text: a listing is composed of it, which takes a fraction of what making and encoding objects does."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any

import msgspec

# A JSON object whose members differ from one to the next.
Json = dict[str, object]

# A string as JSON text; letters of any script stay as they are.
quoted = encode_basestring


class Document(msgspec.Struct, rename="camel", gc=False):
    """A JSON object whose members never differ."""


class Facility(Document):
    id: str | None
    description: str | None
    type: str
    availability: str


class Coordinates(Document):
    longitude: float
    latitude: float


class Rating(Document):
    value: float | None
    code: str | None


def text(value: object) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()


def plain(told: str) -> Any:
    """What a JSON text tells, as dicts and lists, which can be changed."""
    return msgspec.json.decode(told)
