"""Draws the tiles of a map with streets: /usr/bin/python3 streets.py FIRST_ZOOM LAST_ZOOM

streets.xml and streets.gpkg lie beside it (docs/deploying.md); it makes tiles/{z}/{x}/{y}.png there.
"""

import sys
from pathlib import Path

import mapnik

HERE = Path(__file__).parent
# Half the width of the web's square world, in metres.
HALF = 20037508.342789244

mapnik.register_fonts("/usr/share/fonts/truetype/dejavu")
world = mapnik.Map(256, 256)
mapnik.load_map(world, str(HERE / "streets.xml"))
box = world.layers[1].envelope()
for zoom in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    side = 2 * HALF / 2**zoom
    for x in range(int((box.minx + HALF) // side), int((box.maxx + HALF) // side) + 1):
        (HERE / f"tiles/{zoom}/{x}").mkdir(parents=True, exist_ok=True)
        for y in range(int((HALF - box.maxy) // side), int((HALF - box.miny) // side) + 1):
            left, top = x * side - HALF, HALF - y * side
            world.zoom_to_box(mapnik.Box2d(left, top - side, left + side, top))
            mapnik.render_to_file(world, str(HERE / f"tiles/{zoom}/{x}/{y}.png"), "png8")
