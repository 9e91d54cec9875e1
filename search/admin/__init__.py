"""The admin: settings, content, history, and the gateway panel."""

from . import content, site_settings

__all__ = ["content", "site_settings"]
