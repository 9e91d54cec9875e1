"""The gateway panel, and how often visitors went on to a provider."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, cast

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import modelform_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.utils.timezone import localdate
from django.views.decorators.http import require_http_methods

from search.domain import process
from search.domain.site_settings import SETTINGS, Site
from search.domain.words import CodeKind, humanise, known_code
from search.gateway import factory
from search.gateway.transport import TransportStatus
from search.monitoring import probe
from search.monitoring.hand_overs import HandOverCount, by_provider
from search.monitoring.metrics import KEPT_DAYS, Observer, Report, cache_usage, merged, reports
from search.monitoring.status import CallCheck, check_calls
from search.property.observed import Lasting, lasting
from search.sharing.csv import download
from search.sharing.models import SharedLink
from search.site_settings import store
from search.site_settings.models import CODE_KINDS, CodeLabel, SiteSettings

from .forms import MeaningfulForm, PlaceInput, duration_words
from .history import ModelAdmin, RecordedAdmin, forbidden

PLACE = "Barcelona"
STATES = {
    "closed": ("working", "good"),
    "probing": ("trying again", "caution"),
    "open": ("resting after failures", "bad"),
}
KEY_REFUSED = ("key refused", "bad")
LAST_FAILED = ("last call failed", "caution")
# An answer like any other.
GONE = {"details": "request 404"}
# What the table of data quality counts, and of how many; a count of nothing else is shown as it is.
QUALITY = (
    ("Hotels", "properties", ""),
    ("No picture", "without_picture", "properties"),
    ("No coordinates", "without_coordinates", "properties"),
    ("No rating", "without_rating", "properties"),
    ("Offers", "offers", ""),
    ("No price", "without_price", "offers"),
    ("Discounts that don't add up", "odd_discounts", "discounts"),
)


CodeLabelForm = modelform_factory(CodeLabel, MeaningfulForm, fields=("kind", "code", "label"))


@require_http_methods(["GET", "HEAD", "POST"])
def gateway_view(request: HttpRequest) -> HttpResponse:
    """The panel. POST `check` makes the three calls, `probe` starts the probe, `label:<kind>:<code>` gives a
    code its words."""
    if not any(request.user.has_perm(f"search.{may}_sitesettings") for may in ("view", "change")):
        raise PermissionDenied
    checks: list[CallCheck] = []
    place = request.POST.get("place", "").strip()[:120]
    if "check" in request.POST:
        checks = check_calls(place or PLACE, store.current(), localdate())
    elif request.method == "POST":
        if "probe" in request.POST:
            _start_probe(request, place)
        else:
            _save_labels(request)
        return redirect("admin:search_gateway")
    context = {
        **admin.site.each_context(request),
        **_panel_context(),
        **_probe_context(),
        "title": "Gateway",
        "check_place": PlaceInput({"id": "check-place", "maxlength": "120"}).render("place", place or PLACE),
        "probe_place": PlaceInput({"id": "probe-place", "maxlength": "120"}).render("place", ""),
        "media": PlaceInput().media,
        "checks": checks,
    }
    return TemplateResponse(request, "admin/search/gateway.html", context)


def _panel_context() -> dict[str, Any]:
    days, site, key = reports(KEPT_DAYS), store.current(), settings.GATEWAY_API_KEY
    today, week = days[-1], merged(days)
    transport, cache = factory.status(), cache_usage()
    return {
        "sandbox": factory.uses_sandbox(),
        "address": settings.GATEWAY_BASE_URL,
        # Enough to notice a key that was cut off.
        "key": f"{'•' * min(len(key), 12)} ({len(key)})" if key else "",
        "weather": settings.SANDBOX_WEATHER,
        "shared": settings.CACHE_IS_SHARED,
        "in_flight": transport.in_flight,
        "today": today,
        "cache": cache,
        "cache_most": settings.CACHE_MAX_BYTES,
        "error_rate": _rate(today.error_rate),
        "hit_rate": _rate(today.hit_rate),
        "oldest_copy": cache and datetime.fromtimestamp(cache["oldest_at"], UTC),
        "states": list(_states(transport, process.part(Observer).latest)),
        "calls": [(call, datetime.fromtimestamp(call.at, UTC)) for call in reversed(today.calls[-20:])],
        "unknown": [*unknown_codes(week.codes, site)],
        "quality_headings": [heading for heading, _part, _whole in QUALITY],
        "quality": [
            (site.provider_label(code), [_cell(quality, part, whole) for _heading, part, whole in QUALITY])
            for code, quality in sorted(week.quality.items())
        ],
        "charts": _charts(days),
        "lasting": [
            (site.provider_label(one.provider) if one.provider else "", one, *_lasting_words(one))
            for one in lasting()
        ],
        "often_changed_percent": site.often_changed_percent,
        "fresh_now": duration_words(site.search_fresh_seconds),
    }


def _probe_context() -> dict[str, Any]:
    findings = probe.findings()
    decided = probe.suggestions(findings)
    settings_page = cast(RecordedAdmin, admin.site.get_model_admin(SiteSettings))
    return {
        "most_calls": probe.MOST_CALLS,
        "probing": probe.is_running(),
        "findings": findings,
        "decided": decided,
        "suggestions": [
            (one, SETTINGS[one.name].label, settings_page.said(one))
            for one in store.changes_by(decided, store.current())
        ],
    }


def _lasting_words(one: Lasting) -> tuple[str, str]:
    """How long a total lasts and the fresh time that follows; empty while too little was seen."""
    if one.lasts is None or one.fresh_seconds is None:
        return "", ""
    hours = max(1, round(one.lasts / timedelta(hours=1)))
    lasts = f"{round(hours / 24)} days" if hours >= 48 else f"{hours} hour{pluralize(hours)}"
    return lasts, duration_words(one.fresh_seconds)


def _start_probe(request: HttpRequest, place: str) -> None:
    """Start the probe behind the page, unless one is under way."""
    if not request.user.has_perm("search.change_sitesettings"):
        raise PermissionDenied
    level, text = {
        True: (messages.SUCCESS, "The probe has begun. Its findings stand here in a minute."),
        False: (messages.WARNING, "A probe is under way already."),
        None: (messages.ERROR, "No probe begins now: its cache is away, or this process has no thread left."),
    }[probe.start(place)]
    messages.add_message(request, level, text)


def bar_chart(title: str, values: Mapping[date, int], unit: str = "") -> dict[str, Any]:
    """What bar_chart.html draws, in words for those who can't see it. Shares, with `unit` %, have no sum."""
    highest = max(values, key=lambda day: values[day])
    top = values[highest]
    return {
        "title": title,
        "sum": "" if unit else sum(values.values()),
        "words": f"at most {top}{unit} on {highest:%d %b}" if top else "nothing yet",
        "top": top,
        "unit": unit,
        "days": [*values.items()],
    }


def _charts(reports: Sequence[Report]) -> list[dict[str, Any]]:
    """The last seven days."""
    days = [report.day for report in reports]
    links = SharedLink.objects.filter(shared_at__date__gte=days[0])
    shared = Counter(links.values_list("shared_at__date", flat=True))
    handed = by_provider(days[-1], len(days)).values()
    return [
        bar_chart("Calls", {report.day: report.made for report in reports}),
        bar_chart("Failed calls", {report.day: report.failed for report in reports}),
        bar_chart("From the cache", {one.day: round(100 * (one.hit_rate or 0)) for one in reports}, "%"),
        bar_chart("Links shared", {day: shared[day] for day in days}),
        bar_chart("Hand-overs", {day: sum(one[day] for one in handed) for day in days}),
    ]


def unknown_codes(
    seen: Mapping[str, Mapping[str, int]], site: Site
) -> Iterator[tuple[str, str, str, int, str]]:
    """Kind and its label, code, times and what visitors read, for each code without words of ours or of an
    admin, the most frequent of a kind first. Kinds of a later version are left out."""
    for kind in map(CodeKind, sorted(seen.keys() & CODE_KINDS.keys())):
        for code, times in sorted(seen[kind].items(), key=lambda one: (-one[1], one[0])):
            if not known_code(kind, code) and site.code_label(kind, code) is None:
                yield kind, CODE_KINDS[kind], code, times, humanise(code)


def _states(status: TransportStatus, latest: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """How each call of the interface stands: its name, words, and good, caution or bad."""
    for endpoint, state in status.breakers.items():
        failed = latest.get(endpoint, "ok") not in ("ok", GONE.get(endpoint))
        # To its breaker refusals, redirects and other documents are answers.
        stands = LAST_FAILED if state == "closed" and failed else STATES[state]
        yield (endpoint, *(KEY_REFUSED if endpoint in status.refused else stands))
    if status.paused:
        yield ("all", "pausing, asked to slow down", "caution")


def _save_labels(request: HttpRequest) -> None:
    model_admin = admin.site.get_model_admin(CodeLabel)
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    saved = 0
    for name, words in request.POST.items():
        prefix, kind, code = (*name.split(":", 2), "", "")[:3]
        if prefix != "label" or not str(words).strip():
            continue
        form = CodeLabelForm({"kind": kind, "code": code, "label": words})
        if form.is_valid():
            model_admin.log_addition(request, form.save(), [{"added": {}}])
            saved += 1
        else:
            reasons = (str(reason) for of_field in form.errors.values() for reason in of_field)
            messages.error(request, f"{code}: {' '.join(reasons)}")
    if saved:
        messages.success(request, f"{saved} code{pluralize(saved, ' has,s have')} words now.")


def _cell(quality: Mapping[str, int], part: str, whole: str) -> str:
    """A count, or its share of another one that isn't 0."""
    count, of = quality.get(part, 0), quality.get(whole, 0)
    if not whole:
        return str(count)
    return _rate(count / of) if of else ""


def _rate(share: float | None) -> str:
    """A share in whole per cents, a small one as <1%."""
    if share is None:
        return ""
    return "<1%" if 0 < share < 0.01 else f"{share * 100:.0f}%"


DAYS = 30


@admin.register(HandOverCount)
class HandOverAdmin(ModelAdmin):
    """Counts for colleagues who keep the providers; read-only."""

    has_add_permission = has_change_permission = has_delete_permission = forbidden

    def has_view_permission(self, request: HttpRequest, obj: HandOverCount | None = None) -> bool:
        return bool(request.user.has_perm("search.view_provider"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if request.GET.get("format") == "csv" and self.has_view_permission(request):
            return _table()
        site, counts = store.current(), by_provider(localdate(), DAYS)
        codes = sorted(counts, key=site.provider_order)
        charts = [bar_chart(site.provider_label(code), counts[code]) for code in codes]
        return super().changelist_view(request, {"title": f"Hand-overs of {DAYS} days", "charts": charts})


def _table() -> HttpResponse:
    """Every count there is: day, provider's code and label, hand-overs."""
    site = store.current()
    rows = (
        [row.day.isoformat(), row.provider, site.provider_label(row.provider), row.count]
        for row in HandOverCount.objects.all()
    )
    return download("hand-overs", ["day", "provider", "label", "hand-overs"], rows)
