"""Templates rendered without a view."""

from typing import Any

from django.template import engines
from django.template.loader import render_to_string
from django.test import RequestFactory

from search.domain.site_settings import Site


def page_html(template: str, **context: Any) -> str:
    """A whole page; `context` is what its view gives it."""
    surroundings = {
        "request": RequestFactory().get("/"),
        "site": Site(),
        "origin": "http://testserver",
        "banner": "",
        "preview": None,
        "sandbox": True,
        "map": {
            "tiles": "",
            "attribution": "",
            "kind": "schematic",
            "ground": "/map/ground/1/en",
            "locale": "en-GB",
        },
        "airport_options": lambda: ("Barcelona (BCN)",),
        "share_links": lambda site: None,
    }
    return render_to_string(template, surroundings | context)


def component_html(template: str, *parameters: Any) -> str:
    """The component of a template: its macro of the same name, called with `parameters`."""
    component = template.rpartition("/")[2].removesuffix(".html")
    module = engines["jinja2"].get_template(template).template.module
    return str(getattr(module, component)(*parameters))
