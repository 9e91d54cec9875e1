"""What the database keeps: the settings row, the content admins maintain, and shared links."""

from .content import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
)
from .sharing import SharedLink
from .site_settings import SiteSettings

__all__ = [
    "BlockedProperty",
    "CodeLabel",
    "DestinationOverride",
    "FeaturedDestination",
    "Provider",
    "SharedLink",
    "SiteSettings",
]
