/* The calendar of <date-range>, see date-range.js: a dialog with the keys of the date grid of the WAI-ARIA Authoring
   Practices. A day is a number here, counted from 1970, so that no time zone has a say. */
const DAY = 86_400_000;
const WIDE = matchMedia("(min-width: 44rem)");

const parsed = (text) => (text ? Date.parse(text) / DAY : NaN);
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

export class Calendar {
  #range; // the element of the two fields, which keeps the days
  #dialog;
  #voice = made("p", { class: "visually-hidden", role: "status" });
  #totals = new Map(); // by day, for the party and the nights that were searched
  #field; // which the focus goes back to
  #end = false; // whether the check-out is chosen, not the check-in
  #active; // the day that has the focus
  #month; // the first one shown

  constructor(range) {
    this.#range = range;
  }

  /* For the check-out if `end`, else for the check-in. */
  open(end) {
    if (this.#dialog?.open) return this.#choose(end);
    const [checkIn, checkOut] = this.#range.days;
    if (!(checkIn >= this.#range.first && checkOut > checkIn && checkOut - checkIn <= this.#range.nightWords.length)) {
      const start = checkIn >= this.#range.first && checkIn <= this.#range.last ? checkIn : this.#range.first;
      this.#range.days = [start, start + this.#range.nights];
    }
    this.#dialog ??= this.#build();
    this.#field = this.#range.fields[Number(end)];
    this.#end = end;
    this.#active = this.#range.days[Number(end)];
    this.#month = Math.min(monthOf(this.#range.days[0]), this.#lastMonth);
    this.#show();
    this.#dialog.showModal();
    this.#place();
    this.#focus();
  }

  /* The stay in words: days with their weekdays, and nights. */
  #stay() {
    const day = this.#range.words({ weekday: "short", day: "numeric", month: "short" });
    const [checkIn, checkOut] = this.#range.days;
    return `${day(checkIn)} – ${day(checkOut)} · ${this.#range.nightWords[checkOut - checkIn - 1]}`;
  }

  #build() {
    const dialog = this.#range.querySelector("template").content.firstElementChild.cloneNode(true);
    dialog.addEventListener("click", (event) => this.#clicked(event));
    dialog.addEventListener("keydown", (event) => this.#key(event));
    dialog.addEventListener("focusin", ({ target }) => target.dataset.number && this.#explain(Number(target.dataset.number)));
    dialog.addEventListener("close", () => this.#closed());
    const months = dialog.querySelector("[data-month]");
    const name = this.#range.words({ month: "short", year: "numeric" });
    for (let month = monthOf(this.#range.first); month <= monthOf(this.#range.last); month += 1) {
      months.append(made("option", { value: month }, name(firstOf(month))));
    }
    months.addEventListener("change", () => this.#turn(Number(months.value) - this.#month));
    addEventListener("resize", () => {
      if (!dialog.open) return;
      const inGrid = "number" in document.activeElement.dataset;
      this.#show();
      this.#place();
      if (inGrid) this.#focus();
    });
    dialog.append(this.#voice);
    this.#range.append(dialog);
    return dialog;
  }

  #closed() {
    for (const field of this.#range.fields) field.readOnly = false;
    // Some browsers lose it where the days were drawn anew in between.
    const focused = document.activeElement;
    if (focused === document.body || this.#dialog.contains(focused)) this.#field.focus({ preventScroll: true });
    this.#range.tell();
    this.#range.querySelector(":scope > [role=status]").textContent = this.#stay();
  }

  /* Beneath the fields, or above them where there is more room. On a phone the style sheet places it. */
  #place() {
    const style = this.#dialog.style;
    style.removeProperty("top");
    style.removeProperty("left");
    if (!WIDE.matches) return;
    const fields = this.#range.getBoundingClientRect();
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
    return monthOf(this.#range.last) - (WIDE.matches ? 1 : 0);
  }

  /* They are those of another search as soon as anything but the days is changed. */
  #readTotals() {
    const nights = parsed(this.#range.fields[1].defaultValue) - parsed(this.#range.fields[0].defaultValue);
    const others = [...(this.#range.closest("form")?.elements ?? [])].filter(({ name, type }) => name && type !== "date");
    const apply = this.#range.dataset.totals && !this.#end && this.#range.nights === nights && !others.some(isChanged);
    const said = apply ? this.#range.dataset.totals.split("|").map((one) => one.split(" ")) : [];
    this.#totals = new Map(said.map(([day, ...total]) => [parsed(day), total]));
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
    this.#dialog.querySelector("[data-month]").value = this.#month;
    const [back, on] = this.#dialog.querySelectorAll("[data-turn]");
    back.setAttribute("aria-disabled", this.#month <= monthOf(this.#range.first));
    on.setAttribute("aria-disabled", this.#month >= this.#lastMonth);
    const day = this.#range.words({ weekday: "short", day: "numeric", month: "short" });
    this.#dialog.querySelectorAll("[data-end]").forEach((button, number) => {
      button.setAttribute("aria-pressed", Number(this.#end) === number);
      button.querySelector("[data-day]").textContent = day(this.#range.days[number]);
    });
  }

  #drawn(month) {
    const name = this.#range.words({ month: "long", year: "numeric" })(firstOf(month));
    const heading = made("h2", { class: "calendar__month", id: `calendar-${month}` }, name);
    const table = made("table", { role: "grid", "aria-labelledby": heading.id, class: "calendar__grid" });
    const [short, long] = ["short", "long"].map((weekday) => this.#range.words({ weekday }));
    // The first of January 1970 was a Thursday, so day 3 was a Sunday.
    const week = Array.from({ length: 7 }, (_, number) => 3 + Number(this.#range.dataset.first) + number);
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
    const [checkIn, checkOut] = this.#range.days;
    const full = this.#range.words({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
    const cell = made("td", {
      class: "calendar__day",
      "data-number": day,
      tabindex: day === this.#active ? 0 : -1,
      "aria-label": full(day),
      "aria-selected": day === checkIn || day === checkOut,
    });
    if (this.#reason(day)) cell.setAttribute("aria-disabled", "true");
    if (day > checkIn && day < checkOut) cell.classList.add("calendar__day--between");
    if (day === this.#range.first) cell.setAttribute("aria-current", "date");
    cell.append(String(new Date(day * DAY).getUTCDate()));
    const [total, heat] = this.#totals.get(day) ?? [];
    if (total) {
      cell.classList.add(`heat--${heat}`);
      // A currency's code beside its amount is wider than a day of a phone: it may take a line of its own.
      const text = total.replace(/(?<=\d)[\u00a0\u202f](?=\D)|(?<=\D)[\u00a0\u202f](?=\d)/, " ");
      cell.append(made("small", { class: "calendar__total" }, text));
      cell.ariaLabel += `, ${total}`;
    }
    return cell;
  }

  #fromWeekStart(day) {
    return (((day - 3 - Number(this.#range.dataset.first)) % 7) + 7) % 7;
  }

  /* Why a day can't be chosen: a name in the words of the status line, or nothing. */
  #reason(day) {
    const [checkIn] = this.#range.days;
    if (day < this.#range.first) return "passed";
    if (this.#end && day > checkIn) return day - checkIn > this.#range.nightWords.length ? "long" : "";
    return day > this.#range.last ? "far" : "";
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
    this.#active = Math.max(firstOf(monthOf(this.#range.first)), Math.min(day, firstOf(monthOf(this.#range.last) + 1) - 1));
    this.#show();
    this.#focus();
  }

  #key(event) {
    const cell = event.target.closest("[data-number]");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const day = this.#active;
    const [weekday, date] = [this.#fromWeekStart(day), new Date(day * DAY).getUTCDate()];
    const turned = (months) => inMonth(monthOf(day) + months, date);
    const onward = getComputedStyle(this.#range).direction === "rtl" ? -1 : 1;
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
    const { turn, end, done, weekend, compare } = event.target.closest("button")?.dataset ?? {};
    if (cell) this.#pick(Number(cell.dataset.number));
    else if (turn && event.target.closest("[aria-disabled=false]")) this.#turn(Number(turn));
    else if (weekend) this.#chooseWeekend(Number(weekend));
    else if (compare) location.assign(`${compare}?${new URLSearchParams(new FormData(this.#range.closest("form")))}`);
    else if (end) this.#choose(end === "1");
    else if (done !== undefined || event.target === this.#dialog) this.#dialog.close();
  }

  /* Another page of the calendar; the active day comes along, the focus stays on the button, so the months are read
     out. */
  #turn(months) {
    const date = new Date(this.#active * DAY).getUTCDate();
    this.#month += months;
    const shown = WIDE.matches ? 1 : 0;
    const month = Math.max(this.#month, Math.min(monthOf(this.#active), this.#month + shown));
    this.#active = inMonth(month, date);
    this.#show();
    this.#voice.textContent = [...this.#dialog.querySelectorAll("h2")].map((heading) => heading.textContent).join(", ");
  }

  /* From Friday to Sunday, `later` days after the one to come. A Saturday still has its night. */
  #chooseWeekend(later) {
    const { first } = this.#range;
    const [friday, saturday] = [5, 6].map((weekday) => first + ((((weekday + 3 - first) % 7) + 7) % 7));
    const isSaturday = saturday === first;
    const start = isSaturday && later ? friday : (isSaturday ? saturday : friday) + later;
    this.#range.days = [start, start + (isSaturday && !later ? 1 : 2)];
    this.#dialog.close();
  }

  #choose(end) {
    this.#end = end;
    this.#active = this.#range.days[Number(end)];
    this.#show();
    this.#explain(this.#active);
  }

  #pick(day) {
    const [checkIn] = this.#range.days;
    this.#active = day;
    if (this.#reason(day)) return this.#move(day);
    if (this.#end && day > checkIn) {
      this.#range.days = [checkIn, day];
      return this.#dialog.close();
    }
    this.#range.days = [day, day + this.#range.nights];
    this.#end = true;
    return this.#move(day);
  }
}
