"""The templates of public pages: Jinja2, with one environment per language.

What is known when a template is compiled is a constant in it, escaped and ready: sentences (`_("Search")`),
icons (`icon("wifi")`), the addresses of static files (`static("css/site.css")`) and pages (`url("home")`).
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any

from django.conf import settings
from django.template.defaultfilters import linebreaksbr
from django.templatetags.static import static
from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from search.domain.words import language_of

from . import markets
from .formatting import market_label
from .labels import icon
from .links import reverse
from .search_form import SearchBar
from .translation import catalogue_of, get_language, override

# What most texts have none of, and `escape` makes an object of each text.
_SPECIAL = re.compile(r"[&<>'\"]").search
# Pieces of pages that `once(macro, parameters)` keeps in each language, such as the choices of a select.
MOST_KEPT = 1_024

Constants = dict[str, Callable[[str], str]]


class LanguageEnvironments:
    """What Django's Jinja2 backend takes for its environment: that of the language of the page at hand."""

    def __init__(self, **options: Any) -> None:
        self._of_language = cache(partial(LanguageEnvironment, **options))

    def get_template(self, name: str) -> Template:
        return self._of_language(get_language()).get_template(name)

    def load_all(self) -> None:
        """Reads the texts of all languages and compiles every template in the one at hand, before a visitor
        waits for them."""
        for language, _name in settings.LANGUAGES:
            with override(language):
                pass
        environment = self._of_language(get_language())
        for name in environment.list_templates():
            # The admin's are in Django's own language.
            if name.endswith(".html") and not name.startswith("django/"):
                environment.get_template(name)

    def from_string(self, source: str) -> Template:
        return self._of_language(get_language()).from_string(source)


class PlainOutput(CodeGenerator):
    """Writes templates whose output is pieces of `escaped` text. Jinja2's own are each an object that says of
    itself that it is escaped: a page has two thousand of them, and joins them at once."""

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:
        """Jinja2's own hook before each piece."""
        assert frame.eval_ctx.autoescape, "pages are escaped throughout"
        self.write("environment.escaped(")


class LanguageEnvironment(Environment):
    """The environment of one language, with the functions that templates call."""

    code_generator_class = PlainOutput

    def __init__(self, language: str, **options: Any) -> None:
        super().__init__(**options)
        self._constants: Constants = {
            "_": catalogue_of(language).gettext, "icon": icon, "static": static, "url": reverse,
        }  # fmt: skip
        self.globals.update(
            icon=icon,
            language=language,
            market_addresses=markets.addresses,
            address_before=markets.address_before,
            language_tag=markets.language_tag,
            is_translated=markets.is_translated,
            market_label=market_label,
            once=lru_cache(maxsize=MOST_KEPT)(lambda macro, *parameters: macro(*parameters)),
            other_language=partial(_other_language, language),
            page_address=markets.page_address,
            right_to_left=language in settings.LANGUAGES_BIDI,
            search_bar_of=SearchBar.of_form,
            url=reverse,
        )
        self.filters["linebreaksbr"] = linebreaksbr

    def _generate(self, source: nodes.Template, *rest: Any, **options: Any) -> str:
        """Jinja2's own hook between parsing a template and writing its Python code."""
        return super()._generate(_ConstantCalls(self, self._constants).visit(source), *rest, **options)

    @staticmethod
    def escaped(value: Any) -> str:
        """As `markupsafe.escape`, but of a plain text a plain text."""
        if type(value) is str:
            return str(escape(value)) if _SPECIAL(value) else value
        return value if type(value) is Markup else escape(value)


def _other_language(language: str, text: str) -> str:
    """The language of a text that a colleague wrote once for readers of all languages; empty where it can't
    be told, and where it is the page's own `language`."""
    written = language_of(text)
    return "" if written == language else written


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
