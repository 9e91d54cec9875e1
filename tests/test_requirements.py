"""The requirement files install whatever has been released since they were written."""

from __future__ import annotations

import re
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
# A requirement with an extra, unless it is one of another extra itself.
WITH_EXTRA = re.compile(r"(?P<name>[\w.-]+)\s*\[(?P<extra>[\w,.-]+)\](?!.*\bextra\s*==)")


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_what_a_package_needs_with_an_extra_is_pinned_with_it(file: str) -> None:
    """pip 23 takes the pin of `coverage` for none of `coverage[toml]`: it looks at a release after it, and
    refuses that for want of a hash."""
    pins = re.findall(r"^([\w.-]+)(\[[\w,.-]+\])?==", (ROOT / file).read_text(), re.MULTILINE)
    pinned = {plain(name): extra for name, extra in pins}
    assert len(pinned) > 10
    for one in distributions():
        if plain(one.metadata["Name"]) in pinned:
            for needed in filter(None, map(WITH_EXTRA.match, one.requires or [])):
                assert pinned[plain(needed["name"])] == f"[{needed['extra']}]", one.metadata["Name"]


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_all_that_a_pinned_package_needs_here_is_pinned(file: str) -> None:
    """pip refuses with hashes what has no pin: neither file would install."""
    lines = re.findall(r"^([\w.-]+\S* ?(?:;[^\\\n]+)?)", (ROOT / file).read_text(), re.MULTILINE)
    pins = [Requirement(line) for line in lines]
    pinned = {plain(one.name) for one in pins if not one.marker or one.marker.evaluate()}
    for one in distributions():
        if plain(one.metadata["Name"]) in pinned:
            for needed in map(Requirement, one.requires or []):
                if not needed.marker or needed.marker.evaluate({"extra": ""}):
                    assert plain(needed.name) in pinned, (one.metadata["Name"], str(needed))
