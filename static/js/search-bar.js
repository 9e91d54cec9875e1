"use strict";

/* The search bar of pages that aren't about searching: who unfolds it gets the picker of places with it. Until that can be
   fetched a place is typed as it is; of the same address browsers remember that it failed. */
(() => {
  const fold = document.querySelector(".search-bar__fold");
  let failures = 0;
  const unfolded = () => fold.open && import(`${fold.dataset.picker}#${failures}`).catch(() => (failures += 1));
  fold.addEventListener("toggle", unfolded);
  unfolded();
})();
