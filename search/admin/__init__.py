"""The admin: settings, content, history, and the gateway panel."""

from . import blocked, content, site_settings

__all__ = ["blocked", "content", "site_settings"]
