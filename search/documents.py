"""The pages about hotels as JSON, for programs: the same content, each amount with its currency.

docs/openapi.json is made from these classes: `python -m tests.api`.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from html import unescape
from typing import Self

import msgspec
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.utils.deprecation import MiddlewareMixin

from .compare.side_by_side import ComparePage
from .domain.money import Money
from .domain.offers import NamedAmounts, PricedOffer, StayTotal
from .property.page import PropertyPage
from .results.card import ListingCard, OfferView
from .results.dates_page import DatesPage
from .results.page import ResultsPage
from .results.toolbar import RefineView
from .sharing.pages import SharedPage, SharedPropertyPage
from .web.links import search_pairs
from .web.shortcuts import document_of, wants_json

# A line above a form, with a link to the field that it is about.
_ERROR = re.compile(r'<li>(<a href="#(\w+)">[^<]*</a>)</li>')
_MARKUP = re.compile(r"<[^>]*>|\s+")


# The parameters of an address: what was asked for. Several values of one stand behind commas.
Search = dict[str, str]


class Amount(msgspec.Struct, frozen=True):
    """`amount` is in major units (euros, not cents), with the decimals of its ISO 4217 `currency`."""

    amount: str
    currency: str

    @classmethod
    def of(cls, money: Money | None) -> Self | None:
        return cls(money.rounded().plain, money.currency) if money else None


class Charge(msgspec.Struct, frozen=True):
    """A surcharge; without an amount where the provider names none that can be read."""

    kind: str
    amount: Amount | None

    @classmethod
    def each(cls, charged: NamedAmounts) -> list[Self]:
        return [cls(kind, Amount.of(amount)) for kind, amount in charged]


class Price(msgspec.Struct, frozen=True):
    """For the whole stay. `surcharges` are in the `total`, `not_in_total` come on top of it."""

    total: Amount | None
    surcharges: list[Charge]
    not_in_total: list[Charge]
    per_night: Amount | None
    before_discount: Amount | None
    discount_percent: int
    credit: Amount | None
    in_hotel_currency: Amount | None

    @classmethod
    def of(cls, total: StayTotal) -> Self:
        return cls(
            total=Amount.of(total.total),
            surcharges=Charge.each(total.surcharges),
            not_in_total=[*Charge.each(total.apart), *(Charge(kind, None) for kind in total.unread)],
            per_night=Amount.of(total.per_night),
            before_discount=Amount.of(total.before_discount),
            discount_percent=total.discount_percent,
            credit=Amount.of(total.credit),
            in_hotel_currency=Amount.of(total.in_property_currency),
        )


class Offer(msgspec.Struct, frozen=True):
    """A provider's offer. `promises` and `note` are the words of the page; `page` shows the hotel at this
    provider, and `provider_page`, empty without one, is where it is booked."""

    provider: str
    provider_name: str
    rate: str
    price: Price | None
    free_cancellation: bool
    promises: tuple[str, ...]
    note: str
    page: str
    provider_page: str

    @classmethod
    def of(cls, priced: PricedOffer, view: OfferView) -> Self:
        return cls(
            provider=priced.offer.provider,
            provider_name=view.provider,
            rate=view.rate,
            price=Price.of(priced.total) if priced.total else None,
            free_cancellation=view.free_cancellation,
            promises=view.promises,
            note=view.note,
            page=view.href,
            provider_page=view.booking_href,
        )


class Hotel(msgspec.Struct, frozen=True):
    """A card: its offers in the order of the page. `distance` is a line of the page; `page` may be empty."""

    name: str
    kind: str
    stars: int | None
    rating: Decimal | None
    place: str
    country: str
    latitude: float | None
    longitude: float | None
    distance: str
    facilities: tuple[str, ...]
    photos: tuple[str, ...]
    offers: list[Offer]
    page: str

    @classmethod
    def of(cls, card: ListingCard) -> Self:
        building, where = card.priced.listing.property, card.coordinates
        return cls(
            name=card.name,
            kind=card.kind,
            stars=building.stars,
            rating=building.rating.value if building.rating else None,
            place=card.place,
            country=building.country.upper(),
            latitude=where.latitude if where else None,
            longitude=where.longitude if where else None,
            distance=card.distance or card.anchor_distance,
            facilities=tuple(one.text for one in card.facilities),
            photos=(card.photo, *card.more_photos) if card.photo else (),
            offers=[Offer.of(*one) for one in zip(card.priced.offers, card.offers, strict=True)],
            page=card.href,
        )


class Coverage(msgspec.Struct, frozen=True):
    """How many hotels were compared, of how many that the providers count (None: unknown). `state`: complete,
    fetching (ask again in a moment), capped or partial; `matching` pass the filters; `words` say it."""

    compared: int
    counted: int | None
    matching: int
    state: str
    exact: bool
    words: str


class Order(msgspec.Struct, frozen=True):
    """`sort` as the address has it, and the rules of the order in words."""

    sort: str
    label: str
    rules: list[str]

    @classmethod
    def of(cls, refine: RefineView) -> Self:
        template = engines["jinja2"].get_template("results/ranking.html").template  # type: ignore[attr-defined]
        label = next((one.label for one in refine.sorts if one.chosen), "")
        return cls(refine.context.sort.value, label, texts("li", str(template.module.ranking(refine))))


class Links(msgspec.Struct, frozen=True):
    """Addresses of this site: of this page, the next and the previous one, empty without one; `instead` is
    the search for the hotels' place where the picked place has none."""

    self: str
    next: str
    previous: str
    instead: str


class Results(msgspec.Struct, frozen=True):
    """One page of results. `checked_at` is when the prices were fetched; `notes` are words of the page."""

    title: str
    search: Search
    coverage: Coverage
    order: Order
    checked_at: datetime
    stale: bool
    notes: list[str]
    hotels: list[Hotel]
    page: int
    last_page: int
    links: Links


class Property(msgspec.Struct, frozen=True):
    """One hotel in full. `checked_at` is when its prices were fetched, None without prices."""

    title: str
    search: Search
    stay: str
    hotel: Hotel
    address: str
    description: str
    check_in: tuple[str, ...]
    check_out: tuple[str, ...]
    facilities: list[str]
    room_types: list[str]
    checked_at: datetime | None
    stale: bool
    notes: list[str]


class Comparison(msgspec.Struct, frozen=True):
    """Hotels side by side; `facts` are the rows of the table, a text for each hotel."""

    title: str
    stay: str
    hotels: list[Hotel]
    facts: dict[str, list[str]]
    notes: list[str]


class SharedHotel(msgspec.Struct, frozen=True):
    """`now` is None for a hotel that is gone; `change` says what became of its total, `turn` in one word."""

    name: str
    then: Amount | None
    now: Hotel | None
    turn: str
    change: str


class Shared(msgspec.Struct, frozen=True):
    """What a link shows: the sender's words and the hotels, then and now."""

    title: str
    stay: str
    note: tuple[str, ...]
    sender: str
    hotels: list[SharedHotel]


class DateTotal(msgspec.Struct, frozen=True):
    """What the stay costs on these dates; `state` says whether that compares, or why not: other, few, none,
    apart, failed, waiting. `compared` hotels have a total; `page` has the hotels, or the hotel."""

    check_in: date
    check_out: date
    state: str
    total: Amount | None
    lowest: bool
    compared: int
    checked_at: datetime | None
    stale: bool
    words: str
    page: str


class Dates(msgspec.Struct, frozen=True):
    """The same stay on other dates. `measure` says what the totals are."""

    title: str
    search: Search
    measure: str
    dates: list[DateTotal]


class Problem(msgspec.Struct, frozen=True):
    """Why there is no page, in its words: `title`, `detail` and, of a form, what is wrong in each field."""

    status: int
    title: str
    detail: str
    errors: dict[str, str]


DOCUMENTS = (Results, Property, Comparison, Shared, Dates, Problem)


def texts(tag: str, html: str) -> list[str]:
    """The texts of these elements of a page of ours, which never nest."""
    inner = re.findall(rf"<{tag}(?:\s[^>]*)?>(.*?)</{tag}>", html, re.DOTALL)
    return [unescape(" ".join(_MARKUP.sub(" ", one).split())) for one in inner]


def _words(*lines: str) -> list[str]:
    return list(filter(None, lines))


def _search(pairs: Iterable[tuple[str, str]]) -> Search:
    search: Search = {}
    for name, value in pairs:
        search[name] = f"{search[name]},{value}" if name in search else value
    return search


@document_of.register
def _results(page: ResultsPage) -> Results:
    refine, results = page.refine, page.refine.results
    coverage, pager = results.coverage, page.pager
    return Results(
        title=page.title,
        search=_search(search_pairs(refine.context)),
        coverage=Coverage(
            compared=coverage.compared,
            counted=coverage.total,
            matching=results.matching,
            state=coverage.state.value,
            exact=coverage.exact,
            words=" · ".join(_words(page.count, refine.sentence or refine.progress)),
        ),
        order=Order.of(refine),
        checked_at=results.fetched_at,
        stale=results.stale,
        notes=_words(page.elsewhere, page.stale_note),
        hotels=[Hotel.of(one) for one in page.cards],
        page=results.page,
        last_page=results.last_page,
        links=Links(
            page.head.canonical,
            pager.next if pager else "",
            pager.previous if pager else "",
            page.place.instead,
        ),
    )


@document_of.register
def _property(page: PropertyPage) -> Property:
    found = page.found
    return Property(
        title=page.head.title,
        search=_search(page.chosen),
        stay=page.stay,
        hotel=Hotel.of(page.card),
        address=page.address,
        description=found.building.description,
        check_in=found.details.check_in_time,
        check_out=found.details.check_out_time,
        facilities=[one.text for group in page.facilities.values() for one in group],
        room_types=[one.name for one in found.details.room_types],
        checked_at=found.prices_from,
        stale=found.stale,
        notes=_words(page.price_note, page.stale_note),
    )


@document_of.register
def _comparison(page: ComparePage) -> Comparison:
    return Comparison(
        title=page.title,
        stay=page.stay,
        hotels=[Hotel.of(one.card) for one in page.columns],
        facts={row.label: [" · ".join(cell) for cell in row.cells] for row in page.rows},
        notes=list(page.notices),
    )


@document_of.register
def _dates(page: DatesPage) -> Dates:
    context, totals = page.comparison.context, page.comparison.totals
    return Dates(
        title=page.title,
        search=_search(search_pairs(context)),
        measure=page.table.note,
        dates=[
            DateTotal(
                check_in=one.dates.check_in,
                check_out=one.dates.check_out,
                state=one.state.value,
                total=None if one.total is None else Amount.of(Money(one.total, context.search.currency)),
                lowest=one.lowest,
                compared=one.measured.compared if one.measured else 0,
                checked_at=one.measured.fetched_at if one.measured else None,
                stale=one.stale,
                words=view.reason,
                page=view.href,
            )
            for one, view in zip(totals, page.table.dates, strict=True)
        ],
    )


@document_of.register
def _shared(page: SharedPage | SharedPropertyPage) -> Shared:
    note = page.note
    return Shared(
        title=note.title,
        stay=note.stay,
        note=note.paragraphs,
        sender=note.from_line,
        hotels=[
            SharedHotel(
                name=one.then.shown_name if one.then else "",
                then=Amount.of(one.then.total) if one.then else None,
                now=Hotel.of(one.card) if one.card else None,
                turn=one.turn,
                change=one.line,
            )
            for one in page.entries
        ],
    )


class ProblemMiddleware(MiddlewareMixin):
    """Says to a program in JSON what an error page says."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        is_page = response.get("Content-Type", "").startswith("text/html") and not response.streaming
        if response.status_code < 400 or not is_page or not wants_json(request):
            return response
        html = response.text
        problem = Problem(
            status=response.status_code,
            title=next(iter(texts("h1", html)), response.reason_phrase),
            detail=next(filter(None, texts("p", html.partition("</h1>")[2])), ""),
            errors={field: texts("a", link)[0] for link, field in _ERROR.findall(html)},
        )
        response.content = msgspec.json.encode(problem)
        response["Content-Type"] = "application/json"
        response["Content-Length"] = str(len(response.content))
        return response
