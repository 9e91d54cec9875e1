"""Which of several places of one name hotels are in: what a heading calls it, and which others there are."""

from collections.abc import Iterable, Sequence
from typing import Self

import msgspec

from search.destinations import service as destinations
from search.destinations.destination import Destination
from search.domain.context import SearchContext
from search.domain.hotels import Coordinates
from search.web.formatting import Reader
from search.web.translation import gettext as _

from .listings import BEYOND_SUBURBS_KM, FoundStays

# The country, empty where it isn't known, and the coordinates of a hotel.
Located = tuple[str, Coordinates | None]


class PlaceShown(msgspec.Struct, frozen=True):
    """`title` is the place, with what tells it from others of its name; `elsewhere` says where all hotels
    are, if that isn't the place that was asked for; `others` are the other places of the name, without the
    one whose hotels these are."""

    title: str
    elsewhere: str
    others: tuple[Destination, ...]

    @classmethod
    def of(cls, context: SearchContext, found: Sequence[Located] | None, reader: Reader) -> Self:
        """Of the hotels that were found; None as long as nobody knows of any. The gateway, which is asked for
        a name alone, decides which place it means by that."""
        place, chosen = context.search.place, context.refinement.country
        others = destinations.namesakes(place, chosen, context.deadline)
        if found is None or not any(country or at for country, at in found):
            around = _around_meant(context, others, reader) if chosen else ()
            return cls(_title(place, around), "", () if found is None else others)
        countries = {country for country, _at in found if country}
        elsewhere = _is_elsewhere(context, found, countries, others)
        shown = _among(others, found, countries, context) if elsewhere else ()
        if shown or (elsewhere and context.country not in countries):
            return cls._elsewhere(context, countries, others, shown, reader)
        around = _around_meant(context, others, reader) if chosen or others else ()
        return cls(_title(place, around), "", others)

    @classmethod
    def _elsewhere(
        cls,
        context: SearchContext,
        countries: set[str],
        others: tuple[Destination, ...],
        shown: tuple[Destination, ...],
        reader: Reader,
    ) -> Self:
        """Of hotels in these countries, of which `shown` may be the place, the likeliest first."""
        left = tuple(one for one in others if one not in shown)
        in_all = countries or {one.country for one in shown[:1]}
        if len(in_all) != 1:
            return cls(context.search.place, "", left)
        (country,) = in_all
        alike = country in (context.country, *(one.country for one in left))
        region = shown[0].region if shown and alike else ""
        around = [one for one in (region, reader.country(country)) if one]
        said = _said(", ".join(around), abroad=country != context.country)
        # A name that is nearly always one place is told from no other.
        named = around if context.refinement.country or others else ()
        return cls(_title(context.search.place, named), said, left)


def _said(where: str, *, abroad: bool) -> str:
    if abroad:
        text = _("The providers know a place of this name in another country: %(country)s.")
        return text % {"country": where}
    return _("The providers know another place of this name: %(place)s.") % {"place": where}


def located(found: FoundStays) -> tuple[Located, ...] | None:
    """Where the hotels of a page are; of one without any, where those are that its filters leave out. None
    behind the last page."""
    buildings = [one.listing.property for one in found.listings]
    if buildings:
        return tuple((one.country, one.coordinates) for one in buildings)
    if found.refined and found.refined.coverage.compared:
        return tuple(("", at) for at in found.refined.compared_at) or None
    return () if found.page == 1 else None


def _title(place: str, around: Iterable[str]) -> str:
    return ", ".join((place, *(one for one in around if one not in ("", place))))


def _around_meant(context: SearchContext, others: Iterable[Destination], reader: Reader) -> tuple[str, ...]:
    """The country of the place that was asked for, before it the region where another one of its name is in
    the same country."""
    place, chosen = context.search.place, context.refinement.country
    alike = any(one.country == context.country for one in others)
    region = destinations.region(place, chosen, context.deadline) if alike else ""
    return region, reader.country(context.country)


def _is_elsewhere(
    context: SearchContext, found: Sequence[Located], countries: set[str], others: Iterable[Destination]
) -> bool:
    """Whether all hotels are far from the place that was asked for or, where distances can't tell, in the
    one country of another place of its name: those of a city at a border may be on its other side."""
    at = [one for _country, one in found if one]
    if context.centre and at:
        return all(context.centre.km_to(one) > BEYOND_SUBURBS_KM for one in at)
    of_another = any(one.country in countries for one in others)
    return len(countries) == 1 and context.country not in countries and of_another


def _among(
    others: Iterable[Destination], found: Sequence[Located], countries: set[str], context: SearchContext
) -> tuple[Destination, ...]:
    """Those of the other places that the hotels may be in, the nearest first."""
    at = [one for _country, one in found if one]
    near: list[tuple[float, int, Destination]] = []
    for number, one in enumerate(others):
        if countries and one.country not in countries:
            continue
        middle = destinations.centre(one, context.deadline)
        # A region has no middle to measure from.
        km = min(map(middle.km_to, at)) if middle and at else 0.0
        if km <= BEYOND_SUBURBS_KM and (countries or (middle and at)):
            near.append((km, number, one))
    return tuple(one for _km, _number, one in sorted(near, key=lambda entry: entry[:2]))
