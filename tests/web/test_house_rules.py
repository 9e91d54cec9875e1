"""House rules of templates and style sheets, held by reading every one of them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted(
    path for path in (ROOT / "templates").rglob("*.html") if ROOT / "templates/django" not in path.parents
)
COMPONENTS = [path for path in TEMPLATES if "{% macro " in path.read_text("utf-8")]
SHEETS = sorted(path for path in (ROOT / "static/css").rglob("*.css") if "admin" not in path.parts)
READABLE = ("destinations", "home", "components", "base.html")
SENTENCE = re.compile(r'_\("[^"]*"')
COMMENT = re.compile(r"{#.*?#}", re.DOTALL)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def markup_of(path: Path) -> str:
    return COMMENT.sub("", path.read_text("utf-8"))


def test_every_picture_has_words_and_room():
    for path in TEMPLATES:
        for picture in re.findall(r"<img[^>]*>", markup_of(path)):
            for name in ("alt", "width", "height"):
                assert f"{name}=" in picture, path


def test_templates_print_addresses_and_never_build_them():
    for path in TEMPLATES:
        for address in re.findall(r'(?:href|action|src)="([^"]*)"', markup_of(path)):
            built = re.sub(r"{[{%].*?[%}]}", "", address)
            assert not re.search("[?&]", built), path


def test_a_component_opens_with_its_parameters_and_an_example():
    for path in COMPONENTS:
        text = path.read_text("utf-8")
        comment = COMMENT.match(text)
        assert comment, path
        assert "Example: " in comment[0], path
        parameters = re.search(rf"{{% macro {path.stem}\((.*?)\) %}}", text)
        assert parameters, path
        for parameter in re.findall(r"(\w+)(?:=[^,]*)?", parameters[1]):
            assert re.search(rf"\b{parameter}\b", comment[0]), (path, parameter)


def test_a_template_names_the_module_its_parameters_come_from():
    for path in TEMPLATES:
        comments = " ".join(COMMENT.findall(path.read_text("utf-8")))
        named = re.findall(r"\(([\w/]+\.py)\s+(\w+)\)", comments)
        named += [(module, name) for name, module in re.findall(r"([A-Z]\w+)\s+\(([\w/]+\.py)\)", comments)]
        for module, name in named:
            source = (ROOT / "search" / module).read_text("utf-8")
            assert re.search(rf"^class {name}\b", source, re.MULTILINE), (path, name)


def test_a_style_sheet_needs_no_force():
    for path in SHEETS:
        sheet = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert "!important" not in sheet, path
        assert "url(" not in sheet, path
        assert not re.search(r"\b(margin|padding|border)-(left|right|top|bottom)\b", sheet), (
            f"{path} uses physical properties"
        )


def bundle(name: str) -> str:
    from django.contrib.staticfiles.finders import find

    return Path(find(f"css/{name}.css")).read_text("utf-8")


def test_the_bundles_hold_every_sheet_once():
    from hotelsite import static_files

    site, hotels, chosen = static_files.parts().values()
    assert len([*site, *hotels, *chosen]) == len({*site, *hotels, *chosen})
    assert {*SHEETS} == {*site, *hotels, *chosen, ROOT / "static/css/standalone.css"}
    assert site[0].name == "tokens.css"


@pytest.mark.django_db
def test_the_home_page_does_without_the_style_of_hotels(client):
    """No class of the page has rules there, and none that its scripts write."""
    page = client.get("/").content.decode()
    assert "css/site." in page
    assert not re.search(r'rel="stylesheet" href="[^"]*hotels', page)
    scripts = " ".join(
        (ROOT / f"static/js/{name}.js").read_text("utf-8")
        for name in re.findall(r'js/([a-z-]+)(?:\.\w+)?\.js"', page)
    )
    written = re.findall(r'class(?:=|: |Name = |Name: |List\.add\()"([^"]*)"', page + scripts)
    used = {name for names in written for name in names.split()}
    assert {"hero", "keep-said", "calendar__day", "destination-picker__list"} <= used
    site, hotels = (set(re.findall(r"\.([a-z][\w-]*)", bundle(name))) for name in ("site", "hotels"))
    assert used & (hotels - site) == set()


def test_only_pages_of_chosen_hotels_need_their_style():
    others, chosen = (set(re.findall(r"\.([a-z][\w-]*)", text)) for text in (
        bundle("site") + bundle("hotels"), bundle("chosen"),
    ))  # fmt: skip
    own = chosen - others
    assert {"compare__table", "shared-gone"} <= own
    rooms = {
        path.parent.name
        for path in (ROOT / "templates").rglob("*.html")
        for names in re.findall(r'class="([^"]*)"', path.read_text("utf-8"))
        if own.intersection(names.split())
    }
    assert rooms == {"compare", "sharing"}


def test_the_bundle_draws_the_icons_of_offered_facilities():
    from search.domain.words import facility_of
    from search.sandbox.houses import AMENITIES
    from search.web.labels import ICONS

    sheet = bundle("hotels")
    drawn = re.findall(r'\.icon--([\w-]+) { --icon: url\("data:image/svg\+xml,', sheet)
    named = {facility_of(code, "", "").code for code in AMENITIES}
    assert {ICONS[code] for code in named} <= set(drawn)
    assert set(drawn) - set(ICONS.values()) == {"images"}
    assert "icon(" not in sheet


def test_a_caption_is_the_first_or_the_last_of_its_figure():
    for path in TEMPLATES:
        for figure in re.findall(r"<figure.*?</figure>", markup_of(path), re.DOTALL):
            inside = re.sub(r"^<figure[^>]*>|</figure>$", "", figure).strip()
            if "<figcaption" in inside:
                assert inside.startswith("<figcaption") or inside.endswith("</figcaption>"), path


def test_a_template_is_read_without_scrolling_sideways():
    for path in [one for one in TEMPLATES if name_of(one).split("/")[1] in READABLE]:
        lines = (SENTENCE.sub("", line) for line in path.read_text("utf-8").splitlines())
        assert [line for line in lines if len(line) > 160] == [], path
