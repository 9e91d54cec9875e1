"""The airports a low-cost carrier of this world serves, and what the airport data doesn't say of them."""

from __future__ import annotations

_SERVED = """
STN LTN LGW SEN LCY MAN BHX BRS EDI GLA PIK LPL LBA NCL EMA BFS BHD LDY CWL EXT BOH NQY ABZ INV NWI SOU
DUB ORK SNN NOC KIR BCN GRO REU MAD AGP ALC VLC PMI IBZ MAH SVQ XRY GRX LEI RMU BIO SDR SCQ VGO OVD ZAZ VLL
TFS TFN LPA ACE FUE SPC CDT LCG VIT LIS OPO FAO FNC PDL TER
BGY MXP LIN FCO CIA VCE TSF BLQ PSA FLR NAP BRI BDS CTA PMO TPS CAG OLB AHO TRN GOA VRN AOI PSR RMI SUF CRV
REG PEG PMF TRS CUF CIY BVA CDG ORY MRS NCE TLS BOD NTE LYS LIL BIQ CCF BZR LRH EGC DLE RDZ LIG TUF PIS BES
FNI MPL SXB FSC AJA BIA CFE PGF BER HAM CGN DUS NRN FRA HHN STR MUC FMM NUE DTM HAJ BRE LEJ DRS FKB FMO PAD
CRL BRU OST AMS EIN MST RTM GRQ LUX VIE SZG INN GRZ LNZ KLU ZRH GVA BSL CPH BLL AAL AAR
ARN NYO VST GOT MMX VXO LLA OSL TRF BGO SVG TRD HAU TOS HEL TMP TKU RVN LPP KEF TLL RIX VNO KUN PLQ
WAW WMI KRK GDN WRO KTW POZ LCJ RZE LUZ BZG SZZ SZY PRG BRQ OSR PED BTS KSC BUD DEB OTP CLJ TSR IAS SBZ CND
SOF BOJ VAR PDV ATH SKG HER CHQ CFU KGS RHO ZTH EFL JTR JMK KLX PVK JSI VOL LCA PFO MLA
ZAG ZAD SPU DBV PUY RJK LJU BEG INI TZL BNX SJJ TGD TIV SKP TIA AYT DLM BJV SAW IST ADB
RAK AGA FEZ TNG RBA CMN NDR OUD ESU OZZ TUN NBE DJE TLV AMM AQJ KUT TBS EVN KBP LWO
"""
SERVED = tuple(_SERVED.split())

NAMES = {
    "STN": "London Stansted",
    "LTN": "London Luton",
    "LGW": "London Gatwick",
    "LCY": "London City",
    "SEN": "London Southend",
    "EMA": "East Midlands",
    "BFS": "Belfast International",
    "BHD": "Belfast City",
    "GLA": "Glasgow International",
    "PIK": "Glasgow Prestwick",
    "LBA": "Leeds Bradford",
    "NOC": "Knock (Ireland West)",
    "KIR": "Kerry",
    "BCN": "Barcelona El Prat",
    "GRO": "Barcelona Girona",
    "REU": "Barcelona Reus",
    "CDT": "Castellón (Valencia)",
    "AGP": "Málaga",
    "TFS": "Tenerife South",
    "TFN": "Tenerife North",
    "BGY": "Milan Bergamo",
    "MXP": "Milan Malpensa",
    "LIN": "Milan Linate",
    "FCO": "Rome Fiumicino",
    "CIA": "Rome Ciampino",
    "VCE": "Venice Marco Polo",
    "TSF": "Venice Treviso",
    "CUF": "Cuneo (Turin)",
    "BVA": "Paris Beauvais",
    "CDG": "Paris Charles de Gaulle",
    "ORY": "Paris Orly",
    "BER": "Berlin Brandenburg",
    "CGN": "Cologne Bonn",
    "DUS": "Düsseldorf",
    "NRN": "Düsseldorf Weeze",
    "FRA": "Frankfurt International",
    "HHN": "Frankfurt Hahn",
    "FKB": "Karlsruhe / Baden-Baden",
    "FMO": "Münster Osnabrück",
    "CRL": "Brussels Charleroi",
    "BRU": "Brussels Zaventem",
    "BSL": "Basel Mulhouse",
    "ARN": "Stockholm Arlanda",
    "NYO": "Stockholm Skavsta",
    "VST": "Stockholm Västerås",
    "OSL": "Oslo Gardermoen",
    "TRF": "Oslo Torp",
    "MMX": "Malmö",
    "KEF": "Reykjavík Keflavík",
    "WAW": "Warsaw Chopin",
    "WMI": "Warsaw Modlin",
    "GDN": "Gdańsk",
    "LCJ": "Łódź",
    "HER": "Crete (Heraklion)",
    "CHQ": "Crete (Chania)",
    "PVK": "Preveza (Lefkada)",
    "SAW": "Istanbul Sabiha Gökçen",
    "IST": "Istanbul",
}

# The city a traveller means where the airport data names the village beside the runway.
CITIES = {
    "SEN": "London",
    "BGY": "Milan",
    "TSF": "Venice",
    "BVA": "Paris",
    "NRN": "Dusseldorf",
    "HHN": "Frankfurt",
    "TRF": "Oslo",
    "IST": "Istanbul",
}

REGIONS = {
    ("gb", "England"): "ENGLAND",
    ("gb", "Scotland"): "SCOTLAND",
    ("gb", "Wales"): "WALES",
    ("gb", "Northern Ireland"): "NORTHERN_IRELAND",
    ("es", "Canary Islands"): "CANARY_ISLES",
    ("es", "Islas Baleares"): "BALEARIC_ISLANDS",
    ("es", "Andalucía"): "COSTA_DE_SOL",
    ("es", "Cataluña"): "COSTA_BRAVA",
    ("pt", "Açores"): "AZORES",
    ("it", "Sicily"): "SICILY",
    ("it", "Sardinia"): "SARDINIA",
    ("it", "Apulia"): "PUGLIA",
    ("it", "Tuscany"): "TUSCANY",
    ("fr", "Brittany"): "BRITTANY",
    ("fr", "Corsica"): "CORSICA",
    ("gr", "Crete"): "CRETE",
    ("gr", "Ionian Islands"): "IONIAN_ISLANDS_GREEK_ISLANDS",
    ("gr", "South Aegean"): "SOUTH_AEGEAN",
}

_SEASIDE = """
AGP ALC PMI IBZ MAH TFS TFN LPA ACE FUE SPC FAO FNC CAG OLB AHO CTA PMO TPS BRI BDS NAP RMI NCE BIQ AJA BIA
FSC HER CHQ CFU KGS RHO ZTH EFL JTR JMK JSI LCA PFO MLA ZAD SPU DBV PUY BOJ VAR AYT DLM BJV AGA DJE NQY
"""
SEASIDE = frozenset(_SEASIDE.split())
_SKIING = "INN SZG GVA ZRH TRN VRN MUC FMM LYS GRZ KLU SOF CUF BSL TOS RVN KUT BGY"
SKIING = frozenset(_SKIING.split())
CHRISTMAS_MARKETS = frozenset(("de", "at", "cz", "pl", "fr", "ee", "lv", "hu", "be", "dk", "gb"))
GOLF = frozenset(("es", "pt", "ma", "ie", "gb"))
