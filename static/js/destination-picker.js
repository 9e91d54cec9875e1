/* <destination-picker data-suggestions="/destinations/"> around the place field: a combobox with list autocomplete and
   manual selection, as the WAI-ARIA Authoring Practices describe it. Every row and every word comes from the server; a
   choice is a text in the field, which the server understands without this script. */
(() => {
  const PAUSE = 100;
  const RECENT = "recent-destinations";
  const MOST_RECENT = 4;
  const ROOM_FOR_ROWS = 240;

  class DestinationPicker extends HTMLElement {
    #input;
    #list;
    #status;
    #active = null;
    #timer = 0;
    #request = null;
    #unanswered = false;
    #answers = new Map();

    connectedCallback() {
      if (this.#input) return;
      this.#input = this.querySelector("input");
      this.querySelector("datalist")?.remove();
      this.#list = document.createElement("div");
      this.#list.className = "destination-picker__list";
      this.#list.id = `${this.#input.id}-options`;
      this.#list.setAttribute("role", "listbox");
      this.#list.hidden = true;
      this.#status = document.createElement("p");
      this.#status.setAttribute("role", "status");
      this.append(this.#list, this.#status);
      this.#say("");
      const begun = this.#input === document.activeElement && this.#input.value !== this.#input.defaultValue;
      if (this.#searches) this.#input.value ||= history.state?.place ?? "";
      this.#become();
      this.#listen();
      // The visitor may have typed before this script came.
      if (begun) this.#typed();
    }

    #become() {
      this.#input.removeAttribute("list");
      const is = { role: "combobox", "aria-autocomplete": "list", "aria-controls": this.#list.id, "aria-expanded": "false" };
      for (const [name, value] of Object.entries(is)) this.#input.setAttribute(name, value);
    }

    #listen() {
      this.#input.addEventListener("input", () => this.#typed());
      this.#input.addEventListener("keydown", (event) => this.#key(event));
      this.#input.addEventListener("click", () => this.#isOpen || this.#open());
      // Not when the field loses the focus: a screen reader on a phone takes it away to read the rows.
      for (const kind of ["focusin", "pointerdown"]) {
        document.addEventListener(kind, (event) => this.contains(event.target) || this.#close());
      }
      window.addEventListener("online", () => this.#unanswered && this.#open());
      // The field keeps the focus, and phones keep their keyboard, while a row is pressed.
      this.#list.addEventListener("mousedown", (event) => event.preventDefault());
      this.#list.addEventListener("click", (event) => this.#clicked(event));
      if (this.#searches) this.#input.form.addEventListener("submit", () => this.#leave(this.#input.value.trim()));
      // A page that is still loading is used already: that it has come is no reason to close anything.
      window.addEventListener("pageshow", ({ persisted }) => persisted && this.#close());
    }

    /* Browsers forget a field without autocompletion when one comes back to it. */
    #leave(place) {
      remember(place);
      history.replaceState({ ...history.state, place }, "");
    }

    /* Only a search is remembered, and begins where the visitor is: a place in another form does neither. */
    get #searches() {
      return this.#input.form?.getAttribute("role") === "search";
    }

    get #isOpen() {
      return !this.#list.hidden;
    }

    get #options() {
      return [...this.#list.querySelectorAll("[role=option]:not([hidden])")];
    }

    #address(asked = { q: this.#input.value.trim() }) {
      const address = new URL(this.dataset.suggestions, location.href);
      const market = this.#input.form?.elements.market?.value;
      const query = { ...asked, part: "options", ...(market && { market }) };
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      return address.href;
    }

    async #answer(address, signal) {
      if (!this.#answers.has(address)) {
        const response = await fetch(address, { signal, headers: { Accept: "text/html" } });
        if (!response.ok) throw new Error(`suggestions: ${response.status}`);
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const rows = page.querySelector("[role=listbox]");
        if (!rows) throw new Error("suggestions: another page"); // such as a network's own, to be signed in to
        this.#answers.set(address, rows);
      }
      return this.#answers.get(address).cloneNode(true);
    }

    /* Fills and opens the list for `address`; false when a later question or a failure got in between. */
    async #ask(address) {
      this.#request?.abort();
      this.#unanswered = false;
      const request = (this.#request = new AbortController());
      try {
        const answer = await this.#answer(address, request.signal);
        if (request !== this.#request || document.activeElement !== this.#input) return false;
        this.#fill(answer);
        return this.#isOpen;
      } catch {
        // Text typed meanwhile gets an answer of its own.
        if (request === this.#request && !this.#timer) {
          this.#close();
          this.#unanswered = true;
        }
        return false;
      }
    }

    #fill(answer) {
      const near = answer.querySelector("[data-near]");
      if (near) near.hidden = !(this.#searches && navigator.geolocation && window.isSecureContext);
      const group = answer.querySelector("[data-recent]");
      const recent = group && this.#searches ? recall() : [];
      if (recent.length) group.replaceWith(recentGroup(group, recent));
      Object.assign(this.#list.dataset, answer.dataset);
      this.#list.setAttribute("aria-label", answer.getAttribute("aria-label"));
      const marked = this.#active?.dataset.text;
      this.#mark(null);
      this.#list.replaceChildren(...answer.children);
      this.#options.forEach((option, number) => (option.id = `${this.#list.id}-${number}`));
      this.#show(this.#options.length > 0);
      this.#makeRoom();
      if (marked) this.#mark(this.#options.find((option) => option.dataset.text === marked) ?? null);
      this.#say(answer.dataset.status, !this.#isOpen);
    }

    #show(open) {
      this.#list.hidden = !open;
      this.#list.scrollTop = 0;
      this.#input.setAttribute("aria-expanded", String(open));
    }

    /* Above a phone's keyboard there is little left, so the field goes to the top. */
    #makeRoom() {
      const end = window.visualViewport?.height ?? window.innerHeight;
      if (end - this.getBoundingClientRect().bottom < ROOM_FOR_ROWS) this.scrollIntoView({ block: "start" });
    }

    #open() {
      this.#settle();
      return this.#ask(this.#address());
    }

    #settle() {
      clearTimeout(this.#timer);
      this.#timer = 0;
    }

    #close() {
      this.#settle();
      this.#request?.abort();
      this.#request = null;
      this.#mark(null);
      this.#show(false);
      this.#say("");
    }

    /* Tells a screen reader; `seen` shows it to everybody, where there are no rows to be seen instead. */
    #say(text, seen = false) {
      this.#status.textContent = text;
      this.#status.className = seen && text ? "destination-picker__status" : "visually-hidden";
    }

    #mark(option) {
      this.#active?.setAttribute("aria-selected", "false");
      this.#active = option;
      if (option) {
        option.setAttribute("aria-selected", "true");
        option.scrollIntoView({ block: "nearest" });
        this.#input.setAttribute("aria-activedescendant", option.id);
      } else {
        this.#input.removeAttribute("aria-activedescendant");
      }
    }

    #typed() {
      this.#settle();
      this.#mark(null);
      this.#timer = setTimeout(() => this.#open(), this.#answers.has(this.#address()) ? 0 : PAUSE);
    }

    #key(event) {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const action = {
        ArrowDown: () => (event.altKey ? this.#isOpen || this.#open() : this.#step(1)),
        ArrowUp: () => (event.altKey ? this.#close() : this.#step(-1)),
        Enter: () => this.#active && this.#choose(this.#active),
        Escape: () => this.#escape(),
        Delete: () => this.#active?.dataset.recent && this.#forget(this.#active),
      }[event.key];
      if (action) {
        if (action() || event.key.startsWith("Arrow")) event.preventDefault();
      } else if (["Home", "End", "ArrowLeft", "ArrowRight"].includes(event.key)) {
        this.#mark(null);
      }
    }

    async #step(by) {
      if ((!this.#isOpen || this.#timer) && !(await this.#open())) return;
      const options = this.#options;
      const from = this.#active ? options.indexOf(this.#active) : by > 0 ? -1 : options.length;
      this.#mark(options[(from + by + options.length) % options.length]);
    }

    /* A fetch on its way ends, too. */
    #escape() {
      const ends = this.#isOpen || this.#input.value;
      if (!this.#isOpen) this.#input.value = "";
      this.#close();
      return ends;
    }

    #clicked(event) {
      const option = event.target.closest("[role=option]");
      if (!option) return;
      if (event.target.closest("[data-remove]")) this.#forget(option);
      else this.#choose(option);
    }

    #choose(option) {
      if (option.hasAttribute("data-near")) return this.#locate();
      this.#input.value = (this.#searches && option.dataset.picked) || option.dataset.text;
      this.#input.dispatchEvent(new Event("change", { bubbles: true }));
      this.dispatchEvent(new CustomEvent("destination-chosen", { bubbles: true, detail: { ...option.dataset } }));
      this.#close();
      return true;
    }

    #forget(option) {
      const removed = this.#list.dataset.removed;
      forget(option.dataset.text);
      this.#open().then(() => this.#say(removed));
      return true;
    }

    /* Where the visitor is leaves the browser rounded to about a kilometre, and only on this request. */
    #locate() {
      const { locating, refused } = this.#list.dataset;
      this.#close();
      this.#say(locating, true);
      // More typing asks something else.
      const request = (this.#request = new AbortController());
      navigator.geolocation.getCurrentPosition(
        ({ coords }) =>
          request === this.#request && this.#ask(this.#address({ at: `${coords.latitude.toFixed(2)},${coords.longitude.toFixed(2)}` })),
        () => request === this.#request && this.#say(refused, true),
        { timeout: 10_000, maximumAge: 600_000 },
      );
      return true;
    }
  }

  function recentGroup(template, texts) {
    const group = template.content.cloneNode(true);
    const prototype = group.querySelector("[role=option]");
    const options = texts.map((text) => {
      const option = prototype.cloneNode(true);
      option.dataset.text = text;
      option.dataset.recent = "true";
      option.querySelector("[data-slot]").textContent = text;
      return option;
    });
    prototype.replaceWith(...options);
    return group;
  }

  // Storage may be off or full: then there are no recent searches, and nothing else is missing.
  function recall() {
    try {
      const kept = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
      return kept.filter((text) => typeof text === "string" && text).slice(0, MOST_RECENT);
    } catch {
      return [];
    }
  }

  function keep(texts) {
    try {
      localStorage.setItem(RECENT, JSON.stringify(texts.slice(0, MOST_RECENT)));
    } catch {
      /* see above */
    }
  }

  function remember(text) {
    if (text) keep([text, ...recall().filter((one) => one !== text)]);
  }

  function forget(text) {
    keep(recall().filter((one) => one !== text));
  }

  /* A page that begins early and ends as another asks for the script in two ways. */
  if (!customElements.get("destination-picker")) customElements.define("destination-picker", DestinationPicker);
})();
