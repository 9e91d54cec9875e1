"""What a visitor types becomes a search or an error beside the field, never anything else."""

from __future__ import annotations

from datetime import date
from urllib.parse import quote, urlencode

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from search.domain.money import NO_CURRENCY
from search.domain.query import StayDates, StaySearch
from search.domain.site_settings import Site
from search.web.search_form import SearchBar, SearchForm, StayForm
from search.web.translation import override
from tests.rows import each

TODAY = date(2030, 4, 1)
SITE = Site()
GOOD = {"place": "Rome", "checkin": "2030-05-01", "checkout": "2030-05-04"}


def a_form(changes: dict[str, str] | None = None, *, needs_place: bool = True, extra: str = "") -> SearchForm:
    query = urlencode({**GOOD, **(changes or {})}, quote_via=quote)
    form_class = SearchForm if needs_place else StayForm
    return form_class(QueryDict(query + extra), site=SITE, today=TODAY)


def test_choices_without_a_value_take_the_sites_defaults():
    form = a_form({"guests": "", "currency": "", "market": ""}, extra="&stars=&stars=")
    assert form.is_valid()
    search = form.search()
    assert (search.guests, search.currency, search.market, search.stars) == (2, "EUR", "en-gb", ())


def test_stars_without_a_value_are_none_beside_others():
    form = a_form(extra="&stars=&stars=5")
    assert form.is_valid()
    assert form.search().stars == (5,)


def test_every_choice_arrives():
    form = a_form({"guests": "3", "currency": "gbp", "market": "DE-de"}, extra="&stars=5&stars=4&stars=5")
    assert form.is_valid()
    search = form.search()
    assert (search.guests, search.currency, search.market, search.stars) == (3, "GBP", "de-de", (4, 5))


def test_tonight_is_accepted_west_of_the_site():
    form = a_form({"checkin": "2030-03-31", "checkout": "2030-04-02"})
    assert form.is_valid()
    assert SearchBar.of_form(form).first_day == date(2030, 3, 31)


@pytest.mark.parametrize("missing", ["checkin", "checkout"])
def test_without_a_day_the_form_has_sensible_dates(missing):
    form = a_form({missing: ""})
    assert not form.is_bound
    assert form["place"].value() == "Rome"
    assert date.fromisoformat(form["checkout"].value()) > date.fromisoformat(form["checkin"].value()) >= TODAY


NONSENSE = {
    "place": ["", "   ", "x" * 201, "a\x00b", "a\r\nb"],
    "checkin": ["2030-03-30", "2030-02-31", "tomorrow", "9999-12-31", "01.05.2030", "-1"],
    "checkout": ["2030-05-29", "9999-12-31"],
    "guests": ["0", "-1", "9", "two", "1e3", "9" * 5000],
    "stars": ["6", "0", "many"],
    "currency": [NO_CURRENCY, "EURO"],
    "market": ["xx-xx", "en", "en_GB"],
}


def test_nonsense_is_an_error_beside_its_field():
    for field, value in [(field, value) for field, values in NONSENSE.items() for value in values]:
        form = a_form({field: value})
        assert not form.is_valid(), (field, value)
        assert field in form.errors, (field, value)
        assert form["checkin" if field != "checkin" else "checkout"].value(), (field, value)


@each(
    ("field", "value", "said"),
    [
        ("place", "a\x00b", "Please use letters and numbers only."),
        ("stars", "9", "Please choose from 1 to 5 stars."),
        ("currency", "QQQ", "Please choose one of these currencies."),
        ("market", "xx-xx", "Please choose one of these languages."),
    ],
)
def test_nonsense_gets_one_sentence_that_says_what_to_do(field, value, said):
    assert a_form({field: value}).errors[field] == [said]


@pytest.mark.parametrize("checkout", ["2030-05-01", "2030-04-30", "1999-01-01"])
def test_a_check_out_too_early_gets_the_usual_length(checkout):
    form = a_form({"checkout": checkout})
    assert form.is_valid()
    assert form.mended
    assert form.search().dates == StayDates(date(2030, 5, 1), date(2030, 5, 3))
    assert form["checkout"].value() == "2030-05-03"


@pytest.mark.parametrize("checkin", ["2030-5-4", " 2030-05-4", "２０３０-5-04"])
@pytest.mark.parametrize("checkout", ["", "2030-5-1"])
def test_a_day_without_its_zeros_is_read_and_shown_as_any_other(checkin, checkout):
    form = a_form({"checkin": checkin, "checkout": checkout})
    assert (form["checkin"].value(), form["checkout"].value()) == ("2030-05-04", "2030-05-06")
    assert form.mended is bool(checkout)
    assert not form.errors


@pytest.mark.parametrize("missing", ["checkin", "checkout"])
def test_a_missing_day_is_filled_in_and_not_called_mended(missing):
    form = a_form({missing: "", ("checkout" if missing == "checkin" else "checkin"): "2030-04-12"})
    assert not form.mended
    nights = date.fromisoformat(form["checkout"].value()) - date.fromisoformat(form["checkin"].value())
    assert nights.days == SITE.nights


@pytest.mark.parametrize("missing", ["checkin", "checkout"])
@pytest.mark.parametrize("day", ["tomorrow", "2030-02-31", "20300504", "2030-03-30", "9999-12-31"])
def test_a_single_day_that_cannot_be_booked_gets_sensible_dates(missing, day):
    form = a_form({"checkin": day, "checkout": day, missing: ""})
    shown = SearchBar.of_form(form)
    assert not shown.errors
    assert shown.dates
    assert TODAY <= shown.dates.check_in < shown.dates.check_out <= shown.last_day


def test_27_nights_are_possible_and_28_are_not():
    assert a_form({"checkout": "2030-05-28"}).is_valid()
    assert not a_form({"checkout": "2030-05-29"}).is_valid()


def test_the_property_page_needs_no_place_and_no_dates():
    form = StayForm(QueryDict(""), site=SITE, today=TODAY)
    assert form.is_valid()
    assert form.search().place == ""


def test_a_place_cannot_turn_the_reading_order_of_the_page():
    form = a_form({"place": "\u202eemoR\u2069"})
    assert form.is_valid()
    assert form.search().place == "emoR"
    assert a_form({"place": "القاهرة"}).data["place"] == "القاهرة"


def test_the_search_of_an_address_has_that_address_again():
    form = a_form({"place": "Trinidad & Tobago", "guests": "3"}, extra="&stars=4")
    assert form.is_valid()
    again = SearchForm(QueryDict(form.search().query_string()), site=SITE, today=TODAY)
    assert again.is_valid()
    assert again.search() == form.search()


names = st.sampled_from(
    ["place", "checkin", "checkout", "guests", "stars", "currency", "market", "page", "x"]
)


@given(
    st.lists(st.tuples(names, st.text(st.characters(exclude_categories=["Cs"]), max_size=30)), max_size=12)
)
def test_no_address_breaks_the_form(pairs):
    form = SearchForm(QueryDict(urlencode(pairs, quote_via=quote)), site=SITE, today=TODAY)
    if form.is_valid():
        assert isinstance(form.search(), StaySearch)
    else:
        assert form["place"].value() is not None


@each(
    ("name", "value", "said"),
    [
        ("place", "x" * 201, "Este nombre es demasiado largo. Usa uno más corto."),
        ("checkin", "tomorrow", "Elige un día."),
        ("checkout", "2030-02-31", "Elige un día."),
        ("guests", "two", "Elige al menos un huésped."),
        ("guests", "0", "Elige al menos un huésped."),
    ],
)
def test_an_error_says_what_to_do_in_the_site_s_own_words(name, value, said):
    with override("es"):
        assert list(a_form({name: value}).errors[name]) == [said]


def test_a_day_with_an_error_is_shown_again():
    assert a_form({"checkout": "2030-06-30"})["checkout"].value() == "2030-06-30"
