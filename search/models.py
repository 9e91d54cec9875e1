"""What the database keeps: the settings row, the content admins maintain, shared links, and counts of
hand-overs."""

from search.monitoring.models import HandOverCount
from search.sharing.models import LinkOpens, SharedLink
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
    "HandOverCount",
    "LinkOpens",
    "Provider",
    "SharedLink",
    "SiteSettings",
]
