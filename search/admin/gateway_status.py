"""The gateway panel: read-only but for "check now" and words for unknown codes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from search.domain.site_settings import CodeKind, Site
from search.domain.text import humanise
from search.monitoring import gateway_status
from search.site_settings import store
from search.site_settings.models import CODE_KINDS, CodeLabel
from search.web import labels

PLACE = "Barcelona"
FIELD = "label"


class UnknownCode(NamedTuple):
    """A code that has no words of its own yet; `shown` is what visitors read until it has."""

    kind: str
    kind_label: str
    code: str
    times: int
    shown: str
    field: str


class ProviderRow(NamedTuple):
    """One provider's data quality, shares as whole per cents; empty where there is nothing to divide by."""

    label: str
    properties: int
    without_picture: str
    without_coordinates: str
    without_rating: str
    offers: int
    without_price: str
    odd_discounts: str


class StateRow(NamedTuple):
    """How one call of the interface stands, in words; `tone` is good, caution or bad."""

    endpoint: str
    labels: str
    tone: str


class CallRow(NamedTuple):
    endpoint: str
    outcome: str
    good: bool
    ms: int
    at: datetime


@require_http_methods(["GET", "HEAD", "POST"])
def gateway_view(request: HttpRequest) -> HttpResponse:
    """The panel; POST `check` makes the three calls, POST `label:<kind>:<code>` gives codes their words."""
    if not request.user.has_perm("search.view_sitesettings"):
        raise PermissionDenied
    checks: list[gateway_status.CallCheck] = []
    place = request.POST.get("place", "").strip()[:120] or PLACE
    if request.method == "POST" and "check" in request.POST:
        checks = gateway_status.check_now(place, store.current(), localdate())
    elif request.method == "POST":
        _save_labels(request)
        return redirect("admin:search_gateway")
    found = gateway_status.panel()
    context = {
        **admin.site.each_context(request),
        "title": _("Gateway"),
        "panel": found,
        "place": place,
        "checks": checks,
        "error_rate": _rate(found.error_rate),
        "hit_rate": _rate(found.hit_rate),
        "states": _states(found),
        "calls": [_call_row(call) for call in found.calls[:20]],
        "unknown": list(unknown_codes(found.codes, store.current())),
        "quality": [_provider_row(code, quality, store.current()) for code, quality in found.quality],
        "may_label": request.user.has_perm("search.add_codelabel"),
    }
    return TemplateResponse(request, "admin/search/gateway.html", context)


def unknown_codes(seen: Iterable[gateway_status.CodeSeen], setup: Site) -> Iterable[UnknownCode]:
    """The codes without words: neither ours nor an admin's."""
    for kind, code, times in seen:
        known = labels.KNOWN[CodeKind(kind)]
        if code.upper() not in known and setup.code_label(kind, code) is None:
            yield UnknownCode(
                kind, str(CODE_KINDS[CodeKind(kind)]), code, times, humanise(code), f"{FIELD}:{kind}:{code}"
            )


def _states(found: gateway_status.Panel) -> list[StateRow]:
    sayings = {
        "closed": (_("working"), "good"),
        "probing": (_("trying again"), "caution"),
        "open": (_("resting after failures"), "bad"),
    }
    states = [StateRow(endpoint, *sayings[state]) for endpoint, state in found.breakers.items()]
    states += [StateRow(endpoint, _("key refused"), "bad") for endpoint in found.refused]
    if found.paused:
        states.append(StateRow(_("all"), _("pausing, asked to slow down"), "caution"))
    return states


def _save_labels(request: HttpRequest) -> None:
    if not request.user.has_perm("search.add_codelabel"):
        raise PermissionDenied
    model_admin = admin.site.get_model_admin(CodeLabel)
    saved = 0
    for field, text in request.POST.items():
        prefix, _separator, rest = field.partition(":")
        kind, _separator, code = rest.partition(":")
        if prefix != FIELD or not str(text).strip():
            continue
        label = CodeLabel(kind=kind, code=code, label=str(text).strip())
        try:
            label.full_clean()
        except ValidationError as error:
            messages.error(request, f"{code}: {' '.join(error.messages)}")
            continue
        label.save()
        model_admin.log_addition(request, label, [{"added": {}}])
        saved += 1
    if saved:
        text = ngettext("%(count)d code has words now.", "%(count)d codes have words now.", saved)
        messages.success(request, text % {"count": saved})


def _call_row(call: gateway_status.Call) -> CallRow:
    return CallRow(
        call.endpoint, call.outcome, call.outcome == "ok", call.ms, datetime.fromtimestamp(call.at, UTC)
    )


def _provider_row(code: str, quality: gateway_status.ProviderQuality, setup: Site) -> ProviderRow:
    return ProviderRow(
        label=setup.provider_label(code),
        properties=quality.properties,
        without_picture=_share(quality.without_picture, quality.properties),
        without_coordinates=_share(quality.without_coordinates, quality.properties),
        without_rating=_share(quality.without_rating, quality.properties),
        offers=quality.offers,
        without_price=_share(quality.without_price, quality.offers),
        odd_discounts=_share(quality.odd_discounts, quality.discounts),
    )


def _share(part: int, whole: int) -> str:
    return _rate(part / whole) if whole else ""


def _rate(share: float | None) -> str:
    """A share in whole per cents; something small is never shown as nothing."""
    if share is None:
        return ""
    return "<1%" if 0 < share < 0.01 else f"{share * 100:.0f}%"
