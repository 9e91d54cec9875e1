"""Fields of unknown shape become lines a person can read."""

from __future__ import annotations

import json
from pathlib import Path
from time import thread_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.gateway.free_form import (
    MAX_LINE,
    MAX_LINES,
    beds_of,
    cards_of,
    facilities_of,
    lines_of,
    persons_of,
    times_of,
)
from tests.rows import each

SHAPES = json.loads(Path(__file__).with_name("shapes.json").read_text("utf-8"))


@each(("value", "lines"), [*SHAPES["lines"], (float("nan"), ())])
def test_known_shapes_read_well(value, lines):
    assert lines_of(value) == tuple(lines)


@each(("value", "names"), SHAPES["facilities"])
def test_facilities_are_one_a_line_without_their_groups(value, names):
    assert facilities_of(value) == tuple(names)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20,
)


@given(values)
def test_any_shape_gives_bounded_clean_lines(value):
    lines = lines_of(value)
    assert len(lines) <= MAX_LINES
    assert all(line == line.strip() and line and "\n" not in line for line in lines)


@given(
    st.dictionaries(
        st.sampled_from(["a", "type", "name", "from"]), st.lists(st.integers(0, 9), max_size=3), max_size=4
    )
)
def test_no_python_or_json_syntax_shows(value):
    assert not any(character in line for line in lines_of(value) for character in "[]{}'\"")


@each(
    ("value", "rules"),
    [
        ({"pets": {"allowed": False, "fee": None}}, ("Pets: not allowed",)),
        ({"pets": {"allowed": True}}, ("Pets: allowed",)),
        ({"petsAllowed": False}, ("Pets not allowed",)),
        ([{"smoking": "false"}, {"parties": True}], ("Smoking: no", "Parties")),
        (False, ()),
        ("No pets.", ("No pets.",)),
        ([{"code": "SMOKING", "value": False}], ("Smoking: no",)),
    ],
)
def test_a_policy_tells_what_is_not_so_as_well(value, rules):
    assert lines_of(value) == rules


@each(
    ("value", "names"),
    [
        (["VI", "MC", "CA", "AX"], ("Visa", "Mastercard", "American Express")),
        ("VI, MC", ("Visa", "Mastercard")),
        ("VI, Cash", ("VI, Cash",)),
        ([{"code": "VI", "name": "Visa"}, "Carte Bancaire"], ("Visa", "Carte Bancaire")),
        (["AMEX", "american_express", "VISA", "Visa"], ("American Express", "Visa")),
        ("VI/MC/AX", ("Visa", "Mastercard", "American Express")),
        ([{"code": "VI", "type": "CreditCard"}, {"cardType": "MC"}], ("Visa", "Mastercard")),
        ([{"code": "VI", "name": "Visa Infinite"}], ("Visa Infinite",)),
        ({"currency": "INR", "types": [{"name": "Visa"}]}, ("Visa",)),
        ([{"code": "JC", "accepted": False}, {"cardType": "DINERS", "enabled": "false"}, "VI"], ("Visa",)),
        ([{"name": "JCB", "isAccepted": "no"}, {"name": "Visa", "accepted": True}], ("Visa",)),
        ([{"code": "VI", "cvcRequired": False}, {"code": "JC", "available": None}], ("Visa", "JCB")),
        ([1, "2", "VI"], ("Visa",)),
        (None, ()),
    ],
)
def test_payment_cards_are_told_by_their_names(value, names):
    assert cards_of(value) == names


def test_hours_and_minutes_in_one_number_are_times_of_day():
    assert times_of([1100, "0930", "930"])[0] == ("11:00", "09:30", "9:30")
    assert times_of(2490)[0] == ("2490",)
    assert times_of("10:00 - 10:00")[0] == ("10:00",)
    assert times_of([{"from": "14:00"}, {"time": "3 PM"}])[0] == ("14:00", "15:00")


def test_a_time_is_named_after_what_it_is_of():
    named = {"checkIn": "14:00:00", "checkInDescription": {"text": "Ring the bell."}}
    assert times_of(named) == (("14:00",), ("Ring the bell.",))


@each(
    ("value", "times"),
    [
        ("15:00:00+02:00", ("15:00",)),
        ("15:00+02:00", ("15:00",)),
        ("15:00:00-0500", ("15:00",)),
        ("9:00-11:00", ("9:00-11:00",)),
    ],
)
def test_a_time_of_day_reads_like_one(value, times):
    assert times_of(value)[0] == times


@each(
    ("value", "times"),
    [
        ("3:00 PM", ("15:00",)),
        ({"from": "3:00 PM", "to": "11:30 p.m."}, ("15:00 – 23:30",)),
        (["12am", "12:30 am", "12 PM"], ("00:00", "00:30", "12:00")),
        ("From 3.15 pm", ("From 15:15",)),
        ("3 - 6 pm", ("3 - 6 pm",)),
        ("13:00 PM", ("13:00 PM",)),
        ("3 pm, 2 days ahead", ("3 pm, 2 days ahead",)),
        ("5 amenities", ("5 amenities",)),
    ],
)
def test_hours_of_half_a_day_are_told_as_those_of_a_whole_one(value, times):
    assert times_of(value)[0] == times


@each(
    ("value", "persons"),
    [
        (2, ("2",)),
        ({"total": 3, "adults": 2, "children": 1}, ("3",)),
        ({"maxPersons": "4"}, ("4",)),
        ({"max_allowed": {"total": 3, "adults": 3}, "age_categories": {"Adult": {"name": "Adult"}}}, ("3",)),
        ({"adults": 2, "children": 1}, ("Adults: 2", "Children: 1")),
    ],
)
def test_persons_are_the_total_of_an_object(value, persons):
    assert persons_of(value) == persons


def test_hours_and_minutes_in_two_members_are_a_time_of_day():
    assert times_of({"hour": 15, "minute": 0}) == (("15:00",), ())
    assert times_of({"begin": {"hours": 14, "minutes": 30}, "note": "Ring."}) == (("14:30",), ("Ring.",))


def test_a_bare_hour_is_a_time_of_day():
    assert times_of(15)[0] == ("15:00",)
    assert times_of(["7:30", 11])[0] == ("7:30", "11:00")
    assert times_of("at reception")[0] == ("at reception",)


@each("hour", ["²", "٣", "２", "24:00 h", "99"])
def test_what_is_no_hour_of_a_clock_is_left_as_it_is(hour):
    assert times_of(hour)[0] == (hour,)


keys = st.sampled_from(
    [
        "from", "until", "title", "name", "label", "description", "text", "value", "policy", "penalty",
        "beds", "items", "smoking", "minimum_age", "meal_plan",
    ]
)  # fmt: skip
leaves = st.sampled_from(["one two", "14:00", "22:00 h", "free of charge", "12 eggs", "sea view"])


@given(
    st.dictionaries(keys, leaves | st.lists(leaves, max_size=3) | st.dictionaries(keys, leaves, max_size=3))
)
def test_nothing_readable_is_lost_whatever_the_members(value):
    def texts(part):
        if isinstance(part, str):
            return {part}
        return {
            text for inner in (part.values() if isinstance(part, dict) else part) for text in texts(inner)
        }

    told = "\n".join(lines_of(value))
    assert all(text in told for text in texts(value))


def nested(value: object, times: int, wrap: object) -> object:
    for _ in range(times):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"text": inner}])
def test_what_is_nested_more_than_six_deep_is_not_read(wrap):
    assert lines_of(nested("there", 6, wrap)) == ("there",)
    assert lines_of(nested("there", 7, wrap)) == ()


def test_a_total_of_totals_without_end_is_no_error():
    assert persons_of(nested(3, 6, lambda inner: {"total": inner})) == ("3",)
    assert not persons_of(nested(3, 5_000, lambda inner: {"total": inner}))


@each("read", [lines_of, beds_of, times_of, facilities_of, cards_of])
def test_nesting_without_end_is_no_error(read):
    assert not any(read(nested("there", 5_000, lambda inner: [inner])))
    assert not any(read(nested("there", 5_000, lambda inner: {"text": inner})))


@pytest.mark.parametrize("read", [beds_of, facilities_of, cards_of])
def test_of_a_list_without_end_no_more_is_looked_at_than_is_read(read):
    looked_at = []

    class Entry(dict):
        def items(self):
            looked_at.append(self)
            return super().items()

    read([Entry(name="Pool") for _ in range(1_000)])
    assert 0 < len({id(one) for one in looked_at}) <= 240


def test_what_is_nested_is_changed_as_deep_as_it_is_read():
    assert lines_of(nested({"smoking": False}, 5, lambda inner: [inner])) == ("Smoking: no",)


def test_only_the_first_of_long_lists_and_objects_are_read():
    assert lines_of([""] * 239 + ["there"]) == ("there",)
    assert lines_of([""] * 240 + ["there"]) == ()
    empty = dict.fromkeys(map(str, range(239)), "")
    assert lines_of({**empty, "text": "there"}) == ("there",)
    assert lines_of({**empty, "more": "", "text": "there"}) == ()


def test_a_line_of_many_texts_is_cut():
    (line,) = lines_of({"from": ["x" * 900, "y" * 900], "currencyCode": "EUR"})[:1]
    assert len(line) == MAX_LINE


def test_a_name_longer_than_a_line_of_its_own_is_cut():
    assert lines_of({"k" * 100: True}) == ("K" + "k" * 99,)
    assert lines_of({"k" * 101: True}) == ("K" + "k" * 98 + "…",)


@pytest.mark.parametrize("read", [facilities_of, cards_of, lines_of])
def test_hundreds_of_blanks_are_read_as_quickly_as_letters(read):
    began = thread_time()
    read([f"A_{line}{' ' * (MAX_LINE - 20)}B" for line in range(MAX_LINES)])
    assert thread_time() - began < 0.1


@each(
    ("value", "beds"),
    [
        ([{"Type": "QueenBed", "Size": "Queen", "Count": "1"}], ("1 × Queen bed",)),
        ([{"code": "KG", "description": "King bed", "count": 2}], ("2 × King bed",)),
        ([{"description": "1 King Bed", "quantity": 1}], ("1 King Bed",)),
        (
            [{"bed_type": "double", "number_of_beds": 1}, {"beds": 2, "bedType": "SOFA"}],
            ("1 × Double", "2 × Sofa"),
        ),
        ({"configuration": [{"type": "KingBed", "quantity": "1"}]}, ("1 × King bed",)),
        (["king", 2], ("King",)),
        ({"beds": ["King"]}, ("King",)),
        ({"description": "1 King Bed", "configuration": [{"type": "KingBed"}]}, ("1 King Bed",)),
        ({"description": ["King", "Sofa bed"]}, ("King, Sofa bed",)),
    ],
)
def test_beds_are_counted(value, beds):
    assert beds_of(value) == beds


@each(
    ("value", "names"),
    [
        ([{"name": "Parking", "attrs": ["paid", "on_site"]}], ("Parking (charge)",)),
        ([{"name": "Sauna", "isFree": False}, {"name": "Bar", "fee": "0"}], ("Sauna (charge)", "Bar")),
        ({"attributes": {"pets": {"51": {"id": "51", "name": "Pets allowed"}}}}, ("Pets allowed",)),
        (
            [{"name": "General", "free_amenities": ["Safe"], "paid_amenities": ["Spa"]}],
            ("Safe (free)", "Spa (charge)"),
        ),
    ],
)
def test_facilities_say_what_costs(value, names):
    assert facilities_of(value) == names
