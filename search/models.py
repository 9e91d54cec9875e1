"""What the database keeps: the settings row, the content admins maintain, and shared links."""

from search.sharing.models import SharedLink
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
    SiteSettings,
)

__all__ = [
    "BlockedProperty",
    "CodeLabel",
    "DestinationOverride",
    "FeaturedDestination",
    "Provider",
    "SharedLink",
    "SiteSettings",
]
