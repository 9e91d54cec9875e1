"""Whole pages in every language: their words, their dates and amounts, their links to the other markets."""

from __future__ import annotations

import re
from html import unescape

import pytest

from search.domain.site_settings import Site
from search.site_settings import store
from tests.languages.conftest import EACH_LANGUAGE, MARKETS

pytestmark = pytest.mark.usefixtures("few_hotels")

STAY = "checkin=2030-05-01&checkout=2030-05-04&guests=2&currency=EUR"
SEARCH = f"place=Barcelona&{STAY}"

# Words of the interface that none of the six languages has. Providers' own texts, which stay as they are,
# have some of these too, so the pages are read without them.
ENGLISH = (
    r"\b(?:the|your|you|with|from|and|search for|where to|nights?|guests|sort by|per night|show|choose|fees"
    r"|free cancellation|prices?|offers?|stars|rating|results|language|rooms|please|found|nothing|more)\b"
)
OWN_WORDS = (
    r"<(script|style|svg|datalist)\b.*?</\1>",
    r'<option value="en-.*?</option>',
    r'<a class="market-choice__one"[^>]* lang="en".*?</a>',
    r"<bdi\b.*?</bdi>",
    r'<(\w+)[^>]* dir="auto".*?</\1>',
    r'<ul class="(?:facility-list|plain-list|inline-list|promise-list|tag-list|icon-list)[^"]*".*?</ul>',
    r'<p class="offer-row__details".*?</p>',
    r'<label class="refine-choice".*?</label>',
    r'<a class="offer-row__who".*?</a>',
)


def words_of(html: str) -> str:
    """What our templates say on a page, without what providers and places are called."""
    # Several of the languages call the one just that; the other is a code of one hotel in a thousand.
    html = re.sub("bed and breakfast|guests cant stop", " ", html, flags=re.IGNORECASE)
    for pattern in OWN_WORDS:
        html = re.sub(pattern, " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


PAGES = {
    "home": "/?",
    "results": f"/hotels/?{SEARCH}",
    "filtered to nothing": f"/hotels/?{SEARCH}&name=zzzzzz&max_price=1&pay_later=1",
    "beyond the end": f"/hotels/?{SEARCH}&page=99999&sort=provider",
    "errors in the form": "/hotels/?place=&checkin=2030-05-04&checkout=2030-06-04&guests=99",
    "to be completed": "/hotels/?place=Rome",
    "destinations": "/destinations/?theme=SEA",
    "suggestions": "/destinations/?q=lond",
    "no suggestion": "/destinations/?q=zzzzzz",
    "fly from": "/destinations/from/STN/?",
    "not found": "/nope/?",
    "nothing to compare": f"/compare/?{SEARCH}",
    "empty shortlist": "/shortlist/?",
    "shortlist": f"/shortlist/?{SEARCH}&stay=NB/0&page=1",
}


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_english_word(visitor, language, name):
    html = visitor.get(f"{PAGES[name]}&market={MARKETS[language]}").content.decode()
    assert f'<html lang="{language}">' in html
    words = words_of(html)
    assert re.findall(ENGLISH, words, re.IGNORECASE) == []
    if language == "fr":
        assert re.findall(r"\S*[^\s\u2026][:;?!](?=\s|$)", words) == [], "no space before a colon or the like"


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_the_property_page_has_no_english_word_of_ours(visitor, language):
    results = visitor.get(f"/hotels/?{SEARCH}&market={MARKETS[language]}").content.decode()
    link = unescape(re.search(r'listing-card__name"><a href="([^"]+)"', results)[1])
    html = visitor.get(link).content.decode()
    headings = re.findall(
        r"<h2[^>]*>(.*?)</h2>|<th [^>]*>(.*?)</th>|<summary[^>]*>(.*?)</summary>", html, re.DOTALL
    )
    said = words_of(" ".join("".join(parts) for parts in headings))
    assert re.findall(ENGLISH, said, re.IGNORECASE) == []


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_a_watch_has_no_english_word(visitor, language):
    results = visitor.get(f"/hotels/?{SEARCH}&market={MARKETS[language]}").content.decode()
    link = unescape(re.search(r'listing-card__name"><a href="([^"]+)"', results)[1])
    begun = visitor.post(f"/watch{link}", headers={"sec-fetch-site": "same-origin"})
    html = visitor.get(begun["Location"]).content.decode()
    assert f'<html lang="{language}">' in html
    assert re.findall(ENGLISH, words_of(html), re.IGNORECASE) == []


@pytest.mark.parametrize(
    ("market", "days", "amount"),
    [
        ("en-gb", "1\u20134 May 2030", r"€\d+\.\d\d"),
        ("en-us", "May 1\u20134, 2030", r"€\d+\.\d\d"),
        ("de-de", "1.\u20134. Mai 2030", r"\d+,\d\d\xa0€"),
        pytest.param("es-es", "1\u20134 may 2030", r"\d+,\d\d\xa0€", marks=pytest.mark.thorough),
        ("fr-fr", "1er\u20134 mai 2030", r"\d+,\d\d\xa0€"),
        pytest.param("it-it", "01\u201304 mag 2030", r"\d+,\d\d\xa0€", marks=pytest.mark.thorough),
        pytest.param("pl-pl", "1\u20134 maj 2030", r"\d+,\d\d\xa0€", marks=pytest.mark.thorough),
        pytest.param("pt-pt", "1\u20134 de mai. de 2030", r"\d+,\d\d\xa0€", marks=pytest.mark.thorough),
    ],
)
def test_days_and_amounts_are_written_as_the_market_writes_them(visitor, market, days, amount):
    html = unescape(visitor.get(f"/hotels/?{SEARCH}&market={market}").content.decode())
    summary = re.search(r'class="results__summary">(.*?)</p>', html, re.DOTALL)[1]
    assert days in summary
    assert re.search(rf'class="price__total"><strong>{amount}</strong>', html)


def test_the_header_links_this_very_page_for_every_market(visitor):
    html = unescape(visitor.get(f"/hotels/?{SEARCH}&stars=4&stars=5&market=de-de&page=2").content.decode())
    links = re.findall(
        r'class="market-choice__one" href="([^"]+)" lang="(..)" hreflang="([^"]+)"( aria-current)?', html
    )
    assert [tag for _href, _language, tag, _current in links] == [
        f"{market[:2]}-{market[3:].upper()}" for market in Site().markets
    ]
    assert [tag for *_rest, tag, current in links if current] == ["de-DE"]
    href = next(href for href, language, *_rest in links if language == "pl")
    assert href == f"?{SEARCH}&stars=4&stars=5&market=pl-pl"


def test_the_header_links_this_very_page_in_every_currency(visitor):
    html = unescape(visitor.get(f"/hotels/?{SEARCH}&max_price=400&market=en-gb&page=2").content.decode())
    links = dict(re.findall(r'class="market-choice__one" href="([^"]+)"( aria-current="true")?>', html))
    assert len(links) == len(Site().currencies)
    asked = SEARCH.replace("&currency=EUR", "")
    before = f"?{asked}&max_price=400&market=en-gb&currency_before=EUR&currency="
    assert [one for one, current in links.items() if current] == [f"{before}EUR"]
    assert f"{before}GBP" in links


def test_every_link_of_a_page_keeps_its_market(visitor):
    html = unescape(visitor.get(f"/hotels/?{SEARCH}&market=pl-pl").content.decode())
    main = html.split("<main")[1].split("<footer")[0]
    links = re.findall(r' href="(/(?:hotels|destinations)[^"]*)"', main)
    assert links
    assert all("market=pl-pl" in href for href in links)


@pytest.mark.parametrize("path", ["/", "/destinations/", "/destinations/?theme=SEA"])
def test_pages_name_themselves_in_every_market(visitor, path):
    joint = "&" if "?" in path else "?"
    html = unescape(visitor.get(f"{path}{joint}market=fr-fr").content.decode())
    alternates = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', html))
    assert len(alternates) == len(Site().markets) + 1
    assert alternates["x-default"] == f"http://testserver{path}"
    assert alternates["de-DE"] == f"http://testserver{path}{joint}market=de-de"
    assert f'<link rel="canonical" href="{alternates["fr-FR"]}">' in html


@pytest.mark.django_db
def test_no_page_claims_a_language_without_translation(visitor):
    store.change({"markets": ("en-gb", "nl-nl", "de-de")})
    html = visitor.get("/?market=nl-nl").content.decode()
    assert '<html lang="en"' in html
    assert set(re.findall(r'hreflang="([^"]+)"', html)) == {"en-GB", "de-DE", "x-default"}
    assert 'market=nl-nl" lang="nl" aria-current="true">' in html


def test_a_page_without_a_market_is_its_own_canonical_one(visitor):
    html = visitor.get("/", headers={"Accept-Language": "fr"}).content.decode()
    assert '<link rel="canonical" href="http://testserver/">' in html


def test_searches_are_for_nobody_s_index_and_name_no_alternates(visitor):
    assert "hreflang=" not in visitor.get(f"/hotels/?{SEARCH}").content.decode().split("</head>")[0]


PLACES = {
    "/?": (
        r'destination-card__text"><strong dir="auto">([^<]*)',
        {"Rom", "Lissabon", "Krakau", "Paris"},
        {"Rome"},
    ),
    "/destinations/?part=options": (r">(Rome?)<", {"Rom"}, {"Rome"}),
    "/destinations/?country=it": (r">(Si[^<]*|Rome?)<", {"Sizilien", "Rom"}, {"Sicily", "Rome"}),
}


@pytest.mark.parametrize("path", PLACES)
def test_cities_and_regions_have_names_of_the_page_s_language(visitor, path):
    pattern, german, english = PLACES[path]
    said = set(re.findall(pattern, unescape(visitor.get(f"{path}&market=de-de").content.decode())))
    assert german <= said
    assert not english & said
    assert english <= set(re.findall(pattern, visitor.get(f"{path}&market=en-gb").content.decode()))


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_suggestions_come_in_the_page_s_language(visitor, language):
    html = unescape(visitor.get(f"/?market={MARKETS[language]}").content.decode())
    address = re.search(r'data-suggestions="([^"]+)"', html)[1]
    assert address == f"/destinations/?market={MARKETS[language]}"


HARD_CODED = re.compile(
    r"(?:textContent|innerText|title|placeholder|ariaLabel|ariaDescription)\s*=\s*[\"'`][^\"'`$]*[A-Za-z]{2}"
    r"|setAttribute\(\s*[\"']aria-(?:label|description)[\"'],\s*[\"'`][^\"'`$]*[A-Za-z]{2}"
)


def test_scripts_bring_no_words_of_their_own(settings):
    scripts = sorted((settings.BASE_DIR / "static" / "js").glob("*.js"))
    assert scripts
    assert not [path.name for path in scripts if HARD_CODED.search(path.read_text(encoding="utf-8"))]
