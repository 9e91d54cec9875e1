"""What visitors would see with settings nobody saved: the results of a usual search, or the first page."""

from django.http import HttpRequest, HttpResponse
from django.utils.timezone import localdate

from search.domain.query import Refinement
from search.domain.site_settings import BUILT_IN_PLACES, FeaturedDestination, Site
from search.results.context import parsed
from search.results.full_results import FullResults
from search.web.links import results_path, reverse
from search.web.markets import MarketLanguageMiddleware
from search.web.preview import Preview, answer

# The name of the buttons; the value HOME asks for the first page, any other for results.
PREVIEW = "_preview"
HOME = "home"


def previewed_page(request: HttpRequest, preview: Preview, page: str) -> HttpResponse:
    """The first page, or results collected to the end: the page's scripts can't fetch more of these."""
    address = reverse("home") if page == HOME else usual_results(preview.site)
    asked = preview.request_for(address, request)
    _form, context = parsed(asked)
    if context:
        FullResults(context).wait_for_all()
    return MarketLanguageMiddleware(answer)(asked)


def usual_results(site: Site) -> str:
    """The results of the first place that the home page offers, for the stay that it proposes."""
    today = localdate()
    place = next(iter(site.home_places(today)), FeaturedDestination(BUILT_IN_PLACES[0]))
    near = Refinement(near=place.airport.upper())
    return results_path(site.usual_search(place.place, today), near)
