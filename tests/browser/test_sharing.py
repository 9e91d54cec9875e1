"""A colleague shares, a client reads, in two browsers that know nothing of each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from search.domain import process
from search.sharing.models import SharedLink
from tests.browser.conftest import NOTE_TEXTS, Watch, let_the_list_settle, search_path
from tests.browser.test_accessibility import complaints_of
from tests.browser.test_every_page import TOO_WIDE
from tests.wire import forget

CLIENTS_BROWSER = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
)


@pytest.fixture
def colleague(open_page: Callable[..., Page], live_server: Any) -> Iterator[Page]:
    """The start page of a browser in which somebody who may share is signed in."""
    page = open_page("/")
    user = User.objects.create_user("ann", is_staff=True)
    # Emptying the database between tests takes the roles away, but permissions come back.
    user.user_permissions.add(Permission.objects.get(codename="add_sharedlink"))
    client = Client()
    client.force_login(user)
    add_session(page.context, client, live_server.url)
    yield page
    # A page that still asks something would hold the tables that the end of the test empties.
    page.wait_for_load_state("networkidle")


def add_session(context: BrowserContext, client: Client, address: str) -> None:
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": address}])


def pick(page: Page, number: int) -> str:
    """Keeps the card of this number (from 0) and returns its hotel's name."""
    card = page.locator(".listing-card").nth(number)
    card.locator(".keep").click()
    return card.locator(".listing-card__name").inner_text()


def test_three_picked_hotels_are_shared_opened_and_withdrawn(
    colleague: Page, open_page: Callable[..., Page], watch: Watch, settings: Any
) -> None:
    colleague.goto(search_path("Porto", free_cancellation=1, sort="stars"))
    let_the_list_settle(colleague)
    names = [pick(colleague, number) for number in (4, 0, 2)]
    colleague.locator(".tray").get_by_role("link", name="Share").click()
    colleague.get_by_label("Note to your client").fill("Three that fit you.\nThe first has a garden.")
    colleague.get_by_role("button", name="Make a link").click()
    expect(colleague.get_by_role("heading", name="Your link is ready")).to_be_visible()
    assert not complaints_of(colleague)
    address = colleague.get_by_label("The link", exact=True).input_value()
    assert re.search(r"/s/[A-Za-z0-9_-]{12}/$", address)

    reader = open_page(address, user_agent=CLIENTS_BROWSER)
    expect(reader.locator(".listing-card__name")).to_have_text(names)
    expect(reader.locator(".shared-note")).to_contain_text("The first has a garden.")
    expect(reader.locator(".shared-entry__bar, .shared-view")).to_have_count(0)
    assert not complaints_of(reader)

    settings.SANDBOX_WEATHER = "prices=-10%"
    process.start()
    forget()
    reader.reload()
    expect(reader.locator(".shared-entry--cheaper")).to_have_count(3)
    expect(reader.locator(".shared-entry__line").first).to_contain_text(
        re.compile("less .* when shared on .* now")
    )
    assert not complaints_of(reader)

    reader.get_by_role("button", name="Compare").click()
    expect(reader.locator(".compare__name")).to_have_text(names)
    assert not complaints_of(reader)

    colleague.goto("/share/links/")
    expect(colleague.locator(".share-row")).to_contain_text("about")
    colleague.get_by_text("Revoke", exact=True).click()
    colleague.get_by_role("button", name="Yes, revoke").click()
    expect(colleague.locator(".share-row__state")).to_have_text("Revoked")
    assert not complaints_of(colleague)
    watch.expected |= {410}
    reader.goto(address)
    expect(reader.get_by_role("heading", name="This link has been withdrawn")).to_be_visible()
    expect(reader.locator("#place").last).to_have_value("Porto")


@pytest.mark.parametrize(("market", "scheme"), [("en-gb", "light"), ("de-de", "dark"), ("pl-pl", "light")])
def test_a_client_sees_the_first_hotel_at_once(
    colleague: Page, open_page: Callable[..., Page], market: str, scheme: str
) -> None:
    User.objects.update(first_name="Anna", email="anna@sun.example")
    colleague.goto(search_path("Porto", market=market))
    let_the_list_settle(colleague)
    names = [pick(colleague, number) for number in range(3)]
    colleague.goto(str(colleague.locator(".tray share-dialog a").get_attribute("href")))
    colleague.locator("textarea").fill("Three that fit you.\nThe first has a garden.")
    colleague.locator("form [type=submit]").last.click()
    address = colleague.locator("#share-address").input_value() + f"?market={market}"
    for width in (390, 320):
        reader = open_page(
            address,
            user_agent=CLIENTS_BROWSER,
            viewport={"width": width, "height": 844},
            color_scheme=scheme,
        )
        expect(reader.locator(".shared:not(.skeleton) h1")).to_contain_text("Anna")
        first = reader.locator(".listing-card__name").first.bounding_box()
        assert first
        assert width < 390 or first["y"] < 420
        assert reader.evaluate(TOO_WIDE) <= 0
        assert not complaints_of(reader)
    reply = reader.locator(".shared__actions a").get_attribute("href")
    assert str(reply).startswith("mailto:anna@sun.example?subject=")
    reader.locator(".stay-map__canvas").scroll_into_view_if_needed()
    expect(reader.locator(".map-pin, .map-dot")).to_have_count(3)
    assert all(name in reader.content() for name in names)


def test_a_shared_hotel_is_kept_with_its_total_s_market(
    colleague: Page, open_page: Callable[..., Page]
) -> None:
    """Its reader's own may have another total for the same stay."""
    colleague.goto(search_path("Porto"))
    let_the_list_settle(colleague)
    path = colleague.locator(".listing-card__name a").first.get_attribute("href")
    colleague.goto(f"/share{path}")
    colleague.get_by_role("button", name="Make a link").click()
    address = colleague.get_by_label("The link", exact=True).input_value()
    reader = open_page(address, user_agent=CLIENTS_BROWSER, locale="fr-FR")
    reader.locator("[data-keep]").first.click()
    reader.evaluate("localStorage.shortlist = localStorage.shortlist.replace(/[0-9,]+\\s€/, '1,00 €')")
    reader.locator("[data-shortlist]").click()
    expect(reader.locator("[data-shortlist-page] h1")).to_have_text("Favoris")
    expect(reader.locator("[data-keep][aria-pressed=true]")).to_have_count(1)
    expect(reader.locator(".shortlist__then:visible")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (390, "light"), (1280, "dark")])
def test_every_page_of_sharing_fits_and_can_be_read(
    colleague: Page, open_page: Callable[..., Page], width: int, scheme: str
) -> None:
    colleague.set_viewport_size({"width": width, "height": 800})
    colleague.emulate_media(color_scheme=scheme)
    colleague.goto(search_path("Porto"))
    let_the_list_settle(colleague)
    cards = [colleague.locator(".listing-card").nth(number).get_attribute("id") for number in range(4)]
    colleague.goto("/share" + search_path("Porto"))
    assert not complaints_of(colleague)
    colleague.get_by_label("Note to your client").fill(
        "A note with oneverylongwordthatgoesonandon" + "on" * 40
    )
    colleague.get_by_role("button", name="Make a link").click()
    address = colleague.get_by_label("The link", exact=True).input_value()
    reader = open_page(
        address, user_agent=CLIENTS_BROWSER, viewport={"width": width, "height": 800}, color_scheme=scheme
    )
    compare = f"{address}compare/?" + "&".join(f"stay={card}" for card in cards)
    for page, path in ((reader, address), (reader, compare), (colleague, "/share/links/")):
        page.goto(path)
        assert page.evaluate(TOO_WIDE) <= 0, path
        assert not complaints_of(page), path


def test_the_link_is_copied_and_said_so(colleague: Page, live_server: Any) -> None:
    colleague.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=live_server.url)
    colleague.goto(search_path())
    let_the_list_settle(colleague)
    colleague.get_by_role("link", name="Share", exact=True).click()
    colleague.get_by_role("button", name="Make a link").click()
    colleague.get_by_role("button", name="Copy").click()
    expect(colleague.get_by_text("Copied")).to_be_visible()
    colleague.get_by_text("Copied").evaluate(NOTE_TEXTS)
    colleague.get_by_role("button", name="Copy").click()
    expect(colleague.locator("copy-link")).to_have_attribute("data-texts", "|Copied")
    copied = colleague.evaluate("() => navigator.clipboard.readText()")
    assert copied.endswith(f"/s/{SharedLink.objects.get().code}/")
    colleague.keyboard.press("Escape")
    expect(colleague.get_by_role("dialog")).to_be_hidden()


def test_without_scripts_sharing_is_two_plain_pages(open_page: Callable[..., Page], colleague: Page) -> None:
    plain = open_page("/", java_script_enabled=False)
    plain.context.add_cookies(colleague.context.cookies())
    plain.goto(search_path())
    plain.get_by_role("link", name="Share", exact=True).click()
    plain.get_by_label("Title").fill("Barcelona in spring")
    plain.get_by_role("button", name="Make a link").click()
    expect(plain.get_by_role("heading", name="Your link is ready")).to_be_visible()
    expect(plain.get_by_text("Barcelona in spring")).to_be_visible()


def test_picks_of_a_later_page_stay_on_an_earlier_one(colleague: Page, remembering: Browser) -> None:
    context = remembering.new_context(storage_state=colleague.context.storage_state())
    page = context.new_page()
    page.goto(urljoin(colleague.url, search_path("Porto")))
    let_the_list_settle(page)
    names = [pick(page, 0)]
    page.evaluate("() => { window.left = true; }")
    page.locator(".pager [rel=next]").click()
    page.wait_for_url("**page=2**")
    names.append(pick(page, 1))
    page.evaluate("() => history.back()")
    page.wait_for_function("() => window.left")
    names.append(pick(page, 2))
    page.locator(".tray").get_by_role("link", name="Share").click()
    page.get_by_text("What it will show").click()
    expect(page.locator(".share-panel__names bdi")).to_have_text(names)
    context.close()


def test_picks_are_shared_as_the_list_is_filtered_now(colleague: Page) -> None:
    colleague.goto(search_path("Porto"))
    let_the_list_settle(colleague)
    pick(colleague, 0)
    colleague.locator("#quick-free_cancellation").click()
    colleague.wait_for_url("**free_cancellation=1**")
    address = str(colleague.locator(".tray share-dialog a").get_attribute("href"))
    assert parse_qs(urlsplit(address).query)["free_cancellation"] == ["1"]
