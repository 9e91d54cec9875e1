"""The admin: settings, content, shared links, history, and the gateway panel."""

from . import blocked, changes, content, sharing, site_settings

__all__ = ["blocked", "changes", "content", "sharing", "site_settings"]
