"""The way from an offer to whoever sells it: a link to the provider, else its facts to copy or to mail us."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from urllib.parse import quote

import msgspec

from search.domain import hand_over
from search.domain.offers import Offer
from search.domain.query import StaySearch
from search.domain.text import printable
from search.web.formatting import Reader
from search.web.translation import gettext as _


class HandOver(msgspec.Struct, frozen=True, dict=True):
    """Parameters of components/hand_over.html. `href` leads to the provider, empty where no admin said how;
    `code` is the provider's, for counting. `facts` and `mail` are made only where they are shown, of what
    `lines` gives, the hotel first."""

    code: str
    href: str
    label: str
    lines: Callable[[], tuple[str, ...]]
    contact: str

    @cached_property
    def facts(self) -> str:
        """What somebody needs to book this elsewhere, in lines."""
        return "\n".join(filter(None, self.lines()))

    @cached_property
    def mail(self) -> str:
        """A mail to the site's contact address with the facts filled in; empty where there is none."""
        if not self.contact:
            return ""
        subject = quote(_("Please book: %(hotel)s") % {"hotel": self.lines()[0]}, safe="", errors="replace")
        body = quote(self.facts.replace("\n", "\r\n"), safe="", errors="replace")
        return f"mailto:{quote(self.contact, safe='@')}?subject={subject}&body={body}"


@dataclass(frozen=True)
class HandOverWords:
    """Makes the hand-overs of one page."""

    reader: Reader
    search: StaySearch

    @cached_property
    def _stay(self) -> str:
        return self.reader.stay_line(self.search)

    def of(self, offer: Offer, hotel: str, total: str, terms: tuple[str, ...]) -> HandOver:
        """`hotel` is its name and address; `total` is empty where the provider named no price."""
        site, provider = self.reader.site, self.reader.site.provider_label(offer.provider)
        template = site.address_template(offer.provider)
        go = _("Go to %(provider)s") % {"provider": provider}
        return HandOver(
            code=offer.provider,
            href=template and hand_over.link(template, hand_over.values_of(self.search, offer.property_id)),
            label=" · ".join(filter(None, (go, total))),
            lines=partial(self._lines, offer, hotel, total, terms),
            contact=site.contact_email,
        )

    def _lines(self, offer: Offer, hotel: str, total: str, terms: tuple[str, ...]) -> tuple[str, ...]:
        provider = self.reader.site.provider_label(offer.provider)
        price = f"{total} {_('total')}" if total else ""
        return (
            hotel,
            self._stay,
            offer.rate,
            " · ".join(filter(None, (price, *terms))),
            f"{_('Offered by')} {provider} ({printable(offer.property_id)})",
        )
