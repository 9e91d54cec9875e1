"""The numbers of the house stay within their limits, and count what they say."""

import ast
from pathlib import Path

import pytest

from tests.house.__main__ import LIMITS, code_lines, complexity, figures, parameters
from tests.house.imports import TREE, Function, Module, Source
from tests.house.walk import walk

VIEW = '''"""What is shown."""
from . import store

# A reason.
def find(context, /, page, *, size): return store.Store(context).read(page)
'''
STORE = """
class Store:
    def __init__(self, context): self.context = context
    def read(self, page): return shown(self.context, page)
def shown(context, page): ...
"""


def test_every_number_has_a_limit_and_stays_within_it() -> None:
    values = figures(TREE)
    assert values.keys() == LIMITS.keys()
    above = [
        f"{name}: {value}, limit {LIMITS[name][0]}"
        for name, value in values.items()
        if value > LIMITS[name][0]
    ]
    assert not above, (
        "take out as much elsewhere, or say in a commit what raising tests/house/limits.toml buys"
    )


@pytest.fixture
def module(tmp_path: Path) -> Module:
    for name, text in (("view", VIEW), ("store", STORE)):
        path = tmp_path / "search" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return Source(tmp_path).modules["search.view"]


def test_lines_and_parameters_are_counted(module: Module) -> None:
    assert (module.lines, code_lines(module)) == (5, 2)
    assert [parameters(one) for one in module.functions] == [{"context", "page", "size"}]


def test_the_walk_follows_the_context_through_objects(module: Module) -> None:
    assert walk(Source(module.path.parent.parent), ("search.view", "find")) == (4, 2, 0)


def test_every_condition_is_a_way() -> None:
    source = (
        "def f(a, b):\n    for x in a:\n        if x and b:\n            return [y for y in x if y] or b\n"
    )
    function = ast.parse(source).body[0]
    assert isinstance(function, Function)
    assert complexity(function) == 7
