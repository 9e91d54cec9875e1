"""`python -m tests.house`: how large and how tangled the site's code is, beside the first edition."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from statistics import median_high
from typing import NamedTuple

from tests.house.imports import Source
from tests.house.rooms import against_the_order

MANY_PARAMETERS = 6
MOST_WAYS = 12
# A filter whose name means nothing else in the code.
FILTER = "deals"
CODE = (".py", ".html", ".jinja", ".js", ".css")


class Figure(NamedTuple):
    """One row of the table. `first` is what this measure gave on the last commit of the first edition."""

    name: str
    first: int
    now: int
    goal: str


def figures(source: Source) -> Iterator[Figure]:
    functions = list(chain.from_iterable(module.functions for module in source.site))
    sizes = [module.lines for module in source.site]
    yield Figure("Python files, without sandbox and empty ones", 182, len(sizes), "<= 130")
    yield Figure("lines in them", 18_568, sum(sizes), "<= 16,500")
    yield Figure("lines of the median file", 88, median_high(sizes), ">= 110")
    loaded = source.loaded_with("search.results.views")
    yield Figure("modules that the results view loads", 93, len(loaded), "<= 66")
    both = sum({"search", "site"} <= _parameters(one) for one in functions)
    yield Figure("functions that take both search and site", 39, both, "<= 8")
    many = sum(len(_parameters(one)) >= MANY_PARAMETERS for one in functions)
    yield Figure(f"functions of {MANY_PARAMETERS} or more parameters", 20, many, "<= 5")
    tangled = sum(complexity(one) > MOST_WAYS for one in functions)
    yield Figure(f"functions of a complexity above {MOST_WAYS}", 15, tangled, "0")
    yield Figure(f"files that name one filter, `{FILTER}`", 8, len(files_naming(source.root, FILTER)), "<= 3")
    yield Figure("groups of modules that import each other", 0, len(source.circles()), "0")
    yield Figure("imports against the order of rooms", 0, len(against_the_order(source)), "0")


def files_naming(root: Path, word: str) -> set[str]:
    """The files of the site that a thing named `word` touches; migrations and translations aside."""
    paths = (path for folder in ("search", "templates", "static") for path in (root / folder).rglob("*"))
    named = re.compile(rf"\b{word}\b", re.IGNORECASE)
    return {
        path.relative_to(root).as_posix()
        for path in paths
        if path.suffix in CODE
        and "migrations" not in path.parts
        and named.search(path.read_text(encoding="utf-8"))
    }


def complexity(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The ways through a function as radon counts them: conditions inside expressions are ways, too."""
    ways = 1
    for node in ast.walk(function):
        match node:
            case ast.BoolOp(values=parts):
                ways += len(parts) - 1
            case ast.comprehension(ifs=conditions):
                ways += 1 + len(conditions)
            case ast.For(orelse=rest) | ast.AsyncFor(orelse=rest) | ast.While(orelse=rest):
                ways += 1 + bool(rest)
            case ast.Try(handlers=handlers, orelse=rest):
                ways += len(handlers) + bool(rest)
            case ast.Match(cases=cases):
                ways += len(cases) - any(isinstance(one.pattern, ast.MatchAs) for one in cases)
            case ast.If() | ast.IfExp() | ast.Assert():
                ways += 1
    return ways


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names of a function's parameters, without `self`, `cls`, `*args` and `**kwargs`."""
    given = function.args
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self", "cls"}


def main() -> None:
    rows = [("measure", "first edition", "now", "goal")]
    rows += [(one.name, f"{one.first:,}", f"{one.now:,}", one.goal) for one in figures(Source())]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, *numbers in rows:
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        print("  ".join([name.ljust(widths[0]), *cells]))


if __name__ == "__main__":
    main()
