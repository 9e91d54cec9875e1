"use strict";

/* Order and filters apply themselves: the same addresses as the links and the form, fetched and put in place.

   Without this script the form is sent and the links are followed. With it a change keeps the scroll position,
   the focus and what is unfolded; the address changes as it would have. Other elements ask for a fresh view by
   the event "results-due" ({detail: {address}}); "results-shown" tells that a view has been put in place. */
(() => {
  const RESULTS = "#results";
  const TYPING = 500;
  const { classList: waiting } = document.documentElement;
  let asking = null;

  const results = () => document.querySelector(RESULTS);

  /* What must survive a swap: the focused control, the cursor in it, the unfolded parts. */
  const remembered = () => {
    const active = document.activeElement;
    const inside = active && results().contains(active);
    return {
      folds: [...results().querySelectorAll("details[id]")].map((fold) => [fold.id, fold.open]),
      focus: inside ? key(active) : null,
      cursor: inside && active.type === "search" ? active.selectionStart : null,
    };
  };

  const key = (control) => {
    if (control.name) return `[name="${CSS.escape(control.name)}"]` + (control.type === "checkbox" || control.type === "radio" ? `[value="${CSS.escape(control.value)}"]` : "");
    if (control.id) return `#${CSS.escape(control.id)}`;
    if (control.classList.contains("refine-sort__order")) return ".refine-sort__order[aria-current]";
    return null;
  };

  const recall = ({ folds, focus, cursor }) => {
    for (const [id, open] of folds) {
      const fold = document.getElementById(id);
      if (fold) fold.open = open;
    }
    if (!focus) return;
    const control = results().querySelector(focus) || results().querySelector(".refine-panel__toggle");
    control?.focus({ preventScroll: true });
    if (cursor !== null && control?.setSelectionRange) control.setSelectionRange(cursor, cursor);
  };

  /* One polite voice for all views; it has to exist before it speaks. */
  const voice = document.createElement("p");
  voice.className = "visually-hidden";
  voice.setAttribute("role", "status");

  const say = () => {
    const texts = results().querySelectorAll(".results__summary strong, .refine-coverage__reach");
    voice.textContent = [...texts].map((text) => text.textContent.trim()).join(". ");
  };

  /* The links to the other markets lead to the view that is shown. */
  const MARKETS = ".market-choice";

  const place = (page) => {
    const fresh = page.querySelector(RESULTS);
    if (!fresh) return false;
    const kept = remembered();
    const top = window.scrollY;
    results().replaceWith(document.adoptNode(fresh));
    recall(kept);
    window.scrollTo({ top, behavior: "instant" });
    const markets = page.querySelector(MARKETS);
    if (markets) document.querySelector(MARKETS)?.replaceWith(document.adoptNode(markets));
    if (page.title) document.title = page.title;
    say();
    document.dispatchEvent(new CustomEvent("results-shown"));
    return true;
  };

  /* Fetches and places the view at `address`; anything unexpected is left to the browser's own navigation. */
  const show = async (address, { push }) => {
    asking?.abort();
    const mine = (asking = new AbortController());
    results().querySelector(".refine-panel__form")?.setAttribute("aria-busy", "true");
    waiting.add("navigating"); // see navigation-progress.js
    try {
      const response = await fetch(address, { signal: mine.signal });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!response.ok || mine.signal.aborted || !place(page)) throw new Error("not a view");
    } catch {
      if (!mine.signal.aborted) location.assign(address);
      return;
    }
    waiting.remove("navigating");
    const canonical = results().querySelector("refine-panel")?.dataset.address || address;
    if (push && canonical !== location.pathname + location.search) {
      history.replaceState({ ...history.state, top: window.scrollY }, "");
      history.pushState({ refined: true }, "", canonical);
    }
  };

  /* The form's address, without the fields that ask nothing. */
  const asked = (form) => {
    const fields = [...new FormData(form)].filter(([, value]) => value !== "");
    return `${form.action}?${fields.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")}`;
  };

  class RefinePanel extends HTMLElement {
    connectedCallback() {
      if (this.bound) return;
      this.bound = true;
      this.addEventListener("change", (event) => this.apply(event.target));
      this.addEventListener("input", (event) => this.typed(event.target));
      this.addEventListener("submit", (event) => {
        event.preventDefault();
        this.apply();
      });
    }

    disconnectedCallback() {
      clearTimeout(this.timer);
    }

    typed(input) {
      if (input.type !== "search" && input.type !== "number") return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.apply(), TYPING);
    }

    apply() {
      clearTimeout(this.timer);
      const form = this.querySelector("form");
      if (form.checkValidity()) show(asked(form), { push: true });
    }
  }

  customElements.define("refine-panel", RefinePanel);
  document.body ? document.body.append(voice) : document.addEventListener("DOMContentLoaded", () => document.body.append(voice));

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-refine]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(link.href, { push: true });
  });

  document.addEventListener("results-due", (event) => show(event.detail.address, { push: false }));

  window.addEventListener("popstate", async (event) => {
    if (!results() || (event.state === null && location.hash)) return;
    await show(location.pathname + location.search, { push: false });
    if (event.state?.top !== undefined) window.scrollTo({ top: event.state.top, behavior: "instant" });
  });
})();

/* Back from a property is back at its card, at the height where it was.

   A browser restores a number of pixels, but cards above the fold are only as tall as guessed until they are
   drawn. So the card at the top of the window is remembered in the history entry, and looked up on return. */
(() => {
  const FRAMES = 12;
  const CARDS = ".results__cards .listing-card";

  const remember = () => {
    const card = [...document.querySelectorAll(CARDS)].find((one) => one.getBoundingClientRect().bottom > 0);
    const place = card && scrollY > 0 ? { card: card.id, offset: card.getBoundingClientRect().top } : {};
    history.scrollRestoration = place.card ? "manual" : "auto";
    history.replaceState({ ...history.state, card: undefined, offset: undefined, ...place }, "");
  };

  /* Drawing the cards on the way changes their height, so one look isn't enough. */
  const settle = (frames) => {
    const { card, offset } = history.state ?? {};
    const element = card && document.getElementById(card);
    if (!element) return;
    const away = element.getBoundingClientRect().top - offset;
    if (Math.abs(away) > 1) scrollBy({ top: away, behavior: "instant" });
    if (frames) requestAnimationFrame(() => settle(frames - 1));
  };

  addEventListener("pagehide", remember);
  addEventListener("pageshow", (event) => {
    const [entry] = performance.getEntriesByType("navigation");
    if (!event.persisted && entry?.type === "back_forward") settle(FRAMES);
  });
})();
