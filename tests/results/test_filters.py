"""Sort, filters and counts, checked against plain loops over any rows."""

from decimal import Decimal

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from search.domain.query import Refinement, Sort
from search.results.facets import drops, facets, histogram
from search.results.index import Row, RowIndex, RowOffer, bits, set_of
from search.results.selection import Question, Selection
from tests.results import naive_filters as naive
from tests.results.naive_filters import answers, questions


def select(rows: list[Row], question: Question) -> Selection:
    return Selection(RowIndex(rows), question)


def keys(selection: Selection) -> list[str]:
    return [selection.index.rows[number].key for number in selection.ordered()]


def offer(total: str, provider: str = "HB", **facts: object) -> RowOffer:
    given_facts = {"free_cancellation": False, "pay_later": False, "deals": False, "facilities": (), **facts}
    return RowOffer(provider=provider, standing=0, total=Decimal(total), currency="EUR", **given_facts)


def row(key: str, position: int, *offers: RowOffer, **facts: object) -> Row:
    plain = {
        "page": 0, "name": key, "type": "HOTEL", "stars": 4, "rating": None,
        "distance": None, "unit": "", "latitude": None, "longitude": None, **facts,
    }  # fmt: skip
    return Row(key=key, position=position, offers=offers, **plain)


@given(st.sets(st.integers(0, 200)))
def test_a_set_of_bits_gives_its_numbers_back(numbers):
    assert list(bits(set_of(numbers, 201))) == sorted(numbers)


@given(answers(), questions)
def test_the_filters_let_through_what_a_plain_loop_lets_through(rows, question):
    assert set(keys(select(rows, question))) == {one.key for one in naive.answer(rows, question)}


@given(answers(), questions)
def test_every_order_is_the_naive_one_and_total(rows, question):
    expected = sorted(naive.answer(rows, question), key=lambda one: naive.sort_key(one, question))
    assert keys(select(rows, question)) == [one.key for one in expected]


@given(answers(), questions)
def test_a_facet_count_is_the_size_of_the_answer_after_the_click(rows, question):
    for facet in facets(select(rows, question)):
        for choice in facet.values:
            clicked = _after_click(question, facet.name, choice.value, choice.selected)
            assert choice.count == len(naive.answer(rows, clicked)), (facet.name, choice)


@given(answers(), questions)
def test_the_own_count_of_a_value_is_the_answer_with_that_value_alone(rows, question):
    for facet in facets(select(rows, question)):
        for choice in facet.values:
            alone = _after_click(_cleared(question, facet.name), facet.name, choice.value, False)
            assert choice.own == len(naive.answer(rows, alone)), (facet.name, choice)


def _cleared(question: Question, name: str) -> Question:
    if name == "stars":
        return msgspec.structs.replace(question, stars=())
    return msgspec.structs.replace(question, refinement=question.refinement.without(name))


def _after_click(question: Question, name: str, value: str, selected: bool) -> Question:
    if name == "stars":
        stars = set(question.stars) ^ {int(value)}
        return msgspec.structs.replace(question, stars=tuple(sorted(stars)))
    refinement = question.refinement
    if name in ("min_rating", "max_km"):
        changed = refinement.without(name) if selected else refinement.replace(**{name: Decimal(value)})
    elif name in ("free_cancellation", "pay_later", "deals"):
        changed = refinement.replace(**{name: not selected})
    else:
        changed = refinement.toggled(name, value)
    return msgspec.structs.replace(question, refinement=changed)


@given(answers(), questions)
def test_a_filter_dropped_regains_what_the_drop_says(rows, question):
    for drop in drops(select(rows, question)):
        assert drop.regains == len(naive.answer(rows, _cleared(question, drop.name))), drop


@given(answers(), questions)
def test_the_histogram_counts_every_comparable_headline_once(rows, question):
    unlimited = _cleared(question, "max_price")
    leads = [naive.headline(one, unlimited) for one in naive.answer(rows, unlimited)]
    totals = [lead.total for lead in leads if lead is not None and lead.standing == 0]
    found = histogram(select(rows, question))
    if found is None:
        assert len(set(totals)) < 2
        return
    assert (found.lowest, found.highest) == (min(totals), max(totals))
    for bar in found.bars:
        assert bar.count == sum(
            bar.low <= total and (bar.high is None or total < bar.high) for total in totals
        )
    assert sum(bar.count for bar in found.bars) == len(totals)


@given(answers(), questions)
def test_pages_partition_the_answer(rows, question):
    ordered = keys(select(rows, question))
    pages = [ordered[start : start + 7] for start in range(0, len(ordered), 7)]
    assert sorted(key for page in pages for key in page) == sorted(
        one.key for one in naive.answer(rows, question)
    )


@given(questions, st.sampled_from(("type", "facility", "provider")), st.sampled_from(("HOTEL", "POOL", "HB")))
def test_adding_a_value_and_removing_it_changes_nothing(question, name, value):
    refinement = question.refinement
    assert refinement.toggled(name, value).toggled(name, value) == refinement


def test_filters_about_offers_are_met_by_one_and_the_same_offer():
    split = row("split", 0, offer("100"), offer("300", free_cancellation=True))
    joined = row("joined", 1, offer("190", free_cancellation=True))
    wanted = Refinement(max_price=Decimal(200), free_cancellation=True)
    assert keys(select([split, joined], Question(wanted))) == ["joined"]


def test_the_price_order_goes_by_the_cheapest_offer_that_passes():
    first = row("first", 0, offer("100"), offer("300", free_cancellation=True))
    second = row("second", 1, offer("190", free_cancellation=True))
    assert keys(select([first, second], Question(Refinement()))) == ["first", "second"]
    assert keys(select([first, second], Question(Refinement(free_cancellation=True)))) == ["second", "first"]


def test_equal_totals_keep_the_order_of_the_gateway():
    rows = [
        row(name, number, offer("100.0" if number % 2 else "100.00")) for number, name in enumerate("dbca")
    ]
    assert keys(select(rows, Question(Refinement()))) == ["d", "b", "c", "a"]


def test_a_property_without_a_price_comes_last_and_stays_in_the_answer():
    rows = [row("none", 0), row("priced", 1, offer("900"))]
    for sort in (Sort.PRICE, Sort.RATING, Sort.STARS, Sort.DISTANCE):
        assert keys(select(rows, Question(Refinement(), sort=sort))) == ["priced", "none"]


def test_a_total_in_another_currency_is_never_below_a_limit():
    foreign = RowOffer("HB", 2, Decimal(10), "JPY", False, False, False, ())
    wanted = Question(Refinement(max_price=Decimal(200)))
    assert keys(select([row("foreign", 0, foreign)], wanted)) == []


def test_stars_that_the_rows_were_not_asked_for_have_no_count():
    rows = [row("four", 0, offer("100"))]
    stars = facets(select(rows, Question(Refinement(), stars=(4,))), held_stars=(4,))[0]
    assert stars.name == "stars"
    assert {choice.value: choice.count for choice in stars.values} == {
        "5": None, "4": None, "3": None, "2": None, "1": None,
    }  # fmt: skip
    assert {choice.value: choice.own for choice in stars.values}["4"] == 1


def test_a_chosen_code_nobody_has_stays_visible_with_its_count():
    rows = [row("one", 0, offer("100"))]
    types = next(
        one for one in facets(select(rows, Question(Refinement(type=("CASTLE",))))) if one.name == "type"
    )
    assert [(choice.value, choice.selected, choice.count) for choice in types.values] == [
        ("HOTEL", False, 1),
        ("CASTLE", True, 1),
    ]


def test_choosing_stars_promises_no_count_while_some_rows_are_missing():
    rows = [row("a", 0, offer("10"), stars=4), row("b", 1, offer("20"), stars=5)]
    stars = facets(select(rows, Question(Refinement())), complete=False)[0]
    assert {(one.count, one.own) for one in stars.values} == {(None, None)}
