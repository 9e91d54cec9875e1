"""The stand-in gateway: the whole interface answered from pure functions of a property's number.

A separate program that happens to live here. It imports nothing of the site, so that it cannot share the
site's mistakes. README.md beside this file says what it does.
"""

import tomllib
from pathlib import Path
from typing import Any

# An object as JSON has it.
Json = dict[str, Any]


def read_toml(name: str) -> dict[str, Any]:
    """The contents of a data file of this package."""
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
