"use strict";

/* <print-button> around a hidden button. */
(() => {
  class PrintButton extends HTMLElement {
    connectedCallback() {
      const button = this.querySelector("button");
      button.hidden = false;
      button.addEventListener("click", () => window.print());
    }
  }

  customElements.define("print-button", PrintButton);
})();
