"use strict";

/* <dates-table>: fetches its table as the totals come in, each time with more of them. The totals of a reader who leaves
   are asked for no longer: the browser ends the request. Where it fails, the form beneath asks for them. */
(() => {
  const NEXT = "<!--next-->";

  class DatesTable extends HTMLElement {
    #left = new AbortController();

    disconnectedCallback() {
      this.#left.abort();
    }

    async connectedCallback() {
      for (const chosen of this.parentElement.querySelectorAll(".dates__pills [aria-current]")) {
        const { parentElement: item } = chosen;
        item.parentElement.scrollLeft = item.offsetLeft - item.parentElement.offsetLeft - 48;
      }
      const form = this.parentElement.querySelector(".dates__ask");
      if (!this.dataset.ask || !form) return;
      form.hidden = true;
      try {
        const response = await fetch(this.dataset.ask, { headers: { Accept: "text/html" }, signal: this.#left.signal });
        if (!response.ok) throw new Error(response.status);
        await this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader());
      } catch {
        form.hidden = false;
      }
    }

    async #read(stream) {
      let text = "";
      for (let part = await stream.read(); !part.done; part = await stream.read()) {
        text += part.value;
        const tables = text.split(NEXT);
        text = tables.pop();
        if (tables.length) this.#show(tables.pop());
      }
    }

    /* The line of the progress stays, to be read out; the focus stays on its date. */
    #show(html) {
      const page = new DOMParser().parseFromString(html, "text/html");
      const focused = this.contains(document.activeElement) && document.activeElement.getAttribute("href");
      this.querySelector("[role=status]").textContent = page.querySelector("[role=status]").textContent;
      this.querySelector(".dates__shown").replaceWith(document.adoptNode(page.querySelector(".dates__shown")));
      if (focused) this.querySelector(`table a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
  }

  customElements.define("dates-table", DatesTable);
})();
