"""Many spellings, one code; and what can be told from a text itself."""

from __future__ import annotations

from django.conf import settings

from search.domain.words import (
    CodeKind,
    Named,
    Note,
    broader,
    facility_named,
    facility_of,
    known_code,
    known_policy,
    language_of,
)
from tests.rows import each


@each(
    "text",
    ["FREE_WIFI", "Free Wi-Fi", "Free wifi", "free-wifi", "Wifi (free of charge)", "Free WiFi in all rooms",
     "Complimentary Wi-Fi", "WLAN, no extra charge"],
)  # fmt: skip
def test_free_wifi_is_one_however_it_is_spelled(text):
    assert facility_named(text) == Named("FREE_WIFI")


def test_what_is_said_beside_a_facility_is_kept():
    for text, named in [
        ("Car park (charge)", Named("PARKING", Note.CHARGE)),
        ("Parking: Charge", Named("PARKING", Note.CHARGE)),
        ("Parking, charges may apply", Named("PARKING", Note.CHARGE)),
        ("Breakfast not included", Named("BREAKFAST", Note.CHARGE)),
        ("Breakfast included", Named("FREE_BREAKFAST")),
        ("Free wifi (charge)", Named("WIFI", Note.CHARGE)),
        ("Pets on request", Named("PETS_ALLOWED", Note.ON_REQUEST)),
        ("Free bicycle hire", Named("BICYCLES", Note.FREE)),
        ("Wi-Fi in public areas", Named("WIFI", Note.SHARED_AREAS)),
        ("Smoke-free", Named("NON_SMOKING")),
        ("Wheelchair accessible", Named("ACCESSIBLE")),
    ]:
        assert facility_named(text) == named


@each(
    "text",
    ["", "xk-17", "Hammock on roof", "No pets", "The pool is open from May to October. " * 5, "?" * 5_000],
)
def test_what_is_not_known_has_no_code(text):
    assert not facility_named(text).code


def test_code_and_description_name_the_narrower_of_the_two():
    for members, named in [
        (("WIFI", "Free Wi-Fi", "ROOM"), Named("FREE_WIFI")),
        (("SWIMMING_POOL", "Outdoor pool", "PROPERTY"), Named("OUTDOOR_POOL")),
        (("PARKING", "Garage on level 2 (charge)", ""), Named("PARKING", Note.CHARGE)),
        (("WIFI", "Restaurant", ""), Named("WIFI")),
        (("", "Spa & sauna", ""), Named("SPA")),
        (("SAUNA", "", "ON_REQUEST"), Named("SAUNA", Note.ON_REQUEST)),
        (("MOAT", "Moat (charge)", "LOBBY"), Named("", Note.SHARED_AREAS)),
        (("FREE_BREAKFAST", "", "PAID"), Named("BREAKFAST", Note.CHARGE)),
        (("FREE_BREAKFAST", "Breakfast (charge)", "ROOM"), Named("BREAKFAST", Note.CHARGE)),
        (("BIKES", "Free bicycle hire", "EXTRA_COST"), Named("BICYCLES", Note.CHARGE)),
        (("MOAT", "", "SURCHARGE"), Named("", Note.CHARGE)),
        (("FREE_WIFI", "", "AT_NIGHT"), Named("FREE_WIFI")),
        (("", "", ""), Named("")),
    ]:
        assert facility_of(*members) == named


def test_who_has_free_wifi_has_wifi_and_the_internet():
    assert broader("FREE_WIFI") == ("WIFI", "INTERNET_ACCESS")
    assert broader("SAUNA") == ()


def test_other_lists_of_codes_have_spellings_too():
    for kind, sent, code in [
        (CodeKind.PROPERTY_TYPE, "GuestHouse", "GUEST_HOUSE"),
        (CodeKind.PROPERTY_TYPE, "B&B", "BED_AND_BREAKFAST"),
        (CodeKind.PROPERTY_TYPE, "CAPSULE_POD_XL", ""),
        (CodeKind.PAYMENT_MODE, "prepaid", "PAY_NOW"),
        (CodeKind.PROMO_TYPE, "EARLY_BIRD", "EARLY_BOOKING"),
        (CodeKind.SURCHARGE, "TAXES_AND_FEES", "TAX_AND_FEES"),
        (CodeKind.AVAILABILITY, "PUBLIC_AREAS", "SHARED_AREAS"),
        (CodeKind.AVAILABILITY, "Not included", "NOT_AVAILABLE"),
        (CodeKind.RATING, "very good", "VERY_GOOD"),
    ]:
        assert known_code(kind, sent) == code


def test_only_a_whole_line_of_policies_is_known():
    assert known_policy("Pets are not allowed.") == known_policy("NO_PETS") == "NO_PETS"
    assert known_policy("Pets are not allowed in the garden.") == ""


TEXTS = [
    ("A calm place to come back to, with windows open to the courtyard and a view of the sea.", "en"),
    ("Das Haus liegt ruhig an der Promenade, mit Blick auf den See und die Berge.", "de"),
    ("L'hôtel est dans le centre, avec une terrasse et des chambres sur la cour.", "fr"),
    ("El hotel está en el centro, con una terraza para los huéspedes y las familias.", "es"),
    ("L'hotel è nel centro, con una terrazza per le famiglie e una vista della città.", "it"),
    ("Hotel jest w centrum, z tarasem dla rodzin i widokiem na morze od strony ulicy.", "pl"),
    ("O hotel fica no centro, com um terraço para as famílias e uma vista do mar.", "pt"),
    ("Hotel Miramar, Barcelona", ""),
    ("駅前のホテルです", ""),
    ("", ""),
]


def test_the_language_of_a_text_shows_in_its_small_words():
    for text, language in TEXTS:
        assert language_of(text) == language


def test_every_language_of_the_site_is_told() -> None:
    assert {language for _text, language in TEXTS if language} == {code for code, _name in settings.LANGUAGES}
