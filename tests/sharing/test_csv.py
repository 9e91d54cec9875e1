"""What is shown as a table for spreadsheets: of results, and of a shared link then and now."""

from __future__ import annotations

import csv
import io
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from search.sharing.csv import safe_cell
from search.site_settings import store
from search.site_settings.models import BlockedProperty
from tests.gateway.documents import a_summary, triple
from tests.rows import each
from tests.sharing.conftest import EXPORT, RESULTS, SEARCH, hotel, share, signed_in


def table(sharer, query: str = "") -> list[dict[str, str]]:
    answer = sharer.get(EXPORT + query)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_table_holds_exactly_what_is_shown(market, sharer):
    rows = table(sharer, "&sort=stars&max_price=250")
    assert [row["Name"] for row in rows] == ["Hotel aa", "Hotel bb"]
    assert (rows[1]["Total"], rows[1]["Currency"]) == ("200.00", "EUR")
    assert rows[0]["Link"].startswith("http://testserver/hotels/ACME/aa/?place=Porto")
    assert rows[0]["Check-in"] == "2030-05-01"


def test_the_table_says_from_when_its_prices_are(market, sharer, monkeypatch, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    moment = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)
    sold_out = hotel("bb")
    sold_out["offers"][0]["minPrice"] = None
    market.has(hotel("aa"), sold_out)
    told = f"{moment.astimezone(ZoneInfo('Asia/Tokyo')):%Y-%m-%d %H:%M}"
    assert [row["Prices as of"] for row in table(sharer)] == [told, ""]


def test_the_table_names_facilities_as_pages_do(market, sharer):
    one = hotel("aa")
    one["offers"][0]["facilities"] = [
        {"type": "FREE_WIFI"},
        {"type": "wifi"},
        {"type": "XYZ", "description": "=Tea; house"},
        {"type": "PARKING", "description": "Parking (extra charge)"},
        {"type": "FREE_BREAKFAST"},
    ]
    market.has(one)
    assert table(sharer)[0]["Facilities"] == "Free wifi, =Tea; house, Parking (charge)"
    one["offers"][0]["facilities"] = one["offers"][0]["facilities"][2::-1]
    market.has(one)
    assert table(sharer, "&guests=3")[0]["Facilities"].startswith("'=Tea; house, ")


def test_the_table_names_what_a_total_includes_and_leaves_out(market, sharer):
    one = hotel("aa")
    one["offers"][0]["minPrice"]["surcharges"] = [
        {"type": "TAX_AND_FEES", "price": triple(12.5)},
        {"type": "CITY_TAX", "price": triple(9, "MAD")},
        {"type": "RESORT_FEE", "price": None},
        {"type": None, "price": "on request"},
    ]
    market.has(one)
    row = table(sharer)[0]
    assert (row["Total"], row["Taxes and fees in the total"]) == ("112.50", "12.50")
    assert row["Not in the total"] == "9.00 MAD + Resort fee + surcharge"


@pytest.mark.parametrize(
    ("of_market", "first", "amounts"),
    [
        ("en-gb", "Name,Stars,", ("100.00", "12.50 USD", "8.7")),
        ("de-de", "Name;Sterne;", ("100,00", "12,50 USD", "8,7")),
        ("es-es", "Nombre;Estrellas;", ("100,00", "12,50 USD", "8,7")),
    ],
)
def test_the_table_opens_in_spreadsheets_of_the_country(market, sharer, of_market, first, amounts):
    one = hotel("aa")
    one["propertySummary"]["rating"]["value"] = 8.7
    one["offers"][0]["minPrice"]["surcharges"] = [{"type": "CITY_TAX", "price": triple(12.5, "USD")}]
    market.has(one)
    text = sharer.get(f"{EXPORT}&market={of_market}").content.decode("utf-8-sig")
    assert text.startswith(first)
    head, row = csv.reader(io.StringIO(text), delimiter=first[-1])
    assert len(head) == len(row)
    assert (row[10], row[14], row[2]) == amounts


def test_then_and_now_as_a_table_of_the_readers_country(market, sharer):
    code = share(sharer, f"{RESULTS}&market=de-de")
    row = sharer.get(f"/share/links/{code}/hotels.csv?market=de-de").text.splitlines()[1]
    assert row.split(";")[-3:-1] == ["100,00", "EUR"]


def test_no_cell_of_the_table_is_a_formula(market, sharer):
    evil = hotel("aa")
    evil["propertySummary"] = a_summary(name='=HYPERLINK("https://evil.example")', address="+1\n@2")
    evil["offers"][0]["minPrice"]["rateDescription"] = "-1"
    market.has(evil)
    row = table(sharer)[0]
    assert not any(value.lstrip().startswith(("=", "+", "-", "@")) for value in row.values())
    assert row["Name"] == '\'=HYPERLINK("https://evil.example")'


def test_formulas_and_commands_are_quoted():
    for before in ("", "\t", "\r", " ", "\u200b", "\ufeff", "\u2060\u200e", "\u00ad "):
        for text in ("=1", "+1", "-1", "@a", "＝1", "＠a", "%=1", "|calc", "％=1"):
            assert safe_cell(f"{before}{text}") == f"'{before}{text}"


@each(
    ("text", "cell"),
    [
        ("Inn;=1+1", "Inn;'=1+1"),
        ("Inn; @a;b", "Inn; '@a;b"),
        ("=1;-2", "'=1;'-2"),
        # Quotes within a cell are doubled: an empty text in quotes, and then the formula.
        ('Inn;"=1+1;b', "Inn;\"'=1+1;b"),
        ("Inn;＝1+1", "Inn;'＝1+1"),
        ("Inn;\u200b=1", "Inn;\u200b'=1"),
        ("Inn; |calc;%=1", "Inn; '|calc;'%=1"),
    ],
)
def test_no_formula_follows_a_semicolon_that_parts_cells(text, cell):
    assert safe_cell(text) == cell
    assert safe_cell(text.replace(";", ","), ";") == cell.replace(";", ",")


def test_plain_values_stay_as_they_are():
    values = {"Hotel": "Hotel", 4: "4", None: "", "a=b": "a=b", "5% off": "5% off"}
    assert {value: safe_cell(value) for value in values} == values


def test_a_link_as_a_table_tells_then_and_now(market, sharer):
    code = share(sharer)
    market.has(hotel("aa", 90), hotel("cc", 300))
    path = f"/share/links/{code}/hotels.csv"
    assert path in sharer.get("/share/links/").content.decode()
    rows = list(csv.DictReader(io.StringIO(sharer.get(path).content.decode("utf-8-sig"))))
    assert [row["Name"] for row in rows] == ["Hotel aa", "Hotel bb", "Hotel cc"]
    assert [row["Total"] for row in rows] == ["90.00", "", "300.00"]
    assert [row["Total when shared"] for row in rows] == ["100.00", "200.00", "300.00"]
    assert [bool(row["Prices as of"]) for row in rows] == [True, False, True]
    assert "no longer offered" in rows[1]["Since then"]
    assert signed_in("bob", "Sharer").get(path).status_code == 404


def test_a_blocked_hotel_is_not_in_the_table(market, sharer):
    code = share(sharer)
    BlockedProperty.objects.create(key="bb", reason="closed")
    table = sharer.get(f"/share/links/{code}/hotels.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table)))
    said = [{name for name, value in row.items() if value} for row in rows]
    assert said[1] == {"Since then"}
    assert rows[1]["Since then"] == "No longer shown on this site"
    assert (rows[0]["Total when shared"], rows[2]["Total when shared"]) == ("100.00", "300.00")


def test_the_table_can_be_switched_off(market, sharer):
    store.change({"export_enabled": False})
    assert sharer.get(EXPORT).status_code == 404
    assert "hotels.csv" not in sharer.get(f"/hotels/?{SEARCH}").content.decode()
