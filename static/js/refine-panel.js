"use strict";

/* Orders and filters apply themselves: the address of a link, or of the form, is fetched and its view put in place.

   Without this script the form is sent and the links are followed. With it a change keeps the scroll position, the
   focus and what is unfolded; the address changes as it would have. Other elements ask for a view by the event
   "results-due" ({detail: {address, unwanted}}; `unwanted` is asked once more when the view has come);
   "results-shown" says that a view is in place.

   A link or a form is made for the view that it stands in. A choice made while another view is on its way ends that
   fetch and asks for both at once: the difference that the choice makes to its own view's address is made to the
   address on its way.

   Where the filters don't stand beside the list, "#filters" in the address shows them in a dialog over it. A choice
   there replaces the address it was opened on, so that Back closes the dialog first. */
(() => {
  const RESULTS = "#results";
  const SCROLLED = ".refine-panel__form, .refine-chips";
  const TYPING = 500;
  const PATIENCE = 15_000;
  const { classList: waiting } = document.documentElement;
  // The fetch on its way: its end, and whether a "choice", a "turn" in the history or an "order" by itself is why.
  let asking = null;
  // The address that the visitor's choices or steps lead to, until its view is in place.
  let wanted = null;

  const here = () => location.pathname + location.search;
  let shown = here(); // the address of the view in place, as the browser has it
  const results = () => document.querySelector(RESULTS);
  const panel = () => document.querySelector("refine-panel");
  const current = () => panel()?.dataset.address ?? shown;
  const isPlain = (event) => !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

  /* Survives a swap: the focused control, the cursor in it, the unfolded parts. */
  const remembered = () => {
    const active = document.activeElement;
    const inside = active && (results().contains(active) || panel()?.contains(active));
    return {
      scrolled: [...document.querySelectorAll(SCROLLED)].map((one) => [one.className, one.scrollTop, one.scrollLeft]),
      folds: [...document.querySelectorAll(`${RESULTS} details[id], refine-panel details[id]`)].map((fold) => [fold.id, fold.open]),
      focus: inside ? [key(active), near(active), ".refine-chips a", "#list"].filter(Boolean) : [],
      cursor: inside && active.type === "search" ? active.selectionStart : null,
    };
  };

  const key = (control) => {
    if (control.name) return `[name="${CSS.escape(control.name)}"]` + (control.type === "checkbox" || control.type === "radio" ? `[value="${CSS.escape(control.value)}"]` : "");
    if (control.id) return `#${CSS.escape(control.id)}`;
    if (control.closest(".refine-sort")) return ".refine-sort__now";
    return control.dataset.refine ? `[data-refine="${CSS.escape(control.dataset.refine)}"]` : null;
  };

  const near = (control) => {
    if (control.closest("refine-panel")) return ".refine-panel__show";
    return control.closest("#list") && "#list";
  };

  const recall = ({ scrolled, folds, focus, cursor }) => {
    for (const [id, open] of folds) {
      const fold = document.getElementById(id);
      if (fold) fold.open = open && !fold.matches(".refine-sort");
    }
    for (const [name, top, left] of scrolled) document.getElementsByClassName(name)[0]?.scrollTo({ top, left, behavior: "instant" });
    for (const one of focus) {
      const control = panel()?.querySelector(one) || results().querySelector(one);
      control?.focus({ preventScroll: true });
      if (!control || document.activeElement !== control) continue; // it isn't there, or can't be reached
      if (cursor !== null) control.setSelectionRange?.(cursor, cursor);
      return;
    }
  };

  /* One polite voice for all views; it has to exist before it speaks, and in the sheet while only that can be reached. */
  const voice = document.createElement("p");
  voice.className = "visually-hidden";
  voice.setAttribute("role", "status");

  const say = () => {
    const texts = results().querySelectorAll(".results__summary strong, .refine-sort__now, .refine-coverage__sentence");
    voice.textContent = [...texts].map((text) => text.textContent.trim()).join(". ");
  };

  /* The links to the other markets lead to the view that is shown, and the next search keeps its stars and filters. */
  const ABOUT_THE_VIEW = [".market-choice", ".search-bar .search-form__more"];

  /* Unsent choices in it stay, and so does the focus. */
  const renew = (part, other) => {
    if (!part || !other) return;
    const active = part.contains(document.activeElement) && document.activeElement;
    changeAlike(part, other);
    other.open = part.open;
    part.replaceWith(document.adoptNode(other));
    if (active) other.querySelector(key(active) ?? "summary, a")?.focus({ preventScroll: true });
  };

  /* The map stands outside of what is replaced: a list that was empty has none. */
  const lacksMap = (page) => page.querySelector("stay-map") && !document.querySelector("stay-map");

  const place = (page) => {
    const fresh = page.querySelector(RESULTS);
    // A list with nothing to filter leaves a sheet nothing to show.
    if (!fresh?.querySelector("refine-panel") || lacksMap(page)) return false;
    const kept = remembered();
    const top = window.scrollY;
    results().replaceWith(document.adoptNode(fresh));
    if (sheet?.open) sheet.querySelector("refine-panel").replaceWith(results().querySelector("refine-panel"));
    recall(kept);
    window.scrollTo({ top, behavior: "instant" });
    for (const part of ABOUT_THE_VIEW) renew(document.querySelector(part), page.querySelector(part));
    if (page.title) document.title = page.title;
    say();
    document.dispatchEvent(new CustomEvent("results-shown"));
    return true;
  };

  const mark = (busy) => {
    document.querySelector(".refine-panel__form")?.setAttribute("aria-busy", busy);
    waiting.toggle("navigating", busy); // see navigation-progress.js
  };

  /* Ends the fetch on its way, if there is one, and says whether. Its choices stay wanted. */
  const pause = () => {
    if (!asking) return false;
    asking.ends.abort();
    asking = null;
    mark(false);
    return true;
  };

  /* The page at an address: null where it can't be had, undefined where the visitor left for another page meanwhile,
     which may be what ended the fetch. */
  const load = async (address, signal) => {
    let left = false;
    const leave = () => (left = true);
    addEventListener("beforeunload", leave);
    try {
      // Within stale-while-revalidate a browser would take an older page from its cache.
      const response = await fetch(address, { signal, cache: "no-cache" });
      const text = await response.text();
      if (response.ok) return new DOMParser().parseFromString(text, "text/html");
    } catch {
      // The same as an answer that is no page.
    } finally {
      removeEventListener("beforeunload", leave);
    }
    return left ? undefined : null;
  };

  const navigate = (address, push) => {
    if (sheet?.open) location.replace(address + SHEET);
    else location[push ? "assign" : "replace"](address);
  };

  /* Fetches and places the view at `address`; anything unexpected is left to the browser's own navigation. An order
     that comes by itself is offered instead, where it fails or the page was touched meanwhile. */
  const show = async (address, why, unwanted = () => false) => {
    pause();
    const mine = (asking = { ends: new AbortController(), why });
    if (why !== "order") wanted = address;
    mark(true);
    const late = setTimeout(() => mine.ends.abort(), PATIENCE);
    const page = await load(address, mine.ends.signal);
    clearTimeout(late);
    if (asking !== mine) return;
    asking = wanted = null;
    if (page === undefined) return;
    if (page && !unwanted()) return place(page) ? arrive(address, why) : navigate(address, why === "choice");
    const offer = why === "order" && results().querySelector(".result-progress__show[hidden]");
    if (!offer) return navigate(address, why === "choice");
    offer.hidden = false;
    mark(false);
  };

  const arrive = (address, why) => {
    mark(false);
    shown = why === "choice" ? panel().dataset.address || address : here();
    if (shown === here()) return;
    if (sheet?.open) {
      history.replaceState(history.state, "", `${shown}${SHEET}`);
    } else {
      history.replaceState({ ...history.state, top: window.scrollY }, "");
      history.pushState({ refined: true }, "", shown);
    }
  };

  const parts = (address) => `${new URL(address, location.href).searchParams}`.split("&");

  /* The wanted address, with what differs between `before` and `after`. */
  const merged = (before, after) => {
    const [old, fresh, base] = [before, after, wanted ?? current()].map(parts);
    const all = new Set([...base.filter((one) => !old.includes(one) || fresh.includes(one)), ...fresh.filter((one) => !old.includes(one))]);
    return `${new URL(after, location.href).pathname}?${[...all].join("&")}`;
  };

  /* A link to the view in place, such as its order, and "Clear all" take back what is on its way. */
  const follow = (link) => {
    panel()?.hurry();
    const anew = link.dataset.refine === "clear" || `${parts(link.href)}` === `${parts(current())}`;
    return show(anew ? link.href : merged(current(), link.href), "choice");
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
    // Marking text may end a press beside the dialog, so the press must have begun there.
    let pressed = null;
    dialog.addEventListener("pointerdown", ({ target }) => (pressed = target));
    dialog.addEventListener("click", ({ target }) => target === dialog && pressed === dialog && leave());
    // On a page without a press so far the browser closes the dialog without the event "cancel".
    dialog.addEventListener("close", () => !dialog.open && unfolded() && leave());
    document.body.append(dialog);
    return dialog;
  };

  const open = () => {
    if (beside.matches || sheet?.open || !panel()) return;
    sheet ??= made();
    sheet.setAttribute("aria-label", panel().closest("aside").getAttribute("aria-label"));
    sheet.append(panel(), voice);
    sheet.showModal();
  };

  const unfolded = () => Boolean(sheet?.contains(panel()));

  const close = () => {
    if (!unfolded()) return;
    document.querySelector(".refine-side")?.append(panel());
    document.body.append(voice);
    sheet.close();
    results().querySelector(".refine-bar__filters")?.focus({ preventScroll: true });
  };

  /* The way out of the dialog is the way back in the history, where it was opened from this page: one step, however often
     it is pressed. */
  let leaving = false;
  const leave = () => {
    if (leaving) return;
    leaving = Boolean(history.state?.sheet);
    if (leaving) history.back();
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

  const isChanged = ({ options, checked, defaultChecked, value, defaultValue }) =>
    options ? [...options].some((one) => one.selected !== one.defaultSelected) : checked !== defaultChecked || value !== defaultValue;

  /* Changes the fields of another form as those of this one were changed. */
  const changeAlike = (form, other) => {
    for (const field of form.querySelectorAll("input[name], select")) {
      const twin = isChanged(field) && other.querySelector(key(field));
      if (twin) Object.assign(twin, { checked: field.checked, value: field.value });
    }
  };

  class RefinePanel extends HTMLElement {
    connectedCallback() {
      if (this.sent) return; // moved into the dialog or out of it
      this.sent = this.dataset.address;
      // Leaving a field that is typed in changes it, too.
      this.addEventListener("change", ({ target }) => (this.isTyped(target) ? this.hurry() : this.apply()));
      this.addEventListener("input", ({ target, isComposing }) => {
        if (this.isTyped(target)) this.typed(isComposing);
        // An answer would take the handle out of the hand.
        else if (target.type === "range") this.owes ||= pause();
      });
      this.addEventListener("compositionend", () => this.typed(false));
      // A handle that is put back where it was tells of no change.
      this.addEventListener("pointerup", () => this.owes && this.apply());
      this.addEventListener("submit", (event) => {
        event.preventDefault();
        this.apply();
      });
      // Choices made before this script came.
      if ([...this.querySelectorAll("input[name]")].some(isChanged)) this.apply();
    }

    isTyped({ type }) {
      return type === "search" || type === "number";
    }

    /* An answer would take the letters away. A word that is still being composed, as Japanese is, is not asked about. */
    typed(composing) {
      pause();
      this.rest();
      if (!composing) this.timer = setTimeout(() => this.apply(), TYPING);
    }

    rest() {
      this.owes = false;
      clearTimeout(this.timer);
      this.timer = null;
    }

    /* Applies typed letters at once. */
    hurry() {
      if (this.timer) this.apply();
    }

    apply() {
      this.rest();
      const form = this.querySelector("form");
      if (!form.reportValidity()) return;
      const before = this.sent;
      this.sent = asked(form);
      show(merged(before, this.sent), "choice");
    }
  }

  customElements.define("refine-panel", RefinePanel);
  document.body.append(voice);

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-refine], a[data-sheet], a[data-close]");
    if (!link || event.defaultPrevented || !isPlain(event)) return;
    if ("sheet" in link.dataset && beside.matches) return;
    event.preventDefault();
    if ("refine" in link.dataset) follow(link);
    else if ("close" in link.dataset) leave();
    else {
      history.pushState({ sheet: true }, "", SHEET);
      open();
    }
  });

  addEventListener("pageshow", ({ persisted }) => {
    leaving = false;
    if (persisted && !asking) mark(false);
    if (location.hash === SHEET) open();
  });

  document.addEventListener("results-due", async ({ detail }) => {
    if (asking || panel()?.timer) return; // the visitor's choice is newer
    const [list, before] = [results(), panel()?.dataset.address];
    await show(detail.address, "order", detail.unwanted);
    if (results() === list) return; // it didn't come
    results().classList.add("results--new");
    // An order of more hotels than usual has an address of its own, which a reload has to find.
    const now = panel()?.dataset.address;
    if (!before || !now || now === before) return;
    history.replaceState(history.state, "", now + location.hash);
    shown = here();
  });

  window.addEventListener("popstate", async (event) => {
    leaving = false;
    if (!results()) return;
    const closes = unfolded() && location.hash !== SHEET;
    close();
    if (location.hash === SHEET) open();
    if (here() === shown) {
      if (asking?.why === "turn") {
        wanted = null;
        pause(); // back and forth
      }
      return;
    }
    if (closes) {
      // Choices made in the dialog stay, and can be undone.
      history.pushState({ refined: true }, "", shown);
      return;
    }
    panel()?.rest();
    await show(here(), "turn");
    if (event.state?.top !== undefined) window.scrollTo({ top: event.state.top, behavior: "instant" });
  });

  if (location.hash === SHEET) open(); // the page may wait for pictures for long
})();
