"""What the database keeps: the settings row, the content admins maintain, shared links, counts of hand-overs,
and what stays cost when we saw them."""

# ruff: noqa: F401 - this is where Django looks for models
from search.monitoring.hand_overs import HandOverCount
from search.property.observed import ObservedTotal
from search.sharing.models import LinkOpens, SharedLink
from search.sharing.watches import Watch, WatchHour
from search.site_settings.models import (
    BlockedProperty,
    CodeLabel,
    DestinationOverride,
    FeaturedDestination,
    Provider,
    SiteSettings,
)
