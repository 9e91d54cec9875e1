"""The admin: settings, content, shared links, history, and the gateway panel."""

from . import content, history, sharing, site_settings  # noqa: F401 - each registers its pages
