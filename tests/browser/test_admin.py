"""A colleague at the admin, in a real browser: changes take effect everywhere, and everything is readable."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from search.monitoring import metrics
from search.site_settings import store
from search.site_settings.models import BlockedProperty, FeaturedDestination, Provider
from tests.admin.test_gateway_panel import answer, listing
from tests.browser.conftest import Watch, search_path
from tests.browser.test_accessibility import RULES, complaints_of

SETTINGS = "/admin/search/sitesettings/1/change/"
PAGES = (
    "/admin/",
    SETTINGS,
    "/admin/search/sitesettings/1/history/",
    "/admin/search/sitesettings/gateway/",
    "/admin/admin/logentry/",
    "/admin/search/provider/",
    "/admin/search/handovercount/",
    "/admin/search/blockedproperty/",
    "/admin/search/destinationoverride/add/",
    "/admin/search/featureddestination/",
    "/admin/search/featureddestination/{featured}/change/",
    "/admin/search/featureddestination/{featured}/pictures/",
)


@pytest.fixture
def content(live_server: Any) -> dict[str, int]:
    User.objects.create_superuser("boss", password="a long way home")
    Provider.objects.create(code="AA", label="Bookings")
    BlockedProperty.objects.create(key="0af", reason="closed")
    featured = FeaturedDestination.objects.create(
        place="Rome", text="Spring in the old town", picture_address="/sandbox/photos/12/facade.svg"
    )
    store.change({"page_size": 12})
    return {"featured": featured.pk}


def sign_in(page: Page, name: str, password: str) -> None:
    page.fill("#id_username", name)
    page.fill("#id_password", password)
    page.click("input[type=submit]")


def violations(page: Page) -> list[str]:
    """axe's. Django's style sheets import each other; axe would inline those, which the policy forbids."""
    found = Axe().run(page, options={**RULES, "preload": False}).response
    broken = [f"{rule['id']} at {node['target']}" for rule in found["violations"] for node in rule["nodes"]]
    return broken + [rule["id"] for rule in found["incomplete"] if "error" in rule]


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_every_admin_page_is_accessible_and_fits(
    open_page: Callable[..., Page], watch: Watch, content: dict[str, int], width: int, scheme: str
) -> None:
    watch.expected |= {404}
    page = open_page("/admin/", viewport={"width": width, "height": 900}, color_scheme=scheme)
    assert violations(page) == [], "signing in"
    sign_in(page, "boss", "a long way home")
    for path in PAGES:
        page.goto(path.format(**content))
        assert violations(page) == [], path
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, path


def test_enter_in_a_field_saves_and_restores_nothing(
    open_page: Callable[..., Page], watch: Watch, content: dict[str, int]
) -> None:
    watch.expected |= {404}
    page = open_page(SETTINGS)
    sign_in(page, "boss", "a long way home")
    page.fill("#id_site_name", "Rooms")
    page.press("#id_site_name", "Enter")
    expect(page.locator(".messagelist")).to_contain_text("changed successfully")
    page.goto(SETTINGS)
    expect(page.locator("#id_site_name")).to_have_value("Rooms")
    expect(page.locator("#id_page_size")).to_have_value("12")


@pytest.mark.parametrize("width", [390, 1280])
def test_save_is_in_sight_and_an_error_leads_to_its_field(
    open_page: Callable[..., Page], watch: Watch, content: dict[str, int], width: int
) -> None:
    watch.expected |= {404}
    page = open_page(SETTINGS, viewport={"width": width, "height": 800})
    sign_in(page, "boss", "a long way home")
    save = page.get_by_role("button", name="Save", exact=True)
    page.get_by_role("navigation", name="Groups of settings").get_by_role("link", name="Sharing").click()
    expect(page.get_by_role("heading", name="Sharing", exact=True)).to_be_in_viewport()
    expect(save).to_be_in_viewport()
    page.fill("#id_nights", "99")
    page.locator("#id_currencies").get_by_label("THB").check()
    save.click()
    assert violations(page) == []
    page.locator(".setting-errors").get_by_role("link", name="Nights").click()
    expect(page.locator("#id_nights")).to_be_focused()
    expect(page.locator(".field-nights .errorlist")).to_be_in_viewport()
    page.fill("#id_nights", "3")
    save.click()
    expect(page.locator(".messagelist")).to_contain_text("changed successfully")
    assert store.current().currencies[-1] == "THB"


def test_providers_seen_lately_leave_room_for_adding_one(
    open_page: Callable[..., Page], watch: Watch, content: dict[str, int]
) -> None:
    watch.expected |= {404}
    page = open_page(search_path("Porto"), viewport={"width": 1280, "height": 800})
    page.goto("/admin/search/provider/")
    sign_in(page, "boss", "a long way home")
    add, seen = page.locator(".addlink").last.bounding_box(), page.locator("#providers-seen").bounding_box()
    assert add
    assert seen
    assert add["y"] + add["height"] <= seen["y"]


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_a_preview_opens_beside_the_form(
    open_page: Callable[..., Page],
    watch: Watch,
    content: dict[str, int],
    scripts: bool,
    width: int,
    scheme: str,
) -> None:
    watch.expected |= {404}
    looks = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    page = open_page(SETTINGS, java_script_enabled=scripts, **looks)
    sign_in(page, "boss", "a long way home")
    page.fill("#id_page_size", "7")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Preview", exact=True).click()
    preview = opened.value
    preview.wait_for_load_state()  # its cards may be there before its style
    watch.follow(preview)
    expect(preview.locator(".strip--preview")).to_contain_text("Hotels per page: 12 → 7")
    expect(preview.locator(".listing-card")).to_have_count(7)
    if scripts:
        assert complaints_of(preview) == []
        assert preview.evaluate("() => document.documentElement.scrollWidth") <= width
    expect(page.locator("#id_page_size")).to_have_value("7")
    preview.locator(".pager a[rel=next]").click()
    expect(preview.locator(".strip--preview")).to_have_count(0)
    expect(preview.locator(".listing-card")).to_have_count(12)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_the_picker_fills_a_place_and_its_airport_by_keyboard(
    open_page: Callable[..., Page], watch: Watch, content: dict[str, int], width: int, scheme: str
) -> None:
    watch.expected |= {404}
    looks = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    page = open_page("/admin/search/featureddestination/add/", **looks)
    sign_in(page, "boss", "a long way home")
    place, airport = page.locator("#id_place"), page.locator("#id_airport")
    place.press_sequentially("stansted")
    row = page.get_by_role("option", name=re.compile("STN"))
    expect(row).to_be_visible()
    place.press("ArrowDown")
    expect(row).to_have_attribute("aria-selected", "true")
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    place.press("Enter")
    expect(place).to_have_value("London")
    expect(airport).to_have_value("STN")
    expect(page.get_by_role("listbox")).to_have_count(0)

    airport.fill("madrid")
    page.get_by_role("option", name=re.compile("MAD")).click()
    expect(airport).to_have_value(re.compile(r"\(MAD\)$"))
    expect(place).to_have_value("London")
    page.click("input[name=_continue]")
    expect(page.locator(".messagelist")).to_contain_text("was added successfully")
    expect(airport).to_have_value("MAD")
    assert page.evaluate("() => localStorage.getItem('recent-destinations')") is None


def test_a_code_is_given_words_on_a_phone(
    open_page: Callable[..., Page], watch: Watch, content: dict[str, int]
) -> None:
    watch.expected |= {404}
    metrics.count_page(answer(listing(payment_mode="WITH_SHELLS_AT_THE_HARBOUR")))
    page = open_page("/admin/search/sitesettings/gateway/", viewport={"width": 390, "height": 844})
    sign_in(page, "boss", "a long way home")
    words = page.get_by_label("WITH_SHELLS_AT_THE_HARBOUR")
    words.scroll_into_view_if_needed()
    expect(words).to_be_in_viewport(ratio=1)
    assert violations(page) == []


def test_the_icons_that_open_a_calendar_have_a_name(
    open_page: Callable[..., Page], watch: Watch, content: dict[str, int]
) -> None:
    watch.expected |= {404}
    page = open_page("/admin/search/featureddestination/add/")
    sign_in(page, "boss", "a long way home")
    expect(page.locator(".date-icon")).to_have_count(2)
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    links = [
        one["name"]["value"]
        for one in tree
        if one.get("role", {}).get("value") == "link" and not one["ignored"]
    ]
    assert links.count("Choose a Date") == 2
    assert "" not in links
