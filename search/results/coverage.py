"""How far the order and the filters of a results page reach, and what is still coming in."""

from dataclasses import dataclass
from functools import cached_property
from math import inf

from search.domain.context import SearchContext
from search.domain.query import ALL_STARS, Filter, Sort, encode_pairs
from search.web.formatting import Reader
from search.web.links import results_path, reverse, search_pairs
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy

from .compare_all import Deeper, DeeperResults
from .listings import FoundStays, RefinedResults
from .pagination import Coverage, CoverageState

# What partial results are worth, sorted or only filtered: by whether they are the first ones, and whether it
# is known how many there are.
_PARTIAL_COVERAGE = {
    (True, True): (
        gettext_lazy("Sorted among the first %(compared)s of %(total)s"),
        gettext_lazy("Filtered among the first %(compared)s of %(total)s"),
    ),
    (True, False): (
        gettext_lazy("Sorted among the first %(compared)s"),
        gettext_lazy("Filtered among the first %(compared)s"),
    ),
    (False, True): (
        gettext_lazy("Sorted among %(compared)s of %(total)s"),
        gettext_lazy("Filtered among %(compared)s of %(total)s"),
    ),
    (False, False): (
        gettext_lazy("Sorted among %(compared)s"),
        gettext_lazy("Filtered among %(compared)s"),
    ),
}


@dataclass(frozen=True)
class CoverageView:
    """Parameters of results/coverage.html. Empty strings are things not to show."""

    context: SearchContext
    found: FoundStays
    reader: Reader

    @property
    def refined(self) -> RefinedResults | None:
        return self.found.refined

    @property
    def address(self) -> str:
        """The canonical address of the page."""
        page = self.found.page if self.found.listings else 1
        return results_path(self.context.search, self.context.refinement, page)

    @cached_property
    def sentence(self) -> str:
        """`Exact order of all 412`, `Sorted among the first 600 of 8,214`; empty for one result or none."""
        if self.refined is None:
            return ""
        coverage, sorts = self.refined.coverage, self.refined.sort is not Sort.PROVIDER
        if coverage.exact:
            text = _("Exact order of all %(compared)s") if sorts else _("Filtered from all %(compared)s")
        else:
            # Only up to the cap are they the first ones; else pages between them may be missing.
            in_order, known = coverage.state is CoverageState.CAPPED, coverage.total is not None
            of_sorted, of_filtered = _PARTIAL_COVERAGE[in_order, known]
            text = str(of_sorted if sorts else of_filtered)
        number = self.reader.number
        numbers = {"compared": number(coverage.compared), "total": number(coverage.total or 0)}
        # One hotel alone is in no order.
        fewest = 2 if coverage.exact else 1
        said = text % numbers if coverage.compared >= fewest or coverage.worth_another_try else ""
        return self._with_time(said) if self.deeper and self.deeper.state is Deeper.SHOWN else said

    def _with_time(self, said: str) -> str:
        """`Exact order of all 3,000, checked 14:02 UTC`."""
        checked = self.deeper.checked_at if self.deeper else None
        time = self.reader.clock(checked or self.found.fetched_at)
        return _("%(all)s, checked %(time)s") % {"all": said, "time": time}

    @property
    def deeper(self) -> DeeperResults | None:
        return self.refined.deeper if self.refined else None

    @property
    def compare_all(self) -> str:
        """What the button for a deeper pass says, or the link to what one found: `Compare all 2,100`,
        `Compare 3,000`."""
        if self.refined is None or self.deeper is None:
            return ""
        count, total = self.reader.number(self.deeper.count), self.refined.coverage.total
        if self.deeper.state is Deeper.READY:
            return self._with_time(_("Show the order of %(count)s") % {"count": count})
        whole = total is not None and self.deeper.count >= total
        return (_("Compare all %(count)s") if whole else _("Compare %(count)s")) % {"count": count}

    @property
    def compare_all_path(self) -> str:
        """The address that the button sends its form to, with the search, its order and filters."""
        pairs = self.context.search.pairs() + self.context.refinement.replace(all=False).pairs()
        return f"{reverse('compare-all')}?{encode_pairs(pairs)}"

    @property
    def progress_address(self) -> str:
        """The address that tells how far the full results are."""
        return f"{reverse('progress')}?{encode_pairs(search_pairs(self.context))}"

    @property
    def deeper_progress_address(self) -> str:
        """The address that tells how far the deeper pass is."""
        return f"{reverse('progress')}?{encode_pairs((*search_pairs(self.context), ('all', '1')))}"

    @property
    def all_address(self) -> str:
        """The address of the page over the results of a deeper pass."""
        return results_path(self.context.search, self.context.refinement.replace(all=True))

    @property
    def deeper_progress(self) -> str:
        """How far a deeper pass is; empty where none is under way."""
        deeper = self.deeper
        if deeper is None or deeper.coverage is None or deeper.state is not Deeper.RUNNING:
            return ""
        return progress_text(deeper.coverage, self.reader)

    @property
    def advice(self) -> str:
        """Why it doesn't reach further; empty where all that the gateway gives is there."""
        if self.worth_another_try:
            return _("the others could not be loaded")
        return _("the others are still coming in") if self._state is CoverageState.FETCHING else ""

    @property
    def worth_another_try(self) -> bool:
        return self.refined is not None and self.refined.coverage.worth_another_try

    @property
    def stars_advice(self) -> str:
        """The words of the link to the filter of stars, where the hotels of some of them must be few enough
        to compare all: of so many shares of a total, one is at most the cap."""
        if Filter.STARS not in self.context.site.filters:
            return ""
        stars, coverage = self.context.search.stars, self.refined.coverage if self.refined else None
        if coverage is None or coverage.state is not CoverageState.CAPPED or len(stars) == 1:
            return ""
        if (coverage.total or inf) > max(coverage.compared, self.context.site.cap) * len(stars or ALL_STARS):
            return ""
        return _("choose fewer stars to sort all") if stars else _("choose stars to sort all")

    @cached_property
    def progress(self) -> str:
        """How far it is, of results still coming in, or that newer ones are."""
        if self.refined and self.found.newer_coming:
            if self.found.is_empty:
                return self.reader.with_time(
                    _("This answer is from %(time)s; a newer one is coming in"),
                    _("This answer is from %(day)s, %(time)s; a newer one is coming in"),
                    self.found.fetched_at,
                )
            return self.reader.with_time(
                _("Prices from %(time)s; newer ones are coming in"),
                _("Prices from %(day)s, %(time)s; newer ones are coming in"),
                self.found.fetched_at,
            )
        if self.refined is None or self._state is not CoverageState.FETCHING:
            return ""
        return progress_text(self.refined.coverage, self.reader)

    @property
    def _state(self) -> CoverageState | None:
        return self.refined.coverage.state if self.refined else None


def progress_text(coverage: Coverage, reader: Reader) -> str:
    """`Hotels compared: 240 of 412`, so that no word has to agree with two numbers."""
    compared = reader.number(coverage.compared)
    if coverage.goal is None:
        return _("Hotels compared: %(compared)s") % {"compared": compared}
    goal = reader.number(coverage.goal)
    return _("Hotels compared: %(compared)s of %(goal)s") % {"compared": compared, "goal": goal}
