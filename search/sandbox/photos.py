"""Pictures of properties: where they are and how they are drawn."""

from __future__ import annotations

ORIGIN = "https://sandbox.invalid"

KINDS = (
    "facade", "lobby", "room", "bath", "pool", "breakfast",
    "view", "suite", "balcony", "street", "garden", "bar",
)  # fmt: skip


def address(number: int, kind: str) -> str:
    """Where the picture of a property is found."""
    return f"{ORIGIN}/photos/{number}/{kind}.svg"


def draw(number: int, kind: str) -> bytes:
    """The picture itself: an SVG document of 960 x 640, the same for ever."""
    return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 640" width="960" height="640"></svg>'
