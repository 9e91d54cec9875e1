"""Bars for a few days, drawn on the server as SVG: admin/search/bar_chart.html."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple, Self, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import modelform_factory
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.template.response import TemplateResponse
from django.utils.timezone import localdate
from django.views.decorators.http import require_http_methods

from search.domain import process
from search.domain.site_settings import SETTINGS, Site
from search.domain.text import humanise
from search.domain.vocabulary import CodeKind, known_code
from search.gateway.transport import TransportStatus
from search.monitoring import probe
from search.monitoring.hand_overs import HandOverCount, by_provider
from search.monitoring.metrics import Observer, Report
from search.monitoring.status import CallCheck, check_calls, panel
from search.property.lasting import Lasting, lasting
from search.sharing.csv import download, table
from search.sharing.models import SharedLink
from search.site_settings import store
from search.site_settings.models import CODE_KINDS, CodeLabel, SiteSettings

from .forms import MeaningfulForm, PlaceInput, duration_words
from .history import ModelAdmin, RecordedAdmin, forbidden

WIDTH, HEIGHT = 300, 60
GAP = 0.2
# What is there is seen, however little it is beside the highest.
LEAST_HEIGHT = 1.5


class Bar(NamedTuple):
    """One day's rectangle and what it says."""

    x: float
    y: float
    width: float
    height: float
    day: date
    text: str


@dataclass(frozen=True)
class BarChart:
    """`sum` is all bars together, empty where that means nothing; `words` say what can't be seen by all."""

    title: str
    sum: str
    words: str
    bars: tuple[Bar, ...]

    @classmethod
    def of(cls, title: str, values: Mapping[date, float], unit: str = "") -> Self:
        """A bar for each day, the highest as high as the chart. Shares, with `unit` %, are not added up."""
        top = max(values.values(), default=0)
        step = WIDTH / max(len(values), 1)
        gap = step * GAP
        bars = []
        for number, (day, value) in enumerate(values.items()):
            height = round(max(value / top * HEIGHT, LEAST_HEIGHT) if value else 0, 2)
            x, width = round(number * step + gap / 2, 2), round(step - gap, 2)
            bars.append(Bar(x, round(HEIGHT - height, 2), width, height, day, f"{value:g}{unit}"))
        highest = max(values, key=lambda day: values[day], default=None)
        words = f"at most {values[highest]:g}{unit} on {highest:%d %b}" if highest and top else "nothing yet"
        return cls(title, "" if unit else f"{sum(values.values()):g}", words, tuple(bars))


PLACE = "Barcelona"
FIELD = "label"
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


class UnknownCode(NamedTuple):
    """A code that has no words of its own yet; `shown` is what visitors read until it has."""

    kind: str
    kind_label: str
    code: str
    times: int
    shown: str


@require_http_methods(["GET", "HEAD", "POST"])
def gateway_view(request: HttpRequest) -> HttpResponse:
    """The panel. POST `check` makes the three calls, `probe` starts the probe, `apply` sets what it suggests,
    `label:<kind>:<code>` gives codes their words."""
    if not any(request.user.has_perm(f"search.{may}_sitesettings") for may in ("view", "change")):
        raise PermissionDenied
    checks: list[CallCheck] = []
    place = request.POST.get("place", "").strip()[:120] or PLACE
    if request.method == "POST" and "check" in request.POST:
        checks = check_calls(place, store.current(), localdate())
    elif request.method == "POST":
        action = next((act for name, act in ACTIONS.items() if name in request.POST), _save_labels)
        action(request)
        return redirect("admin:search_gateway")
    context = {
        **admin.site.each_context(request),
        **_panel_context(),
        "title": "Gateway",
        "check_place": PlaceInput({"id": "check-place", "maxlength": "120"}).render("place", place),
        "probe_place": PlaceInput({"id": "probe-place", "maxlength": "120"}).render("place", ""),
        "media": PlaceInput().media,
        "checks": checks,
        "may_probe": request.user.has_perm("search.change_sitesettings"),
        "may_label": request.user.has_perm("search.add_codelabel"),
    }
    return TemplateResponse(request, "admin/search/gateway.html", context)


def _panel_context() -> dict[str, Any]:
    status, site = panel(), store.current()
    today, week = status.today, status.week
    return {
        "panel": status,
        "error_rate": _rate(today.error_rate),
        "hit_rate": _rate(today.hit_rate),
        "oldest_copy": status.cache and datetime.fromtimestamp(status.cache["oldest_at"], UTC),
        "states": list(_states(status.status, process.part(Observer).latest)),
        "calls": [(call, datetime.fromtimestamp(call.at, UTC)) for call in reversed(today.calls[-20:])],
        "unknown": list(unknown_codes(week.codes, site)),
        "quality_headings": [heading for heading, _part, _whole in QUALITY],
        "quality": [
            (site.provider_label(code), [_cell(quality, part, whole) for _heading, part, whole in QUALITY])
            for code, quality in sorted(week.quality.items())
        ],
        "charts": list(_charts(status.days)),
        "lasting": [
            (site.provider_label(one.provider) if one.provider else "", one, *_lasting_words(one))
            for one in lasting()
        ],
        "often_changed_percent": site.often_changed_percent,
        "fresh_now": duration_words(site.search_fresh_seconds),
        "most_calls": probe.MOST_CALLS,
        "probing": probe.is_running(),
        "findings": probe.findings(),
        "decided": probe.decided(),
        "suggestions": [
            (one.name, SETTINGS[one.name].label, one.before or "empty", one.after)
            for one in map(_settings_page().said, probe.changes())
        ],
    }


def _lasting_words(one: Lasting) -> tuple[str, str]:
    """How long a total lasts and the fresh time that follows; empty while too little was seen."""
    if one.lasts is None or one.fresh_seconds is None:
        return "", ""
    hours = max(1, round(one.lasts / timedelta(hours=1)))
    lasts = f"{round(hours / 24)} days" if hours >= 48 else f"{hours} hour{pluralize(hours)}"
    return lasts, duration_words(one.fresh_seconds)


def _settings_page() -> RecordedAdmin:
    return cast(RecordedAdmin, admin.site.get_model_admin(SiteSettings))


def _start_probe(request: HttpRequest) -> None:
    """Start the probe behind the page, unless one is under way."""
    _need_change(request)
    begun = probe.start(request.POST.get("place", "").strip()[:120])
    if begun:
        messages.success(request, "The probe has begun. Its findings stand here in a minute.")
    elif begun is None:
        messages.error(
            request,
            "No probe begins while the cache is away, which keeps its findings, or the process has no thread "
            "left for it.",
        )
    else:
        messages.warning(request, "A probe is under way already.")


def _apply_suggestion(request: HttpRequest) -> None:
    """Set one setting, named by the form, to the value that the last probe suggests."""
    _need_change(request)
    decided = {name: value for name, value in probe.decided().items() if name == request.POST["apply"]}
    try:
        changes = store.change(decided) if store.changes_by(decided, store.current()) else []
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return
    if changes:
        page = _settings_page()
        page.record(request, store.stored(), changes)
        messages.success(
            request, f"“{SETTINGS[changes[0].name].label}” is now: {page.said(changes[0]).after}"
        )
    else:
        messages.warning(request, "The last probe doesn't suggest that any more.")


def _need_change(request: HttpRequest) -> None:
    if not request.user.has_perm("search.change_sitesettings"):
        raise PermissionDenied


ACTIONS = {"probe": _start_probe, "apply": _apply_suggestion}


def _charts(reports: Sequence[Report]) -> Iterator[BarChart]:
    """The last seven days."""
    days = [report.day for report in reports]
    yield BarChart.of("Calls", {report.day: report.made for report in reports})
    yield BarChart.of("Failed calls", {report.day: report.failed for report in reports})
    hits = {report.day: round(100 * (report.hit_rate or 0)) for report in reports}
    yield BarChart.of("From the cache", hits, "%")
    shared = Counter(
        SharedLink.objects.filter(shared_at__date__gte=days[0]).values_list("shared_at__date", flat=True)
    )
    yield BarChart.of("Links shared", {day: shared[day] for day in days})
    handed = by_provider(days[-1], len(days)).values()
    yield BarChart.of("Hand-overs", {day: sum(one[day] for one in handed) for day in days})


def unknown_codes(seen: Mapping[str, Mapping[str, int]], site: Site) -> Iterable[UnknownCode]:
    """The codes without words of ours or of an admin, by kind, the most frequent first. Kinds of a later
    version are left out."""
    for kind in map(CodeKind, sorted(seen.keys() & CODE_KINDS.keys())):
        for code, times in sorted(seen[kind].items(), key=lambda one: (-one[1], one[0])):
            if not known_code(kind, code) and site.code_label(kind, code) is None:
                yield UnknownCode(kind, CODE_KINDS[kind], code, times, humanise(code))


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
    if not request.user.has_perm("search.add_codelabel"):
        raise PermissionDenied
    model_admin = admin.site.get_model_admin(CodeLabel)
    saved = 0
    for field, text in request.POST.items():
        prefix, kind, code = (*field.split(":", 2), "", "")[:3]
        words = str(text).strip()
        if prefix != FIELD or not words:
            continue
        form = CodeLabelForm({"kind": kind, "code": code, "label": words})
        if not form.is_valid():
            reasons = (str(reason) for of_field in form.errors.values() for reason in of_field)
            messages.error(request, f"{code}: {' '.join(reasons)}")
            continue
        model_admin.log_addition(request, form.save(), [{"added": {}}])
        saved += 1
    if saved:
        messages.success(request, f"{saved} code{pluralize(saved, ' has,s have')} words now.")


def _cell(quality: Mapping[str, int], part: str, whole: str) -> str:
    """A count, or its share of another one that isn't 0."""
    count = quality.get(part, 0)
    if not whole:
        return str(count)
    of = quality.get(whole, 0)
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

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            return super().changelist_view(request, extra_context)
        if request.GET.get("format") == "csv":
            return _table()
        site, counts = store.current(), by_provider(localdate(), DAYS)
        charts = [
            BarChart.of(site.provider_label(code), counts[code])
            for code in sorted(counts, key=site.provider_order)
        ]
        context = {
            **self.admin_site.each_context(request),
            "title": f"Hand-overs of {DAYS} days",
            "opts": self.opts,
            "charts": charts,
        }
        return TemplateResponse(request, "admin/search/handovercount/change_list.html", context)


def _table() -> HttpResponse:
    """Every count there is: day, provider's code and label, hand-overs."""
    by_provider(localdate(), 1)  # writes what this process has not written yet
    site = store.current()
    rows = (
        [row.day.isoformat(), row.provider, site.provider_label(row.provider), row.count]
        for row in HandOverCount.objects.all()
    )
    return download(table(["day", "provider", "label", "hand-overs"], rows), "hand-overs")
