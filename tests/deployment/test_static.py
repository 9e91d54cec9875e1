"""Static files: collected under hashed names; a page stands without them."""

import errno
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.management import call_command

from hotelsite import static_files
from hotelsite.static_files import HOTELS, SITE, StaticStorage, StyleSheetFinder, parts, shortened


@pytest.fixture
def collected(tmp_path: Path, settings: Any) -> Path:
    """The folder that collectstatic fills from one style sheet and the picture it names."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "site.css").write_text("a { background: url('dot.svg') } " + "b { color: red } " * 200)
    (source / "js").mkdir()
    (source / "js/here.js").write_text("// why\nrun();\n")
    (source / "dot.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    settings.STATICFILES_DIRS = [source]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "hotelsite.static_files.StaticStorage"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    return tmp_path / "static"


def test_a_collected_file_is_named_by_its_hash(collected: Path) -> None:
    name = StaticStorage().stored_name("site.css")
    assert name != "site.css"
    assert (collected / name).exists()
    assert (collected / f"{name}.br").exists()
    assert (
        json.loads((collected / "staticfiles.json").read_text())["paths"]["dot.svg"]
        in (collected / name).read_text()
    )


@pytest.mark.usefixtures("collected")
def test_a_page_stands_without_a_file() -> None:
    assert StaticStorage().url("missing.css") == "/static/missing.css"
    assert StaticStorage().url("site.css") != "/static/site.css"


def test_a_sheet_of_another_release_is_replaced(tmp_path: Path, settings: Any) -> None:
    settings.VAR_DIR = tmp_path
    ours = Path(StyleSheetFinder().find(SITE)).read_text()
    bundle = tmp_path / "bundle" / SITE
    bundle.write_text("a { color: green }")
    os.utime(bundle, (2**32, 2**32))  # long after all parts
    assert Path(StyleSheetFinder().find(SITE)).read_text() == ours
    os.utime(bundle, (1, 1))
    StyleSheetFinder().find(SITE)
    assert bundle.stat().st_mtime == 1
    assert {one.name for one in bundle.parent.iterdir()} == {"site.css", "hotels.css", "chosen.css"}


@pytest.mark.parametrize("sheet", [SITE, HOTELS])
def test_a_sheet_is_sent_without_lines_and_with_all_its_rules(
    tmp_path: Path, settings: Any, sheet: str
) -> None:
    settings.VAR_DIR = tmp_path
    sent = Path(StyleSheetFinder().find(sheet)).read_text()
    assert not re.search(r"[{};,]\s*\n", sent)
    written = "".join(part.read_text() for part in parts()[sheet])
    rules = re.compile(r"/\*.*?\*/|\s+|\bicon\([\w-]+\)|url\([^)]*\)", re.DOTALL)
    assert rules.sub("", sent) == rules.sub("", written)


def test_static_files_are_collected_when_they_changed(tmp_path: Path, settings: Any, collected: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert static_files.changed()
    static_files.remember()
    assert not static_files.changed()
    (tmp_path / "source/dot.svg").write_text("<svg/>")
    assert static_files.changed()


@pytest.mark.parametrize("manifest", ["{bad", "", "[]", "{}", None])
def test_damaged_files_are_collected_again(
    tmp_path: Path, settings: Any, collected: Path, manifest: str | None
) -> None:
    settings.VAR_DIR = tmp_path
    static_files.remember()
    name = StaticStorage().stored_name("dot.svg")
    if manifest is None:
        (collected / name).unlink()
    else:
        (collected / "staticfiles.json").write_text(manifest)
    assert static_files.changed()
    call_command("collectstatic", interactive=False, verbosity=0)
    assert not static_files.changed()
    assert (StaticStorage().stored_name("dot.svg"), (collected / name).exists()) == (name, True)


def test_a_full_disk_leaves_no_half_of_a_file_under_its_name(collected: Path) -> None:
    class Cut(ContentFile):
        def chunks(self, _size: int | None = None) -> Iterator[bytes]:
            yield b"half"
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        StaticStorage().save("new.svg", Cut(b""))
    assert not (collected / "new.svg").exists()
    StaticStorage().save("new.svg", ContentFile(b"whole"))
    assert (collected / "new.svg").read_bytes() == b"whole"
    assert not list(collected.glob("*.part"))


SCRIPTS = Path(__file__).resolve().parents[2] / "static/js"
SCRIPT = """/* What it does: `one` and "two",
   on two lines. */
const link = "https://example.org // kept"; // it's gone

  // gone
  /* gone, too */
  const quoted = '/* kept */', pattern = /^[^/]+\\/\\/x/;
const text = `
  // kept
/* kept */

`; /* kept,
  // for it begins beside code */ run();
  /* gone */
"""
SERVED = """const link = "https://example.org // kept";
const quoted = '/* kept */', pattern = /^[^/]+\\/\\/x/;
const text = `
  // kept
/* kept */

`; /* kept,
  // for it begins beside code */ run();
"""


def test_comments_go_and_texts_like_them_stay() -> None:
    assert shortened(SCRIPT) == SERVED
    assert shortened(SERVED) == SERVED


def test_a_script_is_sent_with_all_its_code() -> None:
    for path in sorted(SCRIPTS.glob("*.js")):
        inside, code = False, []
        for line in path.read_text("utf-8").splitlines():
            inside = inside or line.lstrip().startswith("/*")
            if not inside and not line.lstrip().startswith("//"):
                code.append(line.lstrip().partition(" // ")[0])
            inside = inside and "*/" not in line
        assert shortened(path.read_text("utf-8")).splitlines() == [line for line in code if line]
