"use strict";

/* The ground under the pins when no tiles are set: drawn in the browser, asked of nobody.

   "schematic" draws a made-up town (parks, a river, streets) that is the same for ever at the same place;
   "plain" draws only the lines of the grid, for hotels that are real while the streets would not be.
   Every number comes from a hash of a lattice point, so tiles fit together at any zoom. */
(() => {
  const TILE = 256;
  const COARSE = 64;
  const ROADS = [
    { level: 9, width: 5, keep: 0.95, colour: "--map-highway" },
    { level: 12, width: 3.5, keep: 0.9, colour: "--map-road" },
    { level: 14, width: 2.5, keep: 0.86, colour: "--map-road" },
    { level: 16, width: 1.6, keep: 0.8, colour: "--map-street" },
  ];

  function hash(x, y, seed) {
    let h = Math.imul(x | 0, 374761393) + Math.imul(y | 0, 668265263) + Math.imul(seed, 2147483647);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  }

  /* Value noise of the lattice of `level`, at a place in units of the whole world (0 to 1). */
  function noise(wx, wy, level, seed) {
    const size = 2 ** level;
    const [fx, fy] = [wx * size, wy * size];
    const [x, y] = [Math.floor(fx), Math.floor(fy)];
    const [u, v] = [fx - x, fy - y].map((t) => t * t * (3 - 2 * t));
    const top = hash(x, y, seed) * (1 - u) + hash(x + 1, y, seed) * u;
    const bottom = hash(x, y + 1, seed) * (1 - u) + hash(x + 1, y + 1, seed) * u;
    return top * (1 - v) + bottom * v;
  }

  /* A crossing of the lattice of `level`, pushed off its place so that no street is ruled. */
  function crossing(x, y, level) {
    const size = 2 ** level;
    return [
      (x + 0.5 + 0.62 * (hash(x, y, level) - 0.5)) / size,
      (y + 0.5 + 0.62 * (hash(x, y, level + 40) - 0.5)) / size,
    ];
  }

  class Sketch {
    constructor(canvas, coords, palette) {
      const ratio = Math.min(devicePixelRatio || 1, 2);
      canvas.width = canvas.height = TILE * ratio;
      this.pen = canvas.getContext("2d");
      this.pen.scale(ratio, ratio);
      this.pen.lineCap = "round";
      this.pen.lineJoin = "round";
      Object.assign(this, coords);
      this.scale = TILE * 2 ** coords.z;
      this.palette = palette;
    }

    place([wx, wy]) {
      return [wx * this.scale - this.x * TILE, wy * this.scale - this.y * TILE];
    }

    ground() {
      this.pen.fillStyle = this.palette("--map-land");
      this.pen.fillRect(0, 0, TILE, TILE);
    }

    patches() {
      const park = (wx, wy) => noise(wx, wy, 13, 1) * 0.6 + noise(wx, wy, 15, 2) * 0.4 - 0.69;
      const river = (wx, wy) => 0.013 - Math.abs(noise(wx, wy, 10, 5) + 0.35 * noise(wx, wy, 12, 6) - 0.66);
      this.#patch(park, 40, "--map-park");
      this.#patch(river, 160, "--map-water");
    }

    /* Where `field` is positive, in one colour. A coarse mask, one cell wider than the tile on each side, is
       scaled up smoothly: soft shores, and tiles that still fit together. `slope` sharpens the edge. */
    #patch(field, slope, colour) {
      const mask = document.createElement("canvas");
      mask.width = mask.height = COARSE + 2;
      const pen = mask.getContext("2d");
      const pixels = pen.createImageData(COARSE + 2, COARSE + 2);
      const cell = TILE / COARSE;
      for (let i = 0; i < (COARSE + 2) ** 2; i += 1) {
        const px = ((i % (COARSE + 2)) - 0.5) * cell;
        const py = (Math.floor(i / (COARSE + 2)) - 0.5) * cell;
        const depth = field((this.x * TILE + px) / this.scale, (this.y * TILE + py) / this.scale);
        pixels.data[i * 4 + 3] = 255 * Math.min(1, Math.max(0, 0.5 + depth * slope));
      }
      pen.putImageData(pixels, 0, 0);
      pen.globalCompositeOperation = "source-in";
      pen.fillStyle = this.palette(colour);
      pen.fillRect(0, 0, COARSE + 2, COARSE + 2);
      this.pen.imageSmoothingQuality = "high";
      this.pen.drawImage(mask, -cell, -cell, TILE + 2 * cell, TILE + 2 * cell);
    }

    roads() {
      for (const road of [...ROADS].reverse()) {
        const cell = TILE * 2 ** (this.z - road.level);
        if (cell < 24 || cell > 8192) continue;
        this.pen.strokeStyle = this.palette(road.colour);
        this.pen.lineWidth = road.width * Math.min(1.8, Math.max(0.6, cell / 160));
        this.pen.beginPath();
        this.#net(road, cell);
        this.pen.stroke();
      }
    }

    #net({ level, keep }, cell) {
      const first = (at) => Math.floor((at * TILE) / cell) - 2;
      const last = (at) => Math.floor(((at + 1) * TILE) / cell) + 1;
      for (let y = first(this.y); y <= last(this.y); y += 1) {
        for (let x = first(this.x); x <= last(this.x); x += 1) {
          const here = crossing(x, y, level);
          if (hash(x, y, level + 80) < keep) this.#street(here, crossing(x + 1, y, level));
          if (hash(x, y, level + 120) < keep) this.#street(here, crossing(x, y + 1, level));
        }
      }
    }

    #street(from, to) {
      this.pen.moveTo(...this.place(from));
      this.pen.lineTo(...this.place(to));
    }

    grid() {
      this.pen.strokeStyle = this.palette("--map-road");
      this.pen.lineWidth = 1;
      this.pen.strokeRect(0.5, 0.5, TILE, TILE);
    }
  }

  L.GridLayer.Ground = L.GridLayer.extend({
    options: { kind: "schematic", minZoom: 2, maxZoom: 19 },

    createTile(coords) {
      const tile = document.createElement("canvas");
      const sketch = new Sketch(tile, coords, (name) => this._colour(name));
      sketch.ground();
      if (this.options.kind === "plain") sketch.grid();
      else {
        sketch.patches();
        sketch.roads();
      }
      return tile;
    },

    /* A custom property as a colour a canvas takes: light-dark() is only resolved where a colour is used. */
    _colour(name) {
      const probe = document.createElement("span");
      probe.style.color = `var(${name})`;
      probe.style.forcedColorAdjust = "none"; // a visitor's own palette would make every colour the text's
      this._map.getContainer().append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    },
  });
})();
