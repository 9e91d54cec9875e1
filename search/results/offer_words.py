"""Offers and their prices in words, on cards, hotel pages and comparisons, and the way to the provider: a
link, else the facts to copy or to mail to the site.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from search.domain import hand_over
from search.domain.money import Money
from search.domain.offers import NamedAmounts, Offer, PricedOffer, StayTotal, usable_price
from search.domain.text import humanise, printable
from search.domain.vocabulary import CodeKind
from search.web import formatting
from search.web.facilities import facility_views
from search.web.formatting import Reader, guests, nights
from search.web.labels import FacilityView
from search.web.links import Links
from search.web.translation import gettext as _


class HandOver(NamedTuple):
    """Parameters of components/hand_over.html. `href` leads to the provider, empty without a template of its
    addresses; `code` is the provider's, for counting; `facts` are what one needs to book this elsewhere."""

    code: str
    provider: str
    href: str
    label: str
    facts: str
    contact: str

    @property
    def mail(self) -> str:
        """A mail with the facts filled in, to the site's contact address if it has one."""
        hotel = self.facts.partition("\n")[0]
        subject = quote(_("Please book: %(hotel)s") % {"hotel": hotel}, safe="", errors="replace")
        body = quote(self.facts.replace("\n", "\r\n"), safe="", errors="replace")
        return f"mailto:{quote(self.contact, safe='@')}?subject={subject}&body={body}"


# Beyond any two currencies: one of the two prices is wrong.
MOST_RATE = Decimal(100_000_000)
_TAXES_AND_FEES = {"TAX_AND_FEES", ""}


class PriceView(msgspec.Struct, frozen=True):
    """One total in words. Empty strings are lines that don't apply.

    `apart` is a surcharge in another currency, beside the total, which is then not complete. The lines that
    few offers of a page show are made when they are shown, by `words` of the total `of`.
    """

    total: str
    apart: str
    per_night: str
    before: str
    discount: str
    credit: str
    own_currency: str
    words: "PriceWords"
    of: StayTotal

    @property
    def rounded(self) -> str:
        total = self.of.total
        return formatting.whole_money(total.amount, total.currency, self.words.reader.numbers)

    @property
    def notes(self) -> str:
        """Lines: nights and guests, included surcharges, total per night."""
        return "\n".join(filter(None, (self.words.stay, self.words.included(self.of), self.per_night)))

    @property
    def second_line(self) -> str:
        """The total per night and included surcharges, on one line."""
        return " · ".join(filter(None, (self.per_night, self.words.included(self.of))))

    @property
    def implied_rate(self) -> str:
        """`1 GBP ≈ 1.111 EUR`: the rate between the provider's two prices, of the larger unit, to at least
        four digits; empty without a second price and for an impossible rate."""
        price, own = self.of.price, self.of.property_price
        if own is None:
            return ""
        unit, other = (price, own) if own.amount >= price.amount else (own, price)
        rate = other.amount / unit.amount
        if rate > MOST_RATE:
            return ""
        rounded = self.words.reader.number(rate.quantize(Decimal("0.001")))
        return f"1 {unit.currency} ≈ {rounded} {other.currency}"

    @property
    def reduced_from(self) -> str:
        """`€455.93 before discount (−10%)`; empty without a discount."""
        if not self.before:
            return ""
        text = _("%(amount)s before discount (%(percent)s)")
        return text % {"amount": self.before, "percent": self.discount}


class OfferView(msgspec.Struct, frozen=True):
    """One provider's offer. `price` is None without a usable price; `mark` stands for the provider's logo.

    `note` says why the offer stands after the comparable ones. `promises` are extras such as breakfast,
    `facilities` the others, `changes` a warning, `lines` the surcharges in its total by kind, `summary` all
    but the facilities in one line.
    """

    provider: str
    mark: str
    rate: str
    href: str
    price: PriceView | None
    free_cancellation: bool
    promises: tuple[str, ...]
    lines: tuple[str, ...]
    facilities: tuple[str, ...]
    deposit: str
    changes: str
    note: str
    summary: str
    hand_over: HandOver


@dataclass(frozen=True)
class PriceWords:
    """Puts the offers of one page into words."""

    reader: Reader
    links: Links

    @cached_property
    def stay(self) -> str:
        """`3 nights, 2 guests`."""
        search = self.links.search
        return f"{nights(search.dates.nights)}, {guests(search.guests)}"

    @cached_property
    def stay_line(self) -> str:
        return self.reader.stay_line(self.links.search)

    def offer(self, priced: PricedOffer, hotel: str = "") -> OfferView:
        """`hotel` is its name and address."""
        offer, total, reader = priced.offer, priced.total, self.reader
        price = self._price(total) if total else None
        facilities = facility_views(offer.facilities, reader)
        promises = self._promises(offer, facilities)
        lines = self._lines(total) if total else ()
        note = self._note(total) if total else ""
        changes = _("Prices often change") if reader.site.provider(offer.provider).prices_change else ""
        prices = (price.per_night, price.reduced_from, price.credit, price.own_currency) if price else ()
        return OfferView(
            provider=reader.site.provider_label(offer.provider),
            mark=reader.site.provider_mark(offer.provider),
            rate=offer.rate,
            href=self.links.property(offer.provider, offer.property_id),
            price=price,
            free_cancellation=offer.free_cancellation,
            promises=promises,
            lines=lines,
            facilities=tuple(one.text for one in facilities if one.text not in promises),
            deposit=self._deposit(total) if total else "",
            changes=changes,
            note=note,
            summary=" · ".join(filter(None, (*promises, *lines, *prices, changes, note))),
            hand_over=self._hand_over(offer, hotel, price, promises),
        )

    def _hand_over(
        self, offer: Offer, hotel: str, price: PriceView | None, promises: tuple[str, ...]
    ) -> HandOver:
        site, total = self.reader.site, price.total if price else ""
        provider = site.provider_label(offer.provider)
        template = site.provider(offer.provider).address_template
        go = _("Go to %(provider)s") % {"provider": provider}
        free_cancellation = _("Free cancellation") if offer.free_cancellation else ""
        terms = (f"{total} {_('total')}", price.apart) if price else ()
        facts = (
            hotel,
            self.stay_line,
            offer.rate,
            " · ".join(filter(None, (*terms, free_cancellation, *promises))),
            f"{_('Offered by')} {provider} ({printable(offer.property_id)})",
        )
        values = hand_over.values_of(self.links.search, offer.property_id)
        return HandOver(
            code=offer.provider,
            provider=provider,
            href=template and hand_over.link(template, values),
            label=" · ".join(filter(None, (go, total))),
            facts="\n".join(filter(None, facts)),
            contact=site.contact_email,
        )

    def _price(self, total: StayTotal) -> PriceView:
        reader, before = self.reader, total.before_discount
        return PriceView(
            total=reader.money(total.total),
            apart=self._apart(total) if total.apart or total.unread else "",
            per_night=self._with_amount(_("%(amount)s per night"), total.per_night),
            before=reader.money(before) if before else "",
            discount=formatting.discount(total.discount_percent, reader.numbers) if before else "",
            credit=self._with_amount(_("Earn %(amount)s travel credit"), total.credit),
            own_currency=self._own_currency(total),
            words=self,
            of=total,
        )

    def _with_amount(self, text: str, amount: Money | None) -> str:
        return text % {"amount": self.reader.money(amount)} if amount else ""

    def included(self, total: StayTotal) -> str:
        """One kind of surcharge by its own name, several kinds together as taxes and fees; empty for none."""
        if not total.surcharges:
            return ""
        amounts = (amount.amount for _kind, amount in total.surcharges)
        money = self.reader.money(Money(sum(amounts, Decimal(0)), total.total.currency))
        kinds = {kind.upper() for kind, _amount in total.surcharges}
        if len(kinds) > 1 or kinds <= _TAXES_AND_FEES:
            return _("incl. %(amount)s taxes and fees") % {"amount": money}
        surcharge = self._surcharge(total.surcharges[0][0])
        return _("incl. %(amount)s %(surcharge)s") % {"amount": money, "surcharge": surcharge}

    def _apart(self, total: StayTotal) -> str:
        named = [f"{amount} {surcharge}" for surcharge, amount in self._by_name(total.apart, self._surcharge)]
        surcharges = " + ".join(dict.fromkeys([*named, *map(self._surcharge, total.unread)]))
        return _("plus %(surcharges)s, not in this total") % {"surcharges": surcharges} if surcharges else ""

    def _surcharge(self, kind: str) -> str:
        text = self.reader.label(CodeKind.SURCHARGE, kind) or _("surcharge")
        within_a_line = not self.reader.texts.startswith("de") and text.partition(" ")[0][1:].islower()
        return text[:1].lower() + text[1:] if within_a_line else text

    def _own_currency(self, total: StayTotal) -> str:
        own = total.property_price
        if own is None:
            return ""
        if whole := total.in_property_currency:
            return self._with_amount(_("%(amount)s charged in the hotel's currency"), whole)
        return self._with_amount(_("%(amount)s charged in the hotel's currency, before surcharges"), own)

    def _promises(self, offer: Offer, facilities: tuple[FacilityView, ...]) -> tuple[str, ...]:
        """`Pay later`, `Breakfast included`, `Promotion`: all but the free cancellation."""
        label = self.reader.label
        texts = (
            label(CodeKind.PAYMENT_MODE, offer.payment_mode),
            *(one.text for one in facilities if "BREAKFAST" in one.code),
            label(CodeKind.PROMO_TYPE, offer.promo_type),
        )
        return tuple(dict.fromkeys(filter(None, texts)))

    def _lines(self, total: StayTotal) -> tuple[str, ...]:
        def name(kind: str) -> str:
            return self.reader.label(CodeKind.SURCHARGE, kind) or humanise(_("surcharge"))

        return tuple(f"{surcharge} {amount}" for surcharge, amount in self._by_name(total.surcharges, name))

    def _by_name(self, charged: NamedAmounts, name: Callable[[str], str]) -> Iterator[tuple[str, str]]:
        """Surcharges by name, each once with its amount in each currency."""
        sums: dict[tuple[str, str], Money] = {}
        for kind, amount in charged:
            key = (name(kind), amount.currency)
            sums[key] = sums[key] + amount if key in sums else amount
        return ((surcharge, self.reader.money(amount)) for (surcharge, _currency), amount in sums.items())

    def _note(self, total: StayTotal) -> str:
        currency = total.total.currency
        if currency != self.links.search.currency:
            return _("Priced in %(currency)s, so not compared with the others") % {"currency": currency}
        return "" if total.complete else _("Not the whole price: a surcharge comes on top")

    def _deposit(self, total: StayTotal) -> str:
        deposit = usable_price(total.offer.deposit)
        return self._with_amount(_("Deposit %(amount)s"), deposit and deposit.times(total.factor))
