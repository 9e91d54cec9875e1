"use strict";

/* The offers of a card become elements when they are unfolded or printed: a page holds sixty, few are looked at. */
(() => {
  const OFFERS = "details.offers";

  const unpack = (offers) => {
    const kept = offers.querySelector("noscript");
    if (kept) kept.outerHTML = kept.innerHTML;
  };
  const unpackAll = () => document.querySelectorAll(OFFERS).forEach(unpack);

  for (const event of ["click", "toggle"]) {
    document.addEventListener(event, ({ target }) => {
      const offers = target.closest?.(OFFERS);
      if (offers) unpack(offers);
    }, true);
  }
  addEventListener("beforeprint", unpackAll);
  matchMedia("print").addEventListener("change", unpackAll);
})();
