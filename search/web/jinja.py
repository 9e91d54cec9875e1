"""The templates of public pages: Jinja2, with one environment per language.

What is known when a template is compiled is a constant in it, escaped and ready: sentences (`_("Search")`),
icons (`icon("wifi")`) and the addresses of static files (`static("css/site.css")`).
"""

from collections.abc import Callable, Hashable
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.template.defaultfilters import linebreaksbr
from django.templatetags.static import static
from jinja2 import Environment, Template, nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from . import markets
from .articles import the
from .icons import icon
from .links import reverse
from .search_bar import SearchBar
from .translation import catalogue_of, get_language

# Pieces of pages that each language keeps.
MOST_KEPT = 1_024

Constants = dict[str, Callable[[str], str]]


class LanguageEnvironments:
    """What Django's Jinja2 backend takes for its environment: that of the language of the page at hand."""

    def __init__(self, **options: Any) -> None:
        self._of_language = cache(lambda language: LanguageEnvironment(language, **options))

    def get_template(self, name: str) -> Template:
        return self._of_language(get_language()).get_template(name)

    def from_string(self, source: str) -> Template:
        return self._of_language(get_language()).from_string(source)


class LanguageEnvironment(Environment):
    """The environment of one language, with the functions that templates call."""

    def __init__(self, language: str, **options: Any) -> None:
        super().__init__(**options)
        self._constants: Constants = {"_": catalogue_of(language).gettext, "icon": icon, "static": static}
        self.globals.update(
            icon=icon,
            language=language,
            market_addresses=markets.addresses,
            address_before_market=markets.address_before_market,
            language_tag=markets.language_tag,
            market_choices=markets.choices,
            once=lru_cache(maxsize=MOST_KEPT)(_render),
            page_address=markets.page_address,
            right_to_left=language in settings.LANGUAGES_BIDI,
            search_bar_of=SearchBar.of_form,
            the=the,
            url=reverse,
        )
        self.filters["linebreaksbr"] = linebreaksbr

    def _generate(self, source: nodes.Template, *rest: Any, **options: Any) -> str:
        """Jinja2's own hook between parsing a template and writing its Python code."""
        return super()._generate(_ConstantCalls(self, self._constants).visit(source), *rest, **options)


def _render(macro: Callable[..., Markup], *parameters: Hashable) -> Markup:
    """`once(macro, parameters)` of the templates: the macro's text, rendered once for equal parameters. For
    lists that are the same on most pages, such as the choices of a select."""
    return macro(*parameters)


class _ConstantCalls(NodeTransformer):
    """Puts the results of `functions` in the place of their calls with a constant.

    `_("At most %(price)s", price=x)` becomes the translated sentence, to be filled in when it is rendered.
    """

    def __init__(self, environment: Environment, functions: Constants) -> None:
        self.environment = environment
        self.functions = functions

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - Jinja2 calls it by the node's class
        self.generic_visit(node)
        name = node.node.name if isinstance(node.node, nodes.Name) else ""
        if name not in self.functions or not all(isinstance(one, nodes.Const) for one in node.args):
            return node
        value: nodes.Expr = nodes.Const(self.functions[name](*(one.as_const() for one in node.args)))
        if node.kwargs:
            value = nodes.Filter(value, "format", [], node.kwargs, None, None)
        return value.set_lineno(node.lineno).set_environment(self.environment)
