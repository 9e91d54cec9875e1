"""The pages of a shared link: what it shows, then and now; that it is over or can't be opened just now."""

import tomllib
from pathlib import Path

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
from search.web.translation import ngettext

from .models import LinkKind, Snapshot, total_of
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

WORDS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


def words(table: str, code: str) -> str:
    """The words of a table in the language of the page."""
    return _(WORDS[table][code])


def message_page(code: str) -> dict[str, object]:
    """Parameters of sharing/ended.html and sharing/wait.html."""
    head = Head(title=words("title", code), robots="noindex, nofollow")
    return {"head": head, "advice": words("advice", code)}


def change_line(one: ThenAndNow, opened: OpenedLink) -> str:
    """`€412.00 when shared on 3 Nov, €398.00 now`."""
    then, now, reader = one.then.total, total_of(one.offers), opened.reader
    return words("turn", one.turn) % {
        "then": reader.money(then) if then else _("No price"),
        "day": opened.shared_on,
        "now": reader.money(now.total) if now else "",
    }


class SharedEntry:
    """Parameters of sharing/entry.html: a card, or what the sender saw (None: an admin took it off the site)
    with its picture and the address of its page. `line` says the turn of its price in a sentence,
    `difference` is `€14.00 less`, empty where nothing can be compared."""

    def __init__(
        self,
        one: ThenAndNow,
        opened: OpenedLink,
        maker: CardMaker,
        position: int = 0,
        history: PriceHistory | None = None,
    ) -> None:
        then = one.then
        page = maker.links.property(then.provider, then.property_id, then.apart)
        self.then = None if one.turn is Turn.HIDDEN else then
        self.card = maker.card(one.now, position) if one.now else None
        self.anchor = card_anchor(then.key)
        self.picture = photo_address(then.picture) if self.then else ""
        self.href = page if one.turn in (Turn.UNKNOWN, Turn.OFF_TERMS) else ""
        self.turn = one.turn.value
        self.line = change_line(one, opened)
        self.difference = ""
        if one.difference:
            amount = opened.reader.money(Money(abs(one.difference.amount), one.difference.currency))
            text = _("%(amount)s less") if one.turn is Turn.CHEAPER else _("%(amount)s more")
            self.difference = text % {"amount": amount}
        self.history = history


class SharedNote:
    """Parameters of sharing/note.html: who picked what (empty where the title says it), for which stay.
    `now_note` says that the prices are not of now, `reply` is the address of a mail; both may be empty."""

    def __init__(self, opened: OpenedLink, now: Now, title: str) -> None:
        """`title` is for a link without one of the sender's."""
        link, picked = opened.link, picked_words(opened)
        self.paragraphs = tuple(filter(None, map(str.strip, link.note.split("\n\n"))))
        self.now_note = now_note(opened, now)
        self.from_line = _from_line(opened, now)
        days = formatting.stay_days(opened.context.search.dates, opened.reader.texts)
        title = title.replace(days, formatting.in_whole_parts(days))
        self.title = link.title or picked or title
        self.picked = picked if link.title else ""
        self.stay = title if link.title or picked else ""
        self.reply = _reply(opened, link.title or title)


class SharedPage:
    """Parameters of sharing/shared.html. `to_results` is the address of all results, may be empty; `compare`:
    hotels can be compared, with the parameters `chosen`. `ticks`: the reader chooses which. `sorts` and
    `filters` are for the reader's own view, offered where there are `many`."""

    def __init__(self, opened: OpenedLink, now: Now, view: OwnView) -> None:
        context, site = opened.context, opened.context.site
        maker = CardMaker(context, opened.link.page)
        shown, histories = view.of(now.entries, context), now.histories(context)
        there = [one.now for one in shown if one.now]
        self.opened, self.view = opened, view
        self.head = shared_head(opened, now.entries)
        self.note = SharedNote(opened, now, self.head.title)
        self.entries = [
            SharedEntry(one, opened, maker, position, histories.get(one.key))
            for position, one in enumerate(shown)
        ]
        self.many = len(now.entries) > MOST_COMPARED or view != AS_SHARED
        self.filters = own_filters(site)
        self.landmarks = landmarks_of(there, context, opened.reader)
        can_repeat = opened.can_search and context.search.place
        self.to_results = maker.links.results(1) if can_repeat else ""
        self.compare = len(there) > 1 and site.compare_enabled
        self.ticks = self.compare and len(there) > MOST_COMPARED

    @property
    def chosen(self) -> list[tuple[str, str]]:
        marks = [("stay", one.anchor) for one in self.entries if one.card and not self.ticks]
        return [*self.opened.chosen(self.view), *marks]

    @property
    def sorts(self) -> list[Choice]:
        orders = own_orders(self.opened.context.site)
        return [Choice(one.value, sort_label(one), one is self.view.sort) for one in orders]


class SharedPropertyPage:
    """Parameters of sharing/shared_property.html: a property page under the sender's note."""

    def __init__(self, opened: OpenedLink, now: Now, hotel: FoundProperty) -> None:
        self.page = PropertyPage(opened.context, hotel, opened.link.page)
        self.page.head, self.page.back = shared_head(opened, now.entries), ""
        self.note = SharedNote(opened, now, self.page.head.title)
        maker = CardMaker(opened.context, opened.link.page)
        self.entries = [SharedEntry(one, opened, maker) for one in now.entries]


def side_by_side(opened: OpenedLink, now: Now, chosen: tuple[ThenAndNow, ...], view: OwnView) -> ComparePage:
    """The comparison of these properties of a link, all of which are there now."""
    context = opened.context
    maker = CardMaker(context, opened.link.page)
    columns = [
        Column(now, maker.card(now), details, change_line(one, opened))
        for one in chosen
        if one.now
        for now, details in [described(one.then, one.now, context)]
    ]
    back = (opened.address("shared", view), _("Back to what was shared"))
    page = ComparePage(context, columns, back, [now_note(opened, now)])
    page.head = shared_head(opened, chosen)
    return page


def shared_head(opened: OpenedLink, entries: tuple[ThenAndNow, ...]) -> Head:
    """What a preview may say: what, when and a picture; no price, no note, no blocked property."""
    shown = tuple(one.then for one in entries if one.turn is not Turn.HIDDEN)
    picture = next(filter(None, (photo_address(one.picture) for one in shown)), "")
    return Head(
        title=preview_title(opened.link.kind, shown, opened.context, opened.reader),
        description=opened.reader.stay_line(opened.context.search),
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


def _from_line(opened: OpenedLink, now: Now) -> str:
    """`Shared by Anna on 3 Nov. Works until 10 Nov. Prices checked 2 minutes ago.`"""
    text = _("Shared on %(day)s. Works until %(last)s.")
    if opened.sender:
        text = _("Shared by %(sender)s on %(day)s. Works until %(last)s.")
    last = short_day(opened.link.expires, opened.reader)
    from_line = formatting.sentences(text, {"day": opened.shared_on, "last": last, "sender": opened.sender})
    if now.fetched_at is None or now.stale:
        return from_line
    checked = _("Prices checked %(ago)s.") % {"ago": opened.reader.ago(now.fetched_at)}
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


def now_note(opened: OpenedLink, now: Now) -> str:
    """Why the prices are not those of now; empty where they are, or the property's page says it."""
    then = {"day": opened.shared_on}
    if not opened.can_search:
        text = _("This search can't be repeated here any more. You see what was shared on %(day)s.")
        return formatting.sentences(text, then)
    if now.property:
        return ""
    if now.fetched_at is None and any(one.turn is Turn.UNKNOWN for one in now.entries):
        text = _(
            "Today's prices are not available right now. You see what was shared on %(day)s; "
            "try again in a minute."
        )
        return text % then
    return opened.reader.stale_note(now.fetched_at) if now.fetched_at and now.stale else ""
