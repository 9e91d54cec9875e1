"use strict";

/* The ticks "Compare" of cards: the button of their form says how many are set, and more than it takes can't be. */
(() => {
  const TICKS = "input[name=stay][form]";

  const count = (form) => {
    const labels = form.dataset.labels?.split("|");
    if (!labels) return;
    const ticks = [...document.querySelectorAll(TICKS)].filter((tick) => tick.form === form);
    const set = ticks.filter((tick) => tick.checked).length;
    const most = labels.length - 1;
    form.querySelector("button span").textContent = labels[Math.min(set, most)];
    for (const tick of ticks) tick.disabled = set >= most && !tick.checked;
  };

  document.addEventListener("change", ({ target }) => target.matches?.(TICKS) && target.form && count(target.form));
  /* What was ticked before the visitor went on is ticked when they come back. */
  addEventListener("pageshow", () => document.querySelectorAll("form[data-labels]").forEach(count));
})();
