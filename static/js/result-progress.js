"use strict";

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
