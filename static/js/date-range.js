"use strict";

/* <date-range> around the two date fields: one calendar for both, opened by either, with the keys of the date
   grid of the WAI-ARIA Authoring Practices. The fields keep the value and can be typed into as ever. A day is a
   number here, counted from 1970, so that no time zone has a say. */
(() => {
  const DAY = 86_400_000;
  const WIDE = matchMedia("(min-width: 44rem)");
  const OPENING = ["F4", " "];

  const parsed = (text) => (text ? Date.parse(text) / DAY : NaN);
  const spelled = (day) => new Date(day * DAY).toISOString().slice(0, 10);
  /* Months are counted from the year 0: 12 each year. */
  const monthOf = (day) => new Date(day * DAY).getUTCFullYear() * 12 + new Date(day * DAY).getUTCMonth();
  const firstOf = (month) => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY;
  const inMonth = (month, date) => Math.min(firstOf(month) + date, firstOf(month + 1)) - 1;

  const made = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const isChanged = (field) =>
    field.options
      ? [...field.options].some((option) => option.selected !== option.defaultSelected)
      : field.value !== field.defaultValue || field.checked !== field.defaultChecked;

  class DateRange extends HTMLElement {
    #fields;
    #dialog;
    #words;
    #nights = 1;
    #totals = new Map(); // by day, for the party and the nights that were searched
    #end = false; // whether the check-out is chosen, not the check-in
    #active; // the day that has the focus
    #month; // the first one shown

    connectedCallback() {
      if (this.#fields) return;
      this.#fields = [...this.querySelectorAll("input")];
      this.#words = (options) => {
        const words = new Intl.DateTimeFormat(this.dataset.locale, { timeZone: "UTC", ...options });
        return (day) => words.format(day * DAY);
      };
      this.#fields.forEach((field, number) => this.#listen(field, number === 1));
      addEventListener("pageshow", () => this.#tell());
      this.#remember();
    }

    #listen(field, end) {
      const open = (event) => {
        event.preventDefault();
        this.#open(end);
      };
      field.addEventListener("click", open);
      field.addEventListener("keydown", (event) => {
        if (OPENING.includes(event.key) || (event.altKey && event.key === "ArrowDown")) open(event);
      });
      // A finger would open the phone's own calendar instead.
      field.addEventListener("pointerdown", ({ pointerType }) => (field.readOnly = pointerType === "touch"));
      field.addEventListener("change", () => this.#typed(end));
    }

    get #days() {
      return this.#fields.map((field) => parsed(field.value));
    }

    set #days(days) {
      days.forEach((day, number) => (this.#fields[number].value = spelled(day)));
      this.#remember();
    }

    /* The visitor's own today: the server lets a day more be typed, for it doesn't know the time zone. */
    get #first() {
      const now = new Date();
      const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY;
      return Math.max(parsed(this.#fields[0].min), today);
    }

    get #last() {
      return parsed(this.#fields[0].max);
    }

    get #nightWords() {
      return this.dataset.nights.split("|");
    }

    /* While a year is typed the field holds years like 0002: such a day moves nothing. */
    #typed(end) {
      const [checkIn] = this.#days;
      if (!end && checkIn >= this.#first && checkIn <= this.#last) this.#days = [checkIn, checkIn + this.#nights];
      else this.#remember();
      this.#tell();
    }

    #remember() {
      const [checkIn, checkOut] = this.#days;
      const nights = checkOut - checkIn;
      if (nights >= 1 && nights <= this.#nightWords.length) this.#nights = nights;
    }

    /* The weekdays and the nights beside the fields. */
    #tell() {
      const days = this.#days;
      const weekday = this.#words({ weekday: "short" });
      const nights = this.#nightWords[days[1] - days[0] - 1] ?? "";
      const said = [...days.map((day) => (isNaN(day) ? "" : weekday(day))), nights];
      this.querySelectorAll("[data-said]").forEach((element, number) => (element.textContent = said[number]));
    }

    /* The stay in words: days with their weekdays, and nights. */
    #stay() {
      const day = this.#words({ weekday: "short", day: "numeric", month: "short" });
      const [checkIn, checkOut] = this.#days;
      return `${day(checkIn)} – ${day(checkOut)} · ${this.#nightWords[checkOut - checkIn - 1]}`;
    }

    #open(end) {
      const [checkIn, checkOut] = this.#days;
      if (!(checkIn >= this.#first && checkOut > checkIn && checkOut - checkIn <= this.#nightWords.length)) {
        const start = checkIn >= this.#first && checkIn <= this.#last ? checkIn : this.#first;
        this.#days = [start, start + this.#nights];
      }
      this.#dialog ??= this.#build();
      this.#end = end;
      this.#active = this.#days[Number(end)];
      this.#month = Math.min(monthOf(this.#days[0]), this.#lastMonth);
      this.#show();
      this.#dialog.showModal();
      this.#place();
      this.#focus();
    }

    #build() {
      const dialog = this.querySelector("template").content.firstElementChild.cloneNode(true);
      dialog.addEventListener("click", (event) => this.#clicked(event));
      dialog.addEventListener("keydown", (event) => this.#key(event));
      dialog.addEventListener("focusin", ({ target }) => target.dataset.number && this.#explain(Number(target.dataset.number)));
      dialog.addEventListener("close", () => this.#closed());
      addEventListener("resize", () => {
        if (!dialog.open) return;
        this.#show();
        this.#place();
      });
      this.append(dialog);
      return dialog;
    }

    #closed() {
      for (const field of this.#fields) field.readOnly = false;
      this.#tell();
      this.querySelector(":scope > [role=status]").textContent = this.#stay();
    }

    /* Beneath the fields, or above them where there is more room. On a phone the style sheet places it. */
    #place() {
      const style = this.#dialog.style;
      style.removeProperty("top");
      style.removeProperty("left");
      if (!WIDE.matches) return;
      const fields = this.getBoundingClientRect();
      const { width, height } = this.#dialog.getBoundingClientRect();
      const screen = document.documentElement;
      const above = fields.bottom + height > screen.clientHeight && fields.top > height;
      const top = scrollY + (above ? fields.top - height - 8 : fields.bottom + 8);
      const left = Math.max(8, Math.min(fields.left, screen.clientWidth - width - 8));
      style.setProperty("top", `${top}px`);
      style.setProperty("left", `${left}px`);
      this.#dialog.scrollIntoView({ block: "nearest" });
    }

    /* The last month that can be the first of those shown. */
    get #lastMonth() {
      return monthOf(this.#last) - (WIDE.matches ? 1 : 0);
    }

    /* They are those of another search as soon as anything but the days is changed. */
    #readTotals() {
      const nights = parsed(this.#fields[1].defaultValue) - parsed(this.#fields[0].defaultValue);
      const others = [...(this.closest("form")?.elements ?? [])].filter(({ name, type }) => name && type !== "date");
      const apply = this.dataset.totals && !this.#end && this.#nights === nights && !others.some(isChanged);
      const said = apply ? this.dataset.totals.split("|").map((one) => one.split(" ")) : [];
      this.#totals = new Map(said.map(([day, total]) => [parsed(day), total]));
    }

    /* Draws the months; those shown follow the active day. */
    #show() {
      const shown = WIDE.matches ? 2 : 1;
      const month = monthOf(this.#active);
      if (month < this.#month) this.#month = month;
      if (month >= this.#month + shown) this.#month = month - shown + 1;
      this.#readTotals();
      const months = Array.from({ length: shown }, (_, number) => this.#drawn(this.#month + number));
      this.#dialog.querySelector(".calendar__months").replaceChildren(...months);
      const note = this.#dialog.querySelector(".calendar__note");
      if (note) note.hidden = !this.#dialog.querySelector(".calendar__total");
      const [back, on] = this.#dialog.querySelectorAll("[data-turn]");
      back.setAttribute("aria-disabled", this.#month <= monthOf(this.#first));
      on.setAttribute("aria-disabled", this.#month >= this.#lastMonth);
      const day = this.#words({ weekday: "short", day: "numeric", month: "short" });
      this.#dialog.querySelectorAll("[data-end]").forEach((button, number) => {
        button.setAttribute("aria-pressed", Number(this.#end) === number);
        button.querySelector("[data-day]").textContent = day(this.#days[number]);
      });
    }

    #drawn(month) {
      const name = this.#words({ month: "long", year: "numeric" })(firstOf(month));
      const heading = made("h2", { class: "calendar__month", id: `calendar-${month}` }, name);
      const table = made("table", { role: "grid", "aria-labelledby": heading.id, class: "calendar__grid" });
      const [short, long] = ["short", "long"].map((weekday) => this.#words({ weekday }));
      // The first of January 1970 was a Thursday, so day 3 was a Sunday.
      const week = Array.from({ length: 7 }, (_, number) => 3 + Number(this.dataset.first) + number);
      const names = week.map((day) => made("th", { scope: "col", abbr: long(day) }, short(day)));
      const body = made("tbody");
      const from = firstOf(month) - this.#fromWeekStart(firstOf(month));
      for (let start = from; start < firstOf(month + 1); start += 7) {
        body.append(made("tr", {}, ...week.map((_, number) => this.#cell(start + number, month))));
      }
      table.append(made("thead", {}, made("tr", {}, ...names)), body);
      return made("div", {}, heading, table);
    }

    #cell(day, month) {
      if (monthOf(day) !== month) return made("td");
      const [checkIn, checkOut] = this.#days;
      const full = this.#words({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
      const cell = made("td", {
        class: "calendar__day",
        "data-number": day,
        tabindex: day === this.#active ? 0 : -1,
        "aria-label": full(day),
        "aria-selected": day === checkIn || day === checkOut,
      });
      if (this.#reason(day)) cell.setAttribute("aria-disabled", "true");
      if (day > checkIn && day < checkOut) cell.classList.add("calendar__day--between");
      if (day === this.#first) cell.setAttribute("aria-current", "date");
      cell.append(String(new Date(day * DAY).getUTCDate()));
      const total = this.#totals.get(day);
      if (total) {
        cell.append(made("small", { class: "calendar__total" }, total));
        cell.ariaLabel += `, ${total}`;
      }
      return cell;
    }

    #fromWeekStart(day) {
      return (((day - 3 - Number(this.dataset.first)) % 7) + 7) % 7;
    }

    /* Why a day can't be chosen: a name in the words of the status line, or nothing. */
    #reason(day) {
      const [checkIn] = this.#days;
      if (day < this.#first) return "passed";
      if (this.#end && day > checkIn) return day - checkIn > this.#nightWords.length ? "long" : "";
      return day > this.#last ? "far" : "";
    }

    #explain(day) {
      const line = this.#dialog.querySelector("[role=status]");
      const reason = this.#reason(day);
      const text = reason ? line.dataset[reason] : this.#stay();
      if (line.textContent !== text) line.textContent = text;
    }

    #focus() {
      this.#dialog.querySelector(`[data-number="${this.#active}"]`).focus();
    }

    #move(day) {
      this.#active = Math.max(firstOf(monthOf(this.#first)), Math.min(day, firstOf(monthOf(this.#last) + 1) - 1));
      this.#show();
      this.#focus();
    }

    #key(event) {
      const cell = event.target.closest("[data-number]");
      if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
      const day = this.#active;
      const [weekday, date] = [this.#fromWeekStart(day), new Date(day * DAY).getUTCDate()];
      const turned = (months) => inMonth(monthOf(day) + months, date);
      const onward = getComputedStyle(this).direction === "rtl" ? -1 : 1;
      const action = {
        ArrowLeft: () => this.#move(day - onward),
        ArrowRight: () => this.#move(day + onward),
        ArrowUp: () => this.#move(day - 7),
        ArrowDown: () => this.#move(day + 7),
        Home: () => this.#move(day - weekday),
        End: () => this.#move(day + 6 - weekday),
        PageUp: () => this.#move(turned(event.shiftKey ? -12 : -1)),
        PageDown: () => this.#move(turned(event.shiftKey ? 12 : 1)),
        Enter: () => this.#pick(day),
        " ": () => this.#pick(day),
      }[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }

    #clicked(event) {
      const cell = event.target.closest("[data-number]");
      const { turn, end, done } = event.target.closest("button")?.dataset ?? {};
      if (cell) this.#pick(Number(cell.dataset.number));
      else if (turn && event.target.closest("[aria-disabled=false]")) this.#turn(Number(turn));
      else if (end) this.#choose(end === "1");
      else if (done !== undefined || event.target === this.#dialog) this.#dialog.close();
    }

    /* Another page of the calendar; the active day comes along, the focus stays on the button. */
    #turn(months) {
      const date = new Date(this.#active * DAY).getUTCDate();
      this.#month += months;
      const shown = WIDE.matches ? 1 : 0;
      const month = Math.max(this.#month, Math.min(monthOf(this.#active), this.#month + shown));
      this.#active = inMonth(month, date);
      this.#show();
    }

    #choose(end) {
      this.#end = end;
      this.#active = this.#days[Number(end)];
      this.#show();
      this.#explain(this.#active);
    }

    #pick(day) {
      const [checkIn] = this.#days;
      this.#active = day;
      if (this.#reason(day)) return this.#move(day);
      if (this.#end && day > checkIn) {
        this.#days = [checkIn, day];
        return this.#dialog.close();
      }
      this.#days = [day, day + this.#nights];
      this.#end = true;
      return this.#move(day);
    }
  }

  customElements.define("date-range", DateRange);
})();
