"use strict";

/* <share-dialog> around a link to a page with a #share-panel: the panel opens over this page, and its form is
   sent from there. Without this script the link leads to the page itself. */
(() => {
  const PANEL = "#share-panel";

  const panelOf = async (response) => {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const panel = page.querySelector(PANEL);
    if (!panel) throw new Error("no panel");
    return document.adoptNode(panel);
  };

  /* One dialog for the whole page: the links around it come and go with the results. */
  class Dialog {
    #element = document.createElement("dialog");
    #body = document.createElement("div");
    #pressed = null;

    constructor(closing) {
      this.#element.className = "dialog";
      this.#element.setAttribute("aria-labelledby", "share-title");
      const close = document.createElement("button");
      close.type = "button";
      close.className = "dialog__close";
      close.setAttribute("aria-label", closing);
      close.textContent = "×";
      close.addEventListener("click", () => this.#element.close());
      this.#element.append(close, this.#body);
      this.#element.addEventListener("pointerdown", (event) => (this.#pressed = event.target));
      this.#element.addEventListener("click", (event) => this.#clicked(event));
      this.#element.addEventListener("submit", (event) => this.#submitted(event));
      document.body.append(this.#element);
    }

    show(panel) {
      this.#body.replaceChildren(panel);
      if (!this.#element.open) this.#element.showModal();
      panel.querySelector("[data-focus]")?.focus();
    }

    #clicked(event) {
      const back = event.target.closest("[data-back]");
      if (back) event.preventDefault();
      /* Text marked from inside out ends beside the dialog, too: it must have been pressed there. */
      const beside = event.target === this.#element && this.#pressed === this.#element;
      if (back || beside) this.#element.close();
    }

    async #submitted(event) {
      const form = event.target;
      event.preventDefault();
      const send = form.querySelector("[type=submit]");
      const failed = form.querySelector("[role=alert]");
      send.disabled = true;
      failed.hidden = true;
      try {
        const panel = await panelOf(await fetch(form.action, { method: "POST", body: new FormData(form) }));
        // Else another one was opened meanwhile, which may be written into; the link is among those of its page.
        if (form.isConnected) this.show(panel);
      } catch {
        await this.#renew(form);
        send.disabled = false;
        failed.hidden = false;
      }
    }

    /* After signing in again in another tab, the token of that session is needed. */
    async #renew(form) {
      try {
        const fresh = await panelOf(await fetch(form.action));
        for (const field of fresh.querySelectorAll("input[type=hidden]")) form.elements[field.name].value = field.value;
      } catch {
        /* Then the next press says whether anything is there again. */
      }
    }
  }

  let dialog = null;

  class ShareDialog extends HTMLElement {
    connectedCallback() {
      this.addEventListener("click", (event) => this.#open(event));
    }

    async #open(event) {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (link.ariaBusy) return; // a second panel would take away the text in the first
      link.ariaBusy = "true";
      let left = false;
      const leave = () => (left = true);
      addEventListener("beforeunload", leave);
      try {
        const panel = await panelOf(await fetch(link.href));
        dialog ??= new Dialog(this.dataset.close);
        dialog.show(panel);
      } catch {
        // A visitor on the way to another page isn't taken back.
        if (!left) location.assign(link.href);
      }
      removeEventListener("beforeunload", leave);
      link.ariaBusy = null;
    }
  }

  customElements.define("share-dialog", ShareDialog);
})();
