"use strict";

/* <photo-gallery>: the pictures inside it open large in a dialog. Swiping is the scrolling of a snapping
   strip, so touch, trackpad and wheel need no code; arrow keys, Home and End move the same strip.
   Without this file every picture is a plain link to itself. */
class PhotoGallery extends HTMLElement {
  static #STILL_MS = 150;
  #dialog;
  #strip;
  #counter;
  #links;
  #last = 0;
  #aim; // the picture that the strip is on its way to
  #still;

  connectedCallback() {
    this.#links = [...this.querySelectorAll("a[href]")];
    this.#dialog = this.querySelector("dialog");
    if (!this.#dialog || !this.#links.length) return;
    this.#strip = this.#dialog.querySelector("[data-strip]");
    this.#counter = this.#dialog.querySelector("[data-counter]");
    this.#links.forEach((link, index) => {
      link.addEventListener("click", (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        this.#open(index);
      });
    });
    const all = this.querySelector("[data-all]");
    all.hidden = false;
    all.addEventListener("click", () => this.#open(0));
    this.#dialog.addEventListener("click", (event) => this.#pressed(event));
    this.#dialog.addEventListener("keydown", (event) => this.#typed(event));
    this.#dialog.addEventListener("close", () => this.#links[this.#last].focus());
    this.#strip.addEventListener("scroll", () => this.#moved(), { passive: true });
    addEventListener("resize", () => this.#dialog.open && this.#show(this.#at(), "instant"));
  }

  #open(index) {
    if (!this.#strip.childElementCount) this.#fill();
    this.#dialog.showModal();
    this.#show(index, "instant");
    this.#count();
  }

  /* Made on first use: a visitor who never opens the gallery loads no large picture. */
  #fill() {
    for (const link of this.#links) {
      const small = link.querySelector("img");
      const large = document.createElement("img");
      Object.assign(large, { alt: small.alt, loading: "lazy", decoding: "async", className: "lightbox__photo" });
      large.referrerPolicy = "no-referrer";
      large.src = link.href;
      const slide = document.createElement("div");
      slide.className = "lightbox__slide";
      slide.append(large);
      this.#strip.append(slide);
    }
  }

  #shown() {
    const width = this.#strip.clientWidth || 1;
    return Math.round(Math.abs(this.#strip.scrollLeft) / width);
  }

  /* Where the next press goes on from: a strip that still moves hasn't got there yet. */
  #at() {
    return this.#aim ?? this.#shown();
  }

  #show(index, behavior = "smooth") {
    this.#aim = Math.min(Math.max(index, 0), this.#links.length - 1);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const direction = getComputedStyle(this.#strip).direction === "rtl" ? -1 : 1;
    const left = this.#aim * this.#strip.clientWidth * direction;
    this.#strip.scrollTo({ left, behavior: calm ? "instant" : behavior });
  }

  #moved() {
    this.#count();
    clearTimeout(this.#still);
    this.#still = setTimeout(() => (this.#aim = undefined), PhotoGallery.#STILL_MS);
  }

  #count() {
    if (!this.#strip.clientWidth) return;
    this.#last = Math.min(this.#shown(), this.#links.length - 1);
    const text = `${this.#last + 1} / ${this.#links.length}`;
    if (this.#counter.textContent !== text) this.#counter.textContent = text;
  }

  #pressed(event) {
    const step = event.target.closest("[data-step]")?.dataset.step;
    if (step) this.#show(this.#at() + Number(step));
    else if (event.target.closest("[data-close]") || event.target.matches(".lightbox__slide")) this.#dialog.close();
  }

  #typed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return; // Alt with an arrow is the browser's way back
    const target = {
      ArrowLeft: this.#at() - 1,
      ArrowRight: this.#at() + 1,
      Home: 0,
      End: this.#links.length - 1,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#show(target);
  }
}

customElements.define("photo-gallery", PhotoGallery);
