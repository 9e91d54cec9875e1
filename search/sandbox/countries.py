"""Every country of the airport data: its name, currency and the language its hotels are named in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from babel import Locale
from babel.numbers import get_territory_currencies


@dataclass(frozen=True, slots=True)
class Country:
    """`code` in lower case as on the wire; `language` is a key of `names.STOCKS`."""

    code: str
    name: str
    currency: str
    language: str


_CODES_BY_LANGUAGE = {
    "arabic": "ae bh dz eg eh iq ir jo kw lb ly ma mr om qa sa sd sy tn ye",
    "asian": "af bd bn bt id in kh kp kr la lk mm mv my np ph pk sg th vn",
    "bulgarian": "bg mk",
    "chinese": "cn hk mo tw",
    "czech": "cz sk",
    "dutch": "aw bq cw nl sr sx",
    "english": (
        "ag ai am aq as au bb bm bs bw bz ca cc ck cx dm er et fj fk fm gb gd ge gg gh gi gm gu gy ie im "
        "je jm ke ki kn ky lc lr ls mh mp ms mt mu mw na nf ng nr nu nz pg pw rw sb sc sh sl so ss sz tc "
        "to tt tv tz ug um us vc vg vu ws za zm zw"
    ),
    "french": (
        "be bf bi bj bl cd cf cg ci cm dj fr ga gf gn gp ht km lu mf mg ml mq nc ne pf pm re sn td tg wf yt"
    ),
    "german": "at ch de",
    "east slavic": "by kg kz mn ru tj tm uz",
    "greek": "cy gr",
    "hebrew": "il",
    "hungarian": "hu",
    "italian": "it",
    "japanese": "jp",
    "latvian": "lv",
    "lithuanian": "lt",
    "nordic": "dk ee fi fo gl is no se",
    "polish": "pl",
    "portuguese": "ao br cv gw mz pt st tl",
    "romanian": "md ro",
    "south slavic": "al ba hr me rs si xk",
    "spanish": "ar bo cl co cr cu do ec es gq gt hn mx ni pa pe py sv uy ve",
    "turkish": "az tr",
    "ukrainian": "ua",
}
# Where CLDR's name isn't the one that travellers use.
_NAMES = {"hk": "Hong Kong", "mm": "Myanmar", "mo": "Macao"}
# One day for everybody: a currency that changes later must not change a hotel of the sandbox.
_DAY = date(2026, 1, 1)


def _country(code: str, language: str) -> Country:
    """The country with CLDR's name for it and the last of its currencies; Antarctica has none."""
    name = _NAMES.get(code) or Locale("en").territories[code.upper()]
    currencies = get_territory_currencies(code.upper(), start_date=_DAY) or ["USD"]
    return Country(code, name, currencies[-1], language)


COUNTRIES: dict[str, Country] = {
    code: _country(code, language) for language, codes in _CODES_BY_LANGUAGE.items() for code in codes.split()
}

ALSO_KNOWN_AS: dict[str, str] = {
    "usa": "us",
    "united states of america": "us",
    "america": "us",
    "uk": "gb",
    "great britain": "gb",
    "britain": "gb",
    "holland": "nl",
    "the netherlands": "nl",
    "czech republic": "cz",
    "turkey": "tr",
    "burma": "mm",
    "ivory coast": "ci",
    "espana": "es",
    "italia": "it",
    "deutschland": "de",
    "polska": "pl",
    "hellas": "gr",
    "eire": "ie",
    "osterreich": "at",
    "schweiz": "ch",
    "suisse": "ch",
    "macau": "mo",
    "uae": "ae",
    "emirates": "ae",
    "bosnia": "ba",
    "trinidad": "tt",
}
