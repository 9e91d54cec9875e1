"""`{% search_bar form as bar %}`: the search bar of a form, for pages without a search of their own."""

from __future__ import annotations

from django import template

from search.web.search_bar import FilledForm, SearchBar

register = template.Library()


@register.simple_tag
def search_bar(form: FilledForm) -> SearchBar:
    return SearchBar.of_form(form)
