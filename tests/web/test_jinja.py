"""Public templates: sentences, icons and static addresses are constants of their language's environment."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier, Event

import pytest
from django.http import QueryDict
from django.template import TemplateDoesNotExist, engines
from django.template.loader import get_template
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, UndefinedError
from markupsafe import Markup, escape

from search.domain.site_settings import Site
from search.web import jinja, search_form, translation
from search.web.icons import icon
from search.web.search_form import SearchBar, SearchForm
from tests.waiting import wait_until

CHOICES = (search_form._guest_choices, search_form._currency_choices, search_form._market_choices)
PRICE_LIMIT = '{{ _("Up to (%(currency)s)", currency=currency) }}'


def rendered(source: str, language: str = "de", **context: object) -> str:
    with translation.override(language):
        return engines["jinja2"].from_string(source).render(context)


def python_of(source: str) -> str:
    return jinja.LanguageEnvironment("de", autoescape=True).compile(source, raw=True)


def test_a_sentence_is_said_in_the_language_of_the_page():
    assert rendered('{{ _("Where to?") }}') == "Wohin?"
    assert rendered('{{ _("Where to?") }}', "en") == "Where to?"
    assert rendered(PRICE_LIMIT, currency="EUR") == "Bis (EUR)"


def test_a_sentence_is_looked_up_when_its_template_is_compiled():
    python = python_of('{{ _("Where to?") }}' + PRICE_LIMIT)
    assert "Wohin?" in python
    assert "Bis (%(currency)s)" in python


def test_what_is_put_into_a_sentence_is_escaped():
    assert rendered(PRICE_LIMIT, currency="<b>") == "Bis (&lt;b&gt;)"


def test_an_icon_is_markup_whether_its_name_is_known_to_the_template_or_not():
    assert rendered('{{ icon("wifi") }}').startswith('<svg class="icon"')
    assert rendered("{{ icon(name) }}", name="wifi") == rendered('{{ icon("wifi") }}')
    assert "<svg" in python_of('{{ icon("wifi") }}')


@pytest.mark.parametrize("name", ["wifi", "images", "navigation", "vault", "swords", "torus", "tablet"])
def test_an_icon_is_one_path_whatever_its_shapes_are(name: str):
    drawn = icon(name)
    assert re.findall(r"<(\w+)", drawn) == ["svg", "path"]
    assert "None" not in drawn
    assert re.fullmatch(r"[-+ .,0-9MmLlHhVvCcSsQqTtAaZze]+", re.search(r' d="([^"]*)"', drawn)[1])


def test_once_renders_a_piece_once_for_equal_parameters_in_each_language():
    rendered: list[tuple[object, ...]] = []
    german, english = (jinja.LanguageEnvironment(code).globals["once"] for code in ("de", "en"))

    def macro(*parameters: object) -> str:
        rendered.append(parameters)
        return f"{parameters}"

    assert german(macro, ("a", "b")) == german(macro, tuple("ab")) == "(('a', 'b'),)"
    assert len(rendered) == 1
    assert german(macro, ("a",)) != german(macro, ("b",))
    english(macro, ("a", "b"))
    assert len(rendered) == 4


def test_what_once_renders_is_escaped_like_the_page_around_it():
    source = "{% macro shout(words) %}<b>{{ words }}</b>{% endmacro %}{{ once(shout, words) }}"
    assert rendered(source, words="<i>") == "<b>&lt;i&gt;</b>"


@given(st.text() | st.integers() | st.none() | st.text().map(Markup) | st.text().map(SafeString))
def test_a_piece_of_a_page_is_escaped_unless_it_is_markup(value: object):
    written = rendered("{{ value }}", value=value)
    assert (type(written), written) == (str, str(escape(value)))


@pytest.mark.parametrize("source", ["{% set piece %}{{ words }}{% endset %}{{ piece }}", "{{ show(words) }}"])
def test_a_piece_that_is_put_into_another_is_escaped_once(source: str):
    macro = "{% macro show(words) %}{{ words }}{% endmacro %}"
    assert rendered(macro + source, words="<b> & 'co'") == "&lt;b&gt; &amp; &#39;co&#39;"


def test_a_name_that_nobody_gave_is_an_error():
    with pytest.raises(UndefinedError):
        rendered("{{ nobody_gave_this }}")


@pytest.mark.parametrize("name", ["base.html", "results/page.html", "404.html"])
def test_the_admin_s_engine_finds_no_public_template(name: str):
    with pytest.raises(TemplateDoesNotExist):
        engines["django"].get_template(name)


@pytest.mark.parametrize("name", ["admin/base_site.html", "admin/login.html", "admin/search/gateway.html"])
def test_an_admin_s_page_is_django_s(name: str):
    with pytest.raises(TemplateDoesNotExist):
        engines["jinja2"].get_template(name)
    assert get_template(name).backend.name == "django"


def test_no_list_of_choices_keeps_what_anybody_types():
    """Whoever asks with long texts could fill the memory."""
    site = Site()
    before = [kept.cache_info().currsize for kept in CHOICES]
    for number in range(20):
        text = f"{number}" + "9" * 5_000
        form = SearchForm(
            QueryDict(f"guests={text}&currency={text}&market={text}"), site=site, today=date(2030, 4, 1)
        )
        bar = SearchBar.of_form(form)
        for choices in (bar.guests, bar.currencies, bar.markets):
            assert text not in {choice.value for choice in choices}
        assert not any(choice.chosen for choice in bar.guests)
    after = [kept.cache_info().currsize for kept in CHOICES]
    assert all(now <= then + 1 for then, now in zip(before, after, strict=True))


def test_a_number_of_guests_that_is_not_offered_stays_to_be_seen():
    form = SearchForm(QueryDict("guests=77"), site=Site(), today=date(2030, 4, 1))
    assert [one.value for one in SearchBar.of_form(form).guests if one.chosen] == ["77"]


class HeldLoader(DictLoader):
    """Its templates come when they are let go."""

    def __init__(self) -> None:
        super().__init__({"page.html": "page"})
        self.asked = 0
        self.let_go = Event()

    def get_source(self, environment: Environment, template: str) -> tuple:
        self.asked += 1
        assert self.let_go.wait(10)
        return super().get_source(environment, template)


def test_many_visitors_of_a_new_process_have_one_environment_and_compile_each_template_once():
    loader, all_here = HeldLoader(), Barrier(8)
    environments = jinja.LanguageEnvironments(loader=loader, autoescape=True)

    def visit() -> object:
        all_here.wait(10)
        with translation.override("de"):
            return environments.get_template("page.html")

    with ThreadPoolExecutor(8) as visitors:
        seen = [visitors.submit(visit) for _ in range(8)]
        wait_until(lambda: loader.asked, "the first to compile it")
        loader.let_go.set()
        templates = [one.result(10) for one in seen]
    assert len({id(template.environment) for template in templates}) == 1
    assert len({id(template) for template in templates}) == 1
    assert loader.asked == 1


def test_a_template_that_has_changed_is_compiled_anew():
    sources = {"page.html": "before"}
    environments = jinja.LanguageEnvironments(loader=DictLoader(sources), autoescape=True, auto_reload=True)
    with translation.override("de"):
        assert environments.get_template("page.html").render() == "before"
        sources["page.html"] = "after"
        assert environments.get_template("page.html").render() == "after"


def test_a_server_compiles_its_own_templates_before_anybody_comes():
    loader = HeldLoader()
    loader.mapping = {"page.html": "page", "part/card.html": "card", "django/admin.html": "{% load i18n %}"}
    loader.let_go.set()
    environments = jinja.LanguageEnvironments(loader=loader, autoescape=True)
    environments.compile_all()
    assert loader.asked == 2
    assert environments.get_template("part/card.html").render() == "card"
    assert loader.asked == 2
