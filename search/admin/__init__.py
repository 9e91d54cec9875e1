"""The admin: settings, content, shared links, history, and the gateway panel."""

from . import content, sharing, site_settings
from . import content as blocked
from . import history as changes

__all__ = ["blocked", "changes", "content", "sharing", "site_settings"]
