"use strict";

/* Order and filters apply themselves: the same addresses as the links and the form, fetched and put in place.

   Without this script the form is sent and the links are followed. With it a change keeps the scroll position,
   the focus and what is unfolded; the address changes as it would have. Other elements ask for a fresh view by
   the event "results-due" ({detail: {address}}); "results-shown" tells that a view has been put in place.

   Where the filters don't stand beside the list, "#filters" in the address shows them in a dialog over it. What is
   chosen there takes the place of the address it was opened on, so that Back closes the dialog first. */
(() => {
  const RESULTS = "#results";
  const SCROLLED = ".refine-panel__form, .refine-chips";
  const TYPING = 500;
  const { classList: waiting } = document.documentElement;
  let asking = null;

  const here = () => location.pathname + location.search;
  let shown = here(); // the address of the view in place
  const results = () => document.querySelector(RESULTS);
  const panel = () => document.querySelector("refine-panel");

  /* What must survive a swap: the focused control, the cursor in it, the unfolded parts. */
  const remembered = () => {
    const active = document.activeElement;
    const inside = active && (results().contains(active) || panel()?.contains(active));
    return {
      scrolled: [...document.querySelectorAll(SCROLLED)].map((one) => [one.className, one.scrollTop, one.scrollLeft]),
      folds: [...document.querySelectorAll(`${RESULTS} details[id], refine-panel details[id]`)].map((fold) => [fold.id, fold.open]),
      focus: inside ? key(active) : null,
      cursor: inside && active.type === "search" ? active.selectionStart : null,
    };
  };

  const key = (control) => {
    if (control.name) return `[name="${CSS.escape(control.name)}"]` + (control.type === "checkbox" || control.type === "radio" ? `[value="${CSS.escape(control.value)}"]` : "");
    if (control.id) return `#${CSS.escape(control.id)}`;
    return control.closest(".refine-sort") ? ".refine-sort__now" : null;
  };

  const recall = ({ scrolled, folds, focus, cursor }) => {
    for (const [id, open] of folds) {
      const fold = document.getElementById(id);
      if (fold) fold.open = open && !fold.matches(".refine-sort");
    }
    for (const [name, top, left] of scrolled) document.getElementsByClassName(name)[0]?.scrollTo({ top, left, behavior: "instant" });
    if (!focus) return;
    const control = panel()?.querySelector(focus) || results().querySelector(focus) || results().querySelector(".refine-chips a");
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

  /* The links to the other markets lead to the view that is shown, and the next search keeps its stars and filters. */
  const ABOUT_THE_VIEW = [".market-choice", ".search-bar .search-form__more"];

  const place = (page) => {
    const fresh = page.querySelector(RESULTS);
    if (!fresh) return false;
    const kept = remembered();
    const top = window.scrollY;
    results().replaceWith(document.adoptNode(fresh));
    if (sheet?.open) sheet.replaceChildren(results().querySelector("refine-panel"));
    recall(kept);
    window.scrollTo({ top, behavior: "instant" });
    for (const part of ABOUT_THE_VIEW) {
      const other = page.querySelector(part);
      if (other) document.querySelector(part)?.replaceWith(document.adoptNode(other));
    }
    if (page.title) document.title = page.title;
    say();
    document.dispatchEvent(new CustomEvent("results-shown"));
    return true;
  };

  /* Fetches and places the view at `address`; anything unexpected is left to the browser's own navigation. */
  const show = async (address, { push }) => {
    asking?.abort();
    const mine = (asking = new AbortController());
    document.querySelector(".refine-panel__form")?.setAttribute("aria-busy", "true");
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
    shown = panel()?.dataset.address || address;
    if (!push || shown === here()) return;
    if (sheet?.open) {
      history.replaceState(history.state, "", `${shown}${SHEET}`);
    } else {
      history.replaceState({ ...history.state, top: window.scrollY }, "");
      history.pushState({ refined: true }, "", shown);
    }
  };

  /* The filters over the list. The panel moves into the dialog and back: one form, wherever it stands. */
  const SHEET = "#filters";
  const beside = matchMedia("(min-width: 80rem)");
  let sheet = null;

  const made = () => {
    const dialog = document.createElement("dialog");
    dialog.className = "filter-sheet";
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      leave();
    });
    dialog.addEventListener("click", (event) => event.target === dialog && leave());
    document.body.append(dialog);
    return dialog;
  };

  const open = () => {
    if (beside.matches || sheet?.open || !panel()) return;
    sheet ??= made();
    sheet.setAttribute("aria-label", panel().closest("aside").getAttribute("aria-label"));
    sheet.append(panel());
    sheet.showModal();
  };

  const close = () => {
    if (!sheet?.open) return;
    document.querySelector(".refine-side")?.append(panel());
    sheet.close();
    results().querySelector(".refine-bar__filters")?.focus({ preventScroll: true });
  };

  /* The way out of the dialog is the way back in the history, where it was opened from this page. */
  const leave = () => {
    if (history.state?.sheet) history.back();
    else {
      history.replaceState(history.state, "", shown);
      close();
    }
  };

  beside.addEventListener("change", () => sheet?.open && leave());

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

  /* <price-range>: two handles that write the fields of the price limits; at an end of the scale there is no limit. */
  class PriceRange extends HTMLElement {
    connectedCallback() {
      if (this.handles) return;
      const { start, end, step, least, most } = this.dataset;
      const fields = this.closest("fieldset").querySelectorAll("input[type=number]");
      this.handles = [least, most].map((label, side) => {
        const handle = Object.assign(document.createElement("input"), { type: "range", id: `price-${side}`, min: start, max: end, step });
        handle.className = "price-range__handle";
        handle.setAttribute("aria-label", label);
        handle.value = fields[side].value || (side ? end : start);
        handle.addEventListener("input", () => this.moved(side, fields[side]));
        return handle;
      });
      this.append(...this.handles);
    }

    moved(side, field) {
      const [low, high] = this.handles;
      if (Number(low.value) > Number(high.value)) this.handles[side].value = this.handles[1 - side].value;
      const { value } = this.handles[side];
      field.value = value === (side ? high.max : low.min) ? "" : value;
      this.handles[side].setAttribute("aria-valuetext", field.value || this.handles[side].ariaLabel);
    }
  }

  customElements.define("refine-panel", RefinePanel);
  customElements.define("price-range", PriceRange);
  document.body ? document.body.append(voice) : document.addEventListener("DOMContentLoaded", () => document.body.append(voice));

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-refine], a[data-sheet], a[data-close]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if ("sheet" in link.dataset && beside.matches) return;
    event.preventDefault();
    if ("refine" in link.dataset) show(link.href, { push: true });
    else if ("close" in link.dataset) leave();
    else {
      history.pushState({ sheet: true }, "", SHEET);
      open();
    }
  });

  /* A menu is left by a press elsewhere or by Escape. */
  const MENUS = ".refine-sort[open], .share-slot__more[open]";
  document.addEventListener("pointerdown", (event) => {
    for (const menu of document.querySelectorAll(MENUS)) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(MENUS);
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  addEventListener("pageshow", () => location.hash === SHEET && open());

  document.addEventListener("results-due", async (event) => {
    await show(event.detail.address, { push: false });
    results().classList.add("results--new");
  });

  window.addEventListener("popstate", async (event) => {
    if (!results()) return;
    const closes = sheet?.open && location.hash !== SHEET;
    close();
    if (location.hash === SHEET) open();
    if (here() === shown) return;
    if (closes) {
      history.pushState({ refined: true }, "", shown); // what was chosen in the dialog stays, and can be undone
      return;
    }
    await show(here(), { push: false });
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
  addEventListener("pageshow", () => {
    // A card is remembered in the entries one comes back to, and nowhere else.
    settle(FRAMES);
  });
})();

/* <date-strip> around the link to the page of other dates: unfolds that page's strip above the list, and folds it
   again. Where the page can't be had, the link leads to it. */
(() => {
  const STRIP = "other-dates";

  class DateStrip extends HTMLElement {
    connectedCallback() {
      this.link.setAttribute("role", "button");
      this.told();
      this.addEventListener("click", (event) => {
        if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        this.toggle();
      });
      this.addEventListener("keydown", (event) => {
        if (event.key !== " ") return;
        event.preventDefault();
        this.toggle();
      });
    }

    get link() {
      return this.querySelector("a");
    }

    get strip() {
      return document.getElementById(STRIP);
    }

    told() {
      this.link.setAttribute("aria-expanded", String(Boolean(this.strip)));
    }

    async toggle() {
      if (this.link.ariaBusy === "true") return;
      if (this.strip) {
        this.strip.remove();
        this.told();
        return;
      }
      this.link.ariaBusy = "true";
      try {
        const answer = await fetch(this.link.href);
        if (!answer.ok) throw new Error(answer.status);
        this.unfold(new DOMParser().parseFromString(await answer.text(), "text/html"));
      } catch {
        location.assign(this.link.href);
      } finally {
        this.link.ariaBusy = "false";
      }
    }

    unfold(page) {
      const strip = page.getElementById(STRIP);
      document.getElementById("list").prepend(document.adoptNode(strip));
      this.told();
      strip.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
      strip.focus({ preventScroll: true });
    }
  }

  customElements.define("date-strip", DateStrip);
})();

/* The progress of a complete answer: asks how far it is, and puts the exact order in place when it is done.

   Only a page that nobody has touched yet changes by itself; to a visitor who has, a button offers the order. */
(() => {
  const FIRST = 250;
  const MOST = 2000;
  const GIVE_UP = 60;
  const TOUCHES = ["pointerdown", "keydown", "wheel", "scroll", "focusin"];
  let touched = scrollY > 0;

  const touch = () => {
    touched = true;
    for (const kind of TOUCHES) removeEventListener(kind, touch, true);
  };
  for (const kind of TOUCHES) addEventListener(kind, touch, { capture: true, passive: true });

  class ResultProgress extends HTMLElement {
    connectedCallback() {
      this.text = this.querySelector(".result-progress__text");
      this.bar = this.querySelector("progress");
      this.button = this.querySelector("button");
      this.button.addEventListener("click", () => this.show());
      this.wait = FIRST;
      this.asked = 0;
      this.later();
    }

    disconnectedCallback() {
      clearTimeout(this.timer);
    }

    later() {
      this.timer = setTimeout(() => this.ask(), this.wait);
      this.wait = Math.min(MOST, this.wait * 1.3);
    }

    async ask() {
      this.asked += 1;
      let told = null;
      try {
        const response = await fetch(this.dataset.ask, { headers: { Accept: "application/json" } });
        told = response.ok ? await response.json() : null;
      } catch {
        told = null;
      }
      if (!this.isConnected) return;
      if (told) this.tell(told);
      if (told?.done) this.done();
      else if (this.asked < GIVE_UP) this.later();
      else this.again();
    }

    /* Several processes may answer, each with a count of its own: the line never goes back. */
    tell({ text, compared, most }) {
      if (compared < this.bar.value) return;
      this.text.textContent = text;
      if (!most) return;
      this.bar.max = most;
      this.bar.value = compared;
    }

    done() {
      if (touched) this.button.hidden = false;
      else this.show();
    }

    again() {
      this.querySelector(".result-progress__again").style.display = "inline";
    }

    show() {
      document.dispatchEvent(new CustomEvent("results-due", { detail: { address: this.dataset.address } }));
    }
  }

  customElements.define("result-progress", ResultProgress);
})();
