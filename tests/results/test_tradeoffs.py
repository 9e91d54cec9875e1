"""The best trade-offs and the middle of those alike, against plain loops and by examples at the page."""

from __future__ import annotations

import re
from decimal import Decimal
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.hotels import Coordinates
from search.domain.query import Refinement, Sort
from search.results import index
from search.results.index import Row, RowIndex, RowOffer
from search.results.selection import MAX_OTHERS, Question
from tests.results import naive_filters as naive
from tests.results.naive_filters import answers, keys, offer, questions, row, select

ALL = Question(Refinement())
FOREIGN = RowOffer("HB", 2, Decimal(10), "JPY", False, False, False, ())
SMALL = "place=Lerwick&checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR&market=en-gb"


def hotel(key: str, total: str, rating: str | None, km: float | None, **facts: object) -> Row:
    return row(key, 0, offer(total), rating=rating and Decimal(rating), distance=km, **facts)


def best(rows: list[Row], question: Question = ALL) -> list[str]:
    selection = select(rows, question)
    return [selection.index.rows[number].key for number in selection.tradeoffs]


@given(answers, questions)
def test_the_best_trade_offs_are_those_of_plain_loops(rows, question):
    wanted = naive.tradeoffs(naive.answer(rows, question), question)
    assert sorted(best(rows, question)) == sorted(one.key for one in wanted)


def test_what_is_missing_is_worse_than_anything():
    rows = [
        hotel("known", "100", "1.0", 90),
        hotel("as good", "100", "1.0", 90),
        hotel("unrated and unplaced", "100", None, None),
        hotel("cheaper, unrated", "90", None, None),
        hotel("odd unit", "95", None, 0.1, unit="FURLONG"),
        row("no price", 4, rating=Decimal(10), distance=0.0),
        row("foreign", 5, FOREIGN, rating=Decimal(10), distance=0.0),
    ]
    assert best(rows) == ["cheaper, unrated", "known", "as good"]


def test_with_an_airport_chosen_near_is_near_to_it():
    here, away = (
        {"coordinates": Coordinates(naive.ANCHOR.latitude + off, naive.ANCHOR.longitude)} for off in (0, 1)
    )
    rows = [hotel("by the airport", "200", "7.0", 50, **here), hotel("in town", "200", "7.0", 1, **away)]
    (nearest,) = select(rows, Question(Refinement(), anchor=naive.ANCHOR)).described_tradeoffs().best
    assert (nearest.row.key, nearest.km) == ("by the airport", 0)
    assert best(rows) == ["in town"]


def test_the_others_are_drawn_by_their_totals():
    rows = [
        hotel("best", "100", "9.0", None),
        hotel("dear", "300", "8.0", None),
        hotel("less dear", "200", "8.0", None),
        hotel("unrated", "150", None, None),
        row("foreign", 4, FOREIGN, rating=Decimal(8)),
        row("no price", 5, rating=Decimal(8)),
    ]
    told = select(rows, ALL).described_tradeoffs()
    assert [(one.row.key, one.total, one.km) for one in told.best] == [("best", 100, None)]
    assert [one.row.key for one in told.others] == ["less dear", "dear"]
    assert (told.among, told.rated, told.measured) == (6, True, False)


def test_of_many_others_some_are_drawn():
    others = [hotel(f"k{number}", str(200 + number), "8.0", 5.0) for number in range(2 * MAX_OTHERS)]
    told = select([hotel("best", "100", "9.0", 1.0), *others], ALL).described_tradeoffs()
    assert [one.row.key for one in told.others] == [f"k{number}" for number in range(0, 2 * MAX_OTHERS, 3)]
    assert (told.best[0].km, told.rated, told.measured) == (1.0, True, True)


def test_the_order_puts_the_best_trade_offs_first():
    rows = [
        hotel("beaten", "150", "7.0", 5),
        hotel("dear", "900", "9.0", 5),
        hotel("cheap", "100", "7.0", 5),
        row("no price", 3),
    ]
    found = keys(select(rows, Question(Refinement(), sort=Sort.TRADEOFFS)))
    assert found == ["cheap", "dear", "beaten", "no price"]


_stars = st.sampled_from((None, 3, 3, 4))
_few_offers = st.lists(naive.row_offers, max_size=2).map(lambda few: sorted(few, key=naive.offer_order))
_close_ratings = {
    scale: st.none() | st.integers(scale * 8, scale * 10).map(lambda tenths: Decimal(tenths) / 10)
    for scale in (5, 10, 100, 1_000)
}


@st.composite
def many_alike(draw: st.DrawFn) -> list[Row]:
    """Rows of two star classes whose ratings are close to each other, some without one fact or another."""
    ratings = _close_ratings[draw(st.sampled_from((5, 10, 100, 1_000)))]
    return [
        row(f"k{number}", number, *draw(_few_offers), stars=draw(_stars), rating=draw(ratings))
        for number in range(draw(st.integers(0, 30)))
    ]


@given(many_alike())
def test_a_class_has_the_same_stars_and_a_close_rating(rows):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(index, "LEAST_ALIKE", naive.LEAST_ALIKE)
        row_index = RowIndex(rows)
        found = [one and (one.size, row_index.comparable_totals[one.middle]) for one in row_index.classes]
    expected = [naive.alike(rows, one) for one in rows]
    assert found == [
        (len(totals), naive.middle(totals)) if len(totals) >= naive.LEAST_ALIKE else None
        for totals in expected
    ]


@pytest.mark.parametrize(("alike", "told"), [(19, False), (20, True)])
def test_the_middle_of_fewer_than_twenty_is_not_told(alike, told):
    rows = [row(f"k{n}", n, offer(str(100 + n)), rating=Decimal(8)) for n in range(alike)]
    rows += [row("foreign", alike, FOREIGN, rating=Decimal(8))]
    standing = select(rows, Question(Refinement())).standing(0)
    assert (standing is not None) == told
    assert standing is None or standing == (20, Decimal(109), Decimal(100), Decimal(101))


@pytest.mark.parametrize(
    "sent",
    [
        ["8.0", "7.4", "8.6", *["7.5"] * 10, *["8.5"] * 9],
        ["4.0", "3.7", "4.3", *["3.8"] * 10, *["4.2"] * 9],
    ],
)
def test_ratings_a_twentieth_of_the_scale_apart_are_alike(sent):
    rows = [row(f"k{n}", n, offer("100"), rating=Decimal(one)) for n, one in enumerate(sent)]
    assert select(rows, Question(Refinement())).standing(0) == (20, 100, 100, 100)


def test_one_slip_among_the_ratings_makes_none_alike():
    fair = [row(f"f{n}", n, offer("50"), rating=Decimal(6)) for n in range(20)]
    fine = [row(f"k{n}", 20 + n, offer("100"), rating=Decimal(9)) for n in range(20)]
    slip = row("slip", 40, offer("100"), rating=Decimal(90))
    assert select([*fair, *fine, slip], Question(Refinement())).standing(20) == (20, 100, 100, 100)


def test_filters_change_the_total_but_not_those_alike():
    rows = [
        row(f"k{n}", n, offer("100"), offer("130", free_cancellation=n < 3), rating=Decimal(8))
        for n in range(21)
    ]
    selection = select(rows, Question(Refinement(free_cancellation=True)))
    assert selection.standing(0) == (21, Decimal(100), Decimal(130), Decimal(100))


@pytest.fixture
def small_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "LEAST_ALIKE", naive.LEAST_ALIKE)


def page(visitor, query: str) -> str:
    """The page once all results are in; each look gives them time."""
    for _look in range(1_000):
        shown = unescape(visitor.get(f"/hotels/?{query}").content.decode())
        if "<result-progress" not in shown:
            return shown
    raise AssertionError("the page never settles")


@pytest.mark.django_db
def test_the_page_counts_those_that_stand_out_and_plots_them(visitor):
    shown = page(visitor, f"{SMALL}&sort=tradeoffs")
    count, among = re.search(
        r"(\d+) of (\d+): no other is cheaper, better rated and nearer at once", shown
    ).groups()
    axes = re.findall(r'<p class="tradeoffs__axis[^>]*>(.*?)</p>', shown)
    assert [re.sub(r"<[^>]+>", "", one) for one in axes] == [
        "↑ Guest rating",
        "Total for the stay, on a logarithmic scale →",
    ]
    dots = re.findall(r'class="tradeoffs__best" href="([^"]+)"', shown)
    table = re.findall(r'<th scope="row"><a href="([^"]+)"', shown)
    assert sorted(dots) == sorted(table)
    assert len(table) == int(count) < int(among)
    assert visitor.get(dots[0]).status_code == 200


def test_a_dot_is_called_by_its_hotel_and_some_say_so_beside_it(visitor):
    shown = page(visitor, f"{SMALL}&sort=tradeoffs")
    dots = re.findall(r'class="tradeoffs__best"[^>]*><title>(.+?) · (.+?)</a>', shown)
    assert len(dots) == shown.count('class="tradeoffs__best"')
    written = [(name, re.search(r">([^<]+)</text>", drawn)) for name, drawn in dots]
    assert any(text for _name, text in written)
    assert all(text[1] == name for name, text in written if text)


@pytest.mark.usefixtures("small_classes", "db")
def test_the_page_of_a_hotel_says_the_same_as_its_card(visitor):
    shown = page(visitor, SMALL)
    cards = shown.split('<h2 class="listing-card__name"><a href="')[1:]
    href, line = next(
        (card.partition('"')[0], line[1])
        for card in cards
        if (line := re.search(r"<summary>((?:Good|Great) price · €\d+ less [^<]+)", card))
    )
    assert f"<summary>{line}</summary>" in unescape(visitor.get(href).content.decode())
