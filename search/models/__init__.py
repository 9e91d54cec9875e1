"""What the database keeps: the settings row and the content admins maintain."""

from .content import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
)
from .site_settings import SiteSettings

__all__ = [
    "BlockedProperty",
    "CodeLabel",
    "DestinationOverride",
    "FeaturedDestination",
    "Provider",
    "SiteSettings",
]
