"use strict";

/* <stay-map>: the properties of the page as pins with their totals, on a map that is fetched when it is seen.
   It reads the pins from the cards, so that list and map can't disagree; everything on it is in the list too. */
class StayMap extends HTMLElement {
  static #PIN = { width: 68, height: 32 };
  #map;
  #pins;
  #loading;
  #watching;
  #framing = false;
  #shown = new Map();

  connectedCallback() {
    this.canvas = this.querySelector("[data-canvas]");
    this.here = this.querySelector("[data-here]");
    this.beside = matchMedia("(min-width: 90rem)");
    if (!this.hasAttribute("still")) this.#openByAddress();
    new IntersectionObserver(([seen], observer) => {
      if (!seen.isIntersecting) return;
      observer.disconnect();
      this.#whenIdle(() => this.#load());
    }).observe(this.canvas);
  }

  disconnectedCallback() {
    this.#watching?.disconnect();
    this.#map?.remove();
    this.#map = this.#loading = undefined;
  }

  #whenIdle(work) {
    if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 1500 });
    else setTimeout(work, 200);
  }

  /* Where it doesn't stand beside the list, "#map" in the address puts it over the page, and Back takes it away. */
  #openByAddress() {
    const opener = "a[data-map]";
    const follow = () => this.#cover(location.hash === "#map" && !this.beside.matches);
    const leave = () => {
      if (history.state?.map) history.back();
      else history.replaceState(history.state, "", location.pathname + location.search);
      follow();
    };
    document.addEventListener("click", (event) => {
      if (!event.target.closest?.(opener)) return;
      event.preventDefault();
      history.pushState({ map: true }, "", "#map");
      follow();
    });
    this.querySelector("[data-close]").addEventListener("click", leave);
    this.addEventListener("keydown", (event) => event.key === "Escape" && leave());
    this.beside.addEventListener("change", follow);
    addEventListener("popstate", follow);
    follow();
  }

  /* What the map covers can't be reached by keyboard meanwhile. */
  #cover(open) {
    if (open === this.hasAttribute("open")) return;
    this.toggleAttribute("open", open);
    for (const other of document.querySelectorAll("[data-under-map]")) other.inert = open;
    if (open) this.#load().then(() => this.#map?.invalidateSize());
    document.querySelector(open ? "stay-map [data-close]" : "a[data-map]")?.focus({ preventScroll: true });
  }

  #load() {
    this.#loading ??= this.#fetch().then(() => this.#draw());
    return this.#loading;
  }

  async #fetch() {
    const { leaflet, leafletStyle, ground } = this.dataset;
    await Promise.all([this.#script(leaflet), this.#style(leafletStyle)]);
    await this.#script(ground);
  }

  #script(src) {
    if (document.querySelector(`script[src="${src}"][data-ready]`)) return undefined;
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.onload = () => {
        script.dataset.ready = "";
        resolve();
      };
      script.onerror = reject;
      script.src = src;
      document.head.append(script);
    });
  }

  /* In front of our own style sheet, whose layers then decide nothing against unlayered rules; see stay-map.css. */
  #style(href) {
    return new Promise((resolve, reject) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.onload = resolve;
      link.onerror = reject;
      link.href = href;
      document.head.prepend(link);
    });
  }

  #draw() {
    const { tiles, attribution, kind, zoomIn, zoomOut } = this.dataset;
    const lively = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#map = L.map(this.canvas, {
      attributionControl: Boolean(attribution),
      zoomControl: false,
      scrollWheelZoom: !this.hasAttribute("still"),
      zoomAnimation: lively,
      fadeAnimation: lively,
    });
    L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(this.#map);
    this.#map.attributionControl?.setPrefix(false);
    const ground = tiles
      ? L.tileLayer(tiles, { attribution, maxZoom: 19, referrerPolicy: "no-referrer" })
      : new L.GridLayer.Ground({ kind });
    ground.addTo(this.#map);
    this.#pins = L.layerGroup().addTo(this.#map);
    this.#frame();
    this.#map.on("zoomend resize", () => this.#place());
    this.#map.on("moveend", () => !this.#framing && this.#offer());
    const list = document.getElementById("results")?.parentElement;
    if (list) this.#follow(list);
    if (!tiles) matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => ground.redraw());
  }

  /* The list may be replaced under the map (another order, another filter), and points at its pins. */
  #follow(list) {
    this.#watching = new MutationObserver(() => {
      const cards = this.#stays().map((stay) => stay.card);
      if (cards.length !== this.#shown.size || cards.some((card) => !this.#shown.has(card))) this.#frame();
    });
    this.#watching.observe(list, { childList: true, subtree: true });
    for (const kind of ["pointerover", "focusin"]) list.addEventListener(kind, (event) => this.#point(event, true));
    for (const kind of ["pointerout", "focusout"]) list.addEventListener(kind, (event) => this.#point(event, false));
  }

  /* The stays of the page: one a card that says where it is. */
  #stays() {
    return [...document.querySelectorAll("[data-latitude]")].map((card) => ({
      card,
      at: L.latLng(Number(card.dataset.latitude), Number(card.dataset.longitude)),
      total: card.dataset.total,
      name: card.dataset.name,
      cheapest: "cheapest" in card.dataset,
    }));
  }

  /* The address of the view that the list shows: filters may have changed it since the page was made. */
  #view() {
    return new URL(document.querySelector("refine-panel")?.dataset.address ?? "", location.href);
  }

  #frame() {
    this.#framing = true;
    const edges = this.#view().searchParams.get("bbox")?.split(",").map(Number);
    const stays = this.#stays();
    if (edges?.length === 4) this.#map.fitBounds([[edges[1], edges[0]], [edges[3], edges[2]]], { animate: false });
    else if (stays.length) {
      this.#map.fitBounds(L.latLngBounds(stays.map((stay) => stay.at)), { padding: [48, 48], maxZoom: 15, animate: false });
    } else this.#map.setView([45, 10], 4);
    this.#framing = false;
    this.#place();
  }

  /* Pins that would cover each other become one, which opens what it holds. */
  #place() {
    this.#pins.clearLayers();
    this.#shown.clear();
    const groups = [];
    const { width, height } = StayMap.#PIN;
    for (const stay of this.#stays()) {
      const point = this.#map.latLngToLayerPoint(stay.at);
      const near = groups.find(
        (group) => Math.abs(group.point.x - point.x) < width && Math.abs(group.point.y - point.y) < height,
      );
      if (near) near.stays.push(stay);
      else groups.push({ point, stays: [stay] });
    }
    for (const group of groups) this.#pin(group.stays);
  }

  #pin(stays) {
    const [first] = stays;
    const marked = stays.some((stay) => stay.cheapest);
    const text = stays.length > 1 ? this.dataset.several.replace("{}", stays.length) : first.total || "·";
    const label = document.createElement("span");
    label.className = `map-pin__label${marked ? " map-pin__label--cheapest" : ""}`;
    label.textContent = text;
    const icon = L.divIcon({ className: "map-pin", html: label, iconSize: null });
    const pin = L.marker(first.at, { icon, riseOnHover: true, keyboard: true }).addTo(this.#pins);
    const named = stays.map((stay) => `${stay.name} ${stay.total}`).join(", ");
    pin.getElement().setAttribute("aria-label", stays.length > 1 ? `${text}: ${named}` : named);
    for (const stay of stays) this.#shown.set(stay.card, pin);
    if (!first.card.matches(".listing-card")) return;
    pin.bindPopup(() => this.#list(stays), { maxWidth: 260, minWidth: 200, closeButton: true });
    pin.on("click", () => stays.length === 1 && this.#mark(first.card));
  }

  #list(stays) {
    const list = document.createElement("ul");
    list.className = "map-list";
    for (const { card, total } of stays) {
      const item = document.createElement("li");
      const link = card.querySelector("h2 a, h2 span").cloneNode(true);
      const price = document.createElement("strong");
      price.textContent = total;
      item.append(link, price);
      list.append(item);
    }
    return list;
  }

  /* The card of a pressed pin comes into view, unless the map covers the list. */
  #mark(card) {
    for (const other of document.querySelectorAll(".listing-card--marked")) other.classList.remove("listing-card--marked");
    card.classList.add("listing-card--marked");
    if (this.beside.matches) card.scrollIntoView({ block: "nearest" });
  }

  #point(event, on) {
    const pin = this.#shown.get(event.target.closest(".listing-card"));
    pin?.getElement()?.classList.toggle("map-pin--pointed", on);
    pin?.setZIndexOffset(on ? 1000 : 0);
  }

  /* "Search this area" is a link whose address says the edges of the map. */
  #offer() {
    if (!this.here) return;
    const view = this.#map.getBounds();
    const edges = [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()];
    const address = this.#view();
    address.searchParams.delete("page");
    address.searchParams.set("bbox", edges.map((edge) => Number(edge.toFixed(5))).join(","));
    this.here.href = address.pathname + address.search.replaceAll("+", "%20") + (this.hasAttribute("open") ? "#map" : "");
    this.here.hidden = false;
  }
}

customElements.define("stay-map", StayMap);
