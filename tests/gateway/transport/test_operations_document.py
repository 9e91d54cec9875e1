"""docs/operations.md tells the limits as they are."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from search.gateway.config import Limits

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "operations.md"


def test_every_limit_is_documented_with_its_default() -> None:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    told = [line.split("|")[1:3] for line in lines if line.startswith("| `")]
    documented = {name.strip(" `"): value.strip() for name, value in told}
    for limit in fields(Limits):
        assert documented.get(limit.name) == str(limit.default)
