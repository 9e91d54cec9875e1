"""A small airport list with every difficulty of a real one, for the tests of destinations."""

from __future__ import annotations

from typing import Any

from search.destinations.index import DestinationIndex
from search.destinations.names import CountryNames, country_names
from search.domain.hotels import Airport, Coordinates, Route

# Code, name, city, country, region, priority, base; real answers use the priorities 0 and 1000 for "none".
_TABLE = """
STN|London Stansted|LONDON|gb|ENGLAND|1|b
LTN|London Luton|LONDON|gb|ENGLAND|50|b
LGW|London Gatwick|LONDON|gb|ENGLAND|58|
LHR|London Heathrow|LONDON|gb|ENGLAND|1000|
LCY|London City|LONDON|gb|ENGLAND|1000|
SEN|London Southend|SOUTHEND_ON_SEA|gb|ENGLAND|100|
LDY|Derry|DERRY|gb|NORTHERN_IRELAND|98|
EDI|Edinburgh|EDINBURGH|gb|SCOTLAND|31|b
BHX|Birmingham|BIRMINGHAM|gb|ENGLAND|57|b
MAN|Manchester|MANCHESTER|gb|ENGLAND|20|b
DUB|Dublin|DUBLIN|ie||2|b
KIR|Kerry|KERRY|ie||185|
BGY|Milan Bergamo|MILAN|it||3|b
MXP|Milan Malpensa|MILAN|it||224|b
CIA|Rome Ciampino|ROME|it||5|b
FCO|Rome Fiumicino|ROME|it||15|b
PSA|Pisa|PISA|it|TUSCANY|13|b
CTA|Catania|CATANIA|it|SICILY|24|b
PMO|Palermo|PALERMO|it|SICILY|19|b
SUF|Lamezia|LAMEZIA|it||42|b
BCN|Barcelona|BARCELONA|es||4|b
REU|Barcelona Reus|BARCELONA|es||83|
GRO|Barcelona Girona|GIRONA|es|COSTA_BRAVA|26|b
MAD|Madrid|MADRID|es||6|b
AGP|Málaga|MALAGA|es|COSTA_DE_SOL|8|b
PMI|Palma de Mallorca|PALMA|es||12|b
LPA|Gran Canaria|GRAN_CANARIA|es|CANARY_ISLES|51|b
TFS|Tenerife South|TENERIFE|es|CANARY_ISLES|28|b
TFN|Tenerife North|TENERIFE|es|CANARY_ISLES|117|
VLC|Valencia|VALENCIA|es||30|b
CDT|Castellon (Valencia)|CASTELLON|es||176|
VIT|Vitoria (Basque Country)|VITORIA-GASTEIZ|es||1000|
VLN|Valencia Arturo Michelena|VALENCIA|ve||1000|
LCJ|Łódź|LODZ|pl||96|
KRK|Krakow|KRAKOW|pl||17|b
WMI|Warsaw Modlin|WARSAW|pl||16|b
WAW|Warsaw Chopin|WARSAW|pl||240|b
SZY|Olsztyn - Mazury|OLSZTYN|pl||1000|
MUC|Munich|MUNICH|de||223|
FMM|Memmingen|MEMMINGEN|de||84|b
FMO|Münster|MUNSTER|de||158|
CGN|Cologne|COLOGNE|de||80|b
DUS|Dusseldorf Int.|DUSSELDORF|de||100|b
NRN|Dusseldorf Weeze|DUSSELDORF|de||54|b
BER|Berlin Brandenburg|BERLIN|de||60|b
HAM|Hamburg|HAMBURG|de||183|b
HAJ|Hannover|HANNOVER|de||0|
SZG|Salzburg|SALZBURG|at||137|
VIE|Vienna|VIENNA|at||150|
GOT|Göteborg Landvetter|GOTHENBURG|se||182|b
MMX|Malmo|MALMO|se||170|
CPH|Copenhagen|COPENHAGEN|dk||177|
TOS|Tromsø|TROMSO|no||1000|
OSL|Oslo|OSLO|no||1000|
TRF|Oslo Torp|OSLO|no||131|
NCE|Nice|NICE|fr||127|
NTE|Nantes|NANTES|fr||111|
PIS|Poitiers|POITIERS|fr||148|
BVA|Paris Beauvais|PARIS|fr||10|
XCR|Paris Vatry|PARIS|fr||157|
LRH|La Rochelle|LA_ROCHELLE|fr||126|
CFE|Clermont|CLERMONT_FERRAND|fr||171|
BOD|Bordeaux|BORDEAUX|fr||91|
BUD|Budapest|BUDAPEST|hu||35|b
OTP|Bucharest|BUCHAREST|ro||85|b
BAR|Barletta|BARLETTA|it||1000|
INI|Nis|NIS|rs||1000|
NIS|Simberi|SIMBERI|pg||1000|
FEZ|Fez|FEZ|ma||55|b
AMM|Amman Jordan|AMMAN|jo||100|
AQJ|Aqaba Jordan|AQABA|jo||101|
MLA|Malta|MALTA|mt||47|b
ATH|Athens|ATHENS|gr||22|b
HER|Heraklion Crete|HERAKLION|gr|CRETE|100|
LIS|Lisbon|LISBON|pt||32|b
OPO|Porto|PORTO|pt||9|b
FAO|Faro|FARO|pt||23|b
AMS|Amsterdam|AMSTERDAM|nl||1000|
EIN|Eindhoven|EINDHOVEN|nl||40|b
IST|Istanbul|ISTANBUL|tr||1000|
TLV|Tel Aviv|TEL_AVIV|il||189|
HND|Tokyo Haneda|TOKYO|jp||1000|
"""


def an_airport(code: str, name: str = "", **fields: Any) -> Airport:
    """An airport of nothing but its code, unless told otherwise."""
    values: dict[str, Any] = {
        "code": code, "name": name, "coordinates": None, "base": False, "country": "",
        "region": "", "city": "", "currency": "", "routes": (), "seasonal_routes": (), "categories": (),
        "priority": 1000,
    }  # fmt: skip
    return Airport(**values | fields)


def routes(*entries: str) -> tuple[Route, ...]:
    """Routes as the wire spells them: `airport:STN`."""
    return tuple(Route(*entry.split(":")) for entry in entries)


def at(latitude: float, longitude: float) -> Coordinates:
    return Coordinates(latitude, longitude)


def airports() -> list[Airport]:
    """The whole list."""
    rows = (line.split("|") for line in _TABLE.strip().splitlines())
    return [
        an_airport(
            code, name, city=city, country=country, region=region, priority=int(priority), base=bool(base)
        )
        for code, name, city, country, region, priority, base in rows
    ]


def an_index(*overrides: Any) -> DestinationIndex:
    return DestinationIndex(airports(), overrides)


def countries(language: str = "en") -> CountryNames:
    return country_names(language)
