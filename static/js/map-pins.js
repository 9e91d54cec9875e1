"use strict";

/* Everything on a map: pins, the middle of the place, its airport and rings of distance.

   Stays come best first. The first in view get a label with their total, which counts the stays that it covers; the
   others are dots. A stay is {at, name, total, rank, href, card}: `at` on the copy of the world that the map shows,
   `rank` the place of its total among those that can be compared, `href` and `card` if there is one. */
class MapPins {
  static #LABEL = { width: 104, height: 32 };
  static #MOST_LABELS = 30;
  static #CLOSEST = 17;
  static #RINGS_FROM = 10;
  #map;
  #width = MapPins.#LABEL.width;
  #words;
  #numbers;
  #press;
  #stays = [];
  #cheapest;
  #pointed;
  #labels = new Map();
  #dots = new Map();
  #markOf = new Map();
  #landmarks = L.layerGroup();

  constructor(map, words, press) {
    this.#map = map;
    this.#words = words;
    this.#press = press;
    this.visible = [];
    map.on("zoomend moveend resize", () => this.#place());
    map.on("zoomend", () => this.#showLandmarks());
  }

  /* As the page writes numbers: `1,234`. */
  number(count) {
    this.#numbers ??= new Intl.NumberFormat(this.#words.locale, { useGrouping: "always" });
    return this.#numbers.format(count);
  }

  show(stays) {
    this.#stays = stays;
    this.#width = MapPins.#LABEL.width;
    const ranks = stays.map((stay) => stay.rank);
    this.#cheapest = ranks.indexOf(Math.min(...ranks.filter((rank) => rank >= 0)));
    this.#place();
  }

  #place() {
    const view = this.#map.getBounds();
    this.visible = this.#stays.filter((stay) => view.contains(stay.at));
    const held = [...this.#labels.values()].find((mark) => mark.getElement() === document.activeElement)?.stays;
    let groups, alone;
    do {
      [groups, alone] = this.#grouped();
      this.#renew(this.#labels, groups, (stays) => this.#label(stays));
    } while (this.#widened());
    this.#renew(this.#dots, alone.map((stay) => [stay]), ([stay]) => this.#dot(stay));
    this.#markOf = new Map([...this.#labels.values(), ...this.#dots.values()].flatMap((mark) => mark.stays.map((stay) => [stay, mark])));
    this.point(this.#pointed, true);
    // A label that came apart had the focus: the first of its stays with a label has it now.
    if (held && document.activeElement === document.body) this.focus(held.find((stay) => this.#markOf.get(stay) instanceof L.Marker));
    this.#map.fire("pinsplaced");
  }

  /* The stays that each label covers, and those without a label. */
  #grouped() {
    const groups = [];
    const alone = [];
    for (const stay of this.visible) {
      const point = this.#map.latLngToLayerPoint(stay.at);
      const covering = groups.find((group) => this.#overlap(group.point, point, 0.5));
      if (covering) covering.stays.push(stay);
      else if (groups.length < MapPins.#MOST_LABELS && !groups.some((group) => this.#overlap(group.point, point, 1))) {
        groups.push({ point, stays: [stay] });
      } else alone.push(stay);
    }
    return [groups.map((group) => group.stays), alone];
  }

  /* Whether a label of these stays is wider than any before: that depends on language, currency and type size. */
  #widened() {
    const before = this.#width;
    this.#width = Math.max(before, ...[...this.#labels.values()].map((mark) => mark.getElement().offsetWidth));
    return this.#width > before;
  }

  #overlap(one, other, share) {
    return Math.abs(one.x - other.x) < this.#width * share && Math.abs(one.y - other.y) < MapPins.#LABEL.height * share;
  }

  /* A mark of the same stays stays in place, and with it the focus. */
  #renew(marks, groups, make) {
    const wanted = new Map(groups.map((stays) => [JSON.stringify(stays.map(({ at, name, total }) => [at, name, total])), stays]));
    for (const [key, mark] of marks) {
      if (wanted.has(key)) continue;
      mark.remove();
      marks.delete(key);
    }
    for (const [key, stays] of wanted) {
      if (!marks.has(key)) marks.set(key, make(stays).on("click keypress", (event) => this.#pressed(event)).addTo(this.#map));
      const mark = marks.get(key);
      mark.stays = stays;
      if (mark instanceof L.Marker) this.#say(mark.getElement(), stays);
    }
  }

  #label(stays) {
    return L.marker(stays[0].at, { icon: L.divIcon({ className: "map-pin", html: document.createElement("span"), iconSize: null }), riseOnHover: true, autoPanOnFocus: false });
  }

  /* Its text depends on the other stays, too: another one may be the cheapest now. */
  #say(pin, stays) {
    const [label] = pin.children;
    label.className = `map-pin__label${stays.includes(this.#stays[this.#cheapest]) ? " map-pin__label--cheapest" : ""}`;
    label.textContent = this.#text(stays);
    pin.setAttribute("aria-label", this.#named(stays));
  }

  #text(stays) {
    const { several, from } = this.#words;
    const priced = stays.filter((stay) => stay.rank >= 0).sort((one, other) => one.rank - other.rank);
    if (stays.length === 1) return stays[0].total || "·";
    if (!priced.length) return several.replace("{}", this.number(stays.length));
    return from.replace("{count}", this.number(stays.length)).replace("{total}", priced[0].total);
  }

  #named(stays) {
    const names = stays.slice(0, 5).map((stay) => `${stay.name} ${stay.total}`.trim()).join(", ");
    return stays.length > 1 ? `${this.#text(stays)}: ${names}` : names;
  }

  #dot(stay) {
    return L.circleMarker(stay.at, { radius: 6, className: "map-dot" });
  }

  /* Stays that come apart closer by are shown closer by, also where a small map has no room for all of them there. */
  #pressed({ target: { stays }, type, originalEvent }) {
    if (type === "keypress" && ![" ", "Enter"].includes(originalEvent.key)) return;
    originalEvent.preventDefault();
    const area = L.latLngBounds(stays.map((stay) => stay.at));
    const [a, b] = [area.getNorthWest(), area.getSouthEast()].map((at) => this.#map.project(at, MapPins.#CLOSEST));
    const apart = stays.length > 1 && !this.#overlap(a, b, 0.5);
    if (apart && this.#map.getZoom() < MapPins.#CLOSEST) {
      const fitting = this.#map.getBoundsZoom(area, false, L.point(128, 128));
      this.#map.setView(area.getCenter(), Math.min(Math.max(fitting, this.#map.getZoom() + 1), MapPins.#CLOSEST));
    } else this.#press(stays);
  }

  point(stay, on) {
    this.#pointed = on ? stay : undefined;
    const mark = this.#markOf.get(stay);
    mark?.getElement()?.classList.toggle("map-pin--pointed", on);
    mark?.setZIndexOffset?.(on ? 1000 : 0);
  }

  focus(stay) {
    this.#markOf.get(stay)?.getElement()?.focus({ preventScroll: true });
  }

  /* `centre` and `airport` are [name, latlng] or nothing, `rings` [words, metres] around the middle. */
  landmarks({ centre, airport, rings }) {
    this.centre = centre?.[1];
    this.#landmarks.clearLayers();
    const sign = (at, kind, text) =>
      L.marker(at, { icon: L.divIcon({ className: `map-sign map-sign--${kind}`, html: Object.assign(document.createElement("span"), { textContent: text }), iconSize: null }), interactive: false, keyboard: false, zIndexOffset: -1000 }).addTo(this.#landmarks);
    if (centre) sign(centre[1], "centre", "");
    if (airport) sign(airport[1], "airport", `✈ ${airport[0]}`);
    for (const [words, radius] of centre ? rings : []) {
      L.circle(centre[1], { radius, className: "map-ring", fill: false, interactive: false }).addTo(this.#landmarks);
      sign(L.latLng(centre[1].lat + radius / 111_195, centre[1].lng), "ring", words);
    }
    this.#showLandmarks();
  }

  #showLandmarks() {
    if (this.#map.getZoom() < MapPins.#RINGS_FROM) this.#landmarks.remove();
    else this.#landmarks.addTo(this.#map);
  }
}
