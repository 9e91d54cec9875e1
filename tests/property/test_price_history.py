"""What a page says of a stay's earlier totals: only what was seen, for these very dates, guests and money."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from search.domain.money import Money
from search.domain.query import StayDates
from search.domain.site_settings import Site
from search.property.observed import LONGEST_GAP, ObservedTotal, Run, Runs, Terms, added
from search.property.price_history import PriceHistory, steps
from search.site_settings import store
from search.web.formatting import Reader
from tests.builders import NOON
from tests.builders import search as a_search
from tests.journey.conftest import wire as wire
from tests.journey.reading import words
from tests.property.test_observed import seen
from tests.sharing.conftest import BROWSER, Market, hotel, share, signed_in

pytestmark = pytest.mark.django_db
SEARCH = "place=Porto&checkin=2030-05-01&checkout=2030-05-04&guests=2&market=en-gb"
PAGE = f"/hotels/ACME/aa/?{SEARCH}"
OF_PAGE = Terms.of(
    a_search(place="Porto", dates=StayDates(datetime(2030, 5, 1).date(), datetime(2030, 5, 4).date())), Site()
)


def remembered(*totals: tuple[float, object], terms: Terms = OF_PAGE, key: str = "aa") -> None:
    """Totals of so many days ago, each seen once."""
    for days, amount in totals:
        at = NOON - timedelta(days=days)
        row = {"amount": amount, "provider": "ACME" if amount else "", "first_seen": at, "last_seen": at}
        ObservedTotal.objects.create(hotel=key, **row, **terms._asdict())


@pytest.fixture
def market(wire):
    market = Market(wire)
    market.has(hotel("aa", 398), hotel("bb", 200))
    return market


def test_a_hotel_page_says_the_lowest_total_before(market, client):
    remembered((20, 450), (18, 412), (10, 430))
    page = client.get(PAGE)
    assert "Lowest we saw for these dates: €412.00 on 3 Nov; now €398.00" in words(page)
    assert page.text.count("price-history__steps") == 1


def test_its_table_has_what_was_seen_newest_first(market, client):
    remembered((20, 450), (18, 412), (10, None))
    table = re.search(r'<table class="price-history__table">.*?</table>', client.get(PAGE).text, re.DOTALL)[0]
    cells = re.findall(r"<td>(?:<bdi>)?(.*?)(?:</bdi>)?</td>", table)
    assert cells[1::3] == ["€398.00", "No price", "€412.00", "€450.00"]
    assert cells[3] == "11 Nov"


def test_less_than_three_times_on_two_days_says_nothing(market, client):
    assert "we saw" not in words(client.get(PAGE))
    remembered((1, 450))
    assert "we saw" not in words(client.get(PAGE))


@pytest.mark.parametrize(
    "terms",
    [
        OF_PAGE._replace(guests=3),
        OF_PAGE._replace(currency="GBP"),
        OF_PAGE._replace(market="de-de"),
        OF_PAGE._replace(check_out=OF_PAGE.check_out + timedelta(days=1)),
        OF_PAGE._replace(counting="included, night"),
    ],
)
def test_totals_on_other_terms_are_never_mixed_in(market, client, terms):
    remembered((20, 450), (18, 100), (10, 430), terms=terms)
    assert "we saw" not in words(client.get(PAGE))


def test_a_total_that_never_moved_is_said_to_be_the_same(market, client):
    remembered((0.9, 398))
    ObservedTotal.objects.update(times=3, first_seen=NOON - timedelta(days=8))
    assert "€398.00 for these dates each time we looked since 13 Nov" in words(client.get(PAGE))


def test_kept_hotels_say_it_too(market, client):
    remembered((20, 450), (18, 412), (10, 430))
    page = client.get(f"/shortlist/?{SEARCH}&stay=ACME/aa&stay=ACME/bb")
    assert words(page).count("Lowest we saw for these dates: €412.00 on 3 Nov; now €398.00") == 1


def test_shared_hotels_say_it_beside_then_and_now(market, client):
    sharer = signed_in("ann", "Sharer")
    code = share(sharer, f"/share/hotels/?{SEARCH}")
    remembered((20, 450), (18, 412), (10, 430))
    market.has(hotel("aa", 405), hotel("bb", 200))
    text = words(client.get(f"/s/{code}/", headers={"user-agent": BROWSER}))
    assert "€398.00 when shared on 21 Nov, €405.00 now" in text
    assert "Lowest we saw for these dates: €398.00 on 21 Nov; now €405.00" in text


def test_no_total_is_said_where_totals_are_not_remembered(market, client):
    remembered((20, 450), (18, 412), (10, 430))
    store.change({"remember_prices": False})
    assert "we saw" not in words(client.get(PAGE))


def test_older_totals_are_not_said_to_be_of_now(market, client):
    remembered((20, 450), (18, 412), (10, 430))
    client.get(PAGE)
    reader = Reader.of(Site(), "en-gb")
    runs = added(added(added((), seen(0)), seen(30)), seen(31))
    assert PriceHistory.of(runs, None, "EUR", reader).line.endswith("€400.00 on 2 Nov")


def test_the_line_has_gaps_where_nothing_was_seen():
    runs: Runs = ()
    for hours, amount in ((0, 400), (20, 380), (90, 390), (100, None), (110, 400), (120, 400)):
        runs = added(runs, seen(hours, amount))
    assert steps(runs).count("M") == 3
    assert re.findall(r"[MV][\d. ]+", steps(runs))[1].startswith("V")


@given(
    st.lists(
        st.tuples(st.integers(1, 60), st.sampled_from([None, 380, 400, 420]), st.sampled_from("AB")),
        max_size=12,
    ),
    st.booleans(),
)
def test_the_sentence_is_what_a_naive_reader_would_say(steps_of, with_now):
    sightings, runs, hours = [], (), 0
    for hour, amount, provider in steps_of:
        hours += hour
        one = seen(hours, amount, provider)
        runs = added(runs, one)
        sightings += [one] if sightings or amount else []
    now = Money(sightings[-1].amount, "EUR") if with_now and sightings and sightings[-1].amount else None
    history = PriceHistory.of(runs, now, "EUR", Reader.of(Site(), "en-gb"))
    assert (history.line if history else None) == naive_line(sightings, now)


def naive_line(sightings, now):
    priced = [one for one in sightings if one.amount]
    if len(priced) < 3 or len({one.last_seen.date() for one in priced}) < 2:
        return None
    current = set()
    if now:
        last = sightings[-1]
        for after, one in zip([last, *sightings[::-1]], sightings[::-1], strict=False):
            same = (one.amount, one.provider) == (last.amount, last.provider)
            if not same or after.last_seen - one.last_seen > LONGEST_GAP:
                break
            current.add(one.last_seen)
    before = [one for one in priced if one.last_seen not in current]
    if not before:
        return f"€{now.amount:.2f} for these dates each time we looked since {day(priced[0].last_seen)}"
    least = min(one.amount for one in before)
    # The last of the totals in a row that were that low.
    latest = max(one.last_seen for one in before if one.amount == least)
    line = f"Lowest we saw for these dates: €{least:.2f} on {day(latest)}"
    return f"{line}; now €{now.amount:.2f}" if now else line


def day(at: datetime) -> str:
    return f"{at.day} {at:%b}"


def test_days_are_those_of_the_sites_own_zone(settings):
    settings.TIME_ZONE = "Pacific/Auckland"
    with timezone.override("Pacific/Auckland"):
        runs: Runs = ()
        # The clocks go forward there on 27 September 2026, between two totals of one evening here.
        for hours in (0, 13, 40):
            at = datetime(2026, 9, 26, 11, tzinfo=UTC) + timedelta(hours=hours)
            runs = added(runs, Run.once(at, Decimal(400 - hours), "AA"))
        history = PriceHistory.of(runs, None, "EUR", Reader.of(Site(), "en-gb"))
    assert [days for days, _total, _provider in history.rows] == ["28 Sept", "27 Sept", "26 Sept"]
