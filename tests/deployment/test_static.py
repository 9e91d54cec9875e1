"""Static files: collected under hashed names; a page stands without them."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from hotelsite.static_files import StaticStorage


@pytest.fixture
def collected(tmp_path: Path, settings: object) -> Path:
    """The folder that collectstatic fills from one style sheet and the picture it names."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "site.css").write_text("a { background: url('dot.svg') } " + "b { color: red } " * 200)
    (source / "dot.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    settings.STATICFILES_DIRS = [source]  # type: ignore[attr-defined]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]  # type: ignore[attr-defined]
    settings.STATIC_ROOT = tmp_path / "static"  # type: ignore[attr-defined]
    settings.STORAGES = {  # type: ignore[attr-defined]
        **settings.STORAGES,  # type: ignore[attr-defined]
        "staticfiles": {"BACKEND": "hotelsite.static_files.StaticStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    return tmp_path / "static"


def test_a_collected_file_is_known_by_the_hash_of_its_content_and_compressed_once(collected: Path) -> None:
    name = StaticStorage().stored_name("site.css")
    assert name != "site.css"
    assert (collected / name).exists()
    assert (collected / f"{name}.br").exists()
    assert (
        json.loads((collected / "staticfiles.json").read_text())["paths"]["dot.svg"]
        in (collected / name).read_text()
    )


@pytest.mark.usefixtures("collected")
def test_a_file_that_was_never_collected_costs_a_page_its_style_and_not_its_life() -> None:
    assert StaticStorage().url("missing.css") == "/static/missing.css"
    assert StaticStorage().url("site.css") != "/static/site.css"
