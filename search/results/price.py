"""The price block and the rows of offers: one number everywhere, the total of the stay."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from search.domain.money import Money
from search.domain.offers import Offer, Price, PricedOffer, StayTotal
from search.domain.query import StaySearch
from search.domain.site_settings import CodeKind
from search.web import formatting
from search.web.formatting import Reader, guests, nights
from search.web.links import Links
from search.web.translation import gettext as _

_TAXES_AND_FEES = {"TAX_AND_FEES", ""}


@dataclass(frozen=True, slots=True)
class PriceView:
    """One total in words. Empty strings are lines that don't apply.

    `notes` are lines: for how many nights and guests, what is included, what that is per night.
    `apart` is a surcharge in another currency: it stands beside the total, which is then not complete.
    """

    total: str
    notes: str
    apart: str
    per_night: str
    before: str
    discount: str
    credit: str
    own_currency: str
    implied_rate: str


@dataclass(frozen=True, slots=True)
class OfferView:
    """One provider's offer. `price` is None when the provider named no usable price.

    `note` says why the offer stands after the comparable ones. `promises` are what it promises beyond the
    room, `lines` the surcharges in its total by kind, `summary` all of that in one line. `shown` marks the
    provider whose page this is.
    """

    provider: str
    rate: str
    href: str
    price: PriceView | None
    free_cancellation: bool
    promises: tuple[str, ...]
    lines: tuple[str, ...]
    facilities: tuple[str, ...]
    deposit: str
    note: str
    summary: str
    shown: bool = False


@dataclass(frozen=True)
class PriceWords:
    """Makes prices of one page: the texts that are the same in every block are made once."""

    reader: Reader
    links: Links
    currency: str
    basis: str
    incl: str
    incl_one_kind: str
    per_night: str
    earn: str
    charged: str
    foreign: str
    before: str

    @classmethod
    def of(cls, reader: Reader, links: Links) -> PriceWords:
        search: StaySearch = links.search
        return cls(
            reader=reader,
            links=links,
            currency=search.currency,
            basis=f"{nights(search.dates.nights)}, {guests(search.guests)}",
            incl=_("incl. %(amount)s taxes and fees"),
            incl_one_kind=_("incl. %(amount)s %(surcharge)s"),
            per_night=_("%(amount)s per night"),
            earn=_("Earn %(amount)s travel credit"),
            charged=_("%(amount)s charged in the property's currency"),
            before=_("before discount"),
            foreign=_("Priced in %(currency)s, so not compared with the others"),
        )

    def price(self, total: StayTotal) -> PriceView:
        money = self.reader.money
        beside = [f"{money(amount)} {self._surcharge(kind)}" for kind, amount in total.apart]
        apart = " + ".join([*beside, *map(self._surcharge, total.unread)])
        own = total.in_property_currency
        included = self._included(total) if total.surcharges else ""
        per_night = self.per_night % {"amount": money(total.per_night)}
        return PriceView(
            total=money(total.total),
            notes="\n".join(filter(None, (self.basis, included, per_night))),
            apart=_("plus %(surcharges)s, not in this total") % {"surcharges": apart} if apart else "",
            per_night=per_night,
            before=money(total.before_discount) if total.before_discount else "",
            discount=self._discount(total),
            credit=self.earn % {"amount": money(total.credit)} if total.credit else "",
            own_currency=self.charged % {"amount": money(own)} if own else "",
            implied_rate=self._implied_rate(total) if own else "",
        )

    def offer(self, priced: PricedOffer, shown: tuple[str, str] | None = None) -> OfferView:
        offer, reader = priced.offer, self.reader
        facilities = (reader.facility(one, where=True) for one in offer.facilities)
        price = self.price(priced.total) if priced.total else None
        promises = self.promises(offer)
        lines = self._lines(priced.total) if priced.total else ()
        note = self._note(priced.total) if priced.total else ""
        return OfferView(
            provider=reader.site.provider_label(offer.provider),
            rate=offer.rate,
            href=self.links.property(offer.provider, offer.property_id),
            price=price,
            free_cancellation=offer.free_cancellation,
            promises=promises,
            lines=lines,
            facilities=tuple(dict.fromkeys(text for text in facilities if text)),
            deposit=self._deposit(offer.deposit),
            note=note,
            summary=" · ".join(filter(None, (*promises, *lines, *self._extras(price), note))),
            shown=shown == (offer.provider, offer.property_id),
        )

    def _included(self, total: StayTotal) -> str:
        """One kind of surcharge by its own name, several kinds together as taxes and fees."""
        amount = self.reader.money(_sum(total.surcharges))
        kinds = {kind.upper() for kind, _amount in total.surcharges}
        if len(kinds) > 1 or kinds <= _TAXES_AND_FEES:
            return self.incl % {"amount": amount}
        return self.incl_one_kind % {"amount": amount, "surcharge": self._surcharge(total.surcharges[0][0])}

    def _discount(self, total: StayTotal) -> str:
        numbers = self.reader.numbers
        return formatting.discount(total.discount_percent, numbers) if total.before_discount else ""

    def _extras(self, price: PriceView | None) -> tuple[str, ...]:
        if price is None:
            return ()
        before = f"{price.before} {price.discount} {self.before}" if price.before else ""
        return (before, price.credit, price.own_currency)

    def promises(self, offer: Offer) -> tuple[str, ...]:
        """`Pay later`, `Breakfast included`, `Promotion`: in words, without the free cancellation."""
        label = self.reader.label
        found = [label(CodeKind.PAYMENT_MODE, offer.payment_mode)]
        found += [
            label(CodeKind.FACILITY, one.type) for one in offer.facilities if "BREAKFAST" in one.type.upper()
        ]
        found.append(label(CodeKind.PROMO_TYPE, offer.promo_type))
        return tuple(dict.fromkeys(text for text in found if text))

    def _lines(self, total: StayTotal) -> tuple[str, ...]:
        label, money = self.reader.label, self.reader.money
        return tuple(
            f"{label(CodeKind.SURCHARGE, kind)} {money(amount)}" for kind, amount in total.surcharges
        )

    def _surcharge(self, kind: str) -> str:
        text = self.reader.label(CodeKind.SURCHARGE, kind) or _("surcharge")
        return (
            text[:1].lower() + text[1:]
            if not self.reader.texts.startswith("de") and text[1:2].islower()
            else text
        )

    def _note(self, total: StayTotal) -> str:
        if total.total.currency != self.currency:
            return self.foreign % {"currency": total.total.currency}
        return "" if total.complete else _("Not the whole price: a surcharge comes on top")

    def _deposit(self, deposit: Price | None) -> str:
        amount = (deposit.customer or deposit.property) if deposit else None
        if amount is None or amount.amount <= 0:
            return ""
        return _("Deposit %(amount)s") % {"amount": self.reader.money(amount)}

    def _implied_rate(self, total: StayTotal) -> str:
        """The rate between the two prices the provider names; an approximation to three digits."""
        own = total.in_property_currency
        if own is None or total.price.amount <= 0 or own.amount <= 0:
            return ""
        rate = own.amount / total.price.amount
        rounded = rate.quantize(Decimal(1).scaleb(rate.adjusted() - 3))
        return f"1 {total.total.currency} ≈ {self.reader.number(rounded)} {own.currency}"


def _sum(surcharges: tuple[tuple[str, Money], ...]) -> Money:
    amounts = [amount for _kind, amount in surcharges]
    return Money(sum((one.amount for one in amounts), Decimal(0)), amounts[0].currency)
