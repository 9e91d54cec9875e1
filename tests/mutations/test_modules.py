"""The command's table names what is there, and properties are mistaken, too."""

from functools import cached_property

from tests.mutations.__main__ import MODULES, ROOT, path_of, with_plain_properties

SOURCE = """
class Row:
    size = 3

    @property
    def double(self):
        return self.size * 2

    @cached_property
    def triple(self):
        return self.size * 3

    @classmethod
    def made(cls):
        return cls()
"""


def test_every_module_and_its_tests_exist() -> None:
    for module, tests in MODULES.items():
        assert all((ROOT / path).is_file() for path in (path_of(module), *tests)), module


def test_properties_without_decorators_are_the_same_properties() -> None:
    plain = with_plain_properties(SOURCE)
    assert "@property" not in plain
    assert "@cached_property" not in plain
    found = {"cached_property": cached_property}
    exec(plain, found)
    row = found["Row"].made()
    assert (row.double, row.triple) == (6, 9)
