"""The pages of full results from a gateway whose numbers may be wrong."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.domain.offers import Listing
from search.domain.site_settings import CategoriesStyle, Site
from search.gateway.cache import DAY, CachedValue, SafeStore
from search.gateway.search_page import Entry, SearchPage, is_cut
from search.results.pagination import Coverage, CoverageState, Pages, PageSizes, Pagination, known_by
from tests import builders as build
from tests.rows import each
from tests.scripted_gateway import NOW

SIZE = 10
CAP = 60


def listing(number: int) -> Listing:
    return Listing(build.building(key=f"k{number}"), (), None)


def page_of(numbers: list[int], total: int | None) -> SearchPage:
    return build.search_page(tuple(listing(number) for number in numbers), total, len(numbers))


def pages(count: int, total: int | None, size: int = SIZE) -> Callable[[int], SearchPage]:
    """A gateway with `count` properties that says there are `total`."""
    return lambda page: page_of(list(range(count))[page * size : (page + 1) * size], total)


def fetch_all(
    ask: Callable[[int], SearchPage | None], *, cap: int = CAP, at_once: int = 1
) -> tuple[Pagination, int]:
    """Runs to the end, `at_once` pages in flight; None from `ask` is a failure. Says how many were asked."""
    pagination, asked = Pagination(SIZE, cap), 0
    while not pagination.done:
        claimed = []
        while len(claimed) < at_once and (page := pagination.claim()) is not None:
            claimed.append((page, pagination.size))
        assert claimed, "neither done nor anything to ask"
        for page, size in claimed:
            asked += 1
            answer = ask(page)
            if answer is None:
                pagination.fail(page, size)
            else:
                pagination.accept(page, answer, size)
    return pagination, asked


def names(pagination: Pagination, cap: int = CAP) -> list[str]:
    return [one.outline.key for one in Pages({build.SEARCH: pagination}, cap).entries()]


at_once = pytest.mark.parametrize("at_once", [1, 4])


COMPLETE, PARTIAL, CAPPED = CoverageState.COMPLETE, CoverageState.PARTIAL, CoverageState.CAPPED


def shown(total: int | None, *numbers: Iterable[int]) -> Callable[[int], SearchPage]:
    """A gateway that gives these pages, and empty ones behind them."""
    return lambda page: page_of([*numbers[page]] if page < len(numbers) else [], total)


# What the gateway does, what is said of it in the end, how many calls it takes one by one, and
# how many more side by side.
GATEWAYS = {
    "honest": (pages(34, 34), Coverage(COMPLETE, 34, 34, 34), 4, 0),
    "all on one page": (pages(7, 7), Coverage(COMPLETE, 7, 7, 7), 1, 0),
    "nothing": (pages(0, 0), Coverage(COMPLETE, 0, 0, 0), 1, 0),
    "nothing, uncounted": (pages(0, None), Coverage(COMPLETE, 0, 0, 0), 1, 0),
    "just what the cap holds": (pages(60, 60), Coverage(COMPLETE, 60, 60, 60), 6, 0),
    "more than the cap": (pages(500, 500), Coverage(CAPPED, 60, 500, 60), 6, 0),
    "more than the cap, uncounted": (pages(500, None), Coverage(CAPPED, 60, None, None), 6, 0),
    "ends before its total": (pages(34, 55), Coverage(PARTIAL, 34, 55, 55), 6, 0),
    "ends long before its total": (pages(20, 600), Coverage(PARTIAL, 20, 600, 60), 2 + 3, 0),
    "counts too few": (pages(34, 20), Coverage(COMPLETE, 34, 34, 34), 4, 0),
    "counts too few, last page full": (pages(24, 20), Coverage(COMPLETE, 24, 24, 24), 3, 0),
    "counts too few for the cap": (pages(100, 20), Coverage(CAPPED, 60, None, None), 6, 0),
    "counts none": (pages(34, 0), Coverage(COMPLETE, 34, 34, 34), 4, 0),
    "counts nothing": (pages(34, None), Coverage(COMPLETE, 34, 34, 34), 4, 0),
    "small pages": (pages(34, 34, size=4), Coverage(COMPLETE, 34, 34, 34), 9, 0),
    "small pages, uncounted": (pages(34, None, size=4), Coverage(COMPLETE, 34, 34, 34), 10, 2),
    "an empty page in the middle": (
        shown(34, range(10), (), range(20, 30), range(30, 34)),
        Coverage(PARTIAL, 24, 34, 34, lost=True),
        4,
        0,
    ),
    "repeats behind an empty page": (
        shown(35, range(10), (), range(20), range(20, 25)),
        Coverage(PARTIAL, 25, 35, 35, lost=True),
        4,
        0,
    ),
    "a short page first, uncounted": (
        shown(None, range(7), range(10, 20)),
        Coverage(PARTIAL, 17, None, None),
        3,
        1,
    ),
    "fails behind its last page": (
        lambda page: pages(20, 20)(page) if page < 2 else None,
        Coverage(COMPLETE, 20, 20, 20),
        3,
        0,
    ),
    "uneven pages": (shown(20, range(10), range(10, 15)), Coverage(PARTIAL, 15, 20, 20), 2, 0),
    "a last page of repeats": (
        shown(20, range(10), range(10, 20), [19]),
        Coverage(COMPLETE, 20, 20, 20),
        3,
        0,
    ),
    "its last page again": (lambda page: pages(30, 30)(min(page, 2)), Coverage(COMPLETE, 30, 30, 30), 4, 0),
    "ignores the page number": (lambda _page: pages(500, 500)(0), Coverage(PARTIAL, 10, 500, 60), 4, 1),
    "its only page again": (lambda _page: pages(15, 15)(0), Coverage(PARTIAL, 10, 15, 15), 2, 0),
}


@at_once
@pytest.mark.parametrize(("ask", "coverage", "calls", "more"), GATEWAYS.values(), ids=GATEWAYS)
def test_what_is_said_of_a_gateway_and_what_it_takes(ask, coverage, calls, more, at_once):
    pagination, asked = fetch_all(ask, at_once=at_once)
    assert pagination.coverage() == coverage
    numbers = [int(name[1:]) for name in names(pagination)]
    assert numbers == sorted({*numbers})
    assert len(numbers) == coverage.compared
    assert asked == calls + (more if at_once > 1 else 0)


def test_the_first_page_is_fetched_alone():
    pagination = Pagination(SIZE, CAP)
    assert [pagination.claim(), pagination.claim()] == [0, None]


@pytest.mark.parametrize("count", [36, 12])
def test_with_a_total_of_late_all_its_pages_are_claimed_at_once(count):
    pagination = Pagination(SIZE, CAP, expected=34)
    assert [pagination.claim() for _ in range(5)] == [0, 1, 2, 3, None]
    for page in (3, 1, 0, 2):
        pagination.accept(page, pages(count, count)(page), SIZE)
    assert pagination.coverage() == Coverage(CoverageState.COMPLETE, count, count, count)


@at_once
def test_a_moving_total_is_followed(at_once):
    said = iter([20, 25, 40, 30, 34, 34, 34])
    pagination, _ = fetch_all(lambda page: pages(34, next(said))(page), at_once=at_once)
    assert pagination.coverage() == Coverage(CoverageState.COMPLETE, 34, 34, 34)


def test_an_empty_page_behind_the_least_total_is_the_end():
    said = iter([20, 40, 40, 40])
    pagination, asked = fetch_all(lambda page: pages(20, next(said))(page))
    assert (asked, pagination.coverage()) == (3, Coverage(CoverageState.COMPLETE, 20, 20, 20))


@each(
    ("received", "size", "largest", "cut"),
    [
        (9, 10, 0, True), (9, 10, 9, True), (9, 10, 10, False), (9, 10, 20, False),
        (7, 14, 14, True), (6, 14, 14, True), (8, 14, 14, False), (55, 60, 60, True), (56, 60, 60, False),
        (1, 10, 0, True),
    ],
)  # fmt: skip
def test_a_short_page_is_cut_only_if_it_looks_so(received, size, largest, cut):
    assert is_cut(page_of(list(range(received)), 500), size, largest) is cut


def test_pages_of_a_size_not_given_are_claimed_once_more():
    pagination = Pagination(SIZE, CAP, expected=30)
    assert [pagination.claim() for _ in range(3)] == [0, 1, 2]
    pagination.accept(2, page_of([20, 21, 22, 23], 34), SIZE)
    pagination.accept(0, page_of([0, 1, 2, 3], 34), SIZE)
    assert (pagination.size, names(pagination)) == (4, ["k0", "k1", "k2", "k3"])
    pagination.accept(1, page_of([10, 11, 12, 13], 34), SIZE)
    pagination.fail(2, SIZE)
    assert not pagination.lost
    left = []
    while (page := pagination.claim()) is not None:
        left.append(page)
        pagination.accept(page, pages(34, 34, size=4)(page), pagination.size)
    assert left == [*range(1, 9)]
    assert pagination.coverage() == Coverage(CoverageState.COMPLETE, 34, 34, 34)


@pytest.mark.parametrize("order", [(1, 2, 3, 4, 5, 0), (0, 1, 2, 3, 4, 5), (1, 2, 3, 0, 4, 5)])
def test_pages_beyond_the_end_of_such_a_size_are_no_end(order):
    pagination = Pagination(SIZE, CAP, expected=60)
    assert [pagination.claim() for _ in range(6)] == [*range(6)]
    for page in order:
        if not page:
            pagination.accept(0, pages(34, 34, size=5)(0), 5)
        else:
            pagination.accept(page, page_of([], 34), SIZE)
    while (page := pagination.claim()) is not None:
        pagination.accept(page, pages(34, 34, size=5)(page), pagination.size)
    assert pagination.coverage() == Coverage(CoverageState.COMPLETE, 34, 34, 34)


@at_once
@pytest.mark.parametrize(("largest", "most"), [(0, 6), (10, 7)])
@pytest.mark.parametrize("total", [34, None])
def test_pages_with_gaps_are_no_end(at_once, total, largest, most):
    """A gateway that leaves out what is sold out after it has counted a page."""

    def ask(page: int, size: int) -> SearchPage:
        there = range(34)[page * size : (page + 1) * size]
        return page_of([number for number in there if number % 10 != 3], total)

    pagination = Pagination(SIZE, CAP, largest=largest)
    asked = 0
    while claimed := [one for _ in range(at_once) if (one := pagination.claim()) is not None]:
        for page in claimed:
            asked += 1
            pagination.accept(page, ask(page, pagination.size), pagination.size)
    there = [f"k{number}" for number in range(34) if number % 10 != 3]
    assert names(pagination) == there
    state = CoverageState.PARTIAL if total else CoverageState.COMPLETE
    assert pagination.coverage() == Coverage(state, len(there), total or len(there), total or len(there))
    assert asked <= most + at_once - 1
    assert pagination.size == (10 if largest else 9)


def test_a_cap_inside_a_page_cuts_the_page():
    pagination, asked = fetch_all(pages(500, 500), cap=25)
    assert (asked, names(pagination, 25)) == (3, [f"k{number}" for number in range(25)])
    assert pagination.coverage() == Coverage(CoverageState.CAPPED, 25, 500, 25)


@pytest.mark.parametrize(("total", "state"), [(500, CAPPED), (60, PARTIAL)])
def test_pages_with_gaps_up_to_the_cap_are_the_first_ones(total, state):
    """All pages came that are wanted, with fewer than the cap: the rest lies behind them, if there is one."""

    def ask(page: int) -> SearchPage:
        there = range(total)[page * SIZE : (page + 1) * SIZE]
        return page_of([number for number in there if number % 15], total)

    pagination = Pagination(SIZE, CAP, largest=SIZE)
    while (page := pagination.claim()) is not None:
        pagination.accept(page, ask(page), SIZE)
    assert pagination.coverage() == Coverage(state, 56, total, 60)


def test_what_pages_say_of_a_property_is_united_once_a_page():
    def sold_by(*providers: str) -> SearchPage:
        offers = tuple(build.offer(provider=provider) for provider in providers)
        return build.search_page((Listing(build.building(key="k0"), offers, None),), 3, 1)

    pagination = Pagination(1, CAP)
    found = []
    for number, providers in enumerate(("AB", "BC")):
        assert pagination.claim() == number
        pagination.accept(number, sold_by(*providers), 1)
        (entry,) = Pages({build.SEARCH: pagination}, CAP).entries()
        found.append("".join(sorted({offer.provider for offer in entry.listing.offers})))
    assert found == ["AB", "ABC"]


@at_once
@pytest.mark.parametrize("size", [SIZE, 3])
@pytest.mark.parametrize("count", [35, 53])
def test_without_a_total_a_repeated_last_page_is_the_end(at_once, count, size):
    last = (count - 1) // size
    pagination, asked = fetch_all(lambda page: pages(count, None, size)(min(page, last)), at_once=at_once)
    assert pagination.coverage() == Coverage(CoverageState.COMPLETE, count, count, count)
    assert asked <= last + 1 + at_once


@at_once
def test_a_property_on_two_pages_is_one_property(at_once):
    shown = {0: list(range(10)), 1: [9, 8, *range(10, 18)], 2: [17, 18]}
    pagination, _ = fetch_all(lambda page: page_of(shown.get(page, []), 22), at_once=at_once)
    assert names(pagination) == [f"k{number}" for number in range(19)]
    assert pagination.coverage() == Coverage(PARTIAL, 19, 22, 22)


@at_once
def test_pages_that_fail_leave_the_others_and_are_told(at_once):
    pagination, _ = fetch_all(lambda page: None if page % 3 == 2 else pages(60, 60)(page), at_once=at_once)
    assert pagination.coverage() == Coverage(CoverageState.PARTIAL, 40, 60, 60, lost=True)
    assert names(pagination)[19:21] == ["k19", "k30"]


@at_once
def test_an_outage_half_way_keeps_what_is_there_and_asks_no_more(at_once):
    def ask(page: int) -> SearchPage | None:
        return None if page > 1 else pages(600, 600)(page)

    pagination, asked = fetch_all(ask, cap=600, at_once=at_once)
    assert pagination.coverage() == Coverage(CoverageState.PARTIAL, 20, 600, 600, lost=True)
    assert asked == 2 + 3


def test_while_gathering_the_goal_is_what_can_be_reached():
    pagination = Pagination(SIZE, CAP)
    pagination.accept(pagination.claim(), pages(500, 500)(0), SIZE)
    assert pagination.coverage() == Coverage(CoverageState.FETCHING, 10, 500, 60)


def test_repeats_leave_total_and_goal_open():
    pagination = Pagination(SIZE, CAP)
    for numbers in (range(10), range(9, 19)):
        pagination.accept(pagination.claim(), page_of(list(numbers), 30), SIZE)
    assert pagination.coverage() == Coverage(CoverageState.FETCHING, 19, None, None)


@pytest.mark.parametrize("total", [20, 34, None])
def test_stopping_early_is_partial_unless_everything_was_there(total):
    early = Pagination(SIZE, CAP)
    early.accept(early.claim(), pages(34, total)(0), SIZE)
    early.stop()
    assert early.coverage().state is CoverageState.PARTIAL
    whole, _ = fetch_all(pages(7, total and 7))
    whole.stop()
    assert whole.coverage().state is CoverageState.COMPLETE


def of_stars(numbers: Iterable[int], total: int | None, stars: int = 4) -> SearchPage:
    found = [Listing(build.building(key=f"k{number}", stars=stars), (), None) for number in numbers]
    return build.search_page(found, total, len(found))


@each(
    ("first", "second", "total"),
    [
        (of_stars(range(10), 30), of_stars(range(10, 20), 40), 70),
        (of_stars(range(10), 30), of_stars(range(10, 20), None), None),
        (of_stars(range(10), 30), of_stars(range(9, 19), 40), None),  # one hotel is counted twice
        (of_stars(range(10), 30), of_stars(range(10, 20), 40, stars=2), None),  # others are counted, too
    ],
)
def test_totals_of_each_star_add_up_unless_they_count_others(first, second, total):
    said = by_stars(first, second).coverage()
    assert (said.total, said.goal) == (total, total and 20)


def by_stars(first: SearchPage, second: SearchPage, **given) -> Pages:
    """Up to 20 hotels of three and four stars, after the first page of each."""
    series = {build.search(stars=(one,)): Pagination(SIZE, 20, **given) for one in (3, 4)}
    found = Pages(series, 20, (3, 4), style=CategoriesStyle.EACH, **given)
    for answer in (first, second):
        query = found.claim()
        assert query.style is CategoriesStyle.EACH
        found.accept(query, CachedValue(answer, NOW, stale=answer is second))
    return found


@pytest.mark.parametrize("totals", [(10, 10), (30, 40)])
def test_once_enough_hotels_came_no_star_is_asked_again(totals):
    found = by_stars(of_stars(range(10), totals[0]), of_stars(range(10, 20), totals[1]))
    assert found.claim() is None
    assert found.done
    state = COMPLETE if totals == (10, 10) else CAPPED
    assert found.fetched()[1:] == (Coverage(state, 20, sum(totals), 20), NOW, True)


def test_all_are_wanted_where_there_are_few_more_than_the_cap():
    found = by_stars(of_stars(range(10), 15), of_stars(range(15, 25), 15), whole=30)
    for numbers in (range(10, 15), range(25, 30)):
        found.accept(found.claim(), CachedValue(of_stars(numbers, 15), NOW, stale=False))
    assert found.coverage() == Coverage(COMPLETE, 30, 30, 30)


def test_a_page_that_fails_is_told_of_the_whole_search():
    found = by_stars(of_stars(range(10), 15), of_stars(range(15, 20), 5))
    found.fail(found.claim())
    assert found.coverage() == Coverage(PARTIAL, 15, 20, 20, lost=True)


def test_a_complete_search_is_counted_without_other_stars():
    found = Pages({build.SEARCH: Pagination(SIZE, CAP)}, CAP, (3,))
    page = build.search_page([*of_stars([1], 2, 3).listings, *of_stars([2], 2, 4).listings], 2, 2)
    found.accept(found.claim(), CachedValue(page, NOW, stale=False))
    assert found.coverage() == Coverage(COMPLETE, 1, 1, 1)


@each(
    ("state", "lost", "gives_less", "another_try"),
    [(PARTIAL, False, True, False), (PARTIAL, True, False, True), (CAPPED, False, False, False),
     (CAPPED, True, False, False)],
)  # fmt: skip
def test_what_is_missing_was_lost_or_is_not_given(state, lost, gives_less, another_try):
    coverage = Coverage(state, 10, 20, 20, lost)
    assert (coverage.gives_less, coverage.worth_another_try) == (gives_less, another_try)


def test_no_more_entries_are_promised_than_are_counted():
    pagination = Pagination(SIZE, CAP)
    pagination.accept(pagination.claim(), pages(14, 14)(0), SIZE)
    pagination.claim()
    assert pagination.promised == 14


def test_a_total_of_late_is_that_of_a_place_and_its_stars():
    sizes = PageSizes()
    sizes.learn(Site(), build.search(place="Rome", stars=(4, 5)), 200, of_stars(range(3), 3))
    sizes.learn(Site(), build.search(place="Paris"), 200, of_stars(range(7), 7))
    asked = [("Rome", (4, 5)), ("Paris", ()), ("Rome", ()), ("Rome", (4,)), ("Rom", (4, 5))]
    searches = [build.search(place=place, stars=stars, guests=1) for place, stars in asked]
    assert [PageSizes().recent_total(one) for one in searches] == [3, 7, 0, 0, 0]
    assert sizes.largest() == 7
    assert sizes.recent_total(build.search(place="largest")) == 0


@pytest.mark.parametrize(
    ("asked", "received", "total", "known"),
    [
        *[(200, 200, 900, 200), (200, 100, 900, 100), (200, 60, 900, 50), (20, 20, 900, 20)],
        *[(200, 30, 30, None), (200, 0, 0, None), (200, 30, None, None), (10, 10, 900, 10)],
    ],
)
def test_the_size_of_a_full_or_cut_page_is_known_from_then_on(asked, received, total, known, monkeypatch):
    sizes, site = PageSizes(), Site(page_size=10)
    sizes.learn(site, build.SEARCH, asked, of_stars(range(received), total))
    assert (sizes.known(site), sizes.largest()) == (known, received)
    # What is known already is not stored anew, so that it is tried again after its time.
    monkeypatch.setattr(SafeStore, "set", None)
    sizes.learn(site, build.SEARCH, asked, of_stars(range(received), total))


@pytest.mark.parametrize(("size", "days"), [(200, 30), (100, 1), (20, 1)])
def test_larger_pages_are_tried_again_the_next_day(monkeypatch, size, days):
    kept = []
    monkeypatch.setattr(SafeStore, "set", lambda _store, _key, _value, seconds: kept.append(seconds))
    PageSizes().remember(size)
    assert kept == [days * DAY]


@pytest.mark.parametrize(
    ("largest", "asked", "received", "known"),
    [(100, 100, 60, None), (200, 200, 100, 100), (100, 200, 60, 50), (60, 50, 20, 20)],
)
def test_a_page_tells_the_size_beside_the_largest_of_late(largest, asked, received, known):
    sizes, site = PageSizes(), Site()
    sizes.learn(site, build.SEARCH, 200, of_stars(range(largest), None))
    sizes.learn(site, build.SEARCH, asked, of_stars(range(received), 900))
    assert (sizes.known(site), sizes.largest()) == (known, largest)


def test_a_smaller_size_counts_only_where_pages_may_be_so_small():
    PageSizes().remember(10)
    assert (PageSizes().known(Site(page_size=10)), PageSizes().known(Site())) == (10, None)


def test_an_entry_is_found_by_any_of_its_keys():
    def offered(key: str, *providers: str) -> Entry:
        offers = tuple(build.offer(provider=one, property_id=key) for one in providers)
        return Entry.of(Listing(build.building(key=key), offers, None))

    first, later, other = offered("k1", "HB", "BK"), offered("k1", "EX"), offered("k2", "HB")
    pagination = Pagination(2, CAP, expected=20)
    for page, found in ((1, (later,)), (0, (other, first))):
        pagination.accept(page, SearchPage(found, None, len(found)), 2)
    for keys, wanted in (
        (("k1",), first), (("unknown", "BK:k1"), first), (("EX:k1",), later), (("HB:k2",), other),
        (("BK:k2",), None), ((), None), (("BK:k1", "k2"), first), (("EX:k3", "k2", "k1"), other),
    ):  # fmt: skip
        found = known_by(keys, Pages({build.SEARCH: pagination}, CAP).entries())
        assert (found and found.outline.key) == (wanted and wanted.outline.key)
        assert known_by(keys, [other, first, later]) is wanted


@given(
    count=st.integers(0, 90),
    totals=st.lists(st.one_of(st.none(), st.integers(-5, 200)), min_size=30, max_size=30),
    maximum=st.integers(1, 15),
    at_once=st.integers(1, 5),
    failing=st.sets(st.integers(0, 12), max_size=4),
)
def test_gathering_ends_and_claims_only_what_it_has(count, totals, maximum, at_once, failing):
    said = iter(totals * 100)
    size = min(SIZE, maximum)

    def ask(page: int) -> SearchPage | None:
        return None if page in failing else pages(count, next(said), size=size)(page)

    pagination, asked = fetch_all(ask, at_once=at_once)
    coverage = pagination.coverage()
    assert asked <= CAP + 5
    assert len(names(pagination)) == coverage.compared <= CAP
    assert len(set(names(pagination))) == coverage.compared
    if coverage.state is CoverageState.COMPLETE and all(total is None or total >= count for total in totals):
        assert coverage.compared == count


@at_once
@pytest.mark.parametrize("count", [10, 30])
def test_an_empty_page_is_no_sure_end_without_a_total(at_once, count):
    pagination, _ = fetch_all(pages(count, None), at_once=at_once)
    assert pagination.coverage() == Coverage(PARTIAL, count, None, None)
    assert not pagination.coverage().worth_another_try
