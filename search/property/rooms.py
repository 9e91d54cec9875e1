"""Room types and their rooms. Sections without text vanish."""

from __future__ import annotations

from dataclasses import dataclass

from search.domain.hotels import Room, RoomType
from search.web.photos import Photo, photo_addresses
from search.web.translation import gettext as _
from search.web.translation import ngettext


@dataclass(frozen=True, slots=True)
class RoomView:
    name: str
    description: str
    sleeps: str
    beds: str
    cancellation: tuple[str, ...]
    policies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoomTypeView:
    """Parameters of property/room_type.html."""

    name: str
    description: str
    photos: tuple[Photo, ...]
    photos_label: str
    facilities: tuple[str, ...]
    rooms: tuple[RoomView, ...]

    @classmethod
    def of(cls, room_type: RoomType) -> RoomTypeView:
        name = room_type.name or _("Room")
        return cls(
            name=name,
            description=room_type.description,
            photos=tuple(
                Photo(address, alt=_("Photo %(number)s of %(name)s") % {"number": number, "name": name})
                for number, address in enumerate(photo_addresses(room_type.images), 1)
            ),
            photos_label=_("Photos of %(name)s") % {"name": name},
            facilities=room_type.facilities,
            rooms=tuple(_room(room, name) for room in room_type.rooms),
        )


def _room(room: Room, type_name: str) -> RoomView:
    """A room without a name of its own, or with its type's, is not named twice."""
    return RoomView(
        name=room.name if room.name != type_name else "",
        description=room.description,
        sleeps=_sleeps(room.max_occupancy),
        beds=", ".join(room.bed_types),
        cancellation=room.cancellation_policies,
        policies=room.policies,
    )


def _sleeps(lines: tuple[str, ...]) -> str:
    """`Sleeps 2` for a bare number; the provider's own words otherwise."""
    if len(lines) == 1 and lines[0].isascii() and lines[0].isdigit():
        return ngettext("Sleeps %(count)s", "Sleeps %(count)s", int(lines[0])) % {"count": lines[0]}
    return ", ".join(lines)
