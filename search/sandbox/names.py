"""What hotels and streets are called, by the language of their country."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Stock(NamedTuple):
    """Word lists that names and addresses are composed from.

    ``names`` and ``address`` are format strings over ``word``, ``street``, ``city``, ``house`` and ``post``.
    """

    names: tuple[str, ...]
    words: tuple[str, ...]
    streets: tuple[str, ...]
    address: str
    native: tuple[str, ...] = ()


# Words in a name that tell the kind of house, and a name for a kind that a language has none for.
_TELLING = {
    "HOSTEL": (("Hostel",), "{word} Hostel"),
    "APARTMENT": (("Apart", "Suites", "Studios", "Résidence", "Residenza"), "{word} Apartments"),
    "RESORT": (("Resort", "Palace Resort"), "{word} Resort"),
    "GUEST_HOUSE": (
        (
            *("Pensi", "Guest", "Gasthof", "Gästehaus", "Locanda", "Posada", "Hostal", "Herberg", "Auberge"),
            *("Pousada", "Residencial", "Ryokan", "Riad", "Dar ", "Baan", "Penzi", "Konağı", "Rooms", "Beit"),
            *("Pensjonat", "Panzió", "Vendégház", "Pansion"),
        ),
        "{word} Guest House",
    ),
    "BED_AND_BREAKFAST": (("B&B", "Chambres"), "B&B {word}"),
    "VILLA": (("Villa", "Willa", "Vila ", "Quinta", "Casa", "Landhaus"), "Villa {word}"),
}


@cache
def names_for(language: str, kind: str) -> tuple[str, ...]:
    """The patterns of names that a house of a kind can have."""
    fitting = tuple(name for name in STOCKS[language].names if kind in _told_by(name))
    return fitting or (_TELLING[kind][1] if kind in _TELLING else "Hotel {word}",)


def _told_by(name: str) -> list[str]:
    """The kinds of house that can be called so."""
    kinds = [kind for kind, (words, _) in _TELLING.items() if any(word in name for word in words)]
    return kinds or ["HOTEL"]


def _stock(address: str, **lists: str) -> Stock:
    """Each list is one text, with commas between its members."""
    words = {name: tuple(map(str.strip, text.split(","))) for name, text in lists.items()}
    return Stock(address=address, **words)


STOCKS: dict[str, Stock] = {
    "english": _stock(
        names="The {word} Hotel, {word} House, The {word}, {word} Lodge, {city} {word} Inn,"
        "{word} & Co. Hotel, The Old {word}, {word} Park Hotel, {word} Rooms, The {word} at {street},"
        "{word} Suites {city}",
        words="Harbour, Wellington, Foxglove, Rosewood, Kingsley, Merchant, Lantern, Ashford, Bluebell,"
        "Regent, Anchor, Saddlers, Northgate, Primrose, Whitmore, Copper Kettle, Albion, Swan, Orchard,"
        "Penrose, Marlowe, Thistle, Crown & Compass, Clarence, Larkspur, Beaumont, Gatehouse, Hawthorn,"
        "Juniper",
        streets="High Street, Church Lane, Station Road, Victoria Road, Mill Lane, Queen's Gate,"
        "Market Place, Castle Street, Park Avenue, Bridge Street, Albert Terrace, Quay Street, Grove Road,"
        "King Street",
        address="{house} {street}, {city} {post}",
    ),
    "spanish": _stock(
        names="Hotel {word}, Hostal {word}, Gran Hotel {word}, {word} Suites, Apartamentos {word},"
        "Casa {word}, Hotel {word} {city}, Pensión {word}, Palacio {word}, Hotel Boutique {word},"
        "Posada {word}",
        words="del Sol, Las Ramblas, Miramar, La Perla, Don Quijote, Santa Clara, El Mirador, Los Naranjos,"
        "Alameda, Isabel la Católica, Buenavista, San Telmo, La Concha, El Olivo, Reina Cristina,"
        "Las Palmeras, Goya, Plaza Mayor, Costa Azul, Los Jazmines, Puerta Real, El Almendro,"
        "Montaña Blanca, Nuñez de Balboa",
        streets="Calle Mayor, Avenida de la Constitución, Calle San Juan, Paseo Marítimo, Plaza de España,"
        "Calle de Alcalá, Carrer de Mallorca, Calle Real, Avenida del Mar, Calle Nueva, Ronda de Sant Pere",
        address="{street} {house}, {post} {city}",
    ),
    "italian": _stock(
        names="Hotel {word}, Albergo {word}, Palazzo {word}, B&B {word}, Residenza {word}, Villa {word},"
        "Grand Hotel {word}, Locanda {word}, {word} Suites, Antica Locanda {word}, Hotel {word} {city}",
        words="Bellavista, San Marco, dei Fiori, La Fenice, Aurora, Santa Chiara, Belvedere, Leonardo,"
        "degli Aranci, Villa Borghese, del Corso, Excelsior, Donatello, La Pergola, Rinascimento,"
        "Quattro Stagioni, Diana, Sant'Anna, Continental, delle Rose, Michelangelo, Porta Nuova, Il Cortile,"
        "dell'Angelo, Tre Archi",
        streets="Via Roma, Via Garibaldi, Corso Vittorio Emanuele, Piazza del Duomo, Via Nazionale,"
        "Via dei Mille, Via Mazzini, Lungomare Cristoforo Colombo, Via della Scala, Viale Europa, Via Dante,"
        "Vicolo Stretto",
        address="{street} {house}, {post} {city}",
    ),
    "french": _stock(
        names="Hôtel {word}, Grand Hôtel {word}, Résidence {word}, Auberge {word}, Le {word}, Maison {word},"
        "Hôtel {word} {city}, Château {word}, Les Suites {word}, Chambres d'hôtes {word}",
        words="de la Gare, du Théâtre, des Arts, Beau Rivage, Saint-Michel, du Vieux Port, Lafayette,"
        "des Tuileries, Bellevue, de l'Étoile, Molière, du Marché, La Vigne, Saint-Honoré, des Lices,"
        "de France, Mirabeau, Les Glycines, du Château, de l'Abbaye, Montfleuri, Les Embruns, Cœur de Ville,"
        "Émeraude, Voltaire",
        streets="rue de la République, avenue Jean Jaurès, boulevard Victor Hugo, place de l'Église,"
        "rue du Bac, quai des Belges, rue Saint-Antoine, promenade des Anglais, rue Pasteur, cours Mirabeau,"
        "rue Haute",
        address="{house} {street}, {post} {city}",
    ),
    "german": _stock(
        names="Hotel {word}, Gasthof {word}, Pension {word}, {word} Hof, Hotel {word} {city},"
        "Landhaus {word}, Stadthotel {word}, Gästehaus {word}, Hotel am {word}, Schlosshotel {word},"
        "Hotel Garni {word}",
        words="Goldener Adler, Bellevue, Zur Linde, Sonnenhof, Schwarzer Bär, Residenz, Kaiserhof,"
        "Drei Könige, Edelweiß, Marktplatz, Brunnen, Alte Mühle, Weißes Rössl, Hirschen, Königshof,"
        "Seeblick, Tannenhof, Zum Löwen, Europa, Dom, Bürgerpark, Rosengarten, Grüner Baum, Stadtmauer,"
        "Parkschlößchen",
        streets="Hauptstraße, Bahnhofstraße, Gartenstraße, Schillerstraße, Am Markt, Lindenallee,"
        "Goetheplatz, Kirchgasse, Mozartstraße, Königsallee, Berliner Straße, Uferweg, Bergstraße,"
        "Schloßplatz",
        address="{street} {house}, {post} {city}",
    ),
    "dutch": _stock(
        names="Hotel {word}, {word} Hotel {city}, Herberg {word}, B&B {word}, Grand Hotel {word},"
        "Stayhuis {word}",
        words="De Gouden Leeuw, Prinsenhof, Oranje, De Zwaan, Waterfront, Het Pakhuis, Zeezicht,"
        "De Witte Tulp, Van Gogh, De Molen, Kanaalzicht, Centraal, De Vier Windstreken, 't Hof,"
        "Burgermeester, Plantage",
        streets="Kerkstraat, Prinsengracht, Dorpsstraat, Stationsplein, Nieuwe Markt, Havenkade,"
        "Lange Voorhout",
        address="{street} {house}, {post} {city}",
    ),
    "nordic": _stock(
        names="Hotel {word}, {word} Hotell, {city} {word} Hotel, Hotell {word}, {word} Gård, Hotelli {word},"
        "{word} Pensionat, {word} Brygge Hotel",
        words="Nordlys, Björken, Havnen, Fjordgården, Skagen, Kungsträdgården, Ærø, Strandvejen, Södra,"
        "Aurora, Gamle Bryggeri, Sjöstjärnan, Vågen, Torget, Kastanjen, Österport, Løvehjerte, Kuusi, Hirvi,"
        "Esja",
        streets="Storgata, Kongens gate, Drottninggatan, Strandgatan, Havnegade, Østergade, Mannerheimintie,"
        "Bryggen, Skolegade, Laugavegur, Kirkegata, Norra Vallgatan",
        address="{street} {house}, {post} {city}",
    ),
    "portuguese": _stock(
        names="Hotel {word}, Pousada {word}, Residencial {word}, Quinta {word}, Casa {word},"
        "Hotel {word} {city}, Palácio {word}, Apartamentos {word}",
        words="da Praia, São Bento, do Rossio, das Flores, Vasco da Gama, Mar e Sol, do Castelo, Bela Vista,"
        "da Ribeira, dos Descobrimentos, Santa Luzia, Atlântico, das Camélias, do Carmo, Douro, Alfazema",
        streets="Rua Augusta, Avenida da Liberdade, Rua de São João, Largo do Carmo, Rua das Flores,"
        "Travessa do Fado, Avenida Marginal, Praça da República, Rua Direita",
        address="{street} {house}, {post} {city}",
    ),
    "polish": _stock(
        names="Hotel {word}, {word} Apartments, Pensjonat {word}, Willa {word}, Hostel {word}, Dom {word},"
        "Hotel {word} {city}, Grand Hotel {word}, Apartamenty {word}",
        words="Polonia, Pod Różą, Złoty Lew, Kamienica, Belweder, Król Kazimierz, Wawel, Tatry, Bałtyk,"
        "Syrena, Pod Orłem, Stary Młyn, Jagiełło, Panorama, Pod Lipą, Złota Kaczka, Bursztyn, Nad Wisłą",
        streets="ul. Długa, ul. Mickiewicza, ul. Szeroka, ul. Mostowa, ul. Piękna, al. Jana Pawła II,"
        "ul. Królewska, plac Wolności, ul. Kościuszki, ul. Krótka, ul. Młyńska, ul. Ogrodowa",
        address="{street} {house}, {post} {city}",
    ),
    "czech": _stock(
        names="Hotel {word}, {word} Apartments, Penzion {word}, Villa {word}, Hostel {word}, Dům {word},"
        "Hotel {word} {city}, Grand Hotel {word}, {word} Residence",
        words="U Zlatého stromu, Bílá Růže, Morava, Tři Lilie, Karlův most, Evropa, U Červeného lva, Slavia,"
        "Vltava, Na Hradbách, U Dvou slunců, Praha, Bohemia, Stará Pošta, Modrá Hvězda, U Kapličky,"
        "Zlatá Hvězda, Panorama",
        streets="Národní, Hlavní, Dlouhá, Mostecká, Nerudova, Husova, Palackého, Nádražní, Masarykova,"
        "Zámecká, Lipová, Školní",
        address="{street} {house}, {post} {city}",
    ),
    "hungarian": _stock(
        names="{word} Hotel, Hotel {word}, {word} Apartman, {word} Panzió, {word} Hostel, Villa {word},"
        "{word} Hotel {city}, Grand Hotel {word}, {word} Vendégház",
        words="Arany Oroszlán, Duna, Gellért, Corvin, Fehér Ló, Tulipán, Kossuth, Zöld Ház, Margit,"
        "Kis Herceg, Belváros, Panoráma, Tisza, Szent István, Gólya, Városliget",
        streets="Kossuth Lajos utca, Petőfi Sándor utca, Széchenyi tér, Váci utca, Rákóczi út, Fő utca,"
        "Deák Ferenc utca, Arany János utca, Bartók Béla út, Duna utca",
        address="{post} {city}, {street} {house}",
    ),
    "romanian": _stock(
        names="Hotel {word}, Pensiunea {word}, Vila {word}, Casa {word}, {word} Apartments, Hostel {word},"
        "Hotel {word} {city}, Grand Hotel {word}",
        words="Carpathia, Dacia, La Castel, Ambasador, Bucegi, Trandafirul, Hanul Vechi, Ardealul, Central,"
        "Dunărea, Capitol, Cetatea, Codrii, Belvedere, Luceafărul, Marea Neagră",
        streets="Strada Lipscani, Bulevardul Unirii, Strada Mihai Eminescu, Calea Victoriei,"
        "Strada Republicii, Strada Horea, Piața Mare, Strada Avram Iancu, Bulevardul Independenței,"
        "Strada Morii",
        address="{street} {house}, {city} {post}",
    ),
    "south slavic": _stock(
        names="Hotel {word}, {word} Apartments, Vila {word}, Villa {word}, Hostel {word}, Pansion {word},"
        "Hotel {word} {city}, Grand Hotel {word}, Kuća {word}",
        words="Adria, Dalmatia, Stari Grad, Slavija, Dunav, Jadran, Lovor, Maslina, Zlatni Rat, Bura,"
        "Stara Luka, Kod Mosta, Galeb, Park, Balkan, Lavanda, Bela Ladja, Riva",
        streets="Trg slobode, Obala kneza Domagoja, Ulica kralja Zvonimira, Glavna ulica, Vukova ulica,"
        "Riva, Ulica Nikole Tesle, Stara cesta, Mostarska ulica, Jadranska ulica, Vodna ulica",
        address="{street} {house}, {post} {city}",
    ),
    "bulgarian": _stock(
        names="Hotel {word}, {word} Apartments, Family Hotel {word}, {word} Hotel, Hostel {word},"
        "Hotel {word} {city}, Grand Hotel {word}, {word} Guest House, Villa {word}",
        words="Rila, Balkan, Slavyanska, Vitosha, Trakia, Bulgaria, Roza, Kristal, Rodina, Odessos,"
        "Stariya Grad, Kamchia, Arena, Lozenets, Perla, Zdravets",
        streets="bul. Vitosha, ul. Tsar Simeon, bul. Knyaz Boris I, ul. Graf Ignatiev, bul. Bulgaria,"
        "ul. Ivan Vazov, ul. Alexandrovska, bul. Hristo Botev, ul. Shipka, ul. Opalchenska",
        address="{street} {house}, {post} {city}",
        native="Хотел «Роза», Хотел «Стария град» {city}, Хотел «Здравец»",
    ),
    "latvian": _stock(
        names="Hotel {word}, {word} Hotel, Villa {word}, {word} Apartments, Hostel {word},{word} Guest House",
        words="Dzintars, Baltija, Vecrīga, Daugava, Jūrmala, Zvaigzne, Amber, Old Town, Liepa, Kuršu, Ozols,"
        "Bellevue, Konventa Sēta, Panorama, Kopa, Ziemeļi",
        streets="Brīvības iela, Kaļķu iela, Jūras iela, Lielā iela, Parka iela, Elizabetes iela,"
        "Tērbatas iela, Raiņa bulvāris, Dzirnavu iela, Skolas iela",
        address="{street} {house}, {city} {post}",
    ),
    "lithuanian": _stock(
        names="Hotel {word}, {word} Hotel, Vila {word}, {word} Apartments, Hostel {word}, {word} Guest House",
        words="Gintaras, Nemunas, Saulė, Jūra, Amber, Old Town, Ąžuolas, Kalnas, Senamiestis, Panorama,"
        "Neringa, Trys Karaliai, Ąžuolynas, Vilija, Gedimino Bokštas, Perlas",
        streets="Gedimino prospektas, Pilies gatvė, Vilniaus gatvė, Laisvės alėja, Liepų gatvė,"
        "Vokiečių gatvė, Didžioji gatvė, Vytauto gatvė, Žvejų gatvė, Jūros gatvė",
        address="{street} {house}, {city} {post}",
    ),
    "ukrainian": _stock(
        names="Hotel {word}, {word} Apartments, Hostel {word}, {word} Park Hotel, Grand Hotel {word},"
        "Villa {word}, Hotel {word} {city}, {word} Guest House",
        words="Dnipro, Kashtan, Kobzar, Zhuravli, Chaika, Karpaty, Opera, Premier, Lybid, Sribnyi Lev,"
        "Ukraina, Slavutych, Chervona Kalyna, Sofia, Panorama, Edem",
        streets="vul. Lesi Ukrainky, Maidan Nezalezhnosti, vul. Tarasa Shevchenka, prospekt Svobody,"
        "vul. Sadova, vul. Ivana Franka, naberezhna Dnipra, vul. Hohola, vul. Sofiivska, vul. Rynok",
        address="{street} {house}, {city} {post}",
        native="Готель «Дніпро», Готель «Червона калина» {city}",
    ),
    "east slavic": _stock(
        names="Hotel {word}, {word} Apartments, Hostel {word}, {word} Park Hotel, Grand Hotel {word},"
        "Villa {word}, Hotel {word} {city}, Pension {word}",
        words="Astoria, Evropa, Slavyanka, Berezka, Zhuravli, Sputnik, Azimut, Sokol, Volga, Steppe,"
        "Karavan, Premier, Altai, Central, Samal, Shelkovy Put",
        streets="Pushkin Street, Sadovaya Street, Abay Avenue, Central Square, Naberezhnaya Street,"
        "Mira Avenue, Lermontov Street, Station Street, Gagarin Avenue, Teatralnaya Street",
        address="{street} {house}, {city} {post}",
        native="Гостиница «Астория» {city}, Гостиница «Журавли»",
    ),
    "greek": _stock(
        names="{word} Hotel, Hotel {word}, {word} Studios, Villa {word}, {word} Beach Resort, Pension {word}",
        words="Poseidon, Aphrodite, Athina, Blue Dolphin, Kalypso, Olympos, Thalassa, Elea, Ilios, Kyma,"
        "Artemis, Meltemi, Asteria, Minoas, Galini, Anemos, Bougainvillea, Nefeli, Ariadne, Akropol",
        streets="Ermou, Leoforos Poseidonos, Odos Athinas, Paralia, Venizelou, Agiou Nikolaou,"
        "Plateia Syntagmatos",
        address="{street} {house}, {city} {post}",
        native="Ξενοδοχείο Ποσειδών, Ξενώνας Η Ελιά, Αρχοντικό Μέγαρο",
    ),
    "turkish": _stock(
        names="{word} Hotel, {word} Otel, {word} Konağı, {word} Palas, {city} {word} Suites,"
        "{word} Resort & Spa",
        words="Sultanahmet, Boğaziçi, Gül, Yıldız, İnci, Altın, Çınar, Deniz, Şehzade, Hürrem, Kaleiçi,"
        "Lale, Ege, Turkuaz, Topkapı, Sarnıç",
        streets="İstiklal Caddesi, Atatürk Bulvarı, Divanyolu Caddesi, Kıbrıs Şehitleri Caddesi, Liman Sokak",
        address="{street} No: {house}, {post} {city}",
    ),
    "arabic": _stock(
        names="Riad {word}, Hotel {word}, Dar {word}, Al {word} Palace, {word} Resort, Kasbah {word}",
        words="Yasmine, El Bahja, Nakheel, Safa, Medina, Zitoun, Andalous, Salam, Noor, Atlas, Jnane, Qamar,"
        "Sahara, Marhaba, Bab Doukkala, Zahra",
        streets="Avenue Mohammed V, Rue de la Kasbah, Corniche Road, Al Souq Street, Derb Sidi Bouamar,"
        "Sheikh Zayed",
        address="{house} {street}, {city} {post}",
        native="فندق الياسمين, رياض الأندلس, فندق قصر النخيل (Palm Palace), دار السلام",
    ),
    "hebrew": _stock(
        names="Hotel {word}, {word} Boutique Hotel, Beit {word}, {word} Suites {city}",
        words="Shalom, Carmel, Galil, Dizengoff, Neve Tzedek, Yarkon, Rothschild, Tamar, Jaffa Gate, Oranim",
        streets="Dizengoff Street, Rothschild Boulevard, HaYarkon Street, Ben Yehuda Street, Allenby",
        address="{house} {street}, {city} {post}",
        native="מלון הים, בית שלום, מלון בוטיק תמר",
    ),
    "japanese": _stock(
        names="Hotel {word} {city}, {word} Ryokan, {word} Inn, Business Hotel {word}, Guesthouse {word}",
        words="Sakura, Fuji, Hikari, Matsu, Kawa, Asahi, Tsuki, Hana, Kiyomizu, Momiji, Yuki, Shinano, Edo",
        streets="Chuo-dori, Honmachi, Sakae-cho, Ekimae-dori, Higashiyama, Kawaramachi-dori",
        address="{house}-{street}, {city} {post}",
        native="桜旅館, ホテル富士, 旅館 松の湯, 駅前ホテル {city}, ゲストハウス月",
    ),
    "chinese": _stock(
        names="{word} Hotel, {city} {word} Hotel, Grand {word}, {word} Garden Hotel, {word} Hostel",
        words="Jade, Golden Lotus, Dragon, Pearl River, Bamboo, Orient, Red Lantern, Phoenix, Jasmine, Peony",
        streets="Nanjing Road, Zhongshan Road, Renmin Street, Jiefang Avenue, Queen's Road, Heping Road",
        address="{house} {street}, {city} {post}",
        native="金龙大酒店, 和平饭店, 如意客栈, 西湖国宾馆, 九龍海景酒店",
    ),
    "asian": _stock(
        names="{word} Hotel, {word} Resort & Spa, {city} {word} Boutique, {word} Guesthouse, Baan {word}",
        words="Lotus, Orchid, Frangipani, Riverside, Temple View, Golden Palm, Coconut Grove, Monsoon,"
        "Saffron, Silk, Elephant, Bamboo, Taj, Maharaja, Coral Bay, Sunrise, Serenity, Emerald, Garuda,"
        "Banyan",
        streets="Beach Road, Sukhumvit Road, Jalan Raya, Mahatma Gandhi Road, Temple Street, Riverside Road,"
        "Rizal Avenue",
        address="{house} {street}, {city} {post}",
        native="호텔 서울, โรงแรมดอกบัว, होटल कमल",
    ),
}
