"""Which of the rooms a provider describes one of its offers sells: only where their names leave no choice."""

import msgspec

from .hotels import Room, RoomType
from .text import fold

# Words that say nothing about which room it is: that it is a room, that it is the usual one, on what terms.
_ANY_ROOM = frozenset({
    "a", "an", "and", "in", "of", "the", "with", "standard",
    "room", "rooms", "zimmer", "habitacion", "camera", "chambre", "quarto", "pokoj",
    "breakfast", "board", "full", "half", "included", "includes", "only",
    "advance", "flexible", "non", "nonrefundable", "prepaid", "purchase", "rate", "refundable",
})  # fmt: skip


class SoldRoom(msgspec.Struct, frozen=True):
    """`place` is that of its type among the described ones, `rooms` those of the type the name may mean."""

    place: int
    rooms: tuple[Room, ...]

    def agreed(self, field: str) -> tuple[str, ...]:
        """The lines of a field of Room where all rooms have the same, else none."""
        values = {getattr(room, field) for room in self.rooms}
        return values.pop() if len(values) == 1 else ()


def sold_room(rate: str, described: tuple[RoomType, ...]) -> SoldRoom | None:
    """The room type that `rate` names: its own words are exactly those of the type or of one of its rooms,
    and of no other type. None where the names leave a choice: "Double room" is no "Deluxe double room"."""
    named = _own_words(rate)
    found = [
        SoldRoom(place, rooms)
        for place, one in enumerate(described)
        if named and (rooms := _rooms_named(one, named)) is not None
    ]
    return found[0] if len(found) == 1 else None


def _rooms_named(described: RoomType, words: frozenset[str]) -> tuple[Room, ...] | None:
    """The rooms of these words, else all where the type has them; None for neither."""
    rooms = tuple(room for room in described.rooms if _own_words(room.name) == words)
    return rooms or (described.rooms if _own_words(described.name) == words else None)


def _own_words(name: str) -> frozenset[str]:
    return frozenset(fold(name).split()) - _ANY_ROOM
