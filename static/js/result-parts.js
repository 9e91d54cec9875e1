"use strict";

/* The small parts of a page of results: the price handles, the progress of an answer, when it is
   cheapest, the way back to a card. */

/* <price-range>: two handles that write the fields of the price limits; at an end of the scale there is no limit. */
(() => {
  class PriceRange extends HTMLElement {
    connectedCallback() {
      if (this.handles) return;
      const { start, end, step, least, most, locale, currency } = this.dataset;
      this.amounts = new Intl.NumberFormat(locale, { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" });
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
      this.tell();
      this.raise();
    }

    /* A bare number says nothing of money. */
    tell() {
      for (const handle of this.handles) handle.setAttribute("aria-valuetext", this.amounts.format(handle.value));
    }

    /* At the upper end the lower handle is the only one that can be moved. */
    raise() {
      const [low] = this.handles;
      low.style.zIndex = low.value === low.max ? 1 : "";
    }

    moved(side, field) {
      const [low, high] = this.handles;
      // The lowest total is in the first step: no limit leaves out every place.
      if (side) high.value = Math.max(high.value, Number(high.min) + Number(high.step));
      if (Number(low.value) > Number(high.value)) this.handles[side].value = this.handles[1 - side].value;
      const { value } = this.handles[side];
      field.value = value === (side ? high.max : low.min) ? "" : value;
      this.tell();
      this.raise();
    }
  }

  customElements.define("price-range", PriceRange);
})();

/* Back from a property is back at its card, at the height where it was.

   A browser restores a number of pixels, but cards above the fold are only as tall as guessed until they are
   drawn. So the card at the top of the window is remembered in the history entry, and looked up on return. */
(() => {
  const FRAMES = 12;
  const CARDS = ".results__cards .listing-card";

  const setPlace = (place) => history.replaceState({ ...history.state, card: undefined, offset: undefined, ...place }, "");

  const remember = () => {
    const card = [...document.querySelectorAll(CARDS)].find((one) => one.getBoundingClientRect().bottom > 0);
    setPlace(card && scrollY > 0 && { card: card.id, offset: card.getBoundingClientRect().top });
  };

  /* A visitor who goes on from there isn't taken back, however late the pictures come. */
  let moved = false;
  for (const kind of ["wheel", "pointerdown", "keydown"]) addEventListener(kind, () => (moved = true), { capture: true, passive: true });

  /* Drawing the cards on the way changes their height, so one look isn't enough. Then the card is forgotten: before a
     reload a browser may drop the remembered card, and goes back by itself. */
  const settle = (frames) => {
    const { card, offset } = history.state ?? {};
    const element = card && document.getElementById(card);
    if (!element) return;
    const away = element.getBoundingClientRect().top - offset;
    if (!moved && Math.abs(away) > 1) scrollBy({ top: away, behavior: "instant" });
    if (frames && !moved) requestAnimationFrame(() => settle(frames - 1));
    else setPlace();
  };

  addEventListener("pagehide", remember);
  settle(FRAMES);
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) moved = false;
    settle(FRAMES);
  });
})();

/* The progress of a complete answer: asks how far it is, and puts the new order in place when it is done.

   Only an untouched page changes by itself; after a press, a key or a scroll a button offers the order. */
(() => {
  const FIRST = 250;
  const MOST = 2000;
  const GIVE_UP = 60;
  const TOUCHES = ["pointerdown", "keydown", "wheel", "scroll", "focusin"];
  let touched = document.activeElement !== document.body; // before this script came

  for (const kind of TOUCHES) addEventListener(kind, () => (touched = true), { capture: true, passive: true });

  class ResultProgress extends HTMLElement {
    wait = FIRST;
    asked = 0;

    connectedCallback() {
      this.text = this.querySelector(".result-progress__text");
      this.bar = this.querySelector("progress");
      this.button = this.querySelector("button");
      this.button.onclick = () => this.show();
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
      let told;
      try {
        const response = await fetch(this.dataset.ask, { headers: { Accept: "application/json" } });
        if (response.ok) told = await response.json();
      } catch {
        /* It is asked again. */
      }
      if (!this.isConnected) return;
      if (told) this.tell(told);
      if (told?.done) this.done();
      else if (this.asked < GIVE_UP) this.later();
      else Object.assign(this.querySelector(".result-progress__again").style, { display: "inline", animation: "none" });
    }

    /* Several processes may answer, each with a count of its own: the line never goes back. */
    tell({ text, compared, most }) {
      if (compared < this.bar.value) return;
      this.text.textContent = text;
      if (!most) return;
      this.bar.max = most;
      this.bar.value = compared;
    }

    /* Asked only now where the page stands: as it loads, the question would make the browser lay it out at once. */
    done() {
      const isTouched = () => touched || scrollY > 0;
      if (isTouched()) this.button.hidden = false;
      else this.show(isTouched);
    }

    show(unwanted) {
      document.dispatchEvent(new CustomEvent("results-due", { detail: { address: this.dataset.address, unwanted } }));
    }
  }

  customElements.define("result-progress", ResultProgress);
})();

/* "When is it cheapest?" opens over the list, with all its choices; where that fails its page opens. */
(() => {
  let dialog;

  const fetched = async (address) => {
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    const dates = page.querySelector(".dates");
    if (!dates) throw new Error("no dates");
    dates.querySelector("h1").id = "dates-title";
    return document.adoptNode(dates);
  };

  const opened = (link) => {
    const element = Object.assign(document.createElement("dialog"), { className: "dialog dates-dialog" });
    element.setAttribute("aria-labelledby", "dates-title");
    const close = Object.assign(document.createElement("button"), { type: "button", className: "dialog__close", textContent: "×" });
    close.setAttribute("aria-label", link.dataset.close);
    element.append(close, document.createElement("div"));
    element.addEventListener("click", ({ target }) => (target === element || target === close) && element.close());
    // What is under way is asked for no longer.
    element.addEventListener("close", () => element.lastChild.replaceChildren());
    document.body.append(element);
    document.head.append(Object.assign(document.createElement("script"), { src: link.dataset.dates }));
    return element;
  };

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[data-dates], .dates-dialog .dates__pills a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    try {
      const dates = await fetched(link.href);
      dialog ??= opened(link);
      const label = link.closest(".dates-dialog") && link.textContent;
      dialog.lastChild.replaceChildren(dates);
      if (!dialog.open) dialog.showModal();
      // The focus stays on the choice.
      if (label) [...dates.querySelectorAll(".dates__pills a")].find((one) => one.textContent === label)?.focus();
    } catch {
      location.assign(link.href);
    }
  });
})();
