"""How large the pages are that the gateway is asked for, and how many of them at once."""

import msgspec
import pytest

from search.domain.query import Refinement, Sort
from search.gateway import GatewayError, Rejected
from search.results.pagination import Coverage, CoverageState
from tests.results.cached_views import SEARCH, view
from tests.scripted_gateway import honest, page_of
from tests.waiting import wait_until

OTHER_GUESTS = msgspec.structs.replace(SEARCH, guests=1)

pytestmark = pytest.mark.usefixtures("patient")


def refused(page: int, size: int) -> object:
    raise Rejected("request", 400)


def test_large_pages_bring_six_hundred_in_three_calls(connect):
    gateway = connect(honest(600), largest=1_000)
    assert view().coverage.compared == 600
    assert gateway.pages == [0, 1, 2]


def test_a_cut_page_tells_the_size_of_the_next(connect):
    sizes = []

    def script(page, size):
        sizes.append(size)
        return honest(130)(page, min(size, 60))

    connect(script, largest=1_000)
    assert view().coverage.compared == 130
    assert sizes == [200, 60, 60]
    view(search=OTHER_GUESTS)
    assert set(sizes[3:]) == {50}


def test_a_refused_size_is_asked_for_once(connect):
    sizes = []

    def script(page, size):
        sizes.append(size)
        return refused(page, size) if size > 50 else honest(130)(page, size)

    connect(script, largest=1_000)
    assert view().coverage.exact
    assert sizes[:4] == [200, 20, 100, 50]
    del sizes[:]
    assert view(search=OTHER_GUESTS).coverage.exact
    assert set(sizes) == {50}


@pytest.mark.parametrize(("count", "given"), [(250, 25), (130, 37), (45, 500)])
@pytest.mark.parametrize("refuses", [True, False])
def test_more_than_asked_for_means_fewer_pages(connect, count, given, refuses):
    def script(page, _size):
        return honest(count)(page, given) if page * given < count or not refuses else refused(page, _size)

    connect(script, largest=1_000)
    in_order = Refinement(sort=Sort.PROVIDER)
    last = -(-count // 20)
    pages = [view(in_order, page) for page in range(1, last + 2)]
    assert {page.last_page for page in pages} == {last}
    assert sum(len(page.listings) for page in pages) == count
    assert pages[-1].listings == ()


def test_a_search_that_is_refused_itself_costs_two_calls(connect):
    gateway = connect(refused)
    with pytest.raises(GatewayError):
        view()
    assert gateway.pages == [0, 0]


@pytest.mark.parametrize(
    "reads",
    [
        lambda page, size: range(page * min(size, 100), (page + 1) * min(size, 100)),
        lambda page, size: range(page * size, page * size + min(size, 100)),
        lambda page, size: range(page * size, (page + 1) * size) if size <= 100 else refused(page, size),
    ],
    ids=["of pages of its own size", "from where the asked page begins", "not at all"],
)
def test_where_pages_became_smaller_none_is_left_out(connect, reads):
    """The first pages are asked for together then, with a size that is so no more."""
    connect(honest(450), largest=1_000)
    view()
    asked = set()

    def script(page, size):
        asked.add(page)
        wait_until(lambda: asked >= {0, 1, 2}, "the first pages")
        return page_of([one for one in reads(page, size) if one < 450], 450)

    connect(script, largest=1_000)
    assert view(search=OTHER_GUESTS).coverage == Coverage(CoverageState.COMPLETE, 450, 450, 450)


@pytest.mark.parametrize("total", [600, None])
def test_pages_with_gaps_do_not_shrink_the_next_ones(connect, total):
    """A gateway that leaves out what is sold out after it has counted a page."""

    def script(page, size):
        there = range(600)[page * size : (page + 1) * size]
        return page_of([number for number in there if number % 15 != 7], total)

    for guests in range(1, 6):
        gateway = connect(script, largest=1_000)
        assert view(search=msgspec.structs.replace(SEARCH, guests=guests)).coverage.compared == 560
        assert len(gateway.pages) <= 9
