"""`python -m tests.house`: how large and tangled the code is, beside its limits and goals (limits.toml)."""

from __future__ import annotations

import ast
import re
import tomllib
from itertools import chain
from pathlib import Path

from tests.house.imports import ROOT, SANDBOX, TREE, Function, Module, Source, within
from tests.house.rooms import against_the_order
from tests.house.walk import walk

LIMITS = tomllib.loads((Path(__file__).parent / "limits.toml").read_text(encoding="utf-8"))
TEST_NAME = re.compile(r"^ *def (test_\w+)", re.MULTILINE)


def figures(source: Source) -> dict[str, int]:
    """Each measure of limits.toml with its value."""
    functions = list(chain.from_iterable(module.functions for module in source.site))
    ways = [complexity(one) for one in functions]
    stops, modules, ways_back_up = walk(source)
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    names = chain.from_iterable(map(TEST_NAME.findall, tests))
    return {
        "Python lines without the sandbox": sum(module.lines for module in source.site),
        "code lines of them": sum(map(code_lines, source.site)),
        "files of them": len(source.site),
        "modules behind the results view": len(source.loaded_with("search.results.views")),
        "functions above complexity 12": sum(one > 12 for one in ways),
        "functions above complexity 10": sum(one > 10 for one in ways),
        "functions above 40 lines": sum(_length(one) > 40 for one in functions),
        "functions of six or more parameters": sum(len(parameters(one)) >= 6 for one in functions),
        "walk of one search: stops": stops,
        "walk of one search: modules": modules,
        "walk of one search: ways back up": ways_back_up,
        "sandbox lines": sum(one.lines for one in source.modules.values() if within(one.name, SANDBOX)),
        "test lines": sum(text.count("\n") for text in tests),
        "test names above 60 characters": sum(len(name) > 60 for name in names),
        "lines of docs/decisions.md": (ROOT / "docs" / "decisions.md").read_text("utf-8").count("\n"),
        "groups of modules that import each other": len(source.circles()),
        "imports against the order of rooms": len(against_the_order(source)),
    }


def complexity(function: Function) -> int:
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


def parameters(function: Function) -> set[str]:
    """The names of a function's parameters, without `self`, `cls`, `*args` and `**kwargs`."""
    given = function.args
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self", "cls"}


def code_lines(module: Module) -> int:
    """The lines of a module that are neither blank nor comments nor docstrings."""
    docstrings = {
        number
        for node in module.nodes
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for number in range(node.lineno, node.lineno + _length(node))
    }
    lines = enumerate(map(str.strip, module.source.splitlines()), 1)
    return sum(bool(line) and line[0] != "#" and number not in docstrings for number, line in lines)


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def main() -> None:
    rows = [("measure", "value", "limit", "goal")]
    for name, value in figures(TREE).items():
        rows.append((name, *(f"{number:,}" for number in (value, *LIMITS[name]))))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, *numbers in rows:
        cells = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
        print("  ".join([name.ljust(widths[0]), *cells]))


if __name__ == "__main__":
    main()
