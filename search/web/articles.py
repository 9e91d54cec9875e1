"""Names of countries, regions and cities within a sentence: `Hotels in the Netherlands`, `Hotels auf
Mallorca`, `Hotéis no Porto`.

French, Italian and Polish put places after a dash or a colon, Spanish names do without.
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
