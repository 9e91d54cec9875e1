"""Which described room an offer sells: the same words, and only one room type that has them."""

from msgspec.structs import replace

from search.domain.offers import sold_room, terms_of
from tests import builders as build
from tests.rows import each

ROOM = build.ROOM_TYPE.rooms[0]


def a_type(name, *rooms):
    return build.room_type(name=name, rooms=tuple(replace(ROOM, name=one) for one in rooms))


DESCRIBED = (
    a_type("Standard Double Room", "Standard Double Room - Room only", "Standard Double Room - Half board"),
    a_type("Deluxe Double Room", "Deluxe Double Room - Breakfast included"),
    a_type("Twin Room", "Twin Room with balcony", "Twin Room"),
    a_type("Habitación familiar"),
    a_type("Room", "Room only"),
)


@each(
    ("rate", "place", "rooms"),
    [
        ("Double Room", 0, 2),
        ("Double room, breakfast included", 0, 2),
        ("Standard double - non-refundable, advance purchase", 0, 2),
        ("DELUXE DOUBLE", 1, 1),
        ("Twin room with balcony", 2, 1),
        ("Twin room", 2, 1),
        ("Room, Twin", 2, 1),
        ("familiar", 3, 0),
    ],
)
def test_names_of_the_same_own_words_are_the_same_room(rate, place, rooms):
    found = sold_room(rate, DESCRIBED)
    assert (found.place, len(found.rooms)) == (place, rooms)


@each(
    "rate",
    [
        "",
        "Room only - advance purchase",
        "Superior Double",
        "Double room, city view",
        "Double or twin",
        "Suite",
    ],
)
def test_a_name_with_other_words_is_no_described_room(rate):
    assert sold_room(rate, DESCRIBED) is None


def test_where_two_room_types_have_the_name_neither_is_chosen():
    assert sold_room("Double Room", (*DESCRIBED, a_type("Double Room"))) is None


def test_rooms_that_differ_agree_on_nothing():
    small, large = replace(ROOM, name="", max_occupancy=("1",)), replace(ROOM, name="", max_occupancy=("3",))
    found = sold_room("Double", (build.room_type(name="Double", rooms=(small, large)),))
    assert (found.agreed("max_occupancy"), found.agreed("bed_types")) == ((), ("1 king bed",))


def under(name, *terms):
    return replace(ROOM, name=name, cancellation_policies=terms)


SAME = (build.room_type(name="Double", rooms=(under("Double", "Free"),)),)
TYPES = (*SAME, build.room_type(name="Suite", rooms=(under("Suite", "Fee"), under("Suite with bath", "All"))))


@each(
    ("offered", "types", "terms"),
    [
        ({"rate": "Suite"}, TYPES, ("Fee",)),
        ({"rate": "Double room"}, TYPES, ("Free",)),
        ({"rate": "Twin"}, TYPES, ()),
        ({"rate": "Twin"}, SAME, ("Free",)),
        ({"rate": "Double", "provider": "BBB"}, SAME, ()),
        ({"rate": "Double", "property_id": "2"}, SAME, ()),
    ],
)
def test_terms_are_those_of_the_room_sold_or_of_every_room(offered, types, terms):
    assert terms_of(build.offer(**offered), build.details(room_types=types)) == terms
