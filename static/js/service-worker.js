"use strict";

/* Without a network: the shortlist as it was last read, with its time, else a page that says so. With one, all but the
   shortlist goes past this worker. */
const PAGES = "pages-1";
const FILES = "files-1";
const SHORTLIST = "/shortlist/";
const OFFLINE = "/offline/";

/* A page under a name, and the style sheets, scripts and icons that it names. */
const keep = async (name, response) => {
  const pages = await caches.open(PAGES);
  const files = await caches.open(FILES);
  const text = await response.clone().text();
  await pages.put(name, response);
  const named = [...text.matchAll(/(?:href|src)="(\/static\/[^"#]+)/g)].map(([, path]) => path);
  for (const path of new Set(named)) if (!(await files.match(path))) await files.add(path).catch(() => {});
};

/* The last shortlist, under a line that says from when its totals are: never an old price without its time. */
const lastShortlist = async () => {
  const response = await caches.match(SHORTLIST);
  if (!response) return caches.match(OFFLINE);
  const text = await response.text();
  const [, locale] = text.match(/data-locale="([\w-]+)"/) ?? [];
  const [, words] = text.match(/data-offline="([^"]+)"/) ?? [];
  const form = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const line = words.replace("{}", form.format(new Date(response.headers.get("Date"))));
  const html = text.replace("<!--content-->", `<!--content--><p class="notice notice--caution" role="status">${line}</p>`);
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
};

const shortlist = async (event) => {
  try {
    const response = await fetch(event.request);
    if (response.ok && !response.redirected) event.waitUntil(keep(SHORTLIST, response.clone()));
    return response;
  } catch {
    return lastShortlist();
  }
};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(fetch(OFFLINE).then((response) => keep(OFFLINE, response)));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate" && request.method === "GET" && path === SHORTLIST) event.respondWith(shortlist(event));
  else if (navigator.onLine) return;
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  else if (path.startsWith("/static/")) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
