"use strict";

/* <date-range> around the two date fields: they keep the value and can be typed into as ever, the check-out follows the
   check-in, and either opens one calendar for both. That is calendar.js, fetched when a visitor turns to the form.
   A day is a number here, counted from 1970, so that no time zone has a say.

   Here, too: menus that close, and the folded search bar, which fetches the picker of places when it is unfolded. */
(() => {
  const DAY = 86_400_000;
  const OPENING = ["F4", " "];

  const parsed = (text) => (text ? Date.parse(text) / DAY : NaN);
  const spelled = (day) => new Date(day * DAY).toISOString().slice(0, 10);

  class DateRange extends HTMLElement {
    fields;
    nights = 1;
    #calendar;
    #failures = 0;

    connectedCallback() {
      if (this.fields) return;
      this.fields = [...this.querySelectorAll("input")];
      this.fields.forEach((field, number) => this.#listen(field, number === 1));
      for (const turn of ["focusin", "pointerover"]) this.closest("form").addEventListener(turn, () => this.#fetched(), { once: true });
      this.closest(".search-form--large")?.addEventListener("destination-chosen", () => this.#leadOn());
      this.#remember(this.fields.map(({ defaultValue }) => parsed(defaultValue)));
      this.#chosenBefore();
      addEventListener("pageshow", () => this.#chosenBefore());
    }

    /* Days chosen before this script came, or that the browser fills in when the visitor comes back. */
    #chosenBefore() {
      if (this.fields.every(({ value, defaultValue }) => value === defaultValue)) return;
      const [checkIn, checkOut] = this.days;
      this.#typed(!(checkOut <= checkIn));
    }

    /* Who chose a place chooses dates next, unless that is done. */
    #leadOn() {
      if (this.fields.some(({ value, defaultValue }) => value !== defaultValue)) return;
      this.fields[0].focus();
      this.#open(this.fields[0], false);
    }

    #listen(field, end) {
      const open = (event) => {
        event.preventDefault();
        this.#open(field, end);
      };
      field.addEventListener("click", open);
      field.addEventListener("keydown", (event) => {
        if (OPENING.includes(event.key) || (event.altKey && event.key === "ArrowDown")) open(event);
      });
      // A finger would open the phone's own calendar instead; one that scrolls the page opens none.
      field.addEventListener("pointerup", ({ pointerType }) => (field.readOnly = pointerType === "touch"));
      field.addEventListener("change", () => this.#typed(end));
    }

    /* The next call tries a failed fetch again. Browsers remember that an address failed, so it changes. */
    #fetched() {
      this.#calendar ??= import(`${this.dataset.calendar}#${this.#failures}`).then(({ Calendar }) => new Calendar(this));
      this.#calendar.catch(() => {
        this.#calendar = undefined;
        this.#failures += 1;
      });
      return this.#calendar;
    }

    /* The calendar as soon as it is there, unless the visitor has gone on or types instead; where it can't be had, the browser's own. */
    async #open(field, end) {
      const { value } = field;
      try {
        const calendar = await this.#fetched();
        if (field.value === value && [field, document.body].includes(document.activeElement)) return calendar.open(end);
        field.readOnly = false;
      } catch {
        field.readOnly = false;
        field.showPicker();
      }
    }

    words(options) {
      const words = new Intl.DateTimeFormat(this.dataset.locale, { timeZone: "UTC", ...options });
      return (day) => words.format(day * DAY);
    }

    get days() {
      return this.fields.map((field) => parsed(field.value));
    }

    set days(days) {
      days.forEach((day, number) => (this.fields[number].value = spelled(day)));
      this.#remember();
    }

    /* The visitor's own today: the server lets a day more be typed, for it doesn't know the time zone. */
    get first() {
      const now = new Date();
      const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY;
      return Math.max(parsed(this.fields[0].min), today);
    }

    get last() {
      return parsed(this.fields[0].max);
    }

    get nightWords() {
      return this.dataset.nights.split("|");
    }

    /* While it is typed, the day may be of a year like 0002, or have passed: it moves nothing. */
    #typed(end) {
      const [checkIn] = this.days;
      if (end) this.#remember();
      else if (checkIn >= this.first && checkIn <= this.last) this.days = [checkIn, checkIn + this.nights];
      this.tell();
    }

    #remember([checkIn, checkOut] = this.days) {
      const nights = checkOut - checkIn;
      if (nights >= 1 && nights <= this.nightWords.length) this.nights = nights;
    }

    /* The weekdays and the nights beside the fields. */
    tell() {
      const days = this.days;
      const weekday = this.words({ weekday: "short" });
      const nights = this.nightWords[days[1] - days[0] - 1] ?? "";
      const said = [...days.map((day) => (day ? weekday(day) : "")), nights];
      this.querySelectorAll("[data-said]").forEach((element, number) => (element.textContent = said[number]));
    }
  }

  /* A menu is left by a press elsewhere or by Escape, which takes the focus along from within it alone. What is behind
     "More" is a menu where it floats over the page. */
  const MENUS = ".search-form__more[open], .refine-sort[open], .share-slot__more[open]";
  const floats = (menu) => !menu.matches(".search-form__more") || getComputedStyle(menu.querySelector(".search-form__panel")).position === "absolute";

  const leave = (event) => {
    for (const menu of [...document.querySelectorAll(MENUS)].filter(floats)) {
      const inside = menu.contains(event.key ? document.activeElement : event.target);
      if (event.key ? event.key !== "Escape" : inside) continue;
      if (event.key && inside) menu.querySelector("summary").focus();
      menu.open = false;
    }
  };

  /* A page that begins early and ends as another has the script twice. */
  if (!customElements.get("date-range")) {
    customElements.define("date-range", DateRange);
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, leave);
  }

  /* Until the picker can be fetched a place is typed as it is. Browsers remember that an address failed, so it changes. */
  const fold = document.querySelector(".search-bar__fold");
  let failures = 0;
  const unfolded = () => fold?.open && import(`${fold.dataset.picker}#${failures}`).catch(() => (failures += 1));
  fold?.addEventListener("toggle", unfolded);
  unfolded();
})();
