"use strict";

/* A bar along the top of the window from the moment a link is followed or a form is sent until the next page begins:
   a class on <html>, which navigation-progress.css draws.

   It listens on the window, after all listeners that may cancel the event. */
(() => {
  const MOST_MS = 30_000;
  const { classList } = document.documentElement;
  let timer;

  const end = () => {
    clearTimeout(timer);
    classList.remove("navigating");
  };

  const begin = () => {
    end();
    classList.add("navigating");
    timer = setTimeout(end, MOST_MS); // the visitor may have stopped it, and nothing tells
  };

  const leaves = (target) => {
    const address = new URL(target, location.href);
    const here = address.pathname + address.search === location.pathname + location.search;
    return address.origin === location.origin && !(here && address.hash);
  };

  const opensHere = ({ target }) => !target || target === "_self";

  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("a[href]:not([download])");
    if (link && opensHere(link) && leaves(link.href)) begin();
  });

  addEventListener("submit", (event) => {
    const form = event.target;
    if (!event.defaultPrevented && opensHere(form) && form.method !== "dialog") begin();
  });

  /* A page that comes back from the browser's memory is as it was left: with the bar. */
  addEventListener("pageshow", (event) => event.persisted && end());
})();

/* A press may close something that covered a link, or lead to a page with a link in the same spot: the second half of
   a double press follows neither. */
(() => {
  let pressed;

  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link && event.detail > 1 && link !== pressed) event.preventDefault();
    pressed = link;
  }, { capture: true });
})();

/* <page-title>: a page that began before its name was known. */
customElements.define(
  "page-title",
  class extends HTMLElement {
    connectedCallback() {
      document.title = this.dataset.title;
    }
  },
);
