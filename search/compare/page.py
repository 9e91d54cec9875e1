"""The page of hotels side by side, of a shared link or for everybody."""

from dataclasses import dataclass
from typing import Self

from search.domain.context import SearchContext
from search.property.page import stay_line
from search.web.formatting import Reader
from search.web.meta import Head
from search.web.translation import ngettext

from .table import Column, CompareTable


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Parameters of compare/page.html. `back` is an address and its words; `notices` say what was left
    out."""

    head: Head
    title: str
    stay: str
    back: tuple[str, str]
    table: CompareTable
    with_map: bool
    notices: tuple[str, ...] = ()

    @classmethod
    def build(
        cls,
        context: SearchContext,
        columns: tuple[Column, ...],
        back: tuple[str, str],
        head: Head | None = None,
        notices: tuple[str, ...] = (),
    ) -> Self:
        reader, title = Reader.for_search(context), _title(len(columns))
        placed = any(one.card.coordinates for one in columns)
        return cls(
            head=head or Head(title=title, robots="noindex"),
            title=title,
            stay=stay_line(context.search, reader),
            back=back,
            table=CompareTable.build(columns, context.search.currency, reader),
            with_map=context.site.map_enabled and placed,
            notices=notices,
        )


def _title(count: int) -> str:
    text = ngettext("%(count)s hotel side by side", "%(count)s hotels side by side", count)
    return text % {"count": count}
