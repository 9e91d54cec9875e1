"""Names of countries and regions within a sentence: `Hotels in the Netherlands`, `Hotels auf Mallorca`.

French, Italian and Polish put places after a dash or a colon, Spanish and Portuguese names do without.
"""

import re

from .translation import get_language

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
        Comer See, Gardasee, Genfersee, Grand Canyon, Great Barrier Reef, Lago Maggiore, Lake Tahoe,
        Loch Ness, Plattensee
    """,
    "an der": """
        Algarve, Amalfiküste, Costa Blanca, Costa Brava, Costa Dorada, Costa de Sol, Costa del Sol, Côte
        d’Azur, Garden Route, Riviera Maya
    """,
    "auf": """
        Bali, Bora Bora, Boracay, Borneo, Bornholm, Brac, Cape Cod, Capri, Chalkidiki, Djerba, Elba,
        Fernando de Noronha, Formentera, Fuerteventura, Gotland, Gran Canaria, Guernsey, Hainan, Hawaii,
        Hokkaido, Hvar, Ibiza, Ischia, Jamaika, Java, Jersey, Kauai, Kefalonia, Koh Chang, Koh Phangan,
        Koh Phi Phi, Koh Samui, Komodo, Korfu, Korsika, Kos, Kreta, Krk, Kuba, Kyushu, La Gomera, La
        Palma, Langkawi, Lanzarote, Lesbos, Lombok, Long Island, Madeira, Mallorca, Malta, Maui,
        Mauritius, Menorca, Moorea, Mykonos, Naxos, Oahu, Orkney, Palawan, Paros, Penang, Phu Quoc,
        Rhodos, Rügen, Sal, Sansibar, Santorin, Sardinien, Siargao, Sizilien, Spitzbergen, Sumatra,
        Svalbard, Sylt, Tahiti, Teneriffa, Thassos, Zakynthos, Zypern
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
_GERMAN = {
    name: f"{words} {name}"
    for words, names in _GERMAN_WORDS.items()
    for name in " ".join(names.split()).split(", ")
} | {
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
    """The place as `Hotels in %(place)s` wants it: in English with its article, in German also with what
    stands for "in" (`auf Mallorca`). Empty for no place."""
    if get_language() != "de" or not place:
        return the(place)
    name, comma, around = place.partition(",")
    return _GERMAN.get(name, f"in {name}") + comma + around
