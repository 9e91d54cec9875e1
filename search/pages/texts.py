"""Fixed words inside loops, translated once per page instead of once per card."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class CardTexts:
    total: str
    before: str
    free_cancellation: str
    by: str
    no_price: str
    no_photo: str
    no_rating: str
    see: str

    @classmethod
    def translated(cls) -> CardTexts:
        return cls(
            total=_("total"),
            before=_("provider's price before discount"),
            free_cancellation=_("Free cancellation"),
            by=_("Offered by"),
            no_price=_("No price for these dates"),
            no_photo=_("No picture"),
            no_rating=_("No guest rating"),
            see=_("See details"),
        )
