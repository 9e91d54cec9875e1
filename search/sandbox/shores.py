"""Where the land is around the cities by the sea, so that no property stands in it.

The table beside this module is made by `manage.py update_shores` from the ground of the site's map. The
circle over which a city's properties are spread is cut into sectors; of each the table has one stretch of
land, in fifteenths of the way outwards. A city that isn't in the table has land all around, or is an island
too small for the map.
"""

from __future__ import annotations

import math
import zlib
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from search.sandbox.world import City

TABLE = Path(__file__).with_name("shores.bin")
SECTORS, STEPS = 36, 15
# A whole turn, in the unit of bearings.
TURN = 3600
_DEGREE = 111.2


def position(city: City, bearing: float, kilometres: float) -> tuple[float, float]:
    """Latitude and longitude of a point so far from a city's centre in a direction, clockwise from north."""
    angle = bearing * 2 * math.pi / TURN
    latitude = city.latitude + kilometres * math.cos(angle) / _DEGREE
    longitude = city.longitude + kilometres * math.sin(angle) / _ground(city).eastwards
    # A millionth of a degree is exact enough; round() to so many digits takes longer than all of this.
    return round(latitude * 1e6) / 1e6, round(((longitude + 180) % 360 - 180) * 1e6) / 1e6


def kilometres(city: City, outwards: float) -> float:
    """The distance from a city's centre at a share of the way outwards, 0 to 1."""
    return 0.05 + _ground(city).reach * outwards


def on_land(city: City, bearing: int, outwards: float) -> tuple[float, float]:
    """A bearing and a share of the way outwards, moved to where land is.

    The longer a sector's stretch of land, the more bearings lead there.
    """
    choices = _ground(city).choices
    if not choices:
        return bearing, outwards
    chosen, rest = divmod(bearing * len(choices), TURN)
    sector, near, far = choices[chosen]
    return (sector * TURN + rest) / SECTORS, (near + (far - near) * outwards) / STEPS


def key_of(city: City) -> str:
    """How the table names a city: by its centre."""
    return f"{city.latitude:.3f},{city.longitude:.3f}"


class _Ground(NamedTuple):
    """How far a city's properties are spread around its centre, and a degree eastwards, in kilometres.

    ``choices`` are sector, beginning and end of each stretch of land, as often as it has steps.
    """

    reach: float
    eastwards: float
    choices: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=4096)
def _ground(city: City) -> _Ground:
    """No city is at a pole."""
    land = _table().get(key_of(city), b"")
    stretches = ((sector, *divmod(stretch, STEPS + 1)) for sector, stretch in enumerate(land))
    return _Ground(
        max(1.2, math.sqrt(city.stop - city.start) / 11),
        _DEGREE * math.cos(math.radians(city.latitude)),
        tuple(one for one in stretches for _step in range(one[2] - one[1])),
    )


@cache
def _table() -> dict[str, bytes]:
    return msgspec.msgpack.decode(zlib.decompress(TABLE.read_bytes()), type=dict[str, bytes])
