"""The catalogues: in step with the source, and complete."""

from __future__ import annotations

import ast
import re
import tomllib
from datetime import date, time
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog
from django.conf import settings

from search.domain.query import Refinement, StayDates
from search.domain.site_settings import Site
from search.management.commands import words
from search.sharing.pages import short_day
from search.web import formatting
from search.web.formatting import Reader
from search.web.translation import gettext, ngettext, override, source_of, stored
from tests.results.test_toolbar import view
from tests.rows import each

TEMPLATES = Path(settings.BASE_DIR) / "templates"
LANGUAGES = words.languages()
# To read all sources takes seconds.
gathered = cache(words.gathered)

# What is the same word, a name, or nothing but signs, in at least one of the languages.
SAME = {
    "%(surcharge)s, not in the total", "Apartment", "Aparthotel", "Bar", "Bed and breakfast", "CSV",
    "Check-in", "Check-out", "Culture", "Destinations", "Destinations: %(country)s", "Excellent", "Golf",
    "Destinations: %(theme)s", "Distance", "Hostel", "Hotel", "Hotels", "Hotels in %(place)s", "Link",
    "Motel", "Name", "Name: %(text)s", "Page %(page)s", "Parking", "Photos", "Promotion", "Pool", "Resort",
    "Restaurant", "Romance", "Spa", "Total", "VAT", "Villa", "Weekend", "Wellness", "Wifi", "no", "Dates",
    "Babysitting", "Café", "Chalet", "Concierge", "Kitchenette", "Lodge", "Lounge", "Massage", "Minibar",
    "Safe", "Sauna", "1 hotel", "%(name)s: %(text)s",
}  # fmt: skip


def test_the_offered_languages_are_seven():
    assert LANGUAGES == ["de", "es", "fr", "it", "pl", "pt"]


def test_every_catalogue_is_in_step_with_the_source_and_complete(monkeypatch):
    monkeypatch.setattr(words, "gathered", gathered)
    assert words.check() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_in_english(language):
    untranslated = [
        message.id
        for message in stored(language)
        if message.id and not isinstance(message.id, tuple | list) and message.string == message.id
    ]
    assert set(untranslated) <= SAME


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_kept_as_it_is_written(language):
    assert words.written(stored(language)) == source_of(language).read_bytes()


def test_the_check_sees_what_is_wrong():
    catalogue = Catalog(locale="pl")
    catalogue.add("untranslated")
    catalogue.add("doubtful", "wątpliwe", flags={"fuzzy"})
    catalogue.add("%(a)s of %(b)s", "%(a)s z")
    catalogue.add(("%(n)s night", "%(n)s nights"), ("%(n)s noc", "%(n)s noce"))
    catalogue.add("good", "dobre")
    assert words.problems("pl", catalogue) == [
        "pl: missing: 'untranslated'",
        "pl: fuzzy: 'doubtful'",
        "pl: other placeholders: '%(a)s of %(b)s'",
        "pl: missing: ('%(n)s night', '%(n)s nights')",
    ]


def test_every_text_is_gathered_but_not_those_of_the_admin():
    """Babel doesn't look into f-strings that name anything else."""
    found = {
        one for message in gathered() if message.id
        for one in (message.id if isinstance(message.id, tuple) else (message.id,))
    }  # fmt: skip
    assert asked_for() <= found
    assert {"Where to?", "Tell us where you want to go: a city, a region or an airport."} <= found
    assert {"Up to (%(currency)s)", "%(count)s night", "Very good"} <= found
    assert "default market" not in found


def asked_for() -> set[str]:
    """The texts that the public pages' Python hands to gettext."""
    folder, admins = Path(settings.BASE_DIR) / "search", {"admin", "management", "site_settings"}
    calls = [
        node
        for path in folder.rglob("*.py")
        if path.relative_to(folder).parts[0] not in admins and path != folder / "sharing/models.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "gettext", "gettext_lazy")
    ]
    return {call.args[0].value for call in calls if call.args and isinstance(call.args[0], ast.Constant)}


@each(
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
    with override(language):
        said = {n: ngettext("%(count)s night", "%(count)s nights", n) % {"count": n} for n in counts}
    assert said == counts


BANNED = tomllib.loads(Path(__file__).with_name("banned.toml").read_text("utf-8"))


def test_updating_sets_the_signs_of_french_and_italian():
    assert words.typeset("fr", "l'hôtel « Mer » : où ?") == "l’hôtel «\xa0Mer\xa0»\xa0: où\xa0?"
    assert words.typeset("it", "l'hotel: dov'è?") == "l’hotel: dov’è?"
    assert words.typeset("pl", "„D'Angelo” ?") == "„D'Angelo” ?"


def test_no_polish_line_begins_with_a_dash():
    assert words.typeset("pl", "Hotele – Porto") == "Hotele\xa0– Porto"
    assert not [text for text in sentences("pl") if " –" in text]


def sentences(language: str) -> list[str]:
    """Every text of a language: translations, or the source's own."""
    catalogue = gathered() if language == "en" else stored(language)
    texts = [(one.id if language == "en" else one.string) for one in catalogue if one.id]
    return [text for found in texts for text in ([found] if isinstance(found, str) else found)]


@pytest.mark.parametrize("language", BANNED)
def test_no_banned_word_is_said_to_visitors(language):
    texts = [text.casefold() for text in sentences(language)]
    assert [(word, text) for text in texts for word in BANNED[language] if word.casefold() in text] == []


def test_no_template_says_a_banned_word():
    pages = [path for path in TEMPLATES.rglob("*.html") if "django" not in path.relative_to(TEMPLATES).parts]
    assert len(pages) > 40
    said = [(path.name, word) for path in pages for word in BANNED["en"] if word in shown_text(path)]
    assert said == []


def shown_text(path: Path) -> str:
    """What a template says itself: no comment, class, expression or tag."""
    unsaid = r"\{#.*?#\}|\{% block page_class %\}.*?\{% endblock %\}|\{%.*?%\}|\{\{.*?\}\}"
    without = re.sub(unsaid, "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"<[^>]*>", "\n", without, flags=re.DOTALL)


@each(
    ("language", "matching", "expected"),
    [
        ("en", 1, "1 of 412 places matches"),
        ("en", 23, "23 of 412 places match"),
        ("de", 1, "1 von 412 Unterkünften passt"),
        ("de", 23, "23 von 412 Unterkünften passen"),
        ("fr", 1, "1 hébergement sur 412 correspond"),
        ("es", 1, "1 de 412 alojamientos coincide"),
        ("it", 1, "1 struttura su 412 corrisponde"),
        ("pl", 2, "2 z 412 obiektów pasują"),
        ("pl", 5, "5 z 412 obiektów pasuje"),
        ("pt", 23, "23 de 412 alojamentos correspondem"),
    ],
)
def test_the_number_that_match_decides_the_verb(language, matching, expected):
    with override(language):
        assert view(Refinement(deals=True), matching=matching).matching == expected


@each(
    ("language", "said"),
    [
        ("en", "Shared on 8 Nov. Works until 11 Nov."),
        ("de", "Geteilt am 8. Nov. Gültig bis 11. Nov."),
        ("fr", "Partagé le 8 nov. Valable jusqu’au 11 nov."),
        ("it", "Condivisione: 8 nov. Ultimo giorno valido: 11 nov."),
    ],
)
def test_a_sentence_that_ends_with_a_day_has_one_full_stop(language, said):
    with override(language):
        reader = Reader.of(Site(), f"{language}-{'gb' if language == 'en' else language}")
        days = {"day": short_day(date(2026, 11, 8), reader), "last": short_day(date(2026, 11, 11), reader)}
        assert formatting.sentences(gettext("Shared on %(day)s. Works until %(last)s."), days) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("fr", "Annulation gratuite jusqu’au 1er déc. 2026, 18:00"),
        ("de", "Kostenlose Stornierung bis 1. Dez. 2026, 18:00"),
        ("es", "Cancelación gratuita hasta el 1 dic 2026, 18:00"),
    ],
)
def test_the_first_of_a_month_is_counted_as_the_language_does(language, said):
    with override(language):
        day = formatting.day_and_time(date(2026, 12, 1), time(18), f"{language}_{language.upper()}")
        assert gettext("Free cancellation until %(day)s") % {"day": day} == said
        assert short_day(date(2026, 12, 1), Reader.of(Site(), f"{language}-{language}")) in day


def test_a_stay_that_begins_or_ends_on_the_first_counts_it_too():
    begins = StayDates(date(2027, 4, 1), date(2027, 4, 4))
    ends = StayDates(date(2027, 4, 28), date(2027, 5, 1))
    assert formatting.stay_days(begins, "fr_FR") == "1er\u20134 avr. 2027"
    assert formatting.stay_days(ends, "fr_FR", "MMMd") == "28 avr.\u2009\u2013\u20091er mai"
    assert formatting.stay_days(ends, "es_ES", "MMMd") == "28 abr\u2009\u2013\u20091 may"
