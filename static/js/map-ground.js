"use strict";

/* The ground under the pins when no tiles are set: real coasts, borders and cities, from our own server alone.

   A tile of data (search/destinations/ground.py) serves all tiles that are drawn within it. It is true up to zoom 10;
   closer by its coast is drawn soft, and there is nothing else to see on land. Only "schematic" ground has made-up
   parks and streets there, for hotels that are made up, too; every number of those comes from a hash of a lattice
   point, so tiles fit together at any zoom. */
(() => {
  const TILE = 256;
  const COARSE = 64;
  const UNITS = 2048;
  const FINER = 16;
  const STREETS_FROM = 12;
  const SHORE = 2; // how far a soft coast reaches, in units
  const TRUE_UP_TO = 10;
  const ROADS = [
    { level: 9, width: 5, keep: 0.95, colour: "--map-highway" },
    { level: 12, width: 3.5, keep: 0.9, colour: "--map-road" },
    { level: 14, width: 2.5, keep: 0.86, colour: "--map-road" },
    { level: 16, width: 1.6, keep: 0.8, colour: "--map-street" },
  ];

  const COLOURS = ["--map-water", "--map-land", "--map-border", "--map-park", ...new Set(ROADS.map(({ colour }) => colour))];

  function hash(x, y, seed) {
    let h = Math.imul(x | 0, 374761393) + Math.imul(y | 0, 668265263) + Math.imul(seed, 2147483647);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  }

  const soft = (t) => t * t * (3 - 2 * t);

  /* Value noise of the lattice of `level`, at a place in units of the whole world (0 to 1). */
  function noise(wx, wy, level, seed) {
    const size = 2 ** level;
    const x = Math.floor(wx * size);
    const y = Math.floor(wy * size);
    const u = soft(wx * size - x);
    const v = soft(wy * size - y);
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
      this.ratio = Math.min(devicePixelRatio || 1, 2);
      canvas.width = canvas.height = TILE * this.ratio;
      this.pen = canvas.getContext("2d");
      this.pen.scale(this.ratio, this.ratio);
      this.pen.lineCap = "round";
      this.pen.lineJoin = "round";
      Object.assign(this, coords);
      this.scale = TILE * 2 ** coords.z;
      this.palette = palette;
    }

    place([wx, wy]) {
      return [wx * this.scale - this.x * TILE, wy * this.scale - this.y * TILE];
    }

    /* `ground` has land and borders in units of its tile; without one all is land. Most tiles close by are all land or
       all water, which costs a browser far less than a coast does. */
    ground(ground) {
      this.dry = true;
      if (!ground) return this.#fill("--map-land");
      const { level, x, y, coasts, land, frontiers, borders } = ground;
      const within = 2 ** (this.z - level);
      const unit = (TILE * within) / UNITS;
      const left = (this.x - x * within) * TILE / unit;
      const top = (this.y - y * within) * TILE / unit;
      const size = TILE / unit;
      const box = [left - SHORE, top - SHORE, left + size + SHORE, top + size + SHORE];
      this.coast = meets(coasts, box);
      this.dry = this.coast || contains(land, left + size / 2, top + size / 2);
      this.#fill(this.dry && !this.coast ? "--map-land" : "--map-water");
      this.pen.scale(unit, unit);
      this.pen.translate(-left, -top);
      if (this.coast) this.#land(land);
      if (!meets(frontiers, box)) return;
      this.pen.strokeStyle = this.palette.get("--map-border");
      this.pen.lineWidth = 1.25 / unit;
      this.pen.stroke(borders);
    }

    #fill(colour) {
      this.pen.fillStyle = this.palette.get(colour);
      this.pen.fillRect(0, 0, TILE, TILE);
    }

    #land(land) {
      this.pen.fillStyle = this.pen.strokeStyle = this.palette.get("--map-land");
      if (this.z > TRUE_UP_TO) {
        this.pen.globalAlpha = 0.3;
        for (const width of [2 * SHORE, 2.5, 1]) {
          this.pen.lineWidth = width;
          this.pen.stroke(land);
        }
        this.pen.globalAlpha = 1;
      }
      this.pen.fill(land, "evenodd");
    }

    /* Made-up parks and streets stay on land. */
    streets(ground) {
      if (!this.dry) return;
      if (this.coast) this.pen.clip(ground.land, "evenodd");
      this.pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      this.#parks();
      this.#roads();
    }

    /* A coarse mask, one cell wider than the tile on each side, scaled up smoothly: soft edges, and tiles still fit. */
    #parks() {
      const mask = document.createElement("canvas");
      mask.width = mask.height = COARSE + 2;
      const pen = mask.getContext("2d");
      const pixels = pen.createImageData(COARSE + 2, COARSE + 2);
      const cell = TILE / COARSE;
      for (let i = 0; i < (COARSE + 2) ** 2; i += 1) {
        const px = ((i % (COARSE + 2)) - 0.5) * cell;
        const py = (Math.floor(i / (COARSE + 2)) - 0.5) * cell;
        const [wx, wy] = [(this.x * TILE + px) / this.scale, (this.y * TILE + py) / this.scale];
        const depth = noise(wx, wy, 13, 1) * 0.6 + noise(wx, wy, 15, 2) * 0.4 - 0.69;
        pixels.data[i * 4 + 3] = 255 * Math.min(1, Math.max(0, 0.5 + depth * 40));
      }
      pen.putImageData(pixels, 0, 0);
      pen.globalCompositeOperation = "source-in";
      pen.fillStyle = this.palette.get("--map-park");
      pen.fillRect(0, 0, COARSE + 2, COARSE + 2);
      this.pen.imageSmoothingQuality = "high";
      this.pen.drawImage(mask, -cell, -cell, TILE + 2 * cell, TILE + 2 * cell);
    }

    #roads() {
      for (const road of [...ROADS].reverse()) {
        const cell = TILE * 2 ** (this.z - road.level);
        if (cell < 24 || cell > 8192) continue;
        this.pen.strokeStyle = this.palette.get(road.colour);
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
  }

  /* Lines of steps as one path. */
  function path(lines) {
    const drawn = new Path2D();
    for (const steps of lines) {
      let [x, y] = [steps[0], steps[1]];
      drawn.moveTo(x, y);
      for (let i = 2; i < steps.length; i += 2) drawn.lineTo((x += steps[i]), (y += steps[i + 1]));
    }
    return drawn;
  }

  /* Whether one of the lines may come into a box; each is taken for closed. */
  function meets(lines, [left, top, right, bottom]) {
    return lines.some((steps) => {
      let [x, y, toX, toY] = [0, 0, 0, 0];
      for (let i = 0; i < steps.length; i += 2) {
        x += steps[i];
        y += steps[i + 1];
      }
      for (let i = 0; i < steps.length; i += 2) {
        toX += steps[i];
        toY += steps[i + 1];
        const beside = (x < left && toX < left) || (x > right && toX > right);
        if (!beside && !(y < top && toY < top) && !(y > bottom && toY > bottom)) return true;
        x = toX;
        y = toY;
      }
      return false;
    });
  }

  const ruler = document.createElement("canvas").getContext("2d");
  const contains = (area, x, y) => ruler.isPointInPath(area, x, y, "evenodd");

  /* Each tile is a task of its own: together they would keep the page from answering. */
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));

  /* The level whose data is drawn at a zoom. */
  const levelAt = (zoom) => [6, 4, 2].find((level) => level <= zoom - 3) ?? 0;

  L.GridLayer.Ground = L.GridLayer.extend({
    options: { kind: "schematic", minZoom: 2, maxZoom: 19 },

    initialize(options) {
      L.setOptions(this, options);
      this._grounds = new Map();
      this._names = L.layerGroup();
    },

    onAdd(map) {
      map.createPane("names").classList.add("map-names");
      L.GridLayer.prototype.onAdd.call(this, map);
      this._names.addTo(map);
      map.on("moveend", this._showNames, this);
      this._showNames();
    },

    onRemove(map) {
      map.off("moveend", this._showNames, this);
      this._names.remove();
      L.GridLayer.prototype.onRemove.call(this, map);
    },

    redraw() {
      this._colours = undefined;
      return L.GridLayer.prototype.redraw.call(this);
    },

    hasStreets() {
      return this.options.kind === "schematic" && this._map.getZoom() >= STREETS_FROM;
    },

    createTile(coords, done) {
      const tile = document.createElement("canvas");
      const level = levelAt(coords.z);
      const within = 2 ** (coords.z - level);
      this._ground(level, Math.floor(coords.x / within), Math.floor(coords.y / within)).then(async (ground) => {
        const colours = await (this._colours ??= nextTask().then(() => this._map && this._palette()));
        await nextTask();
        if (!this._map) return;
        const sketch = new Sketch(tile, coords, colours);
        sketch.ground(ground);
        if (this.options.kind === "schematic" && coords.z >= STREETS_FROM) sketch.streets(ground);
        done(null, tile);
      });
      return tile;
    },

    /* A tile of data; undefined where it can't be had now. */
    _ground(level, x, y) {
      const name = `${level}/${x}/${y}`;
      if (!this._grounds.has(name)) this._grounds.set(name, this._fetch(name).then((data) => data && { ...data, level, x, y }));
      return this._grounds.get(name);
    },

    async _fetch(name) {
      try {
        const response = await fetch(`${this.options.address}/${name}.json`);
        if (!response.ok) throw new Error("no ground");
        const { land, borders, names, at } = await response.json();
        return { coasts: land, land: path(land), frontiers: borders, borders: path(borders), names, at };
      } catch {
        this._grounds.delete(name);
        return undefined;
      }
    },

    /* The biggest cities whose names don't cover each other. */
    async _showNames() {
      const zoom = this._map.getZoom();
      const level = levelAt(zoom);
      const names = (await Promise.all([...this._inView(level)].map(([x, y]) => this._namesOf(level, x, y)))).flat();
      if (!this._map || zoom !== this._map.getZoom()) return;
      const placed = [];
      this._names.clearLayers();
      for (const { name, x, y } of names.sort((one, other) => one.rank - other.rank)) {
        const at = this._map.project(L.CRS.EPSG3857.pointToLatLng(L.point(x * TILE, y * TILE), 0), zoom);
        const half = 5 + 3.5 * name.length;
        if (placed.some((one) => Math.abs(one.at.x - at.x) < one.half + half && Math.abs(one.at.y - at.y) < 24)) continue;
        placed.push({ at, half });
        const html = Object.assign(document.createElement("span"), { textContent: name, dir: "auto" });
        const icon = L.divIcon({ className: "map-name", html, iconSize: null });
        L.marker(this._map.unproject(at, zoom), { icon, pane: "names", interactive: false, keyboard: false }).addTo(this._names);
      }
    },

    * _inView(level) {
      const view = this._map.getBounds();
      const tileOf = (at) => L.CRS.EPSG3857.latLngToPoint(at, 0).divideBy(TILE / 2 ** level).floor();
      const [first, last] = [tileOf(view.getNorthWest()), tileOf(view.getSouthEast())];
      for (let x = first.x; x <= last.x; x += 1) {
        for (let y = Math.max(0, first.y); y <= Math.min(2 ** level - 1, last.y); y += 1) yield [x, y];
      }
    },

    /* With the place of each name in the world, which is 1 wide, on the copy that is in view. */
    async _namesOf(level, x, y) {
      const size = 2 ** level;
      const ground = await this._ground(level, ((x % size) + size) % size, y);
      const part = (corner, at) => (corner + at / UNITS / FINER) / size;
      return (ground?.names ?? []).map((name, rank) => ({ name, rank, x: part(x, ground.at[2 * rank]), y: part(y, ground.at[2 * rank + 1]) }));
    },

    /* Custom properties as colours a canvas takes: light-dark() is only resolved where a colour is used. All at once,
       since each look at what was just added makes the browser work out its styles. */
    _palette() {
      const probes = COLOURS.map((name) => {
        const probe = document.createElement("span");
        probe.style.color = `var(${name})`;
        probe.style.forcedColorAdjust = "none"; // a visitor's own palette would make every colour the text's
        return probe;
      });
      this._map.getContainer().append(...probes);
      const colours = new Map(probes.map((probe, i) => [COLOURS[i], getComputedStyle(probe).color]));
      for (const probe of probes) probe.remove();
      return colours;
    },
  });
})();
