"use strict";

/* <share-sheet data-url data-title> around a hidden button: the device's own way to send things, where it has one. */
(() => {
  class ShareSheet extends HTMLElement {
    connectedCallback() {
      if (!navigator.share) return;
      const button = this.querySelector("button");
      button.hidden = false;
      button.addEventListener("click", () => {
        const { title, url } = this.dataset;
        navigator.share({ title, url }).catch(() => {}); // closing the sheet is no failure
      });
    }
  }

  customElements.define("share-sheet", ShareSheet);
})();
