"use strict";

/* <pick-list>: staff pick cards from any page of a search, in their own order, and share just those.

   The picks live in this tab alone, apart for each search; order and filters don't make another search. */
(() => {
  const SEARCH = ["place", "checkin", "checkout", "guests", "currency", "market"];
  const MOST = 20;

  const addressOf = () => {
    const canonical = document.querySelector("link[rel=canonical]");
    return new URL(canonical?.href || location.href, location.href).searchParams;
  };

  class PickList extends HTMLElement {
    #picks = [];
    #key = "";

    connectedCallback() {
      const search = addressOf();
      this.#key = "picks:" + SEARCH.map((name) => search.get(name) ?? "").join("|");
      this.#recall();
      this.addEventListener("click", (event) => this.#clicked(event));
      for (const card of document.querySelectorAll(".listing-card[id]")) this.#offer(card);
      this.#show();
      // A page from the browser's memory doesn't know the picks of other pages.
      addEventListener("pageshow", ({ persisted }) => {
        if (!persisted || !this.isConnected) return;
        this.#recall();
        this.#show();
      });
    }

    /* Storage may be refused, and hold anything: then the picks stay as they are. */
    #recall() {
      try {
        const kept = JSON.parse(sessionStorage.getItem(this.#key));
        if (Array.isArray(kept)) this.#picks = kept.filter((pick) => typeof pick?.card === "string");
      } catch {
        /* See #show. */
      }
    }

    #offer(card) {
      const button = this.querySelector("template[data-part=pick]").content.firstElementChild.cloneNode(true);
      button.dataset.card = card.id;
      button.querySelector(".visually-hidden").textContent = card.querySelector("h2, h3").textContent;
      button.addEventListener("click", () => this.#toggle(card));
      card.querySelector(".pick-button")?.remove();
      card.append(button);
    }

    #toggle(card) {
      const at = this.#picks.findIndex((pick) => pick.card === card.id);
      const page = Number(new URLSearchParams(location.search).get("page")) || 1;
      if (at >= 0) this.#picks.splice(at, 1);
      else if (this.#picks.length < MOST) this.#picks.push({ card: card.id, page, name: card.querySelector("h2, h3").textContent });
      this.#show();
    }

    #clicked(event) {
      const button = event.target.closest("button[data-do]");
      if (!button) return;
      const at = [...this.querySelectorAll("li")].indexOf(button.closest("li"));
      if (button.dataset.do === "clear") this.#picks = [];
      if (button.dataset.do === "remove") this.#picks.splice(at, 1);
      if (button.dataset.do === "earlier" && at > 0) this.#picks.splice(at - 1, 0, ...this.#picks.splice(at, 1));
      this.#show();
      const moved = button.dataset.do === "earlier" && this.querySelectorAll("li")[Math.max(0, at - 1)];
      const next = moved ? moved.querySelector("[data-do=earlier]:enabled") ?? this.querySelector("summary") : this.querySelector("button:enabled");
      (this.hidden ? document.getElementById("list") : next)?.focus({ preventScroll: this.hidden });
    }

    #show() {
      try {
        sessionStorage.setItem(this.#key, JSON.stringify(this.#picks));
      } catch {
        /* Storage may be off or full: then the picks last as long as the page. */
      }
      this.hidden = this.#picks.length === 0;
      this.querySelector("[data-part=count]").textContent = `${this.#picks.length} / ${MOST}`;
      this.querySelector("ol").replaceChildren(...this.#picks.map((pick, number) => this.#row(pick, number)));
      this.querySelector("a").href = this.#address();
      const picked = new Set(this.#picks.map((pick) => pick.card));
      for (const button of document.querySelectorAll(".pick-button")) {
        button.setAttribute("aria-pressed", picked.has(button.dataset.card));
        button.disabled = !picked.has(button.dataset.card) && picked.size >= MOST;
      }
    }

    #row(pick, number) {
      const row = this.querySelector("template[data-part=row]").content.firstElementChild.cloneNode(true);
      row.querySelector("bdi").textContent = pick.name;
      row.querySelector("[data-do=earlier]").disabled = number === 0;
      for (const name of row.querySelectorAll("[data-part=name]")) name.textContent = pick.name;
      return row;
    }

    /* That of the view in place, which the location says only a moment later. The stars of the search are left out:
       picks under other stars belong to the list, too. */
    #address() {
      const view = document.querySelector("refine-panel")?.dataset.address ?? "";
      const query = new URL(view, location.href).searchParams;
      for (const name of ["page", "stars", "pick"]) query.delete(name);
      for (const pick of this.#picks) query.append("pick", `${pick.page}.${pick.card}`);
      return `${this.dataset.share}?${query}`;
    }
  }

  customElements.define("pick-list", PickList);
})();
