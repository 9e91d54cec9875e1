"""The airports of the form when there is no airport list yet: the first start while the gateway is away.

The index of all destinations that a process keeps: there at once, whatever the gateway does.

It is of the gateway's own airport list, else of the last good one, else of the bundled airports. The gateway
is asked behind the pages; only the very first list is worth a moment's wait, while it may still come.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from threading import Event, Lock
from typing import Protocol

import airportsdata
from babel.numbers import get_territory_currencies

from search.domain.deadline import Deadline
from search.domain.hotels import Airport, Coordinates
from search.domain.site_settings import DestinationOverride, Site
from search.gateway.cache_store import CachedValue
from search.gateway.errors import GatewayError
from search.gateway.singleflight import Background

from .index import DestinationIndex

# Code and city, after a plus what the airport is called beside its city; more important ones first. Where
# they lie comes from the packaged open dataset, whose cities are too often the village beside the runway.
_TABLE = """
LHR London+Heathrow, LGW London+Gatwick, STN London+Stansted, LTN London+Luton, LCY London+City,
CDG Paris+Charles de Gaulle, ORY Paris+Orly, BVA Paris+Beauvais, AMS Amsterdam, FRA Frankfurt, MAD Madrid,
BCN Barcelona, FCO Rome+Fiumicino, CIA Rome+Ciampino, MUC Munich, IST Istanbul, SAW Istanbul+Sabiha Gokcen,
DUB Dublin, LIS Lisbon, ATH Athens, VIE Vienna, ZRH Zurich, CPH Copenhagen, ARN Stockholm+Arlanda, OSL Oslo,
HEL Helsinki, BRU Brussels, CRL Brussels+Charleroi, WAW Warsaw+Chopin, WMI Warsaw+Modlin, PRG Prague,
BUD Budapest, OTP Bucharest, SOF Sofia, BER Berlin, MXP Milan+Malpensa, LIN Milan+Linate, BGY Milan+Bergamo,
MAN Manchester, EDI Edinburgh, GLA Glasgow, BHX Birmingham, BRS Bristol, NCL Newcastle, LPL Liverpool,
LBA Leeds+Bradford, EMA Nottingham+East Midlands, ABZ Aberdeen, BFS Belfast, CWL Cardiff, SOU Southampton,
EXT Exeter, INV Inverness, ORK Cork, SNN Shannon, NOC Knock, NCE Nice, LYS Lyon, MRS Marseille, TLS Toulouse,
BOD Bordeaux, NTE Nantes, SXB Strasbourg, LIL Lille, MPL Montpellier, BIQ Biarritz, AJA Ajaccio, BIA Bastia,
BSL Basel, GVA Geneva, LUX Luxembourg, EIN Eindhoven, RTM Rotterdam, HAM Hamburg, DUS Dusseldorf, CGN Cologne,
STR Stuttgart, HAJ Hannover, NUE Nuremberg, LEJ Leipzig, DRS Dresden, BRE Bremen, DTM Dortmund, FMM Memmingen,
FKB Karlsruhe, FMO Münster, SZG Salzburg, INN Innsbruck, GRZ Graz, LNZ Linz, NAP Naples, VCE Venice,
TSF Venice+Treviso, BLQ Bologna, PSA Pisa, FLR Florence, TRN Turin, VRN Verona, GOA Genoa, BRI Bari,
BDS Brindisi, CTA Catania, PMO Palermo, TPS Trapani, CAG Cagliari, OLB Olbia, AHO Alghero, SUF Lamezia,
RMI Rimini, TRS Trieste, PMI Palma, AGP Malaga, ALC Alicante, VLC Valencia, SVQ Seville, BIO Bilbao,
SCQ Santiago de Compostela, SDR Santander, ZAZ Zaragoza, GRO Girona, RMU Murcia, LEI Almeria, XRY Jerez,
GRX Granada, IBZ Ibiza, MAH Menorca, TFS Tenerife+South, TFN Tenerife+North, LPA Gran Canaria, ACE Lanzarote,
FUE Fuerteventura, OPO Porto, FAO Faro, FNC Madeira, PDL Ponta Delgada, SKG Thessaloniki, HER Heraklion,
CHQ Chania, RHO Rhodes, CFU Corfu, KGS Kos, JTR Santorini, JMK Mykonos, ZTH Zakynthos, EFL Kefalonia,
MLA Malta, LCA Larnaca, PFO Paphos, SPU Split, DBV Dubrovnik, ZAG Zagreb, ZAD Zadar, PUY Pula, LJU Ljubljana,
KRK Krakow, GDN Gdansk, WRO Wroclaw, KTW Katowice, POZ Poznan, LUZ Lublin, RZE Rzeszow, LCJ Łódź,
SZZ Szczecin, BTS Bratislava, KSC Kosice, BRQ Brno, CLJ Cluj, TSR Timisoara, BOJ Burgas, VAR Varna,
BEG Belgrade, INI Nis, SJJ Sarajevo, TGD Podgorica, TIV Tivat, SKP Skopje, TIA Tirana, PRN Pristina, RIX Riga,
TLL Tallinn, VNO Vilnius, KUN Kaunas, GOT Gothenburg, MMX Malmo, BLL Billund, AAR Aarhus, AAL Aalborg,
BGO Bergen, TRD Trondheim, SVG Stavanger, TOS Tromsø, TMP Tampere, TKU Turku, RVN Rovaniemi, KEF Reykjavik,
AYT Antalya, ADB Izmir, DLM Dalaman, BJV Bodrum, ESB Ankara, TLV Tel Aviv, AMM Amman, CAI Cairo,
HRG Hurghada, SSH Sharm El Sheikh, RAK Marrakesh, CMN Casablanca, AGA Agadir, FEZ Fez, TNG Tangier,
TUN Tunis, DXB Dubai, AUH Abu Dhabi, DOH Doha, TBS Tbilisi, EVN Yerevan, JFK New York+Kennedy,
EWR New York+Newark, LGA New York+LaGuardia, BOS Boston, IAD Washington, MIA Miami, MCO Orlando, ORD Chicago,
DFW Dallas, DEN Denver, LAS Las Vegas, LAX Los Angeles, SFO San Francisco, SEA Seattle, YYZ Toronto,
YUL Montreal, YVR Vancouver, MEX Mexico City, CUN Cancun, PUJ Punta Cana, BOG Bogota, LIM Lima, SCL Santiago,
EZE Buenos Aires, GRU Sao Paulo, GIG Rio de Janeiro, NRT Tokyo+Narita, HND Tokyo+Haneda, KIX Osaka,
ICN Seoul, PEK Beijing, PVG Shanghai, HKG Hong Kong, BKK Bangkok, HKT Phuket, SIN Singapore,
KUL Kuala Lumpur, DPS Bali, DEL Delhi, BOM Mumbai, MLE Maldives, SYD Sydney, MEL Melbourne, AKL Auckland,
JNB Johannesburg, CPT Cape Town, NBO Nairobi, ZNZ Zanzibar, MRU Mauritius
"""


@cache
def bundled_airports() -> tuple[Airport, ...]:
    """Some 260 airports in the form of the gateway's list, without routes; made once, on first need."""
    located = airportsdata.load("IATA")
    rows = " ".join(_TABLE.split()).split(", ")
    return tuple(_airport(row, located, priority) for priority, row in enumerate(rows, start=1))


def _airport(row: str, located: dict[str, airportsdata.Airport], priority: int) -> Airport:
    code, _, names = row.partition(" ")
    city, _, beside = names.partition("+")
    place = located[code]
    country = place["country"]
    currencies = get_territory_currencies(country)
    return Airport(
        code=code,
        name=f"{city} {beside}".strip(),
        coordinates=Coordinates(latitude=place["lat"], longitude=place["lon"]),
        base=False,
        country=country.lower(),
        region="",
        city=city.upper().replace(" ", "_"),
        currency=currencies[-1] if currencies else "",
        routes=(),
        seasonal_routes=(),
        categories=(),
        priority=priority,
    )


# The list changes a few times a year; decoding it from the cache would cost each page milliseconds.
RECHECK_SECONDS = 30.0
RECHECK_AFTER_FAILURE_SECONDS = 2.0
# A gateway that hangs must leave the page its time for what the page is about.
PATIENCE_SECONDS = 1.5

Airports = tuple[Airport, ...]
Overrides = tuple[DestinationOverride, ...]


class Source(Protocol):
    """Where the list comes from: the gateway behind its cache."""

    def airports(self, *, site: Site, deadline: Deadline) -> CachedValue[Airports]: ...


class Keeper:
    """One process's index. `bundled` is asked once, if ever; `clock` counts seconds from any start."""

    def __init__(
        self,
        bundled: Callable[[], Airports] = bundled_airports,
        clock: Callable[[], float] = time.monotonic,
        behind: Background | None = None,
    ) -> None:
        self._bundled = bundled
        self._clock = clock
        self._behind = behind or Background(most=1)
        self._lock = Lock()
        self._airports: Airports = ()
        self._built: tuple[Airports, Overrides, DestinationIndex] | None = None
        self._arrived = Event()
        self._recheck_at = float("-inf")
        self._wait_until: float | None = None

    def index(self, source: Source, site: Site, deadline: Deadline) -> DestinationIndex:
        """The index of the list of `source` with an admin's corrections; never raises."""
        self._recheck(source, site, deadline)
        if not self._arrived.is_set():
            if self._wait_until is None:
                self._wait_until = self._clock() + PATIENCE_SECONDS
            self._arrived.wait(max(0.0, min(self._wait_until - self._clock(), deadline.left())))
        return self.known(site.overrides)

    def known(self, overrides: Overrides) -> DestinationIndex:
        """The index of what is known so far, without asking."""
        return self._index_of(self._airports or self._bundled(), overrides)

    def _recheck(self, source: Source, site: Site, deadline: Deadline) -> None:
        due = self._recheck_at
        if self._clock() < due:
            return
        self._recheck_at = self._clock() + RECHECK_SECONDS
        if not self._behind.start("airports", lambda: self._fetch(source, site, deadline)):
            self._recheck_at = due

    def _fetch(self, source: Source, site: Site, deadline: Deadline) -> None:
        try:
            airports = source.airports(site=site, deadline=deadline).value
        except GatewayError:
            airports = ()  # the gateway room has logged why
        if not airports:
            self._recheck_at = self._clock() + RECHECK_AFTER_FAILURE_SECONDS
        elif airports != self._airports:
            self._index_of(airports, site.overrides)
            self._airports = airports
        # Also when nothing came: nobody waits a second time for a gateway that is away.
        self._arrived.set()

    def _index_of(self, airports: Airports, overrides: Overrides) -> DestinationIndex:
        # One build is enough when many pages arrive at the same moment.
        with self._lock:
            built = self._built
            if built is None or built[0] is not airports or built[1] != overrides:
                built = self._built = (airports, overrides, DestinationIndex(airports, overrides))
            return built[2]
