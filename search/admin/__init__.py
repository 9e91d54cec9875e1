"""The admin: settings, content, shared links, hand-overs, history, and the gateway panel."""

from . import content, history, monitoring, sharing, site_settings  # noqa: F401 - each registers its pages
