"""The pages of a shared link: what it shows, then and now; that it is over or can't be opened just now."""

from typing import NamedTuple, Self

from search.compare.side_by_side import MOST_COMPARED, Column, ComparePage
from search.domain.context import SearchContext
from search.domain.money import Money
from search.domain.query import encode_pairs
from search.property.page import PropertyPage
from search.property.price_history import PriceHistory
from search.results.card import CardMaker
from search.results.listings import FoundProperty
from search.results.map_pins import landmarks_of
from search.results.page import PlaceShown
from search.results.toolbar import sort_label
from search.web import formatting
from search.web.formatting import Reader, guests, short_day
from search.web.links import Head, card_anchor, photo_address
from search.web.search_form import Choice
from search.web.translation import gettext as _
from search.web.translation import gettext_lazy, ngettext

from .models import LinkKind, LinkState, Snapshot, total_of
from .price_change import (
    AS_SHARED,
    Now,
    OpenedLink,
    OwnView,
    ThenAndNow,
    Turn,
    described,
    own_filters,
    own_orders,
)


class ThenWords(NamedTuple):
    """Says what became of the properties of a link that was shared on `day`."""

    reader: Reader
    day: str

    @classmethod
    def of(cls, opened: OpenedLink) -> Self:
        reader = Reader.for_search(opened.context)
        return cls(reader, short_day(opened.link.shared_at, reader))

    def line(self, one: ThenAndNow) -> str:
        """`€412.00 when shared on 3 Nov, €398.00 now`."""
        then, now = one.then.total, total_of(one.now.offers) if one.now else None
        parts = {
            "then": self.reader.money(then) if then else _("No price"),
            "day": self.day,
            "now": self.reader.money(now.total) if now else "",
        }
        return _sentence(one.turn) % parts

    def difference(self, one: ThenAndNow) -> str:
        """`€14.00 less`; empty where nothing can be compared."""
        if one.difference is None:
            return ""
        amount = self.reader.money(Money(abs(one.difference.amount), one.difference.currency))
        text = _("%(amount)s less") if one.turn is Turn.CHEAPER else _("%(amount)s more")
        return text % {"amount": amount}


def _sentence(turn: Turn) -> str:
    return {
        Turn.SAME: _("%(then)s, the same as when shared on %(day)s"),
        Turn.CHEAPER: _("%(then)s when shared on %(day)s, %(now)s now"),
        Turn.DEARER: _("%(then)s when shared on %(day)s, %(now)s now"),
        Turn.PRICED: _("No price when shared on %(day)s, %(now)s now"),
        Turn.UNPRICED: _("%(then)s when shared on %(day)s, no price for these dates now"),
        Turn.CURRENCY: _("%(then)s when shared on %(day)s, %(now)s now: another currency, not compared"),
        Turn.INCOMPLETE: _(
            "%(then)s when shared on %(day)s, %(now)s now: "
            "not every surcharge is in these totals, not compared"
        ),
        Turn.RECOUNTED: _(
            "%(then)s when shared on %(day)s, %(now)s now: this site has counted prices differently since, "
            "not compared"
        ),
        Turn.OTHER_OFFER: _("%(then)s when shared on %(day)s; %(now)s now, but for another offer"),
        Turn.OFF_TERMS: _("%(then)s when shared on %(day)s, no longer offered on those terms"),
        Turn.GONE: _("%(then)s when shared on %(day)s, no longer offered for these dates"),
        Turn.HIDDEN: _("No longer shown on this site"),
        Turn.UNKNOWN: _("%(then)s when shared on %(day)s, today's price couldn't be found"),
    }[turn]


class SharedEntry:
    """Parameters of sharing/entry.html: a card, or what the sender saw (None: an admin took it off the site)
    with its picture and the address of its page. `line` says the turn of its price in a sentence."""

    def __init__(
        self,
        one: ThenAndNow,
        words: ThenWords,
        maker: CardMaker,
        position: int = 0,
        history: PriceHistory | None = None,
    ) -> None:
        then, page = one.then, maker.links.property(one.then.provider, one.then.property_id)
        self.then = None if one.turn is Turn.HIDDEN else then
        self.card = maker.card(one.now, position) if one.now else None
        self.anchor = card_anchor(then.key)
        self.picture = photo_address(then.picture) if self.then else ""
        self.href = page if one.turn in (Turn.UNKNOWN, Turn.OFF_TERMS) else ""
        self.turn = one.turn.value
        self.line = words.line(one)
        self.difference = words.difference(one)
        self.history = history


class SharedNote:
    """Parameters of sharing/note.html: who picked what (empty where the title says it), for which stay.
    `now_note` says that the prices are not of now, `reply` is the address of a mail; both may be empty."""

    def __init__(self, opened: OpenedLink, now: Now, title: str) -> None:
        """`title` is for a link without one of the sender's."""
        link, reader, picked = opened.link, Reader.for_search(opened.context), picked_words(opened)
        self.paragraphs = tuple(filter(None, map(str.strip, link.note.split("\n\n"))))
        self.now_note = _now_note(opened, now, reader)
        self.from_line = _from_line(opened, now, reader)
        days = formatting.stay_days(opened.context.search.dates, reader.texts)
        title = title.replace(days, formatting.in_whole_parts(days))
        self.title = link.title or picked or title
        self.picked = picked if link.title else ""
        self.stay = title if link.title or picked else ""
        self.reply = _reply(opened, link.title or title)


class OwnViewBar:
    """Parameters of sharing/own_view.html: the recipient's own order and filters, and their market."""

    def __init__(self, opened: OpenedLink, view: OwnView, shown: int) -> None:
        site = opened.context.site
        self.action = opened.address("shared")
        self.market = opened.market
        self.view = view
        self.sorts = [Choice(one.value, sort_label(one), one is view.sort) for one in own_orders(site)]
        self.filters = own_filters(site)
        self.shown, self.count = shown, len(opened.link.shown)


class SharedPage:
    """Parameters of sharing/shared.html. `compare` is the address of the comparison, with the parameters
    `chosen`, `to_results` that of all results; both may be empty. `ticks`: the reader chooses what is
    compared."""

    def __init__(self, opened: OpenedLink, now: Now, view: OwnView) -> None:
        context = opened.context
        maker, words = CardMaker(context, opened.link.page), ThenWords.of(opened)
        shown, seen = view.of(now.entries, context), now.histories(context)
        there = {one.then.key: one.now for one in shown if one.now}
        self.head = shared_head(opened, now.entries)
        self.note = SharedNote(opened, now, self.head.title)
        self.entries = [
            SharedEntry(one, words, maker, position, seen.get(one.key)) for position, one in enumerate(shown)
        ]
        many = len(now.entries) > MOST_COMPARED
        self.bar = OwnViewBar(opened, view, len(shown)) if many or view != AS_SHARED else None
        self.landmarks = landmarks_of([*there.values()], context, maker.reader)
        can_repeat = opened.can_search and context.search.place
        self.to_results = maker.links.results(1) if can_repeat else ""
        self._offer_comparison(opened, view, [*there])

    def _offer_comparison(self, opened: OpenedLink, view: OwnView, keys: list[str]) -> None:
        is_offered = len(keys) > 1 and opened.context.site.compare_enabled
        self.compare = opened.address("shared-compare") if is_offered else ""
        self.ticks = is_offered and len(keys) > MOST_COMPARED
        marks = [] if self.ticks else [("stay", card_anchor(key)) for key in keys]
        self.chosen = [*opened.chosen(view), *marks]


class SharedPropertyPage:
    """Parameters of sharing/shared_property.html: a property page under the sender's note."""

    def __init__(self, opened: OpenedLink, now: Now, hotel: FoundProperty) -> None:
        maker = CardMaker(opened.context, opened.link.page)
        self.page = PropertyPage(opened.context, hotel, opened.link.page)
        self.page.head, self.page.back = shared_head(opened, now.entries), ""
        self.note = SharedNote(opened, now, self.page.head.title)
        self.entry = SharedEntry(now.entries[0], ThenWords.of(opened), maker)


def side_by_side(opened: OpenedLink, now: Now, chosen: tuple[ThenAndNow, ...], view: OwnView) -> ComparePage:
    """The comparison of these properties of a link, all of which are there now."""
    context = opened.context
    maker, words = CardMaker(context, opened.link.page), ThenWords.of(opened)
    columns = [
        Column(now, maker.card(now, 0), details, words.line(one))
        for one in chosen
        if one.now
        for now, details in [described(one.then, one.now, context)]
    ]
    back = (opened.address("shared", view), _("Back to what was shared"))
    page = ComparePage(context, columns, back, [_now_note(opened, now, words.reader)])
    page.head = shared_head(opened, chosen)
    return page


def shared_head(opened: OpenedLink, entries: tuple[ThenAndNow, ...]) -> Head:
    """What a preview may say: what, when and a picture; no price, no note, no blocked property."""
    shown = tuple(one.then for one in entries if one.turn is not Turn.HIDDEN)
    picture = next(filter(None, (photo_address(one.picture) for one in shown)), "")
    search, reader = opened.context.search, Reader.for_search(opened.context)
    return Head(
        title=preview_title(opened.link.kind, shown, opened.context, reader),
        description=reader.stay_line(search),
        robots="noindex, nofollow",
        picture=f"{opened.origin}{picture}" if picture.startswith("/") else picture,
    )


def preview_title(kind: str, shown: tuple[Snapshot, ...], context: SearchContext, reader: Reader) -> str:
    """`12 hotels in Porto, 3-6 Mar 2027, 2 guests`, or the name of the one property."""
    search = context.search
    what = search.place
    if kind == LinkKind.PROPERTY and shown:
        what = ", ".join(filter(None, (shown[0].shown_name, shown[0].city)))
    elif shown and what:
        where = PlaceShown(context, [(one.country, one.coordinates) for one in shown], reader)
        text = ngettext("%(count)s hotel in %(place)s", "%(count)s hotels in %(place)s", len(shown))
        what = text % {"count": len(shown), "place": where.sold if where.instead else where.title}
    days = formatting.stay_days(search.dates, reader.texts)
    return ", ".join(filter(None, (formatting.before_days(what), days, guests(search.guests))))


def _from_line(opened: OpenedLink, now: Now, reader: Reader) -> str:
    """`Shared by Anna on 3 Nov. Works until 10 Nov. Prices checked 2 minutes ago.`"""
    day, last = (short_day(when, reader) for when in (opened.link.shared_at, opened.link.expires))
    text = _("Shared on %(day)s. Works until %(last)s.")
    if opened.sender:
        text = _("Shared by %(sender)s on %(day)s. Works until %(last)s.")
    from_line = formatting.sentences(text, {"day": day, "last": last, "sender": opened.sender})
    if now.fetched_at is None or now.stale:
        return from_line
    checked = _("Prices checked %(ago)s.") % {"ago": reader.ago(now.fetched_at)}
    return f"{from_line} {checked}"


def picked_words(opened: OpenedLink) -> str:
    """`Anna at Sun Travel picked 3 hotels for you`; empty for a page of results."""
    link, sender, count = opened.link, opened.context.site.site_name, len(opened.link.shown)
    if link.kind == LinkKind.RESULTS or not count:
        return ""
    if opened.sender:
        sender = _("%(name)s at %(site)s") % {"name": opened.sender, "site": sender}
    text = ngettext(
        "%(sender)s picked %(count)s hotel for you", "%(sender)s picked %(count)s hotels for you", count
    )
    return text % {"sender": sender, "count": count}


def _reply(opened: OpenedLink, subject: str) -> str:
    """The address of a mail to the sender, else to the site; empty where neither has one."""
    owner = opened.link.owner if opened.sender else None
    to = (owner and owner.email) or opened.context.site.contact_email
    body = f"{opened.origin}{opened.address('shared')}"
    return f"mailto:{to}?{encode_pairs([('subject', subject), ('body', body)])}" if to else ""


def _now_note(opened: OpenedLink, now: Now, reader: Reader) -> str:
    shared_at = opened.link.shared_at
    then = {"day": short_day(shared_at, reader)}
    if not opened.can_search:
        text = _("This search can't be repeated here any more. You see what was shared on %(day)s.")
        return formatting.sentences(text, then)
    if now.property:
        return ""  # its page says how old its price is
    if now.fetched_at is None:
        text = _(
            "Today's prices are not available right now. You see what was shared on %(day)s; "
            "try again in a minute."
        )
        return "" if now.complete else text % then
    return reader.stale_note(now.fetched_at) if now.stale else ""


Message = tuple[object, object]


def message_page(message: Message) -> dict[str, object]:
    """Parameters of sharing/ended.html and sharing/wait.html."""
    title, advice = map(str, message)
    return {"head": Head(title=title, robots="noindex, nofollow"), "advice": advice}


TOO_MANY_GUESSES = (
    gettext_lazy("Please wait a moment"),
    gettext_lazy(
        "Too many links that don't exist were tried from your network address. "
        "Try yours again in a quarter of an hour."
    ),
)
NO_DATABASE = (
    gettext_lazy("Links can't be opened right now"),
    gettext_lazy("The fault is ours. Please try your link again in a minute."),
)
ENDED = {
    LinkState.REVOKED: (
        gettext_lazy("This link has been withdrawn"),
        gettext_lazy("Whoever sent it to you has ended it. Ask them for a new one, or search for yourself."),
    ),
    LinkState.PAST: (
        gettext_lazy("The dates of this stay have passed"),
        gettext_lazy("Choose other days: the rest of the search is filled in."),
    ),
    LinkState.EXPIRED: (
        gettext_lazy("This link has expired"),
        gettext_lazy("Prices change, so shared links end after a while. The same search is filled in below."),
    ),
}
