"use strict";

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
