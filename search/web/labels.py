"""Words for the gateway's codes that we know; any other code is made readable by its own letters.

Names of countries, regions and cities within a sentence: `Hotels in the Netherlands`, `Hotels auf
Mallorca`, `Hotéis no Porto`.

French, Italian and Polish put places after a dash or a colon, Spanish names do without.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.utils.functional import Promise

from search.domain.hotels import Property
from search.domain.site_settings import CodeLabel, Site
from search.domain.text import in_words
from search.domain.vocabulary import CodeKind, Note, known_code, known_policy

from .translation import get_language, gettext, override
from .translation import gettext_lazy as _

# Names of two words or more that end so, and single ones; `Texas, United States` is none of them.
_ENGLISH = re.compile(
    r"(?!the )[^,]+ (?:Emirates|Islands|Kingdom|Netherlands|Republic|States|Territor(?:y|ies))"
    r"|Algarve|Amalfi Coast|Aosta Valley|Atacama Desert|Azores|Bahamas|Basque Country|Bay of Kotor"
    r"|Black Forest|Canary Isles|Cinque Terre|Comoros|Costa (?:Blanca|Brava|Dorada|de Sol|del Sol)"
    r"|Cotswolds|Cyclades|Dolomites|Florida Keys|French Riviera|Gambia|Garden Route|Grand Canyon"
    r"|Great Barrier Reef|Isle of (?:Man|Skye|Wight)|Lake District|Maldives|Masai Mara|Netherlands"
    r"|Peloponnese|Philippines|Riviera Maya|Scottish Highlands|Serengeti|Seychelles|South Aegean"
    r"|Valencian Community|Western Cape",
    re.IGNORECASE,
)
# Where German says no bare "in": names after their words, and names that are declined.
_GERMAN_WORDS = {
    "am": """
        Bodensee, Comer See, Gardasee, Genfersee, Grand Canyon, Great Barrier Reef, Lago Maggiore, Lake
        Tahoe, Loch Ness, Plattensee
    """,
    "an der": """
        Algarve, Amalfiküste, Costa Blanca, Costa Brava, Costa Dorada, Costa de Sol, Costa del Sol, Côte
        d’Azur, Garden Route, Riviera Maya
    """,
    "auf": """
        Bali, Bora Bora, Boracay, Borneo, Bornholm, Brac, Cape Cod, Capri, Chalkidiki, Djerba, Elba, Fernando
        de Noronha, Formentera, Fuerteventura, Gotland, Gozo, Gran Canaria, Guernsey, Hainan, Hawaii,
        Hokkaido, Hvar, Ibiza, Ischia, Jamaika, Java, Jersey, Karpathos, Kauai, Kefalonia, Koh Chang, Koh
        Phangan, Koh Phi Phi, Koh Samui, Komodo, Korfu, Korsika, Kos, Kreta, Krk, Kuba, Kyushu, La Gomera, La
        Palma, Langkawi, Lanzarote, Lefkada, Lesbos, Lombok, Long Island, Madeira, Mallorca, Malta, Maui,
        Mauritius, Menorca, Milos, Moorea, Mykonos, Naxos, Oahu, Orkney, Palawan, Paros, Penang, Phu Quoc,
        Rhodos, Rügen, Sal, Samos, Sansibar, Santorin, Sardinien, Siargao, Sizilien, Skiathos, Spitzbergen,
        Sumatra, Svalbard, Sylt, São Miguel, Tahiti, Teneriffa, Terceira, Thassos, Usedom, Zakynthos, Zypern
    """,
    "auf dem": """
        Peloponnes, Sinai
    """,
    "auf den": """
        Azoren, Bahamas, Balearen, Canary Isles, Cookinseln, Falklandinseln, Florida Keys, Galápagos
        Islands, Gili Islands, Kaimaninseln, Kokosinseln, Komoren, Kykladen, Lofoten, Malediven,
        Marshallinseln, Philippinen, Pitcairninseln, Salomonen, Seychellen, Turks- und Caicosinseln,
        Ålandinseln
    """,
    "auf der": """
        Isle of Man, Isle of Skye, Isle of Wight, Krim, North Island, Osterinsel, South Island
    """,
    "im": """
        Allgäu, Aostatal, Banff National Park, Baskenland, Elsass, Kruger National Park, Lake District,
        Land Brandenburg, Napa Valley, Northern Territory, Piemont, Punjab, Saarland, Salzburger Land,
        Schwarzwald, Tessin, Wallis, Western Cape
    """,
    "in den": """
        Abruzzen, Cinque Terre, Cotswolds, Dolomiten, Marken, Scottish Highlands
    """,
    "in der": """
        Atacama Desert, Bretagne, Bucht von Kotor, Extremadura, Ha Long Bay, Lombardei, Masai Mara,
        Mongolei, Normandie, Region Murcia, Republik Moldau, Schweiz, Serengeti, Slowakei, Steiermark,
        Toskana, Türkei, Ukraine, Vatikanstadt, Westsahara, Île-de-France
    """,
}
# Where Portuguese says no bare "em": names with an article. In Portugal, France, Spain and Italy do without.
_PORTUGUESE_WORDS = {
    "na": """
        Albânia, Alemanha, Alsácia, Alta Áustria, Amadora, Andaluzia, Apúlia, Argentina, Argélia, Arménia,
        Arábia Saudita, Austrália, Bahia, Baixa Saxónia, Baixa Silésia, Baixa Áustria, Baviera, Baía de
        Kotor, Bielorrússia, Bolívia, Borgonha, Borgonha-Franco-Condado, Bretanha, Bulgária, Bélgica, Bósnia
        e Herzegovina, Calabria, Califórnia, Campania, Cantábria, Capadócia, Caríntia, Catalunha, Chéquia,
        China, Cidade do Vaticano, Colômbia, Comunidade Valenciana, Comunidade de Madrid, Coreia do Norte,
        Coreia do Sul, Costa Amalfitana, Costa Blanca, Costa Brava, Costa Dorada, Costa Rica, Costa de Sol,
        Costa del Sol, Covilhã, Crimea, Croácia, Córsega, Dalmácia, Dinamarca, Domínica, Emilia-Romagna,
        Eritreia, Escócia, Eslováquia, Eslovénia, Estíria, Estónia, Etiópia, Extremadura, Figueira da Foz,
        Finlândia, Flandres, Floresta Negra, Flórida, Galiza, Geórgia, Gronelândia, Grécia, Guarda,
        Guatemala, Guiana, Guiana Francesa, Guiné, Guiné Equatorial, Guiné-Bissau, Gâmbia, Holanda do Norte,
        Holanda do Sul, Horta, Hungria, Indonésia, Irlanda, Irlanda do Norte, Islândia, Jamaica, Jordânia,
        Lapónia, Lapónia sueca, Letónia, Liguria, Libéria, Lituânia, Lombardia, Líbia, Macedónia do Norte,
        Madeira, Maia, Malásia, Martinica, Masúria, Mauritânia, Maurícia, Mazóvia, Micronésia, Moldávia,
        Mongólia, Namíbia, Nazaré, Nicarágua, Nigéria, Normandia, Noruega, Nova Caledónia, Nova Zelândia,
        Occitânia, Papua-Nova Guiné, Patagonia, Pequena Polónia, Polinésia Francesa, Polónia, Pomerânia,
        Póvoa de Varzim, Região de Múrcia, Renânia do Norte-Vestefália, Renânia-Palatinado, Reunião, Riviera
        Francesa, Riviera Maya, Roménia, Rússia, Sardenha, Saxónia, Saxónia-Anhalt, Serra Leoa, Sicília,
        Silésia, Somália, Suécia, Suíça, Sérvia, Síria, Tailândia, Tanzânia, Toscana, Transilvânia, Tunísia,
        Turquia, Turíngia, Ucrânia, Umbria, Valónia, Venezuela, Zâmbia, África do Sul, Áustria, Índia, Ístria
    """,
    "nas": """
        Astúrias, Baamas, Bermudas, Comores, Cíclades, Dolomitas, Filipinas, Honduras, Maldivas, Seicheles
    """,
    "no": """
        Abruzzo, Afeganistão, Algarve, Azerbaijão, Bangladeche, Barreiro, Barém, Benim, Botsuana, Brasil,
        Brunei, Burquina Faso, Burundi, Butão, Cairo, Camboja, Canadá, Catar, Cazaquistão, Ceará, Chade,
        Chile, Congo-Brazzaville, Congo-Kinshasa, Egito, Entroncamento, Equador, Estado de Brandemburgo,
        Estado de Salzburgo, Estoril, Funchal, Gabão, Gana, Grand Canyon, Haiti, Havai, Irão, Iraque, Iémen,
        Japão, Jibuti, Koweit, Kosovo, Lago Balaton, Lago Lemano, Lago Maggiore, Lago de Como, Lago de
        Constança, Lago de Garda,
        Laos, Lazio, Lesoto, Listenstaine, Líbano, Maláui, Mali, Mianmar (Birmânia), Montenegro, Montijo,
        México, Mónaco, Nepal, Níger, Panamá, Paquistão, Paraguai, Paraná, País Basco, País de Gales,
        Peloponeso, Peru, Piemonte, Porto, Quirguistão, Quénia, Recife, Reino Unido, Rio Grande do Sul, Rio
        de Janeiro, Ruanda, Sara Ocidental, Sarre, Seixal, Senegal, Sinai, Sri Lanca, Sudão, Sudão do Sul,
        Suriname, Tajiquistão, Texas, Ticino, Tirol, Tirol do Sul, Togo, Trentino-Alto Ádige, Turquemenistão,
        Uruguai, Usbequistão, Valais, Vale de Aosta, Veneto, Vietname, Zimbabué
    """,
    "nos": """
        Açores, Camarões, Emirados Árabes Unidos, Estados Unidos, Países Baixos, Países Baixos
        Caribenhos, Territórios palestinianos
    """,
}
_PORTUGUESE_BEGINNINGS = {"Ilha": "na", "Ilhas": "nas", "República": "na"}


def _by_name(words: dict[str, str]) -> dict[str, str]:
    return {
        name: f"{said} {name}"
        for said, names in words.items()
        for name in " ".join(names.split()).split(", ")
    }


_PORTUGUESE = _by_name(_PORTUGUESE_WORDS)
_GERMAN = _by_name(_GERMAN_WORDS) | {
    "Amerikanische Jungferninseln": "auf den Amerikanischen Jungferninseln",
    "Autonome Gemeinschaft Madrid": "in der Autonomen Gemeinschaft Madrid",
    "Britische Jungferninseln": "auf den Britischen Jungferninseln",
    "Dominikanische Republik": "in der Dominikanischen Republik",
    "Färöer": "auf den Färöern",
    "Kanarische Inseln": "auf den Kanarischen Inseln",
    "Karibische Niederlande": "in den Karibischen Niederlanden",
    "Niederlande": "in den Niederlanden",
    "Nördliche Marianen": "auf den Nördlichen Marianen",
    "Palästinensische Autonomiegebiete": "in den Palästinensischen Autonomiegebieten",
    "Tschechische Republik": "in der Tschechischen Republik",
    "Valencianische Gemeinschaft": "in der Valencianischen Gemeinschaft",
    "Vereinigte Arabische Emirate": "in den Vereinigten Arabischen Emiraten",
    "Vereinigte Staaten": "in den Vereinigten Staaten",
    "Vereinigtes Königreich": "im Vereinigten Königreich",
    "Zentralafrikanische Republik": "in der Zentralafrikanischen Republik",
}


def the(place: str) -> str:
    """The place with the article that English says before it; in other languages its name."""
    return f"the {place}" if get_language() == "en" and _ENGLISH.fullmatch(place.partition(",")[0]) else place


def after_hotels(place: str) -> str:
    """The place as `Hotels in %(place)s` wants it: in English with its article, in German and Portuguese also
    with what stands for "in" (`auf Mallorca`, `no Porto`). Empty for no place."""
    language = get_language()
    if language not in ("de", "pt") or not place:
        return the(place)
    name, comma, around = place.partition(",")
    if language == "de":
        return _GERMAN.get(name, f"in {name}") + comma + around
    bare = f"{_PORTUGUESE_BEGINNINGS.get(name.partition(' ')[0], 'em')} {name}"
    return _PORTUGUESE.get(name, bare) + comma + around


KNOWN: dict[CodeKind, dict[str, str | Promise]] = {
    CodeKind.PROPERTY_TYPE: {
        "HOTEL": _("Hotel"),
        "HOSTEL": _("Hostel"),
        "APARTMENT": _("Apartment"),
        "APARTHOTEL": _("Aparthotel"),
        "GUEST_HOUSE": _("Guest house"),
        "BED_AND_BREAKFAST": _("Bed and breakfast"),
        "RESORT": _("Resort"),
        "VILLA": _("Villa"),
        "MOTEL": _("Motel"),
        "INN": _("Inn"),
        "HOLIDAY_HOME": _("Holiday home"),
        "CHALET": _("Chalet"),
        "LODGE": _("Lodge"),
        "CAMPSITE": _("Campsite"),
        "HOMESTAY": _("Homestay"),
        "FARM_STAY": _("Farm stay"),
    },
    CodeKind.RATING: {
        "EXCEPTIONAL": _("Exceptional"),
        "EXCELLENT": _("Excellent"),
        "WONDERFUL": _("Wonderful"),
        "FABULOUS": _("Fabulous"),
        "VERY_GOOD": _("Very good"),
        "GOOD": _("Good"),
        "PLEASANT": _("Pleasant"),
        "FAIR": _("Fair"),
        "AVERAGE": _("Average"),
        "POOR": _("Poor"),
    },
    CodeKind.FACILITY: {
        "FREE_BREAKFAST": _("Breakfast included"),
        "BREAKFAST": _("Breakfast"),
        "RESTAURANT": _("Restaurant"),
        "BAR": _("Bar"),
        "CAFE": _("Café"),
        "ROOM_SERVICE": _("Room service"),
        "SHARED_KITCHEN": _("Shared kitchen"),
        "KITCHEN": _("Kitchen"),
        "KITCHENETTE": _("Kitchenette"),
        "MINIBAR": _("Minibar"),
        "COFFEE_MAKER": _("Tea and coffee maker"),
        "REFRIGERATOR": _("Refrigerator"),
        "POOL": _("Pool"),
        "INDOOR_POOL": _("Indoor pool"),
        "OUTDOOR_POOL": _("Outdoor pool"),
        "SPA": _("Spa"),
        "SAUNA": _("Sauna"),
        "STEAM_ROOM": _("Steam room"),
        "HOT_TUB": _("Hot tub"),
        "MASSAGE": _("Massage"),
        "GYM": _("Gym"),
        "BICYCLES": _("Bicycle hire"),
        "TENNIS": _("Tennis court"),
        "GOLF": _("Golf course"),
        "BEACH": _("Beach"),
        "FREE_PARKING": _("Free parking"),
        "PARKING": _("Parking"),
        "CAR_CHARGING": _("Electric car charging"),
        "AIRPORT_SHUTTLE": _("Airport shuttle"),
        "ACCESSIBLE": _("Step-free access"),
        "LIFT": _("Lift"),
        "CAR_HIRE": _("Car hire"),
        "FREE_WIFI": _("Free wifi"),
        "WIFI": _("Wifi"),
        "INTERNET_ACCESS": _("Internet access"),
        "AIR_CONDITIONING": _("Air conditioning"),
        "HEATING": _("Heating"),
        "TV": _("Television"),
        "PRIVATE_BATHROOM": _("Private bathroom"),
        "SHARED_BATHROOM": _("Shared bathroom"),
        "BATHTUB": _("Bathtub"),
        "SHOWER": _("Shower"),
        "HAIRDRYER": _("Hairdryer"),
        "SAFE": _("Safe"),
        "DESK": _("Desk"),
        "BALCONY": _("Balcony"),
        "SOUNDPROOFING": _("Soundproofing"),
        "NON_SMOKING": _("Non-smoking"),
        "WASHING_MACHINE": _("Washing machine"),
        "SEA_VIEW": _("Sea view"),
        "FAMILY_ROOMS": _("Family rooms"),
        "COTS": _("Cots"),
        "PLAYGROUND": _("Playground"),
        "KIDS_CLUB": _("Kids' club"),
        "BABYSITTING": _("Babysitting"),
        "PETS_ALLOWED": _("Pets welcome"),
        "RECEPTION_24H": _("24-hour reception"),
        "LUGGAGE_STORAGE": _("Luggage storage"),
        "LOCKERS": _("Lockers"),
        "CONCIERGE": _("Concierge"),
        "LAUNDRY": _("Laundry"),
        "DAILY_CLEANING": _("Daily cleaning"),
        "MEETING_ROOMS": _("Meeting rooms"),
        "BUSINESS_CENTRE": _("Business centre"),
        "LOUNGE": _("Lounge"),
        "GARDEN": _("Garden"),
        "TERRACE": _("Terrace"),
    },
    CodeKind.PAYMENT_MODE: {
        "PAY_LATER": _("Pay later"),
        "PAY_NOW": _("Pay now"),
        "PAY_AT_PROPERTY": _("Pay at the hotel"),
    },
    CodeKind.PROMO_TYPE: {
        "REGULAR_PROMOTION": _("Promotion"),
        "EARLY_BOOKING": _("Early booking price"),
        "LAST_MINUTE": _("Last-minute price"),
        "MEMBER_DEAL": _("Member price"),
        "MOBILE_ONLY": _("Mobile price"),
        "LONG_STAY": _("Long-stay price"),
    },
    CodeKind.SURCHARGE: {
        "TAX_AND_FEES": _("Taxes and fees"),
        "TAX": _("Tax"),
        "CITY_TAX": _("City tax"),
        "TOURIST_TAX": _("Tourist tax"),
        "RESORT_FEE": _("Resort fee"),
        "CLEANING_FEE": _("Cleaning fee"),
        "SERVICE_FEE": _("Service fee"),
        "SERVICE_CHARGE": _("Service charge"),
        "VAT": _("VAT"),
        "DESTINATION_FEE": _("Destination fee"),
        "BOOKING_FEE": _("Booking fee"),
    },
}

POLICIES = {
    "NO_SMOKING": _("No smoking"),
    "NO_PETS": _("No pets"),
    "PETS_WELCOME": _("Pets welcome"),
    "CHILDREN_WELCOME": _("Children welcome"),
    "ADULTS_ONLY": _("Adults only"),
    "NO_PARTIES": _("No parties"),
    "FREE_CANCELLATION": _("Free cancellation"),
    "NON_REFUNDABLE": _("Non-refundable"),
}
_NOTES: dict[Note, str | Promise] = {
    Note.NONE: "",
    Note.FREE: _("free of charge"),
    Note.CHARGE: _("charge"),
    Note.ON_REQUEST: _("on request"),
    Note.SHARED_AREAS: _("in shared areas"),
}


@dataclass(frozen=True, slots=True)
class FacilityView:
    """A facility in words. `code` tells it from others, on other properties, too; `note` is what is said
    beside it, such as that it is charged for. One that is not `known` has the provider's own words."""

    code: str
    label: str
    icon: str = "check"
    note: Note = Note.NONE
    known: bool = False

    @property
    def text(self) -> str:
        """`Parking (charge)`."""
        return f"{self.label} ({_NOTES[self.note]})" if self.note else self.label


@dataclass(frozen=True, slots=True)
class PolicyView:
    """A policy in words. One that is not `known` has the provider's own."""

    text: str
    known: bool


def label(kind: CodeKind, code: str, site: Site, otherwise: str = "") -> str:
    """The words for `code`: an admin's, else ours, else `otherwise`, else the code made readable."""
    known = known_code(kind, code)
    admins = site.code_label(kind, code) or (known and site.code_label(kind, known))
    return admins or str(KNOWN[kind].get(known, "")) or otherwise or in_words(code)


def policy(line: str) -> PolicyView:
    """A line of a provider's policies: in our words where it is one of the few that everybody has."""
    ours = POLICIES.get(known_policy(line))
    return PolicyView(str(ours or line), known=bool(ours))


def policies(lines: Iterable[str]) -> tuple[PolicyView, ...]:
    """Each of a provider's policies once."""
    return tuple(dict.fromkeys(map(policy, lines)))


def canonical_code(kind: CodeKind, code: str, site: Site) -> str:
    """The one code that stands for all codes with the same words: POOL for SWIMMING_POOL. For codes without
    words of ours or an admin's it is the code made readable: `Tour desk` for `TOUR_DESK` and `Tour Desk`."""
    first, texts = _first_codes(kind, site.code_labels)
    text = texts.get(code) or texts.get(code.upper()) or texts.get(known_code(kind, code), "")
    return first.get(text) or in_words(code)


@lru_cache(maxsize=16)
def _first_codes(kind: CodeKind, labels: tuple[CodeLabel, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """The first code of each text and the text of each code, in English or an admin's words."""
    with override(settings.LANGUAGE_CODE):
        texts = {code: str(text) for code, text in KNOWN[kind].items()}
    texts |= {one.code: one.label for one in labels if one.kind == kind}
    first: dict[str, str] = {}
    for code, text in texts.items():
        first.setdefault(text, code)
    return first, texts


def property_name(building: Property) -> str:
    """The property's name; for one without, words made of its address or city."""
    return name_or_place(building.name, building.address or building.city)


def name_or_place(name: str, place: str) -> str:
    """The name; without one `Hotel in Porto`."""
    if name:
        return name
    return gettext("Hotel in %(place)s") % {"place": the(place)} if place else gettext("Hotel")
