"""Where the site's own map has land."""

import numpy as np
import shapely

from search.destinations import ground
from search.domain.hotels import Coordinates


def points(steps: list[int]) -> np.ndarray:
    """The points of a line of a tile."""
    return np.cumsum(np.reshape(steps, (-1, 2)), axis=0)


def tile_at(where: Coordinates, level: int) -> tuple[ground.GroundTile, tuple[float, float]]:
    """The tile with a place, and where in it that is."""
    x, y = (one * 2**level for one in ground.in_world(where))
    return ground.tile(level, int(x), int(y), "en"), (x % 1 * ground.UNITS, y % 1 * ground.UNITS)


def is_land(where: Coordinates, level: int = ground.LEVELS[-1]) -> bool:
    tile, spot = tile_at(where, level)
    return bool(sum(shapely.contains_xy(shapely.Polygon(points(ring)), *spot) for ring in tile.land) % 2)
