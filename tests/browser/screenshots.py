"""Pictures of the main pages in both widths and themes: `python -m tests.browser.screenshots URL FOLDER`.

`--small` writes them at half their size, as the README shows them.
"""

from __future__ import annotations

import argparse
import re
from html import unescape
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

from tests.servers import results

from .chromium import CHROMIUM, QUIET

SIZES = {"phone": (390, 844), "wide": (1280, 800)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8000")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("var/screenshots"))
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for name, address in addresses(options.url.rstrip("/")).items():
            for size in SIZES:
                for scheme in ("light", "dark"):
                    target = options.folder / f"{name}-{size}-{scheme}.jpg"
                    picture(browser, address, target, size, scheme, 0.5 if options.small else 1)
                    print(target)
        browser.close()


def addresses(base: str) -> dict[str, str]:
    """The three pages; the property is the first of the results."""
    listed = base + results("Barcelona")
    with urlopen(listed) as answer:
        hotel = re.search(r'listing-card__name"><a href="([^"]+)"', answer.read().decode())
    if not hotel:
        raise SystemExit(f"no results at {listed}")
    return {"home": f"{base}/", "results": listed, "property": base + unescape(hotel[1])}


def picture(browser: Browser, address: str, target: Path, size: str, scheme: str, scale: float) -> None:
    """One page as a visitor first sees it, map and pictures in place."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, device_scale_factor=scale
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    if page.locator(".results-split--map .stay-map__canvas").is_visible():
        page.locator(".map-pin").first.wait_for()
    page.screenshot(path=target, type="jpeg", quality=80)
    context.close()


if __name__ == "__main__":
    main()
