"""Destinations: what a visitor picks, found by whatever they type (an index over the airport list)."""

from .countries import CountryNames
from .destination import Destination, Kind, free_text
from .folding import fold, marked, place_name
from .index import DestinationIndex
from .resolving import resolve
from .routes import Reachable, reachable_from
from .suggesting import MAX_TEXT, suggest

__all__ = [
    "MAX_TEXT",
    "CountryNames",
    "Destination",
    "DestinationIndex",
    "Kind",
    "Reachable",
    "fold",
    "free_text",
    "marked",
    "place_name",
    "reachable_from",
    "resolve",
    "suggest",
]
