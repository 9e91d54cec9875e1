"""Tests of a table whose rows cost next to nothing, so that one test goes through all of them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]


def each(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """As `pytest.mark.parametrize`, but one test, without fixtures; every row that fails is shown."""
    alone = isinstance(names, str) and "," not in names
    keys = [one.strip() for one in names.split(",")] if isinstance(names, str) else names
    table = [*rows]
    assert table, "no row, so no test"

    def decorate(test: Test) -> Test:
        def every_row() -> None:
            failures = []
            for row in table:
                try:
                    test(**dict(zip(keys, [row] if alone else row, strict=True)))
                except (Exception, pytest.fail.Exception) as failure:
                    failure.add_note(f"row: {row!r}")
                    failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} rows of {test.__name__}", failures)

        every_row.__name__, every_row.__doc__ = test.__name__, test.__doc__
        return every_row

    return decorate
