"""Until when cancelling is free: a day only where the words leave no doubt, never a day too late."""

from datetime import date, time

from search.domain.cancellation import FreeUntil, free_until, still_free
from tests.rows import each

CHECK_IN = date(2026, 12, 3)


def test_plain_words_name_a_day():
    for line, day, clock in [
        ("Free cancellation until 18:00 on the day before arrival.", date(2026, 12, 2), time(18)),
        (
            "Free cancellation up to 7 days before arrival; after that the first night is charged.",
            date(2026, 11, 26),
            None,
        ),
        ("Free until 2 days before check-in", date(2026, 12, 1), None),
        ("Free cancellation before 2026-12-01", date(2026, 11, 30), None),
        ("Free cancellation before 3 days before arrival", date(2026, 11, 29), None),
        ("Free cancellation before 18:00 on the day before arrival", date(2026, 12, 2), time(18)),
        ("Cancellation: Free cancellation till 1 day before check in", date(2026, 12, 2), None),
        ("You can cancel free of charge until 2026-11-28.", date(2026, 11, 28), None),
        ("FREE CANCELLATION UNTIL THE DAY BEFORE ARRIVAL", date(2026, 12, 2), None),
        ("Free cancellation until 2026-12-03 00:00", date(2026, 12, 3), time(0)),
        ("Free cancellation until 2026-12-01 23:59:59.", date(2026, 12, 1), time(23, 59)),
        ("Free cancellation before 2026-12-01, 12:00 local time", date(2026, 12, 1), time(12)),
        ("Free cancellation until 2 days before arrival (18:00)", date(2026, 12, 1), time(18)),
        ("Free cancellation until the day before arrival at 9:30", date(2026, 12, 2), time(9, 30)),
        # The hour is another sentence's.
        ("Free until 2 days before arrival. Check-in from 15:00.", date(2026, 12, 1), None),
    ]:
        assert free_until((line,), CHECK_IN) == FreeUntil(day, clock)


@each(("hours", "day"), [(24, 1), (48, 30), (36, 30), (72, 29)])
def test_hours_before_arrival_leave_whole_free_days(hours, day):
    found = free_until((f"Free cancellation until {hours} hours before arrival",), CHECK_IN)
    assert found.day.day == day


def test_anything_else_names_none():
    for lines in [
        (),
        ("Non-refundable: the full price is charged at booking.",),
        ("Free cancellation until 2 days before arrival", "Non refundable for groups"),
        ("Free cancellation until 2 days before arrival", "Free cancellation until 5 days before arrival"),
        ("Free cancellation until 2 days before arrival if paid at the property",),
        ("Free cancellation until 2 days before arrival, members only",),
        ("Not free until 2 days before arrival",),
        ("2 days before arrival – arrival", "Penalty: 100%"),
        ("Free cancellation",),
        ("Free cancellation until 2026-02-31",),
        ("Free cancellation before 0001-01-01",),
        ("Free cancellation until 2027-01-01",),
        ("Free cancellation until 25:00 on the day before arrival",),
        ("Free wifi until 2 days before arrival",),
        ("No free cancellation until 2 days before arrival",),
        ("Changes are free until 2 days before arrival. Cancellation: 100%.",),
        ("Dates may be changed free of charge until 2026-12-01", "Cancellation: 100%"),
        ("Free until 2 days before arrival for amendments, otherwise the full price",),
        ("Free cancellation until 2026-12-01 18:00 UTC. Later 100% is charged.",),
        ("Free cancellation until 2026-12-01 18:00:00 (GMT+1)",),
        ("Free cancellation until 2026-12-01 10:00 am",),
        ("Free cancellation until the day before arrival at 10 a.m.",),
        ("Free cancellation until the day before arrival, noon",),
        ("Free cancellation until 48 hours before arrival (14h00)",),
        ("Free cancellation until 2 days before arrival. Of long terms the rest is cut off…",),
    ]:
        assert free_until(lines, CHECK_IN) is None


def test_a_day_may_be_that_of_check_in():
    assert free_until((f"Free cancellation until 12:00 on {CHECK_IN}",), CHECK_IN).day == CHECK_IN


def test_further_lines_that_name_no_day_change_nothing():
    lines = ("Free cancellation until 2 days before arrival.", "Later the first night is charged.")
    assert free_until(lines, CHECK_IN) == FreeUntil(date(2026, 12, 1))


@each(
    "lines",
    [
        ("Free cancellation until 2026-11-20",),
        ("Free cancellation until 2026-11-20T18:00:00+01:00",),
        ("Free cancellation until 90 days before arrival",),
        ("Free cancellation up to 60 days prior to your arrival.",),
        ("Free cancellation until 20 Nov 2026",),
        ("Free cancellation until Nov 20th, 2026 18:00",),
        ("Free cancellation before 20/11/2026",),
        ("Kostenlose Stornierung bis 20.11.2026",),
        ("Cancel before 20 Nov 2026 and pay 0%",),
        ("Free cancellation until 20 Nov 2026, non-refundable after that.",),
        ("From: 2026-11-20, Penalty: 100%",),
        ("Free cancellation", "From: 2026-11-20", "Penalty: 100%"),
        ("Non-refundable: the full price is charged at booking.",),
        ("Double room, non-refundable, free wifi",),
        ("Nicht erstattungsfähig",),
        ("No free cancellation",),
    ],
)
def test_what_is_over_or_denied_is_not_free(lines):
    assert not still_free(lines, CHECK_IN, date(2026, 11, 28))


@each(
    "lines",
    [
        (),
        ("Double room",),
        ("Free cancellation",),
        ("Free until the day before.",),
        ("Free cancellation until 1 December", "Non-refundable after that"),
        ("Free cancellation until 28 Nov 2026",),
        ("From: 2026-12-01, Penalty: 100%",),
        ("Free cancellation until 31 Dec 0000", "Free cancellation until 30 Feb"),
        ("Cancelled in 2025 by 40% of guests",),
    ],
)
def test_what_may_still_be_free_is_not_taken_back(lines):
    assert still_free(lines, CHECK_IN, date(2026, 11, 28))
