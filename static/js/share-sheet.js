"use strict";

/* <share-sheet data-url data-title data-copied> around a hidden button and a status: the device's own way to send
   things, where it has one; else the address is copied and `data-copied` said, where that is given. */
(() => {
  class ShareSheet extends HTMLElement {
    connectedCallback() {
      const { title, url, copied } = this.dataset;
      const copies = copied && navigator.clipboard;
      if (!navigator.share && !copies) return;
      const button = this.querySelector("button");
      button.hidden = false;
      button.addEventListener("click", async () => {
        if (navigator.share) return navigator.share({ title, url }).catch(() => {}); // closing the sheet is no failure
        await navigator.clipboard.writeText(url);
        this.querySelector("[role=status]").textContent = copied;
      });
    }
  }

  customElements.define("share-sheet", ShareSheet);
})();
