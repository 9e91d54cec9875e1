"use strict";

/* Hearts: `<button data-keep="PROVIDER/ID ...">` anywhere on any page keeps a hotel in this browser, by any of its
   keys. A card or the page around it says its name, total and search, unless data-name, data-total and data-search
   do. Stored data may come from anywhere, so it is checked. */
(() => {
  const KEY = "shortlist";
  const MOST = 50;
  const SEARCH = ["place", "checkin", "checkout", "guests", "currency", "country", "region", "near"];
  const INHERITED = new Set(["checkin", "checkout", "guests", "currency"]);
  const SAID_MS = 5000;
  const header = document.querySelector("[data-shortlist]");
  const page = new URL(header.href);
  const market = page.searchParams.get("market") ?? "";
  // Totals are of a market also where no address names it.
  const { market: served } = header.dataset;

  const noon = (day) => new Date(`${day}T12:00`);
  const isText = (value, most) => typeof value === "string" && value.length <= most;
  const isEntry = (one) =>
    one !== null &&
    typeof one === "object" &&
    isText(one.stay, 9e3) &&
    /^[^\s/]+\/[^\s/]+$/.test(one.stay) &&
    isText(one.search, 1200) &&
    isText(one.name, 300) &&
    isText(one.total, 60) &&
    noon(one.day) > 0;

  /* Storage may be refused or hold anything: then nothing is kept. */
  const recall = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isEntry).slice(0, MOST) : [];
    } catch {
      return [];
    }
  };

  const save = (list) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(list));
      return true;
    } catch {
      return false;
    }
  };

  /* The address of a list, as compare/service.py reads it: each place begins a search, which says only its
     differences from the one before. */
  const addressOf = (list) => {
    const searches = new Map();
    for (const { search, stay } of list) searches.set(search, [...(searches.get(search) ?? []), stay]);
    const pairs = [];
    let before = {};
    for (const [search, stays] of searches) {
      const said = Object.fromEntries(SEARCH.map((name) => [name, new URLSearchParams(search).get(name) ?? ""]));
      for (const name of SEARCH) {
        const inherited = INHERITED.has(name) ? (before[name] ?? "") : "";
        if (name === "place" || said[name] !== inherited) pairs.push([name, said[name]]);
      }
      for (const stay of stays) pairs.push(["stay", stay]);
      before = said;
    }
    if (market) pairs.push(["market", market]);
    const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2F", "/")}`);
    return list.length ? `${page.pathname}?${query.join("&")}` : page.href;
  };

  /* The search of a heart: its own, its form's, its card's, else the page's. */
  const askedAt = (button) => {
    const canonical = document.querySelector("link[rel=canonical]")?.href;
    const entry = button.closest("[data-entry]");
    const form = entry ? entry.closest("section").querySelector("form") : button.form;
    const said =
      button.dataset.search ??
      (form ? new URLSearchParams(new FormData(form)) : undefined) ??
      new URL(button.closest(".listing-card, .map-card")?.querySelector("h2 a, h3 a")?.href ?? canonical ?? location.href).search;
    return new URLSearchParams(said);
  };

  const searchOf = (query) =>
    new URLSearchParams(SEARCH.filter((name) => query.get(name)).map((name) => [name, query.get(name)])).toString();

  const entryOf = (button) => {
    const card = button.closest(".listing-card, .map-card, [data-entry]");
    const asked = askedAt(button);
    return {
      stay: button.dataset.keep.split(" ")[0],
      search: searchOf(asked),
      name: (button.dataset.name ?? card?.querySelector(".listing-card__name, .map-card__name, [data-name]")?.textContent ?? "").trim().slice(0, 300),
      total: (button.dataset.total ?? card?.querySelector(".price__total strong, .map-card__price strong")?.textContent ?? "").trim().slice(0, 60),
      // Swedes write a day as 2026-01-02.
      day: new Date().toLocaleDateString("sv"),
      // A shared hotel has the totals of its sender's market.
      market: asked.get("market") || served,
    };
  };

  const voice = document.createElement("p");
  voice.className = "keep-said";
  voice.setAttribute("role", "status");
  document.body.append(voice);
  let silence;

  const say = (text, name = "") => {
    clearTimeout(silence);
    voice.textContent = text.replace("{}", () => name); // a name may hold a $
    silence = setTimeout(() => (voice.textContent = ""), SAID_MS);
  };

  const namesOf = (button) => button.dataset.keep.split(" ");

  let own = false; // whether the page is the shortlist of this browser

  /* Who keeps hotels, or has the site as an app, can read the list without a network. */
  const readOffline = (list) => {
    if (list.length || matchMedia("(display-mode: minimal-ui)").matches) navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
  };

  const paint = () => {
    const list = recall();
    const kept = new Set(list.map((one) => one.stay));
    let storable = true;
    try {
      localStorage.getItem(KEY);
    } catch {
      storable = false;
    }
    for (const button of storable ? document.querySelectorAll("[data-keep]") : []) {
      const isKept = namesOf(button).some((name) => kept.has(name));
      button.setAttribute("aria-pressed", isKept);
      const field = own && button.closest("[data-entry]")?.querySelector("[name=stay]");
      if (field) field.disabled = !isKept;
    }
    header.querySelector("[data-count]").textContent = list.length || "";
    header.href = addressOf(list);
    fillTray(list);
    readOffline(list);
    if (own && staysOf(location) !== staysOf(header)) goAlong(list);
  };

  /* What is kept of the place of a page of results, for its days, in the order of the hearts. */
  const fillTray = (list) => {
    const tray = document.getElementById("tray");
    if (!tray) return;
    for (const field of tray.querySelectorAll("[name=stay]")) field.remove();
    const asked = new URLSearchParams(new FormData(tray));
    const ofPlace = list.filter(({ search }) => new URLSearchParams(search).get("place") === asked.get("place")).reverse();
    for (const { stay } of ofPlace) tray.append(Object.assign(document.createElement("input"), { type: "hidden", name: "stay", value: stay }));
    tray.hidden = !ofPlace.length;
    const count = tray.querySelector("a");
    count.href = header.href;
    count.textContent = count.dataset.text.replace("{}", ofPlace.length);
    const compare = tray.querySelector("[type=submit]");
    if (compare) compare.hidden = ofPlace.length < 2;
    const link = tray.querySelector("share-dialog a");
    if (link) link.search = new URLSearchParams(new FormData(tray));
    const sheet = tray.querySelector("share-sheet");
    if (sheet) sheet.dataset.url = new URL(addressOf(ofPlace.map((one) => ({ ...one, search: searchOf(asked) }))), location.href).href;
  };

  const staysOf = ({ search }) => String(new URLSearchParams(search).getAll("stay").sort());

  /* The shortlist follows changes, in other tabs, too: a removed hotel stays in sight until a reload, a new one has
     its card at once. */
  const goAlong = (list) => {
    const here = new URLSearchParams(location.search).getAll("stay");
    const named = new Set([...here, ...[...document.querySelectorAll("main [data-keep]")].flatMap(namesOf)]);
    history.replaceState(history.state, "", header.href);
    if (list.some(({ stay }) => !named.has(stay))) return location.reload();
    const address = document.getElementById("list-address");
    if (address) address.value = header.href;
    for (const link of document.querySelectorAll(".market-choice a")) {
      const there = new URL(header.href);
      there.searchParams.set("market", new URL(link.href).searchParams.get("market") ?? "");
      link.href = there.href;
    }
    const count = document.querySelector("[data-counts]");
    if (count) count.textContent = count.dataset.counts.split("|")[list.length - 1] ?? "";
  };

  const pressed = (event) => {
    const button = event.target.closest?.("[data-keep]");
    if (!button) return;
    const list = recall();
    const names = namesOf(button);
    const others = list.filter((one) => !names.includes(one.stay));
    const adds = others.length === list.length && !(button.name === "drop" && button.form && !storageWorks());
    if (adds && list.length >= MOST) {
      event.preventDefault();
      say(header.dataset.full);
      return;
    }
    const entry = entryOf(button);
    const next = adds ? [entry, ...list] : others;
    if (save(next)) {
      event.preventDefault();
      paint();
      say(adds ? header.dataset.kept : header.dataset.dropped, entry.name);
    } else if (adds) {
      // If this browser refuses storage, the address keeps the hotels.
      event.preventDefault();
      location.assign(addressOf(next));
    }
  };

  const storageWorks = () => save(recall());

  /* On the shortlist: the total of each hotel when it was kept, beside its total now. */
  const compareWithThen = () => {
    const shown = document.querySelector("[data-shortlist-page]");
    if (!shown) return;
    const list = recall();
    const days = new Intl.DateTimeFormat(shown.dataset.locale, { day: "numeric", month: "short" });
    for (const item of shown.querySelectorAll("[data-entry]")) {
      const names = item.dataset.entry.split(" ");
      const one = list.find(({ stay }) => names.includes(stay));
      if (!one) continue;
      const name = item.querySelector("[data-name]");
      if (name && one.name && !name.querySelector("a")) {
        const heart = item.querySelector("[data-keep]");
        heart.ariaLabel = heart.ariaLabel.replace(name.textContent, () => one.name);
        name.textContent = one.name;
      }
      if (!one.total || !sameStay(item, one)) continue;
      const { now } = item.dataset;
      // Kept in another language, the same total is spelled in another way: US$116.97, then 116,97 $.
      const same = now && digits(now) === digits(one.total);
      // In another market it may have cost another sum on that day already.
      if (now && !same && (one.market || served) !== served) continue;
      const then = same ? now : one.total;
      const text = !now ? shown.dataset.then : same ? shown.dataset.same : shown.dataset.changed;
      const line = item.querySelector("[data-then]");
      const day = days.format(noon(one.day));
      line.textContent = text.replace("{then}", () => then).replace("{day}", () => day).replace("{now}", () => now);
      line.hidden = false;
    }
  };

  const digits = (total) => total.replace(/\P{Decimal_Number}/gu, "");

  /* Totals of other days, parties or currencies don't compare. */
  const sameStay = (item, { search }) => {
    const form = item.closest("section").querySelector("form");
    const then = new URLSearchParams(search);
    return [...INHERITED].every((name) => !then.get(name) || !form.elements[name] || form.elements[name].value === then.get(name));
  };

  document.addEventListener("click", pressed, true);
  document.addEventListener("results-shown", paint);
  addEventListener("storage", ({ key }) => (key === KEY || key === null) && paint());
  addEventListener("pageshow", ({ persisted }) => persisted && paint());
  new MutationObserver((changes) => {
    const isNew = ({ addedNodes }) => [...addedNodes].some((one) => one.querySelector?.("[data-keep]") || one.matches?.("[data-keep]"));
    if (changes.some(isNew)) paint();
  }).observe(document.body, { childList: true, subtree: true });
  paint();
  // More may be kept while the page is on its way, or before one comes back to it: its entry in the history knows.
  const isOwn = history.state?.own || ["", staysOf(header)].includes(staysOf(location));
  own = document.querySelector("[data-shortlist-page]") && !location.search.includes("page=") && isOwn;
  if (own) history.replaceState({ ...history.state, own: true }, "");
  paint();
  compareWithThen();
})();
