"use strict";

/* A picture that doesn't load makes room for an empty one: without this it would stay a broken mark. A picture that
   failed for lack of a network is loaded when it is back. */
(() => {
  const FAILED = "photo--failed";

  const replace = (image) => {
    image.classList.add(FAILED);
    image.dataset.src = image.src;
    image.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
  };

  document.addEventListener("error", (event) => {
    // Of the page or its gallery; one that was replaced has another class behind that.
    if (event.target.matches("[class$=photo]")) replace(event.target);
  }, true);

  addEventListener("online", () => {
    for (const image of [...document.getElementsByClassName(FAILED)]) {
      image.classList.remove(FAILED);
      image.src = image.dataset.src;
    }
  });

  /* A card shows its first picture; once it is in sight the next one waits beside it, to be swiped to. */
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) prepare(target);
  }, { threshold: 0.6 });

  const prepare = (photos) => {
    seen.unobserve(photos);
    photos.addEventListener("scroll", () => addAtTheEnd(photos));
    const next = document.createElement("button");
    Object.assign(next, { type: "button", className: "listing-card__next", tabIndex: -1, textContent: "\u203a", ariaHidden: "true" });
    next.addEventListener("click", () => {
      const width = photos.clientWidth;
      const last = photos.scrollWidth - Math.abs(photos.scrollLeft) < 1.5 * width;
      const turned = getComputedStyle(photos).direction === "rtl" ? -width : width;
      photos.scrollTo({ left: last ? 0 : photos.scrollLeft + turned });
    });
    photos.after(next);
    add(photos);
  };

  const addAtTheEnd = (photos) => {
    if (photos.scrollWidth - Math.abs(photos.scrollLeft) <= 1.5 * photos.clientWidth) add(photos);
  };

  /* One more, until there are no more. */
  const add = (photos) => {
    const [next, ...later] = photos.dataset.photos?.split(" ") ?? [];
    if (!next) return;
    const image = photos.querySelector("img").cloneNode();
    image.classList.remove(FAILED);
    image.removeAttribute("loading");
    image.src = next;
    photos.append(image);
    if (later.length) photos.dataset.photos = later.join(" ");
    else delete photos.dataset.photos;
  };

  const watch = () => document.querySelectorAll("[data-photos]").forEach((photos) => seen.observe(photos));
  document.addEventListener("results-shown", watch);
  watch();

  for (const image of document.querySelectorAll("img.photo")) {
    if (image.complete && image.src && image.naturalWidth === 0) replace(image);
  }
})();

/* The offers of a card become elements when they are unfolded or printed: a page holds sixty, few are looked at. */
(() => {
  const OFFERS = "details.offers";

  const unpack = (offers) => {
    const kept = offers.querySelector("noscript");
    if (kept) kept.outerHTML = kept.innerHTML;
  };
  const unpackAll = () => document.querySelectorAll(OFFERS).forEach(unpack);

  for (const event of ["click", "toggle"]) {
    document.addEventListener(event, ({ target }) => {
      const offers = target.closest?.(OFFERS);
      if (offers) unpack(offers);
    }, true);
  }
  document.querySelectorAll(`${OFFERS}[open]`).forEach(unpack); // unfolded before this script came
  addEventListener("beforeprint", unpackAll);
  matchMedia("print").addEventListener("change", unpackAll);
})();

/* Counts visitors who go on to a provider, without naming them. */
(() => {
  const address = document.currentScript.dataset.count;

  const count = ({ target, button }) => {
    const link = target.closest("[data-hand-over]");
    // The middle button opens a tab, too; the right one only a menu.
    if (link && button < 2) navigator.sendBeacon(address, link.dataset.handOver);
  };
  document.addEventListener("click", count);
  document.addEventListener("auxclick", count);
})();

/* <print-button> around a hidden button. A browser prints no page that still waits for a picture, so those that
   aren't there soon are left out. */
(() => {
  const SOON_MS = 2000;
  let soon;

  class PrintButton extends HTMLElement {
    connectedCallback() {
      const button = this.querySelector("button");
      button.hidden = false;
      button.addEventListener("click", () => {
        clearTimeout(soon);
        soon = setTimeout(() => {
          if (document.readyState === "interactive") stop();
          print();
        }, document.readyState === "interactive" ? SOON_MS : 0);
      });
    }
  }

  customElements.define("print-button", PrintButton);
})();

/* <share-sheet data-url data-title data-copied> around a hidden button and a status: the device's own way to send
   things, where it has one; else the address is copied and `data-copied` said, where that is given. An address that the
   browser refuses to copy is shown, to be selected. */
(() => {
  // A screen reader says the same words again only where they were gone for a moment.
  const GONE_MS = 100;

  class ShareSheet extends HTMLElement {
    connectedCallback() {
      const { title, copied } = this.dataset;
      const copies = copied && navigator.clipboard;
      if (!navigator.share && !copies) return;
      const button = this.querySelector("button");
      button.hidden = false;
      button.addEventListener("click", async () => {
        const { url } = this.dataset;
        // Closing the sheet is no failure.
        if (navigator.share) return navigator.share({ title, url }).catch(() => {});
        const said = await navigator.clipboard.writeText(url).then(() => copied, () => url);
        const status = this.querySelector("[role=status]");
        status.textContent = "";
        setTimeout(() => (status.textContent = said), GONE_MS);
      });
    }
  }

  customElements.define("share-sheet", ShareSheet);
})();

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

/* The way on stays at the lower edge while neither the price nor the offers, which lead there, too, are in sight. */
(() => {
  const bar = document.querySelector(".stay-bar");
  const inSight = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) inSight[isIntersecting ? "add" : "delete"](target);
    bar.classList.toggle("stay-bar--shown", !inSight.size);
  });
  if (bar) document.querySelectorAll(".stay-box, .offer-table").forEach((one) => watch.observe(one));
})();
