"use strict";

/* A property a visitor is about to open is fetched a moment early. Few at a time: each one may cost the
   gateway a call, so resting on a link counts as intent, passing over it doesn't. */
(() => {
  const MOST = 4;
  const REST_MS = 150;
  const LINKS = ".listing-card__name a, .listing-card__go, .map-list a";
  const fetched = new Set();
  let waiting;

  if (navigator.connection?.saveData) return;

  const fetchEarly = (link) => {
    if (fetched.size >= MOST || fetched.has(link.href)) return;
    fetched.add(link.href);
    const hint = document.createElement("link");
    hint.rel = "prefetch";
    hint.href = link.href;
    document.head.append(hint);
  };

  document.addEventListener("pointerover", (event) => {
    clearTimeout(waiting);
    const link = event.target.closest?.(LINKS);
    if (link && event.pointerType === "mouse") waiting = setTimeout(fetchEarly, REST_MS, link);
  });
  document.addEventListener("pointerdown", (event) => {
    const link = event.target.closest?.(LINKS);
    if (link) fetchEarly(link);
  });
})();
