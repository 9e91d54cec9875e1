"""Links to providers: what a template may be, and that no value of a placeholder changes where it leads."""

import tomllib
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain import hand_over
from tests.builders import SEARCH, search
from tests.rows import each

TEMPLATE = (
    "https://www.example.com/{language}/hotel/{property}/rooms?from={checkin}&to={checkout}&nights={nights}"
    "&guests={guests}&currency={currency}&place={place}#rates"
)


def test_a_link_says_hotel_and_stay() -> None:
    assert hand_over.link(TEMPLATE, hand_over.values_of(SEARCH, "AAA-1")) == (
        "https://www.example.com/en/hotel/AAA-1/rooms?from=2026-12-03&to=2026-12-06&nights=3"
        "&guests=2&currency=EUR&place=Barcelona#rates"
    )


@given(
    st.text(max_size=400)
    | st.sampled_from(["'\"<>", "100%", "%2e%2e", "a\r\nb", "日本", "ö" * 400, "/../../x"]),
    st.text(max_size=400),
)
def test_values_stay_in_their_place_whatever_they_hold(identifier: str, place: str) -> None:
    link = hand_over.link(TEMPLATE, hand_over.values_of(search(place=place), identifier))
    if identifier in ("", ".", ".."):
        assert link == ""
        return
    parts = urlsplit(link)
    assert link.isascii()
    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "www.example.com", "rates")
    kept = identifier.encode(errors="replace").decode()
    assert [unquote(step) for step in parts.path.split("/")] == ["", "en", "hotel", kept, "rooms"]
    query = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True))
    assert query["place"] == place.encode(errors="replace").decode()
    assert len(query) == 6


@pytest.mark.parametrize("identifier", ["", ".", ".."])
def test_an_identifier_that_would_climb_in_the_path_gets_no_link(identifier: str) -> None:
    assert hand_over.link(TEMPLATE, hand_over.values_of(SEARCH, identifier)) == ""
    in_query = "https://www.example.com/?id={property}"
    assert bool(hand_over.link(in_query, hand_over.values_of(SEARCH, identifier))) == bool(identifier)


def test_a_template_changed_behind_the_admin_makes_no_link() -> None:
    assert hand_over.link("javascript:alert('{property}')", hand_over.values_of(SEARCH, "AAA-1")) == ""


@each(
    "template",
    [
        TEMPLATE,
        "https://example.com/{property}",
        "https://book.example.co.uk:8443/h?id={property}&id={property}",
        "https://EXAMPLE.com?h={property}",
        "https://example.com/caf%C3%A9/{property}",
        "https://example.com/@{place}/{property}",
        "https://example.com/#/hotel/{property}",
    ],
)
def test_usable_templates(template: str) -> None:
    assert hand_over.problem(template) == ""
    assert hand_over.link(template, hand_over.EXAMPLE).lower().startswith(template[:16].lower())


REFUSED = tomllib.loads(Path(__file__).with_name("refused_templates.toml").read_text("utf-8"))


def test_unusable_templates_are_refused_with_a_reason() -> None:
    for sentence, templates in REFUSED.items():
        for template in templates:
            assert sentence in hand_over.problem(template)
    assert "longer than" in hand_over.problem(f"https://example.com/{{property}}?{'x' * 500}")


@given(st.text(alphabet="htps:/\\@.{}%?#[]x1é \u202e-_property", max_size=60))
def test_what_is_accepted_names_one_fixed_host(rest: str) -> None:
    template = f"https://{rest}{{property}}"
    if not hand_over.problem(template):
        first, other = (
            urlsplit(hand_over.link(template, {**hand_over.EXAMPLE, "property": text}))
            for text in ("AA", "@evil.example\\")
        )
        assert first.netloc == other.netloc == urlsplit(template).netloc
        assert "@" not in first.netloc
