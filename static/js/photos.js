"use strict";

/* A picture that doesn't load makes room for the placeholder: without this it would stay a broken mark. */
(() => {
  const replace = (image) => image.classList.add("photo--failed");

  document.addEventListener("error", (event) => {
    if (event.target instanceof HTMLImageElement && event.target.classList.contains("photo")) replace(event.target);
  }, true);

  for (const image of document.querySelectorAll("img.photo")) {
    if (image.complete && image.src && image.naturalWidth === 0) replace(image);
  }
})();
