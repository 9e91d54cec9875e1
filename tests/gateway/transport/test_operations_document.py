"""docs/operations.md tells the limits as they are."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from search.gateway.resilience import Limits

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "operations.md"


def test_every_limit_is_documented_with_its_default() -> None:
    _before, _heading, rest = DOCUMENT.read_text(encoding="utf-8").partition("\n## Limits of the wire\n")
    lines = rest.partition("\n## ")[0].splitlines()
    told = [line.split("|")[1:3] for line in lines if line.startswith("| `")]
    documented = {name.strip(" `"): value.strip() for name, value in told}
    assert documented == {limit.name: str(limit.default) for limit in fields(Limits)}
