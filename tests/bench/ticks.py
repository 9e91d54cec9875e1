"""What a visitor sees of a ticked filter, and when: Chromium on the real site over the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import CHROMIUM, QUIET
from tests.faults.site import Site, running_site

from .figures import Figure
from .load import results_path

TICKS = 12
SCREENS = (("wide screen", 1440), ("phone", 390))
SETTLED = "() => customElements.get('refine-panel') && !document.querySelector('result-progress')"
# Presses the box of this number: milliseconds from the last byte of the answer to the frame of another list.
TICK = """(number) => new Promise((resolve, reject) => {
  const boxes = document.querySelectorAll("refine-panel input[type=checkbox]:enabled");
  const list = document.getElementById("results");
  const answered = new Promise((known) => new PerformanceObserver((entries, observer) => {
    const answer = entries.getEntries().find(({ name, initiatorType }) =>
      initiatorType === "fetch" && name.includes("/hotels/?"));
    if (!answer) return;
    observer.disconnect();
    known(answer.responseEnd);
  }).observe({ type: "resource" }));
  const painted = new Promise((known) => {
    const { port1, port2 } = new MessageChannel(); // its message comes after the frame
    port1.onmessage = () => known(performance.now());
    const shown = () => requestAnimationFrame(() => port2.postMessage(""));
    document.addEventListener("results-shown", shown, { once: true });
  });
  Promise.all([answered, painted]).then(([answer, frame]) =>
    list.isConnected ? reject(new Error("the same list")) : resolve(frame - answer));
  boxes[number % boxes.length].click();
})"""


def figures() -> Iterator[Figure]:
    with running_site("", LOG_LEVEL="INFO") as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for name, width in SCREENS:
            spent = median(_ticked(browser, site, width))
            yield Figure(f"a tick's effect after its answer, {name}", spent, "ms", budget=100)
        browser.close()


def _ticked(browser: Browser, site: Site, width: int) -> list[float]:
    """Milliseconds of each tick on a page of 600 compared hotels."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(f"http://127.0.0.1:{site.port}{results_path('Barcelona')}")
    page.wait_for_function(SETTLED)
    spent = [float(page.evaluate(TICK, number)) for number in range(TICKS)]
    page.close()
    return spent
