"""Where the land is around the cities by the sea, so that no property stands in it.

The table beside this module is made by `manage.py update_map` with the ground of the site's map. The
circle over which a city's properties are spread is cut into sectors; of each the table has one stretch of
land, in fifteenths of the way outwards. A city that is not in the table has land all around, or is an island
too small for the map.
"""

from __future__ import annotations

import math
import zlib
from functools import cache
from pathlib import Path

import msgspec

from search.sandbox.world import City

TABLE = Path(__file__).with_name("shores.bin")
SECTORS, STEPS = 36, 15
# A whole turn, in the unit of bearings.
TURN = 3600
# Kilometres of a degree northwards.
_DEGREE = 111.2


def position(city: City, bearing: float, kilometres: float) -> tuple[float, float]:
    """Latitude and longitude of a point so far from a city's centre in a direction, clockwise from north."""
    angle = bearing * 2 * math.pi / TURN
    eastwards = _DEGREE * math.cos(math.radians(city.latitude))  # no city is at a pole
    latitude = city.latitude + kilometres * math.cos(angle) / _DEGREE
    longitude = city.longitude + kilometres * math.sin(angle) / eastwards
    return round(latitude, 6), round((longitude + 180) % 360 - 180, 6)


def kilometres(city: City, outwards: float) -> float:
    """The distance from a city's centre at a share of the way outwards, 0 to 1."""
    return 0.05 + max(1.2, math.sqrt(city.stop - city.start) / 11) * outwards


def on_land(city: City, bearing: int, outwards: float) -> tuple[float, float]:
    """A bearing and a share of the way outwards, moved to where land is. The longer a sector's stretch of
    land, the more bearings lead there."""
    steps = _steps(_table().get(key_of(city), b""))
    if not steps:
        return bearing, outwards
    step, rest = divmod(bearing * len(steps), TURN)
    sector, near, far = steps[step]
    return (sector * TURN + rest) / SECTORS, (near + (far - near) * outwards) / STEPS


def key_of(city: City) -> str:
    """How the table names a city: by its centre."""
    return f"{city.latitude:.3f},{city.longitude:.3f}"


@cache
def _steps(land: bytes) -> list[tuple[int, int, int]]:
    """Sector, beginning and end of each stretch of land, as often as it has steps."""
    stretches = ((sector, *divmod(stretch, STEPS + 1)) for sector, stretch in enumerate(land))
    return [stretch for stretch in stretches for _step in range(stretch[2] - stretch[1])]


@cache
def _table() -> dict[str, bytes]:
    return msgspec.msgpack.decode(zlib.decompress(TABLE.read_bytes()), type=dict[str, bytes])
