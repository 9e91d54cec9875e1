"""The map of the results: all that were compared, its cards, its list, its area, and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from hotelsite.environment import tile_sources
from search.gateway import factory

from .conftest import Watch, let_the_list_settle, search_path
from .test_accessibility import complaints_of

Open = Callable[..., Page]
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
# How many colours each of some canvases has that cover more than a hundredth of it.
COLOURS = """(all) => all.map((one) => {
  const pixels = new Uint32Array(one.getContext("2d").getImageData(0, 0, one.width, one.height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > pixels.length / 100).length;
})"""
# How many pixels two elements have in common.
SHARED = """(both) => {
  const [one, other] = both.map((each) => document.querySelector(each).getBoundingClientRect());
  const [width, height] = [["left", "right"], ["top", "bottom"]].map(([start, end]) =>
    Math.max(0, Math.min(one[end], other[end]) - Math.max(one[start], other[start])));
  return width * height;
}"""
# A tile with a street across light ground.
STREETS = b"""<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">
<path fill="#f4f2ec" d="M0 0h256v256H0z"/><path stroke="#fff" d="M0 99h256"/></svg>"""
FEWER = "(before) => parseInt(document.querySelector('[data-list] summary').textContent) < before"


@pytest.fixture
def results(open_page: Open) -> Open:
    """Results beside their map, once that shows all of them."""

    def opened(place: str = "Barcelona", viewport: dict[str, int] = WIDE, **parameters: object) -> Page:
        page = open_page(search_path(place, **parameters), viewport=viewport)
        let_the_list_settle(page)
        if viewport is PHONE:
            page.locator("[data-map]").click()
        expect(page.locator("stay-map")).to_have_attribute("data-shows", "all")
        return page

    return opened


def in_view(page: Page) -> int:
    """How many the map says that it shows, once it says so; its pins are there a moment before."""
    summary = page.locator("[data-list] summary")
    expect(summary).to_have_text(re.compile(r"\d"))
    return int(re.sub(r"\D", "", summary.inner_text()))


def test_the_map_shows_more_than_the_page_of_the_list(results: Open) -> None:
    page = results()
    assert in_view(page) > 400
    expect(page.locator(".map-dot").first).to_be_attached()
    labels = page.locator(".map-pin__label").all_inner_texts()
    assert 3 < len(labels) <= 30
    assert all(re.fullmatch(r"(\d+ from )?€[\d,]+", text) for text in labels), labels
    assert page.locator(".map-pin__label--cheapest").count() == 1


def test_no_label_covers_another_however_long_its_words_are(results: Open) -> None:
    page = results("Tokyo", market="es-es", currency="JPY")
    in_view(page)
    labels = page.locator(".map-pin__label").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width])"
    )
    assert max(width for _x, _y, width in labels) > 120
    for at, (x, y, width) in enumerate(labels):
        for other_x, other_y, other_width in labels[at + 1 :]:
            apart = min(x + width, other_x + other_width) - max(x, other_x)
            assert apart < 2 or abs(y - other_y) > 27


def test_the_focus_stays_with_a_cluster_that_comes_apart(results: Open) -> None:
    page = results()
    before = in_view(page)
    pin = page.locator(".map-pin", has_text="from").first
    name = str(pin.get_attribute("aria-label")).partition(": ")[2].partition(", ")[0]
    pin.press("Enter")
    page.wait_for_function(FEWER, arg=before)
    focused = page.locator(".map-pin:focus")
    expect(focused).to_have_attribute("aria-label", re.compile(re.escape(name)))


def test_a_pressed_pin_shows_its_card_and_the_next_best(results: Open) -> None:
    # The best are on the first page, so their cards are asked for.
    page = results("Lerwick", PHONE, page=2)
    pin = page.locator(".map-pin").filter(has_not_text="from").first
    name = str(pin.get_attribute("aria-label"))
    pin.press("Enter")
    first = page.locator(".map-card").first
    assert name.startswith(first.locator("a").inner_text())
    expect(first.locator("a")).to_be_focused()
    first.locator("[data-keep]").click()
    expect(page.locator("[data-shortlist] [data-count]")).to_have_text("1")
    expect(page.locator(".map-pin--pointed")).to_have_count(1)
    page.locator(".map-cards").evaluate(
        "(list) => list.scrollTo({ left: list.clientWidth + 12, behavior: 'instant' })"
    )
    other = page.locator(".map-card").nth(1).locator("a").inner_text()
    expect(page.locator(".map-pin--pointed")).to_have_attribute("aria-label", re.compile(re.escape(other)))
    assert complaints_of(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".map-card")).to_have_count(0)
    expect(pin).to_be_focused()
    expect(page.locator("stay-map[open]")).to_have_count(1)


def test_the_list_of_the_map_names_what_is_in_view_with_links(results: Open) -> None:
    page = results("Lerwick")
    page.locator("[data-list] summary").press("Enter")
    entries = page.locator("[data-list] li")
    expect(entries).to_have_count(in_view(page))
    assert complaints_of(page) == []
    name = entries.locator("a").first.inner_text()
    entries.locator("a").first.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@pytest.mark.parametrize("market", ["en-gb", "es-es", "pl-pl"])
def test_the_way_back_covers_neither_count_nor_list(open_page: Open, market: str) -> None:
    page = open_page(f"{search_path('Porto', market=market)}#map", viewport={"width": 320, "height": 640})
    expect(page.locator("stay-map")).to_have_attribute("data-shows", "all")
    summary = page.locator("[data-list] summary")
    expect(summary).to_have_text(re.compile(r"\d"))
    assert page.evaluate(SHARED, ["stay-map [data-close]", "[data-list]"]) == 0
    summary.click()
    assert page.evaluate(SHARED, ["stay-map [data-close]", "[data-list]"]) == 0
    expect(summary).to_be_in_viewport(ratio=1)


def test_a_single_hotel_in_view_is_one_hotel(results: Open) -> None:
    lowest = results("Lerwick").locator(".listing-card").first.get_attribute("data-total") or ""
    page = results("Lerwick", max_price=lowest.strip("€"))
    expect(page.locator("[data-list] summary")).to_have_text("1 hotel")


def test_the_map_follows_the_filters(results: Open) -> None:
    page = results()
    before = in_view(page)
    page.locator('refine-panel input[name="free_cancellation"]').check()
    page.wait_for_url("**free_cancellation=1**")
    page.wait_for_function(
        f"() => parseInt(document.querySelector('[data-list] summary').textContent) < {before}"
    )


def test_a_map_that_cannot_be_fetched_can_be_asked_for_again(open_page: Open, watch: Watch) -> None:
    watch.expected.add(503)
    page = open_page("/", viewport=WIDE)
    page.route("**/leaflet*.css", lambda route: route.fulfill(status=503))
    page.goto(search_path("Lerwick"))
    again = page.locator("stay-map").get_by_role("button", name="Try again")
    with page.expect_response("**/leaflet*.css"):
        again.click()
    expect(again).to_be_focused()
    page.unroute("**/leaflet*.css")
    again.press("Enter")
    expect(page.locator("stay-map")).to_have_attribute("data-shows", "all")
    expect(again).to_be_hidden()
    expect(page.locator("[data-canvas]")).to_be_focused()


def test_an_area_across_the_180th_meridian_is_searched(results: Open) -> None:
    page = results("Fiji", bbox="176,-20,-178,-15")
    assert in_view(page) > 100
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("link", name="Search this area").click()
    page.wait_for_url(lambda url: "bbox=176," not in url)
    expect(page.locator("stay-map")).to_have_attribute("data-shows", "all")
    assert in_view(page) > 100


def test_without_scripts_there_is_a_list_and_no_map(open_page: Open) -> None:
    page = open_page(search_path(), viewport=WIDE, java_script_enabled=False)
    expect(page.locator(".listing-card").first).to_be_visible()
    expect(page.locator("stay-map")).to_be_hidden()


@pytest.fixture
def tile_server() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """A server of tiles on this machine: the address for the settings, what it was asked for and by whom."""
    asked: list[tuple[str, str]] = []

    class Tiles(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers["Referer"]))
            self.send_response(200)
            self.send_header("Content-Type", "image/svg+xml")
            self.send_header("Cross-Origin-Resource-Policy", "cross-origin")
            self.end_headers()
            self.wfile.write(STREETS)

        def log_message(self, *_args: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Tiles) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{{z}}/{{x}}/{{y}}.svg", asked
        server.shutdown()


def test_tiles_of_a_server_are_the_ground_where_they_are_set(
    tile_server: tuple[str, list[tuple[str, str]]], settings: Any, browser: Any, live_server: Any
) -> None:
    address, asked = tile_server
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    allowed = {**policy, "img-src": [*policy["img-src"], *tile_sources(address)]}
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": allowed}
    settings.MAP_TILE_URL, settings.MAP_ATTRIBUTION = address, "© Tiles of our own"
    context = browser.new_context(base_url=live_server.url, viewport=WIDE, reduced_motion="reduce")
    page, said, ours, hosts = context.new_page(), [], [], set()
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: ours.append(request.url) if "/map/ground/" in request.url else None)
    page.on("request", lambda request: hosts.update(re.findall("^https?://[^/]+", request.url)))
    response = page.goto(search_path())
    origin = address.partition("/{")[0]
    assert re.findall(r"http:[^ ;]+", response.headers["content-security-policy"]) == [origin]
    expect(page.locator("img.leaflet-tile-loaded").first).to_be_attached()
    expect(page.locator(".leaflet-control-attribution")).to_have_text("© Tiles of our own")
    assert all(re.fullmatch(r"/\d+/-?\d+/\d+\.svg", path) for path, _referrer in asked)
    # Whose tiles they are knows sites by it, and is not told what is searched.
    assert {referrer for _path, referrer in asked} == {f"{live_server.url}/"}
    assert page.locator("canvas.leaflet-tile, [data-note], .map-name").count() == 0
    assert hosts == {live_server.url, origin}
    tile = page.locator("img.leaflet-tile-loaded").first
    expect(tile).to_have_css("filter", "none")
    page.emulate_media(color_scheme="dark")
    expect(tile).to_have_css("filter", re.compile("invert"))
    assert said == ours == []
    context.close()


def test_our_own_ground_names_cities_and_close_by_streets(results: Open) -> None:
    page = results()
    expect(page.locator(".map-name", has_text="Badalona")).to_be_attached()
    note = page.locator("[data-note]")
    for button, shown in (("Zoom in", True), ("Zoom out", False)):
        for _step in range(4):
            if note.is_visible() == shown:
                break
            page.get_by_role("button", name=button).click()
            # A click while the map is on its way counts for nothing.
            expect(page.locator(".leaflet-zoom-anim")).to_have_count(0)
        expect(note).to_be_visible(visible=shown)
    expect(page.locator(".map-name", has_text="Girona")).to_be_attached()


def test_our_own_ground_is_drawn_anew_for_the_night(results: Open) -> None:
    page = results()
    page.locator("canvas.leaflet-tile-loaded").first.wait_for(state="attached")
    brightest = """() => {
      const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      return Math.max(...[...document.querySelectorAll("canvas.leaflet-tile-loaded")].map((one) => {
        pen.drawImage(one, 0, 0);
        return pen.getImageData(0, 0, 1, 1).data[0];
      }));
    }"""
    assert page.evaluate(brightest) > 150
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => {{ const at = ({brightest})(); return at > 0 && at < 100; }}")


def test_where_hotels_are_real_no_street_is_made_up(monkeypatch: pytest.MonkeyPatch, results: Open) -> None:
    monkeypatch.setattr(factory, "shows_sandbox", lambda: False)
    page = results("Lerwick")
    expect(page.locator("[data-note]")).to_have_count(0)
    expect(page.locator("canvas.leaflet-tile-loaded").first).to_be_attached()
    colours = page.locator("canvas.leaflet-tile-loaded").evaluate_all(COLOURS)
    assert max(colours) <= 5, "sea, land, and the soft coast between them"


@pytest.mark.parametrize(
    ("market", "words"), [("en-gb", r"\d,\d{3} hotels"), ("es-es", r"\d\.\d{3} hoteles")]
)
def test_thousands_on_the_map_are_written_as_on_the_page(open_page: Open, market: str, words: str) -> None:
    def many(route: Route) -> None:
        answer = route.fetch()
        if answer.status != 200:
            route.fulfill(response=answer)
            return
        told = answer.json()
        times = 2_000 // len(told["names"]) + 1
        told |= {rows: told[rows] * times for rows in ("names", "latitudes", "longitudes", "prices", "paths")}
        route.fulfill(json=told)

    page = open_page("/", viewport=WIDE)
    page.route("**/hotels/map/**", many)
    page.goto(search_path(market=market))
    expect(page.locator("[data-list] summary")).to_have_text(re.compile(f"^{words}"))
