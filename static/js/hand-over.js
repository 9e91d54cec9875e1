"use strict";

/* Counts who goes on to a provider, without saying who, and copies the facts of an offer when they unfold. */
(() => {
  const address = document.currentScript.dataset.count;

  const count = ({ target, button }) => {
    const link = target.closest("[data-hand-over]");
    // The middle button opens a tab, too; the right one only a menu.
    if (link && button < 2) navigator.sendBeacon(address, link.dataset.handOver);
  };
  document.addEventListener("click", count);
  document.addEventListener("auxclick", count);

  document.addEventListener("click", async ({ target }) => {
    const facts = target.closest(".hand-over-facts > summary")?.parentElement;
    if (!facts || facts.open) return;
    try {
      await navigator.clipboard.writeText(facts.querySelector("pre").textContent);
    } catch {
      return; // without a secure connection the text is there to be selected
    }
    const status = facts.querySelector("[role=status]");
    status.textContent = status.dataset.copied;
  });
})();
