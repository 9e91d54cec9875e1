"""`{% stylesheets %}`: the link to the style sheet, or to its parts where static files aren't bundled."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from search import style_sheet

register = template.Library()


@register.simple_tag
def stylesheets() -> SafeString:
    bundled = "search.style_sheet.StyleSheetFinder" in getattr(settings, "STATICFILES_FINDERS", ())
    sheets = [style_sheet.BUNDLE] if bundled else style_sheet.parts()
    return format_html_join("", '<link rel="stylesheet" href="{}">', ((static(path),) for path in sheets))
