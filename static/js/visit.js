"use strict";

/* The last searches of a visitor, and the property about to be opened. */

/* <recent-searches>: on a page of results it remembers the search, elsewhere it lists the last ones. They are
   kept in this browser only, and only while their first day is still ahead. */
(() => {
  const KEY = "recent-searches";
  const MOST = 4;
  const ABOUT = ["place", "checkin", "checkout", "guests", "country", "region"];

  const about = (address) => {
    const { searchParams } = new URL(address, location.href);
    return ABOUT.map((name) => searchParams.get(name) ?? "");
  };

  class RecentSearches extends HTMLElement {
    connectedCallback() {
      if (this.dataset.label) this.#remember({ label: this.dataset.label, address: this.dataset.address });
      else {
        this.#list();
        // Back from a search, this page is as it was left.
        addEventListener("pageshow", ({ persisted }) => persisted && this.#list());
      }
    }

    /* Storage may be off or full: then nothing is remembered, and nothing else is missing. */
    #recall() {
      try {
        const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        return Array.isArray(kept) ? kept.filter((one) => this.#isAhead(one)) : [];
      } catch {
        return [];
      }
    }

    #keep(searches) {
      try {
        localStorage.setItem(KEY, JSON.stringify(searches.slice(0, MOST)));
      } catch {
        /* See #recall. */
      }
    }

    #isAhead({ label, address }) {
      if (typeof label !== "string" || !address?.startsWith?.("/hotels/?")) return false;
      const first = new URL(address, location.href).searchParams.get("checkin");
      const now = new Date();
      now.setMinutes(now.getMinutes() - now.getTimezoneOffset()); // the visitor's own today
      return first >= now.toISOString().slice(0, 10);
    }

    #remember(search) {
      this.#keep([search, ...this.#recall().filter((one) => `${about(one.address)}` !== `${about(search.address)}`)]);
    }

    /* In the language of this page, not of the page of that search. */
    #words({ label, address }) {
      const [place, checkIn, checkOut, guests, country, region] = about(address);
      const [first, last] = [checkIn, checkOut].map(Date.parse);
      const party = document.querySelector(`#guests option[value="${CSS.escape(guests)}"]`)?.text;
      if (!(first <= last) || !party) return label;
      const { locale } = document.querySelector("date-range").dataset;
      const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
      // A name that is written from right to left would turn the days around.
      const where = country && new Intl.DisplayNames(locale, { type: "region" }).of(country);
      const name = Object.assign(document.createElement("bdi"), { textContent: [place, region, where].filter(Boolean).join(", ") });
      const words = document.createElement("span");
      words.append(name, ` · ${days.formatRange(first, last)} · ${party}`);
      return words;
    }

    #addressHere(address) {
      const here = new URL(address, location.href);
      here.searchParams.set("market", document.querySelector("[name=market]").value);
      return here.href;
    }

    #list() {
      const searches = this.#recall();
      const list = this.querySelector("ul");
      if (!list) return;
      this.hidden = !searches.length;
      list.replaceChildren();
      for (const search of searches) {
        const link = document.createElement("a");
        link.className = "button";
        link.href = this.#addressHere(search.address);
        link.append(this.#words(search));
        const item = document.createElement("li");
        item.append(link);
        list.append(item);
      }
      this.querySelector("button").onclick = () => {
        this.#keep([]);
        // Keyboard and screen readers go on behind it.
        this.nextElementSibling.tabIndex = -1;
        this.nextElementSibling.focus({ preventScroll: true });
        this.hidden = true;
      };
    }
  }

  customElements.define("recent-searches", RecentSearches);
})();

/* A property a visitor is about to open is fetched a moment early. Few at a time: each one may cost the
   gateway a call, so resting on a link counts as intent, passing over it doesn't. */
(() => {
  const MOST = 4;
  const REST_MS = 300;
  const LINKS = ".listing-card__name a, .listing-card__photos";
  const fetched = new Set();
  let waiting;

  if (navigator.connection?.saveData) return;

  const fetchEarly = (link) => {
    if (fetched.size >= MOST || fetched.has(link.href)) return;
    fetched.add(link.href);
    const hint = document.createElement("link");
    hint.rel = "prefetch";
    hint.href = link.href;
    document.head.append(hint);
  };

  document.addEventListener("pointerover", (event) => {
    clearTimeout(waiting);
    const link = event.target.closest?.(LINKS);
    if (link && event.pointerType === "mouse") waiting = setTimeout(fetchEarly, REST_MS, link);
  });
  document.addEventListener("pointerdown", (event) => {
    const link = event.target.closest?.(LINKS);
    if (link && event.pointerType === "mouse") fetchEarly(link); // most fingers come to scroll
  });

  /* The page itself begins before the gateway has answered, but not behind one that is still being fetched early. The
     gateway isn't asked twice: the server goes on with the first call. */
  for (const kind of ["click", "auxclick"]) {
    document.addEventListener(kind, () => document.querySelectorAll("link[rel=prefetch]:not([as])").forEach((hint) => hint.remove()));
  }
})();

/* A page without hotels does without their style sheet. A visitor's first move may lead to a page that needs it. */
(() => {
  const address = document.querySelector("[data-next-style]")?.dataset.nextStyle;
  const STIRS = ["pointerdown", "keydown", "focusin", "wheel"];
  const stop = new AbortController();
  let found;

  const fetchEarly = () => {
    stop.abort();
    document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", as: "style", href: address }));
  };

  /* Browsers report a pointer at rest on a new page as a move, so its first place is only noted. */
  const moved = ({ clientX, clientY }) => {
    const place = `${clientX} ${clientY}`;
    if (place !== (found ??= place)) fetchEarly();
  };

  if (!address) return;
  const until = { passive: true, signal: stop.signal };
  for (const stir of STIRS) addEventListener(stir, fetchEarly, until);
  addEventListener("pointermove", moved, until);
})();
