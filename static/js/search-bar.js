"use strict";

/* The search bar of pages that aren't about searching: who unfolds it gets the picker of places with it. */
(() => {
  const fold = document.querySelector(".search-bar__fold");
  const unfolded = () => fold.open && import(fold.dataset.picker).catch(() => {}); // else a place is typed as it is
  fold.addEventListener("toggle", unfolded);
  unfolded();
})();
