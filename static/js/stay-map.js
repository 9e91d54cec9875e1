"use strict";

/* <stay-map>: properties as pins with their totals, on a map that is fetched when it is seen.

   Beside results it shows all that were compared and pass the filters, which `data-pins-address` tells as soon as all are
   there; until then, and inside a page, those of the cards that say where they are. Pins: map-pins.js. */
class StayMap extends HTMLElement {
  #map;
  #pins;
  #stays = [];
  #framed;
  #framing = false;
  #loading;
  #asking;
  #cardsAsked;
  #cardsShown = new Map();
  #cardsView;
  #seen;
  #list;
  #strip;
  #watching;

  connectedCallback() {
    this.canvas = this.querySelector("[data-canvas]");
    this.again = this.querySelector("[data-again]");
    this.again.addEventListener("click", async () => {
      await this.#load();
      (this.again.hidden ? this.canvas : this.again).focus({ preventScroll: true });
    });
    this.here = this.querySelector("[data-here]");
    this.beside = matchMedia("(min-width: 80rem)");
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
      // Pressed again, it would lead out of the page.
      if (!this.hasAttribute("open")) return;
      if (history.state?.map) history.back();
      else history.replaceState(history.state, "", location.pathname + location.search);
      this.#cover(false);
    };
    document.addEventListener("click", (event) => {
      if (!event.target.closest?.(opener) || event.ctrlKey || event.metaKey || event.shiftKey) return;
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

  /* The keyboard can't reach the page below the map. */
  #cover(open) {
    if (open === this.hasAttribute("open")) return;
    this.toggleAttribute("open", open);
    for (const other of document.querySelectorAll("[data-under-map]")) other.inert = open;
    if (open) this.#load().then(() => this.#map?.invalidateSize());
    document.querySelector(open ? "stay-map [data-close]" : "a[data-map]")?.focus({ preventScroll: true });
  }

  /* A failed fetch is repeated when the map is opened again or a button is pressed. */
  #load() {
    const failed = () => {
      this.#loading = undefined;
      this.again.hidden = false;
    };
    this.again.hidden = true;
    this.#loading ??= this.#fetch().then(() => this.#draw(), failed);
    return this.#loading;
  }

  async #fetch() {
    const { leaflet, leafletStyle, groundScript, pinScript } = this.dataset;
    await Promise.all([this.#script(leaflet), this.#style(leafletStyle)]);
    await Promise.all([this.#script(groundScript), this.#script(pinScript)]);
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

  /* In parts, each a task of its own: together they would keep the page from answering. */
  async #draw() {
    const map = this.#makeMap();
    this.#map = map;
    for (const part of [() => this.#placePins(), () => this.#layGround()]) {
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#map !== map) return;
      part();
    }
  }

  #makeMap() {
    const { attribution, zoomIn, zoomOut } = this.dataset;
    const lively = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const map = L.map(this.canvas, {
      attributionControl: Boolean(attribution),
      zoomControl: false,
      scrollWheelZoom: !this.hasAttribute("still"),
      zoomAnimation: lively,
      fadeAnimation: lively,
    }).setView([45, 10], 4);
    L.control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(map);
    map.attributionControl?.setPrefix(false);
    return map;
  }

  #placePins() {
    this.#pins = new MapPins(this.#map, this.dataset, (stays) => this.#press(stays));
    this.#showCards();
  }

  #layGround() {
    const { tiles, attribution, kind, ground: address } = this.dataset;
    const ground = tiles
      ? L.tileLayer(tiles, { attribution, maxZoom: 19, referrerPolicy: "origin" })
      : new L.GridLayer.Ground({ kind, address });
    ground.addTo(this.#map);
    const note = this.querySelector("[data-note]");
    const remark = () => note?.toggleAttribute("hidden", !ground.hasStreets());
    this.#map.on("zoomend", remark);
    remark();
    this.#map.on("moveend", () => {
      if (this.#framing) return;
      this.#framed = this.#framed?.replace("cards", "all"); // a moved map isn't taken back when the other pins come
      this.#offer();
    });
    if (!tiles) matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => ground.redraw());
    if (this.dataset.pinsAddress) this.#beResults();
  }

  #beResults() {
    const results = document.getElementById("results")?.parentElement;
    this.#list = this.querySelector("[data-list]");
    this.#strip = this.querySelector("[data-cards]");
    if (results) this.#follow(results);
    this.#map.on("pinsplaced", () => this.#count());
    this.#list.addEventListener("toggle", () => {
      if (this.#list.open) this.#closeCards();
      this.#count();
    });
    this.querySelector("[data-close-cards]").addEventListener("click", () => this.#closeCards());
    this.#strip.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#closeCards();
    });
    this.#ask();
  }

  /* The list may be replaced under the map (another order, another filter), and points at its pins. */
  #follow(list) {
    this.#watching = new MutationObserver((changes) => {
      const replaced = changes.some((change) => [...change.addedNodes].some((node) => node.id === "results"));
      if (!replaced) return;
      this.#renewOffer();
      this.#ask();
    });
    this.#watching.observe(list, { childList: true, subtree: true });
    for (const kind of ["pointerover", "focusin"]) list.addEventListener(kind, (event) => this.#point(event, true));
    for (const kind of ["pointerout", "focusout"]) list.addEventListener(kind, (event) => this.#point(event, false));
  }

  /* All that were compared; the cards alone where not all is there yet, or that can't be known. */
  async #ask() {
    this.#asking?.abort();
    const mine = (this.#asking = new AbortController());
    try {
      const response = await fetch(this.dataset.pinsAddress + this.#view().search, { signal: mine.signal, cache: "no-cache" });
      if (response.status !== 200) throw new Error("no pins");
      const data = await response.json();
      if (!mine.signal.aborted) this.#showAll(data);
    } catch {
      if (!mine.signal.aborted) this.#showCards();
    }
  }

  /* Of a property's page, whatever search its address carries. */
  static #path(address) {
    return address?.match(/^[^?]*(?:\?hotel=[^&]*)?/)[0];
  }

  /* Beside the 180th meridian the two halves of a place are on different copies of the world. */
  #near(latitude, longitude, other) {
    return L.latLng(latitude, longitude + 360 * Math.round((other - longitude) / 360));
  }

  #showAll(data) {
    const cards = new Map();
    for (const link of document.querySelectorAll(".listing-card h2 a")) cards.set(StayMap.#path(link.getAttribute("href")), link.closest(".listing-card"));
    const scale = 100_000;
    const first = this.#middle() ?? (data.west + (data.longitudes[0] ?? 0)) / scale;
    const at = (latitude, longitude) => this.#near(latitude, longitude, first);
    const stays = data.names.map((name, i) => ({
      at: at((data.south + data.latitudes[i]) / scale, (data.west + data.longitudes[i]) / scale),
      name,
      total: data.totals[data.prices[i]] ?? "",
      rank: data.prices[i] < data.comparable ? data.prices[i] : -1,
      href: data.paths[i] && `${data.paths[i]}${data.paths[i].includes("?") ? "&" : "?"}${data.query}`,
      card: cards.get(data.paths[i]),
    }));
    this.#showLandmarks(data, at);
    this.#show(stays, "all");
  }

  #showLandmarks({ centre, airport, rings }, at) {
    const placed = (mark) => mark && [mark[0], at(mark[1], mark[2])];
    this.#pins.landmarks({ centre: placed(centre), airport: placed(airport), rings });
  }

  #showCards() {
    const cards = [...document.querySelectorAll("[data-latitude]")];
    const first = this.#middle() ?? Number(cards[0]?.dataset.longitude ?? 0);
    const stays = cards.map((card) => ({
      at: this.#near(Number(card.dataset.latitude), Number(card.dataset.longitude), first),
      name: card.dataset.name,
      total: card.dataset.total,
      rank: "cheapest" in card.dataset ? 0 : -1,
      href: card.querySelector("h2 a")?.getAttribute("href"),
      card,
    }));
    const { landmarks } = this.dataset;
    if (landmarks) this.#showLandmarks(JSON.parse(landmarks), (latitude, longitude) => this.#near(latitude, longitude, first));
    this.#show(stays, "cards");
  }

  /* The view of the map is the visitor's: it changes with the area or the place that is searched, or where it
     would show nothing. */
  #show(stays, kind) {
    const { searchParams } = this.#view();
    const question = `${kind} ${searchParams.get("place")} ${searchParams.get("bbox")}`;
    const nothing = !stays.some((stay) => this.#map.getBounds().contains(stay.at));
    const renewed = this.#renewedCards(stays);
    if (!renewed) this.#closeCards();
    this.#stays = stays;
    if (question !== this.#framed || nothing) this.#frame(stays);
    this.#framed = question;
    this.#pins.show(stays);
    if (renewed) this.#pointWhatIsSeen(renewed);
    this.#renewOffer();
    this.dataset.shows = kind;
  }

  /* The address of the view that the list shows: filters may have changed it since the page was made. */
  #view() {
    return new URL(document.querySelector("refine-panel")?.dataset.address ?? "", location.href);
  }

  /* The edges of the area that is searched, the eastern one east of the western one. */
  #edges() {
    const [west, south, east, north] = this.#view().searchParams.get("bbox")?.split(",").map(Number) ?? [];
    return north === undefined ? undefined : [west, south, east < west ? east + 360 : east, north];
  }

  #middle() {
    const edges = this.#edges();
    return edges && (edges[0] + edges[2]) / 2;
  }

  /* Of many stays nine in ten, and none six times as far out as half of them. A still map shows all, and the centre. */
  #frame(stays) {
    this.#framing = true;
    const edges = this.#edges();
    if (edges) this.#map.fitBounds([[edges[1], edges[0]], [edges[3], edges[2]]], { animate: false });
    else if (stays.length) {
      const still = this.hasAttribute("still");
      const { centre } = still ? this.#pins : {};
      const half = stays.length >> 1;
      const median = (part) => stays.map((stay) => stay.at[part]).sort((a, b) => a - b)[half];
      const middle = L.latLng(median("lat"), median("lng"));
      const near = stays.map((stay) => [middle.distanceTo(stay.at), stay.at]).sort(([a], [b]) => a - b);
      const most = near.slice(0, stays.length > 40 ? Math.ceil(0.9 * near.length) : near.length).filter(([away]) => still || away <= 6 * near[half][0]);
      this.#map.fitBounds(L.latLngBounds([...most.map(([, at]) => at), ...(centre ? [centre] : [])]), { padding: centre ? [64, 56] : [36, 24], maxZoom: 15, animate: false });
    }
    this.#framing = false;
  }

  /* How many are in view, and, unfolded, which: the map for those who can't see it. */
  #count() {
    const { visible } = this.#pins;
    this.#list.hidden = !visible.length;
    const { one, several } = this.dataset;
    this.#list.querySelector("summary").textContent = visible.length === 1 ? one : several.replace("{}", this.#pins.number(visible.length));
    if (!this.#list.open) return;
    this.#list.querySelector("ol").replaceChildren(...visible.map((stay) => {
      const item = document.createElement("li");
      const name = document.createElement(stay.href ? "a" : "span");
      if (stay.href) name.href = stay.href;
      name.textContent = stay.name;
      name.dir = "auto";
      const total = document.createElement("strong");
      total.textContent = stay.total;
      item.append(name, " ", total);
      return item;
    }));
  }

  /* The card of a pressed pin, then those of the next best in view, to be swiped to. */
  async #press(stays) {
    if (!this.#strip) return;
    const [first] = stays;
    const others = this.#pins.visible.filter((stay) => stay.href && !stays.includes(stay));
    const shown = [...stays.filter((stay) => stay.href), ...others].slice(0, 12);
    const mine = (this.#cardsAsked = Symbol());
    const view = this.#view().search;
    const items = shown.every((stay) => stay.card) ? [] : await this.#cards(shown);
    if (mine !== this.#cardsAsked || view !== this.#view().search) return;
    const made = new Map(items.map((item) => [StayMap.#path(item.querySelector("a").getAttribute("href")), item]));
    const pairs = shown.map((stay) => [made.get(StayMap.#path(stay.href)) ?? this.#cardOf(stay), stay]);
    this.#strip.hidden = !pairs.length;
    const list = this.#strip.querySelector("ul");
    list.replaceChildren(...pairs.map(([item]) => item));
    list.scrollTo({ left: 0, behavior: "instant" });
    this.#pointWhatIsSeen(new Map(pairs));
    // A visitor who has gone on to the list stays there.
    if (this.matches(":focus-within")) list.querySelector("a")?.focus({ preventScroll: true });
    if (first.card) this.#mark(first.card);
  }

  async #cards(stays) {
    const address = new URL(this.dataset.cardsAddress + this.#view().search, location.href);
    for (const stay of stays) address.searchParams.append("at", StayMap.#path(stay.href));
    try {
      const response = await fetch(address);
      const page = new DOMParser().parseFromString(response.ok ? await response.text() : "", "text/html");
      return [...page.querySelectorAll("li")];
    } catch {
      return [];
    }
  }

  /* The cards that are shown with the `stays` that they are of now; nothing where they are of another view, or one of
     them is there no more. */
  #renewedCards(stays) {
    if (this.#view().search !== this.#cardsView) return undefined;
    const known = new Map(stays.map((stay) => [StayMap.#path(stay.href), stay]));
    const cards = [...this.#cardsShown].map(([item, stay]) => [item, known.get(StayMap.#path(stay.href))]);
    return cards.length && cards.every(([, stay]) => stay) ? new Map(cards) : undefined;
  }

  /* Made from the page's own text about a stay. */
  #cardOf({ card, name, total, href }) {
    const item = document.createElement("li");
    item.className = "map-card";
    const copies = (selector) => [...(card?.querySelectorAll(selector) ?? [])].map((one) => one.cloneNode(true));
    const photo = card?.querySelector("img.photo")?.cloneNode();
    const facts = document.createElement("div");
    facts.className = "map-card__facts";
    const heading = Object.assign(document.createElement("h3"), { className: "map-card__name" });
    heading.append(Object.assign(document.createElement("a"), { href, textContent: name, dir: "auto" }));
    const price = Object.assign(document.createElement("p"), { className: "map-card__price" });
    const stay = card?.querySelector(".price__notes")?.textContent ?? "";
    const exact = card?.querySelector(".price__total strong")?.textContent ?? total;
    price.append(Object.assign(document.createElement("strong"), { textContent: exact }), " ");
    price.append(Object.assign(document.createElement("span"), { className: "muted", textContent: stay }));
    const kind = Object.assign(document.createElement("p"), { className: "map-card__kind" });
    kind.append(...copies(".rating__value, .stars").flatMap((one) => [one, " "]));
    facts.append(heading, kind, price, ...copies(".price__apart"));
    item.append(...(photo ? [photo] : []), facts, ...copies(".keep"));
    return item;
  }

  #pointWhatIsSeen(stays) {
    this.#seen?.disconnect();
    this.#seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (target.isConnected) this.#pins.point(stays.get(target), isIntersecting);
      }
    }, { root: this.#strip.querySelector("ul"), threshold: 0.7 });
    for (const item of stays.keys()) this.#seen.observe(item);
    this.#cardsShown = stays;
    this.#cardsView = this.#view().search;
  }

  #closeCards() {
    if (!this.#strip || this.#strip.hidden) return;
    const [first] = this.#cardsShown.values();
    const inside = this.#strip.contains(document.activeElement);
    this.#strip.hidden = true;
    this.#cardsAsked = undefined;
    this.#strip.querySelector("ul").replaceChildren();
    for (const stay of this.#cardsShown.values()) this.#pins.point(stay, false);
    this.#seen.disconnect();
    this.#cardsShown = new Map();
    if (inside) this.#pins.focus(first);
  }

  /* The card of a pressed pin comes into view, unless the map covers the list. */
  #mark(card) {
    for (const other of document.querySelectorAll(".listing-card--marked")) other.classList.remove("listing-card--marked");
    card.classList.add("listing-card--marked");
    if (this.beside.matches) card.scrollIntoView({ block: "nearest" });
  }

  #point(event, on) {
    const card = event.target.closest(".listing-card");
    const stay = card && this.#stays.find((one) => one.card === card);
    if (stay) this.#pins.point(stay, on);
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

  /* Where it is in sight; hidden, it leads to the results themselves, for robots. */
  #renewOffer() {
    if (this.here && !this.here.hidden) this.#offer();
  }
}

customElements.define("stay-map", StayMap);
