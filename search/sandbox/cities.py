"""What the airport data does not say of cities: how much they matter, their centres and English names."""

from __future__ import annotations

from typing import NamedTuple


class MajorCity(NamedTuple):
    """``properties`` is the number the sandbox gives the city; the centre is in degrees."""

    properties: int
    latitude: float
    longitude: float


_MAJOR = """
Aalborg,dk,320,57.048,9.922; Aberdeen,gb,480,57.149,-2.094; Agadir,ma,900,30.421,-9.598
Alicante,es,2400,38.345,-0.481; Almeria,es,900,36.834,-2.464; Amsterdam,nl,4200,52.373,4.893
Antalya,tr,4800,36.887,30.705; Athens,gr,5200,37.984,23.728; Auckland,nz,1900,-36.848,174.763
Bangkok,th,7800,13.752,100.494; Barcelona,es,7200,41.387,2.170; Bari,it,1800,41.126,16.872
Beijing,cn,6400,39.905,116.391; Belfast,gb,900,54.597,-5.930; Belgrade,rs,1900,44.814,20.461
Bergamo,it,1100,45.695,9.670; Bergen,no,780,60.393,5.324; Berlin,de,4600,52.520,13.405
Bilbao,es,1100,43.263,-2.935; Birmingham,gb,1300,52.480,-1.903; Bologna,it,1900,44.494,11.343
Bordeaux,fr,1700,44.838,-0.579; Bratislava,sk,900,48.146,17.107; Brindisi,it,900,40.633,17.941
Bristol,gb,980,51.455,-2.588; Brussels,be,2600,50.847,4.352; Bucharest,ro,2400,44.427,26.103
Budapest,hu,4100,47.498,19.040; Buenos Aires,ar,4600,-34.604,-58.382; Cagliari,it,1700,39.223,9.122
Cairo,eg,2900,30.044,31.236; Cancun,mx,2700,21.161,-86.851; Cape Town,za,4300,-33.925,18.424
Casablanca,ma,1100,33.573,-7.590; Catania,it,2600,37.502,15.087; Chicago,us,3100,41.878,-87.630
Cologne,de,1600,50.938,6.960; Copenhagen,dk,2300,55.676,12.568; Corfu,gr,2600,39.624,19.922
Cork,ie,620,51.897,-8.470; Crete,gr,3400,35.240,24.809; Delhi,in,5200,28.614,77.209
Doha,qa,1200,25.286,51.533; Dubai,ae,6900,25.204,55.271; Dublin,ie,2900,53.350,-6.260
Dubrovnik,hr,2800,42.651,18.094; Dusseldorf,de,1500,51.226,6.776; Edinburgh,gb,3600,55.953,-3.189
Eindhoven,nl,420,51.441,5.478; Faro,pt,2900,37.019,-7.930; Fez,ma,900,34.033,-5.000
Florence,it,4800,43.770,11.256; Frankfurt,de,1700,50.111,8.682; Fuerteventura,es,1500,28.359,-14.054
Funchal,pt,2100,32.650,-16.908; Gdansk,pl,2300,54.348,18.653; Geneva,ch,1000,46.204,6.143
Genoa,it,1700,44.407,8.934; Girona,es,1300,41.983,2.825; Glasgow,gb,1600,55.861,-4.250
Gothenburg,se,820,57.709,11.975; Gran Canaria,es,2800,28.100,-15.413; Granada,es,1900,37.177,-3.599
Hamburg,de,1900,53.551,9.994; Hanoi,vn,3600,21.028,105.834; Havana,cu,2400,23.136,-82.359
Helsinki,fi,1200,60.170,24.941; Heraklion,gr,2300,35.339,25.133; Hong Kong,hk,3300,22.284,114.158
Ibiza,es,2200,38.909,1.433; Istanbul,tr,7600,41.010,28.960; Jakarta,id,4300,-6.175,106.827
Kaunas,lt,520,54.897,23.886; Kefalonia,gr,1300,38.178,20.488; Kos,gr,1500,36.893,27.288
Krakow,pl,3800,50.062,19.937; Kuala Lumpur,my,4300,3.148,101.694; Kuwait City,kw,640,29.376,47.977
Lanzarote,es,1900,28.963,-13.550; Las Vegas,us,1300,36.114,-115.173; Leeds,gb,640,53.797,-1.543
Lille,fr,780,50.637,3.063; Lima,pe,2300,-12.046,-77.030; Lisbon,pt,5400,38.708,-9.137
Liverpool,gb,1200,53.407,-2.984; Ljubljana,si,1100,46.051,14.506; Lodz,pl,620,51.770,19.455
London,gb,9400,51.507,-0.128; Los Angeles,us,4200,34.052,-118.244; Lyon,fr,1700,45.758,4.832
Madrid,es,5200,40.417,-3.704; Malaga,es,5100,36.721,-4.421; Malta,mt,2600,35.899,14.514
Manchester,gb,2200,53.479,-2.245; Manila,ph,3800,14.590,120.981; Marrakech,ma,3900,31.626,-7.989
Marseille,fr,2100,43.296,5.370; Melbourne,au,3200,-37.814,144.963; Menorca,es,1300,39.889,4.264
Mexico City,mx,4400,19.433,-99.133; Miami,us,3600,25.775,-80.194; Milan,it,4700,45.464,9.190
Montreal,ca,2600,45.509,-73.554; Moscow,ru,5200,55.752,37.617; Mumbai,in,3200,18.940,72.835
Munich,de,2400,48.137,11.576; Mykonos,gr,1900,37.445,25.329; Nairobi,ke,1500,-1.283,36.817
Nantes,fr,820,47.218,-1.554; Naples,it,4600,40.852,14.268; New York,us,6100,40.742,-73.989
Newcastle,gb,780,54.978,-1.612; Nice,fr,3300,43.702,7.266; Nuremberg,de,820,49.454,11.077
Olbia,it,2100,40.923,9.498; Osaka,jp,3700,34.694,135.502; Oslo,no,1100,59.913,10.739
Palermo,it,3100,38.116,13.361; Palma de Mallorca,es,4300,39.571,2.650; Paphos,cy,1500,34.772,32.430
Paris,fr,8300,48.857,2.352; Pisa,it,1600,43.716,10.402; Porto,pt,3700,41.149,-8.611
Poznan,pl,980,52.408,16.934; Prague,cz,4600,50.088,14.421; Reykjavik,is,1100,64.147,-21.941
Rhodes,gr,2300,36.443,28.222; Riga,lv,1400,56.949,24.106; Rimini,it,2300,44.060,12.566
Rio de Janeiro,br,4200,-22.971,-43.182; Rome,it,8800,41.895,12.482; Rotterdam,nl,820,51.922,4.479
Salzburg,at,1300,47.800,13.044; San Francisco,us,2400,37.787,-122.410; Santander,es,620,43.462,-3.810
Santorini,gr,2300,36.417,25.432; Seoul,kr,4600,37.566,126.978; Seville,es,3200,37.389,-5.993
Shanghai,cn,5200,31.230,121.474; Singapore,sg,2100,1.290,103.852; Sofia,bg,1900,42.698,23.322
Split,hr,3600,43.508,16.440; Stockholm,se,1700,59.329,18.069; Stuttgart,de,1000,48.776,9.183
Sydney,au,3400,-33.869,151.209; Tallinn,ee,1400,59.437,24.745; Tbilisi,ge,2400,41.694,44.801
Tel Aviv,il,2600,32.080,34.780; Tenerife,es,3300,28.468,-16.254; Thessaloniki,gr,1500,40.640,22.935
Tokyo,jp,6600,35.681,139.767; Toronto,ca,2800,43.653,-79.383; Toulouse,fr,1300,43.604,1.443
Trieste,it,900,45.650,13.770; Tunis,tn,1200,36.800,10.180; Turin,it,1800,45.071,7.686
Valencia,es,2900,39.470,-0.376; Venice,it,5200,45.438,12.327; Verona,it,2100,45.438,10.993
Vienna,at,3600,48.209,16.372; Vilnius,lt,1300,54.687,25.280; Warsaw,pl,3100,52.230,21.012
Wroclaw,pl,1500,51.110,17.032; Zadar,hr,2400,44.116,15.228; Zagreb,hr,1700,45.815,15.982
Zakynthos,gr,1800,37.788,20.899; Zurich,ch,1200,47.372,8.542
"""


def _major() -> dict[tuple[str, str], MajorCity]:
    cities = {}
    for entry in _MAJOR.replace("\n", ";").split(";"):
        if entry.strip():
            name, country, properties, latitude, longitude = entry.strip().split(",")
            cities[name, country] = MajorCity(int(properties), float(latitude), float(longitude))
    return cities


MAJOR_CITIES = _major()
"""(English name, lower-case country) -> what is known of the city."""

ENGLISH_NAMES: dict[tuple[str, str], str] = {
    ("Roma", "it"): "Rome",
    ("Venezia", "it"): "Venice",
    ("Torino", "it"): "Turin",
    ("Napoli", "it"): "Naples",
    ("Firenze", "it"): "Florence",
    ("Genova", "it"): "Genoa",
    ("Sevilla", "es"): "Seville",
    ("Jerez de la Forntera", "es"): "Jerez de la Frontera",
    ("Palma De Mallorca", "es"): "Palma de Mallorca",
    ("Sta Cruz de la Palma", "es"): "La Palma",
    ("Corvera", "es"): "Murcia",
    ("Ranon", "es"): "Asturias",
    ("Castellón de la Plana", "es"): "Castellon",
    ("Kraków", "pl"): "Krakow",
    ("Gdańsk", "pl"): "Gdansk",
    ("Łódź", "pl"): "Lodz",
    ("Poznań", "pl"): "Poznan",
    ("Wrocław", "pl"): "Wroclaw",
    ("Goleniow", "pl"): "Szczecin",
    ("Szymany", "pl"): "Olsztyn",
    ("Kerkyra", "gr"): "Corfu",
    ("Kefallinia", "gr"): "Kefalonia",
    ("Rodes", "gr"): "Rhodes",
    ("Souda", "gr"): "Chania",
    ("Kithira", "gr"): "Kythira",
    ("Frankfurt am Main", "de"): "Frankfurt",
    ("Hannover", "de"): "Hanover",
    ("Torp", "no"): "Sandefjord",
    ("Karmoy", "no"): "Haugesund",
    ("Kjevik", "no"): "Kristiansand",
    ("Evenes", "no"): "Narvik",
    ("Fes", "ma"): "Fez",
    ("Bale", "fr"): "Basel",
    ("Marck", "fr"): "Calais",
    ("Lajes", "pt"): "Terceira",
    ("Luqa", "mt"): "Malta",
    ("Charleston", "ie"): "Knock",
    ("Culleredo", "es"): "A Coruña",
    ("Alava", "es"): "Vitoria",
    ("Figari Sud-Corse", "fr"): "Figari",
    ("Nea Anchialos", "gr"): "Volos",
    ("Klagenfurt am Worthersee", "at"): "Klagenfurt",
    ("Rio De Janeiro", "br"): "Rio de Janeiro",
    ("Belgrad", "rs"): "Belgrade",
    ("New Delhi", "in"): "Delhi",
    ("Dorval", "ca"): "Montreal",
    ("Larnarca", "cy"): "Larnaca",
}
"""The spelling of the airport data -> the name the sandbox uses."""

OTHER_NAMES: dict[str, tuple[str, str]] = {
    "mallorca": ("Palma de Mallorca", "es"),
    "majorca": ("Palma de Mallorca", "es"),
    "palma": ("Palma de Mallorca", "es"),
    "costa del sol": ("Malaga", "es"),
    "costa de sol": ("Malaga", "es"),
    "costa brava": ("Girona", "es"),
    "costa blanca": ("Alicante", "es"),
    "algarve": ("Faro", "pt"),
    "lisboa": ("Lisbon", "pt"),
    "oporto": ("Porto", "pt"),
    "wien": ("Vienna", "at"),
    "munchen": ("Munich", "de"),
    "muenchen": ("Munich", "de"),
    "koln": ("Cologne", "de"),
    "koeln": ("Cologne", "de"),
    "nurnberg": ("Nuremberg", "de"),
    "praha": ("Prague", "cz"),
    "warszawa": ("Warsaw", "pl"),
    "kobenhavn": ("Copenhagen", "dk"),
    "goteborg": ("Gothenburg", "se"),
    "bruxelles": ("Brussels", "be"),
    "bucuresti": ("Bucharest", "ro"),
    "beograd": ("Belgrade", "rs"),
    "athina": ("Athens", "gr"),
    "geneve": ("Geneva", "ch"),
    "genf": ("Geneva", "ch"),
    "the hague": ("Rotterdam", "nl"),
    "valletta": ("Malta", "mt"),
    "marrakesh": ("Marrakech", "ma"),
    "moskva": ("Moscow", "ru"),
    "beauvais tille": ("Beauvais", "fr"),
    "東京": ("Tokyo", "jp"),
    "大阪": ("Osaka", "jp"),
    "北京": ("Beijing", "cn"),
    "上海": ("Shanghai", "cn"),
    "香港": ("Hong Kong", "hk"),
    "서울": ("Seoul", "kr"),
    "москва": ("Moscow", "ru"),
    "αθηνα": ("Athens", "gr"),
    "دبي": ("Dubai", "ae"),
    "القاهرة": ("Cairo", "eg"),
    "תל אביב": ("Tel Aviv", "il"),
}
"""Folded other name -> (English name, country)."""

_REGIONS_AROUND: dict[tuple[str, str], str] = {
    ("New York", "us"): "new york state",
    ("Seattle", "us"): "washington state",
    ("Valladolid", "es"): "castile and leon",
    ("Madrid", "es"): "community of madrid",
    ("Murcia", "es"): "region of murcia",
    ("Pamplona", "es"): "navarre",
    ("Bilbao", "es"): "basque country",
    ("Valencia", "es"): "valencian community",
    ("Ibiza", "es"): "formentera",
    ("Tenerife", "es"): "la gomera",
    ("Barcelona", "es"): "costa dorada",
    ("Bari", "it"): "basilicata",
    ("Ancona", "it"): "marche",
    ("Pescara", "it"): "molise",
    ("Verona", "it"): "trentino south tyrol, lake garda",
    ("Belluno", "it"): "south tyrol, dolomites",
    ("Milan", "it"): "lake como, lake maggiore",
    ("Naples", "it"): "amalfi coast, capri, ischia",
    ("Genoa", "it"): "cinque terre",
    ("Pisa", "it"): "elba",
    ("Nice", "fr"): "french riviera",
    ("Strasbourg", "fr"): "alsace",
    ("Toulouse", "fr"): "occitania",
    ("Dijon", "fr"): "burgundy franche comte, burgundy",
    ("Tours", "fr"): "centre val de loire",
    ("Berlin", "de"): "brandenburg state",
    ("Hanover", "de"): "lower saxony",
    ("Rostock", "de"): "mecklenburg western pomerania",
    ("Cologne", "de"): "north rhine westphalia",
    ("Frankfurt", "de"): "rhineland palatinate",
    ("Magdeburg", "de"): "saxony anhalt",
    ("Lahr", "de"): "black forest",
    ("Westerland", "de"): "sylt",
    ("Friedrichshafen", "de"): "allgau, lake constance",
    ("Heringsdorf", "de"): "usedom",
    ("Ponta Delgada", "pt"): "sao miguel",
    ("Preveza", "gr"): "lefkada",
    ("Malta", "mt"): "gozo",
    ("Salzburg", "at"): "salzburg state",
    ("Geneva", "ch"): "lake geneva",
    ("Krakow", "pl"): "lesser poland",
    ("Warsaw", "pl"): "masovia",
    ("Olsztyn", "pl"): "masuria",
    ("Kavala", "gr"): "thassos",
    ("Mytilene", "gr"): "lesbos",
    ("Thessaloniki", "gr"): "halkidiki",
    ("Nevşehir", "tr"): "cappadocia",
    ("Split", "hr"): "dalmatia, hvar",
    ("Rotterdam", "nl"): "zeeland",
    ("Leknes", "no"): "lofoten",
    ("Kiruna", "se"): "swedish lapland",
    ("Ronne", "dk"): "bornholm",
    ("Sarmellek", "hu"): "lake balaton",
    ("Tivat", "me"): "bay of kotor",
    ("Manchester", "gb"): "lake district",
    ("Birmingham", "gb"): "cotswolds",
    ("Exeter", "gb"): "devon",
    ("Inverness", "gb"): "isle of skye, scottish highlands, loch ness",
    ("Southampton", "gb"): "isle of wight",
    ("Shannon", "ie"): "connemara",
    ("Cork", "ie"): "county kerry",
    ("Mataram", "id"): "lombok, gili islands",
    ("Jakarta", "id"): "java",
    ("Medan, Sumatra", "id"): "sumatra",
    ("Labuan Bajo-Flores", "id"): "komodo",
    ("Na Thon (Ko Samui Island)", "th"): "koh samui, koh phangan",
    ("Phuket", "th"): "koh phi phi",
    ("Trat", "th"): "koh chang",
    ("Duong Dong", "vn"): "phu quoc",
    ("Haiphong", "vn"): "ha long bay",
    ("Kota Kinabalu", "my"): "borneo",
    ("Kalibo", "ph"): "boracay",
    ("Del Carmen", "ph"): "siargao",
    ("Naha", "jp"): "okinawa prefecture",
    ("Fukuoka", "jp"): "kyushu",
    ("Srinagar", "in"): "kashmir",
    ("Oaxaca", "mx"): "oaxaca state",
    ("Veracruz", "mx"): "veracruz state",
    ("Cancun", "mx"): "riviera maya",
    ("Sao Paulo", "br"): "sao paulo state",
    ("Rio de Janeiro", "br"): "rio de janeiro state",
    ("San Carlos de Bariloche", "ar"): "patagonia",
    ("Cordoba", "ar"): "cordoba province",
    ("Mendoza", "ar"): "mendoza province",
    ("Rosario", "ar"): "santa fe province",
    ("San Cristobal", "ec"): "galapagos islands",
    ("Isla De Pascua", "cl"): "easter island",
    ("Calama", "cl"): "atacama desert",
    ("Kahului", "us"): "maui",
    ("Honolulu", "us"): "oahu",
    ("Lihue", "us"): "kauai",
    ("Marathon", "us"): "florida keys",
    ("Falmouth", "us"): "cape cod",
    ("San Francisco", "us"): "napa valley",
    ("Reno", "us"): "lake tahoe",
    ("West Yellowstone", "us"): "yellowstone",
    ("Mammoth Lakes", "us"): "yosemite",
    ("Banff", "ca"): "banff national park",
    ("George", "za"): "garden route",
    ("Hoedspruit", "za"): "kruger national park",
    ("Kiembi Samaki", "tz"): "zanzibar",
    ("Seronera", "tz"): "serengeti",
    ("Taba", "eg"): "sinai",
    ("Motu Mute", "pf"): "bora bora",
    ("Papeete", "pf"): "tahiti",
    ("Novosibirsk", "ru"): "siberia",
    ("Christchurch", "nz"): "south island",
    ("Auckland", "nz"): "north island",
    ("Cairns", "au"): "great barrier reef",
    ("Dinard", "fr"): "mont saint michel",
    ("Denpasar-Bali", "id"): "seminyak",
    ("Ålesund", "no"): "geiranger",
    ("Bergen", "no"): "flam",
}
# Regions and islands that the airport data has no word for are the city that stands for them.
OTHER_NAMES |= {region: city for city, regions in _REGIONS_AROUND.items() for region in regions.split(", ")}

REGION_NAMES: dict[str, tuple[str, str]] = {
    "canary isles": ("Canary Islands", "es"),
    "canaries": ("Canary Islands", "es"),
    "balearic islands": ("Islas Baleares", "es"),
    "andalusia": ("Andalucía", "es"),
    "catalonia": ("Cataluña", "es"),
    "puglia": ("Apulia", "it"),
    "lazio": ("Latium", "it"),
    "lombardia": ("Lombardy", "it"),
    "piemonte": ("Piedmont", "it"),
    "toscana": ("Tuscany", "it"),
    "sicilia": ("Sicily", "it"),
    "sardegna": ("Sardinia", "it"),
    "azores": ("Açores", "pt"),
    "bavaria": ("Bayern", "de"),
    "provence": ("Provence Alpes Cote d'Azur", "fr"),
    "ionian islands greek islands": ("Ionian Islands", "gr"),
    "cyclades": ("South Aegean", "gr"),
}
"""Folded other name of a region -> (the airport data's spelling without hyphens, country)."""
