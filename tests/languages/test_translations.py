"""The catalogues: in step with the source, complete, and compiled when they change."""

from __future__ import annotations

import os
import shutil

import pytest
from babel.messages import Catalog
from django.utils import translation
from django.utils.translation import ngettext

from hotelsite import translations

LANGUAGES = translations.languages()

# What is the same word, a name, or nothing but signs, in at least one of the languages.
SAME = {
    "%(surcharge)s, not in the total", "Apartment", "Aparthotel", "Bar", "Bed and breakfast", "CSV",
    "Check-in", "Check-out", "Culture", "Destinations", "Destinations: %(country)s", "Excellent", "Golf",
    "Destinations: %(theme)s", "Distance", "Hostel", "Hotel", "Hotels", "Hotels in %(place)s", "Link",
    "Motel", "Name", "Name: %(text)s", "Page %(page)s", "Parking", "Photos", "Promotion", "Pool", "Resort",
    "Restaurant", "Romance", "Spa", "Total", "VAT", "Villa", "Wifi", "no",
}  # fmt: skip


def test_the_offered_languages_are_the_site_s_own_and_the_six_of_the_product():
    assert LANGUAGES == ["de", "es", "fr", "it", "pl", "pt"]


def test_every_catalogue_is_in_step_with_the_source_and_complete():
    assert translations.check() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_in_english(language):
    untranslated = [
        message.id
        for message in translations.stored(language)
        if message.id and not isinstance(message.id, tuple | list) and message.string == message.id
    ]
    assert set(untranslated) <= SAME


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_kept_as_it_is_written(language):
    stored = translations.stored(language)
    assert translations.written(stored) == translations.source_of(language).read_bytes()


def test_the_check_sees_what_is_wrong():
    catalogue = Catalog(locale="pl")
    catalogue.add("untranslated")
    catalogue.add("doubtful", "wątpliwe", flags={"fuzzy"})
    catalogue.add("%(a)s of %(b)s", "%(a)s z")
    catalogue.add(("%(n)s night", "%(n)s nights"), ("%(n)s noc", "%(n)s noce"))
    catalogue.add("good", "dobre")
    assert translations.problems("pl", catalogue) == [
        "pl: missing: 'untranslated'",
        "pl: fuzzy: 'doubtful'",
        "pl: other placeholders: '%(a)s of %(b)s'",
        "pl: missing: ('%(n)s night', '%(n)s nights')",
    ]


def test_words_are_gathered_from_python_and_templates_but_not_from_the_admin():
    ids = {
        message.id if isinstance(message.id, str) else message.id[0] for message in translations.gathered()
    }
    assert {"Where to?", "Tell us where you want to go: a city, a region or an airport."} <= ids
    assert {"At most, in %(currency)s", "%(count)s night", "Very good"} <= ids
    assert "default market" not in ids


@pytest.mark.parametrize(
    ("language", "counts"),
    [
        ("de", {0: "0 Nächte", 1: "1 Nacht", 2: "2 Nächte"}),
        ("fr", {0: "0 nuit", 1: "1 nuit", 2: "2 nuits"}),
        (
            "pl",
            {1: "1 noc", 2: "2 noce", 4: "4 noce", 5: "5 nocy", 12: "12 nocy", 22: "22 noce", 25: "25 nocy"},
        ),
        ("es", {0: "0 noches", 1: "1 noche", 27: "27 noches"}),
    ],
)
def test_numbers_take_the_form_their_language_has_for_them(language, counts):
    with translation.override(language):
        said = {n: ngettext("%(count)s night", "%(count)s nights", n) % {"count": n} for n in counts}
    assert said == counts


@pytest.fixture
def a_folder_of_its_own(tmp_path, settings, monkeypatch):
    """One German catalogue and an empty folder for what is made of it."""
    text = tmp_path / "source" / "django.po"
    text.parent.mkdir()
    shutil.copy(translations.source_of("de"), text)
    monkeypatch.setattr(translations, "source_of", lambda language: text)
    monkeypatch.setattr(translations, "languages", lambda: ["de"])
    settings.LOCALE_PATHS = [tmp_path / "compiled"]
    return text


def test_a_first_start_compiles_and_the_next_one_has_nothing_to_do(a_folder_of_its_own):
    assert translations.compile_changed() == ["de"]
    assert translations.compiled_of("de").read_bytes()[:4] in (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")
    assert translations.compile_changed() == []
    assert [path.name for path in translations.compiled_of("de").parent.iterdir()] == ["django.mo"]


def test_a_text_with_another_date_is_compiled_even_an_older_one(a_folder_of_its_own):
    translations.compile_changed()
    os.utime(a_folder_of_its_own, (1_000_000_000, 1_000_000_000))
    assert translations.compile_changed() == ["de"]


def test_where_nothing_can_be_written_the_site_starts_all_the_same(a_folder_of_its_own, settings, caplog):
    settings.LOCALE_PATHS[0].write_text("a file where a folder should be")
    assert translations.compile_changed() == ["de"]
    assert "could not be compiled" in caplog.text
