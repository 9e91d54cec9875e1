"""Public templates: sentences, icons and static addresses are constants of their language's environment."""

import pytest
from django.template import TemplateDoesNotExist, engines
from django.template.loader import get_template
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError
from markupsafe import Markup, escape

from search.web import translation

PRICE_LIMIT = '{{ _("Up to (%(currency)s)", currency=currency) }}'


def rendered(source: str, language: str = "de", **context: object) -> str:
    with translation.override(language):
        return engines["jinja2"].from_string(source).render(context)


def test_a_sentence_is_said_in_the_language_of_the_page():
    assert rendered('{{ _("Where to?") }}') == "Wohin?"
    assert rendered('{{ _("Where to?") }}', "en") == "Where to?"
    assert rendered(PRICE_LIMIT, currency="EUR") == "Bis (EUR)"


def test_what_is_put_into_a_sentence_is_escaped():
    assert rendered(PRICE_LIMIT, currency="<b>") == "Bis (&lt;b&gt;)"


def test_an_icon_is_markup_whether_its_name_is_known_or_not():
    assert rendered('{{ icon("wifi") }}').startswith('<svg class="icon"')
    assert rendered("{{ icon(name) }}", name="wifi") == rendered('{{ icon("wifi") }}')


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
