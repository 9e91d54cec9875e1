"""The counters count what their rows say."""

import ast
from pathlib import Path

from tests.house.__main__ import complexity, figures, files_naming
from tests.house.imports import Source

SERVICE = """
def find(search, *, site): ...
def found(search, sites): ...

class Page:
    def build(self, a, b, c, d, e): ...
    def made(self, a, b, c, *, d, e, f): ...
"""


def test_parameters_are_counted_without_self(tmp_path: Path) -> None:
    module = tmp_path / "search" / "results" / "views.py"
    module.parent.mkdir(parents=True)
    module.write_text(SERVICE)
    counted = {figure.name: figure.now for figure in figures(Source(tmp_path))}
    assert counted["functions that take both search and site"] == 1
    assert counted["functions of 6 or more parameters"] == 1
    assert counted["modules that the results view loads"] == 1
    assert counted["lines in them"] == SERVICE.count("\n")


def test_every_condition_is_a_way() -> None:
    source = (
        "def f(a, b):\n    for x in a:\n        if x and b:\n            return [y for y in x if y] or b\n"
    )
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert complexity(function) == 7


def test_a_name_is_found_as_a_whole_word_in_code_and_markup(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.html").write_text("{{ deals }}")
    (tmp_path / "templates" / "b.html").write_text("{{ ideals }}")
    (tmp_path / "templates" / "c.txt").write_text("deals")
    assert files_naming(tmp_path, "deals") == {"templates/a.html"}
