"""The admin: settings, content, shared links, history, and the gateway panel."""

from . import content, history, sharing, site_settings

__all__ = ["content", "history", "sharing", "site_settings"]
