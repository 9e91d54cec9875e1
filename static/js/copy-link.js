"use strict";

/* <copy-link data-from="#id"> around a hidden button and a status: copies the field's text and says so. */
(() => {
  const AGAIN = 4000;
  // A screen reader says the same words again only where they were gone for a moment.
  const GONE = 100;

  class CopyLink extends HTMLElement {
    #silence;

    connectedCallback() {
      const button = this.querySelector("button");
      button.hidden = false;
      button.addEventListener("click", () => this.#copy());
    }

    async #copy() {
      const field = this.getRootNode().querySelector(this.dataset.from);
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        // Without a secure connection there is only the old way; where that fails too the text stays selected.
        if (!document.execCommand("copy")) return;
      }
      const status = this.querySelector("[role=status]");
      clearTimeout(this.#silence);
      status.textContent = "";
      setTimeout(() => (status.textContent = this.dataset.done), GONE);
      this.#silence = setTimeout(() => (status.textContent = ""), AGAIN);
    }
  }

  customElements.define("copy-link", CopyLink);
})();
