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


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


STOCKS: dict[str, Stock] = {
    "english": Stock(
        _list(
            "The {word} Hotel, {word} House, The {word}, {word} Lodge, {city} {word} Inn, {word} & Co. Hotel,"
            "The Old {word}, {word} Park Hotel, {word} Rooms, The {word} at {street}, {word} Suites {city}"
        ),
        _list(
            "Harbour, Wellington, Foxglove, Rosewood, Kingsley, Merchant, Lantern, Ashford, Bluebell, Regent,"
            "Anchor, Saddlers, Northgate, Primrose, Whitmore, Copper Kettle, Albion, Swan, Orchard, Penrose,"
            "Marlowe, Thistle, Crown & Compass, Clarence, Larkspur, Beaumont, Gatehouse, Hawthorn, Juniper"
        ),
        _list(
            "High Street, Church Lane, Station Road, Victoria Road, Mill Lane, Queen's Gate, Market Place,"
            "Castle Street, Park Avenue, Bridge Street, Albert Terrace, Quay Street, Grove Road, King Street"
        ),
        "{house} {street}, {city} {post}",
    ),
    "spanish": Stock(
        _list(
            "Hotel {word}, Hostal {word}, Gran Hotel {word}, {word} Suites, Apartamentos {word}, Casa {word},"
            "Hotel {word} {city}, Pensión {word}, Palacio {word}, Hotel Boutique {word}, Posada {word}"
        ),
        _list(
            "del Sol, Las Ramblas, Miramar, La Perla, Don Quijote, Santa Clara, El Mirador,"
            "Los Naranjos, Alameda,"
            "Isabel la Católica, Buenavista, San Telmo, La Concha, El Olivo, Reina Cristina,"
            "Las Palmeras, Goya,"
            "Plaza Mayor, Costa Azul, Los Jazmines, Puerta Real, El Almendro, Montaña Blanca, Nuñez de Balboa"
        ),
        _list(
            "Calle Mayor, Avenida de la Constitución, Calle San Juan, Paseo Marítimo, Plaza de España,"
            "Calle de Alcalá, Carrer de Mallorca, Calle Real, Avenida del Mar, Calle Nueva,"
            "Ronda de Sant Pere"
        ),
        "{street} {house}, {post} {city}",
    ),
    "italian": Stock(
        _list(
            "Hotel {word}, Albergo {word}, Palazzo {word}, B&B {word}, Residenza {word}, Villa {word},"
            "Grand Hotel {word}, Locanda {word}, {word} Suites, Antica Locanda {word}, Hotel {word} {city}"
        ),
        _list(
            "Bellavista, San Marco, dei Fiori, La Fenice, Aurora, Santa Chiara, Belvedere, Leonardo,"
            "degli Aranci,"
            "Villa Borghese, del Corso, Excelsior, Donatello, La Pergola, Rinascimento,"
            "Quattro Stagioni, Diana,"
            "Sant'Anna, Continental, delle Rose, Michelangelo, Porta Nuova, Il Cortile, dell'Angelo,"
            "Tre Archi"
        ),
        _list(
            "Via Roma, Via Garibaldi, Corso Vittorio Emanuele, Piazza del Duomo, Via Nazionale,"
            "Via dei Mille,"
            "Via Mazzini, Lungomare Cristoforo Colombo, Via della Scala, Viale Europa, Via Dante,"
            "Vicolo Stretto"
        ),
        "{street} {house}, {post} {city}",
    ),
    "french": Stock(
        _list(
            "Hôtel {word}, Grand Hôtel {word}, Résidence {word}, Auberge {word}, Le {word}, Maison {word},"
            "Hôtel {word} {city}, Château {word}, Les Suites {word}, Chambres d'hôtes {word}"
        ),
        _list(
            "de la Gare, du Théâtre, des Arts, Beau Rivage, Saint-Michel, du Vieux Port, Lafayette,"
            "des Tuileries,"
            "Bellevue, de l'Étoile, Molière, du Marché, La Vigne, Saint-Honoré, des Lices, de France,"
            "Mirabeau,"
            "Les Glycines, du Château, de l'Abbaye, Montfleuri, Les Embruns, Cœur de Ville, Émeraude,"
            "Voltaire"
        ),
        _list(
            "rue de la République, avenue Jean Jaurès, boulevard Victor Hugo, place de l'Église, rue du Bac,"
            "quai des Belges, rue Saint-Antoine, promenade des Anglais, rue Pasteur, cours Mirabeau,"
            "rue Haute"
        ),
        "{house} {street}, {post} {city}",
    ),
    "german": Stock(
        _list(
            "Hotel {word}, Gasthof {word}, Pension {word}, {word} Hof, Hotel {word} {city}, Landhaus {word},"
            "Stadthotel {word}, Gästehaus {word}, Hotel am {word}, Schlosshotel {word}, Hotel Garni {word}"
        ),
        _list(
            "Goldener Adler, Bellevue, Zur Linde, Sonnenhof, Schwarzer Bär, Residenz, Kaiserhof, Drei Könige,"
            "Edelweiß, Marktplatz, Brunnen, Alte Mühle, Weißes Rössl, Hirschen, Königshof, Seeblick,"
            "Tannenhof,"
            "Zum Löwen, Europa, Dom, Bürgerpark, Rosengarten, Grüner Baum, Stadtmauer, Parkschlößchen"
        ),
        _list(
            "Hauptstraße, Bahnhofstraße, Gartenstraße, Schillerstraße, Am Markt, Lindenallee, Goetheplatz,"
            "Kirchgasse, Mozartstraße, Königsallee, Berliner Straße, Uferweg, Bergstraße, Schloßplatz"
        ),
        "{street} {house}, {post} {city}",
    ),
    "dutch": Stock(
        _list(
            "Hotel {word}, {word} Hotel {city}, Herberg {word}, B&B {word}, Grand Hotel {word},"
            "Stayhuis {word}"
        ),
        _list(
            "De Gouden Leeuw, Prinsenhof, Oranje, De Zwaan, Waterfront, Het Pakhuis, Zeezicht, De Witte Tulp,"
            "Van Gogh, De Molen, Kanaalzicht, Centraal, De Vier Windstreken, 't Hof, Burgermeester, Plantage"
        ),
        _list(
            "Kerkstraat, Prinsengracht, Dorpsstraat, Stationsplein, Nieuwe Markt, Havenkade, Lange Voorhout"
        ),
        "{street} {house}, {post} {city}",
    ),
    "nordic": Stock(
        _list(
            "Hotel {word}, {word} Hotell, {city} {word} Hotel, Hotell {word}, {word} Gård, Hotelli {word},"
            "{word} Pensionat, {word} Brygge Hotel"
        ),
        _list(
            "Nordlys, Björken, Havnen, Fjordgården, Skagen, Kungsträdgården, Ærø, Strandvejen, Södra, Aurora,"
            "Gamle Bryggeri, Sjöstjärnan, Vågen, Torget, Kastanjen, Österport, Løvehjerte, Kuusi, Hirvi, Esja"
        ),
        _list(
            "Storgata, Kongens gate, Drottninggatan, Strandgatan, Havnegade, Østergade, Mannerheimintie,"
            "Bryggen, Skolegade, Laugavegur, Kirkegata, Norra Vallgatan"
        ),
        "{street} {house}, {post} {city}",
    ),
    "portuguese": Stock(
        _list(
            "Hotel {word}, Pousada {word}, Residencial {word}, Quinta {word}, Casa {word},"
            "Hotel {word} {city},"
            "Palácio {word}, Apartamentos {word}"
        ),
        _list(
            "da Praia, São Bento, do Rossio, das Flores, Vasco da Gama, Mar e Sol, do Castelo, Bela Vista,"
            "da Ribeira, dos Descobrimentos, Santa Luzia, Atlântico, das Camélias, do Carmo, Douro, Alfazema"
        ),
        _list(
            "Rua Augusta, Avenida da Liberdade, Rua de São João, Largo do Carmo, Rua das Flores,"
            "Travessa do Fado, Avenida Marginal, Praça da República, Rua Direita"
        ),
        "{street} {house}, {post} {city}",
    ),
    "polish": Stock(
        _list(
            "Hotel {word}, {word} Apartments, Pensjonat {word}, Willa {word}, Hostel {word}, Dom {word},"
            "Hotel {word} {city}, Grand Hotel {word}, Apartamenty {word}"
        ),
        _list(
            "Polonia, Pod Różą, Złoty Lew, Kamienica, Belweder, Król Kazimierz, Wawel, Tatry, Bałtyk, Syrena,"
            "Pod Orłem, Stary Młyn, Jagiełło, Panorama, Pod Lipą, Złota Kaczka, Bursztyn, Nad Wisłą"
        ),
        _list(
            "ul. Długa, ul. Mickiewicza, ul. Szeroka, ul. Mostowa, ul. Piękna, al. Jana Pawła II,"
            "ul. Królewska, plac Wolności, ul. Kościuszki, ul. Krótka, ul. Młyńska, ul. Ogrodowa"
        ),
        "{street} {house}, {post} {city}",
    ),
    "czech": Stock(
        _list(
            "Hotel {word}, {word} Apartments, Penzion {word}, Villa {word}, Hostel {word}, Dům {word},"
            "Hotel {word} {city}, Grand Hotel {word}, {word} Residence"
        ),
        _list(
            "U Zlatého stromu, Bílá Růže, Morava, Tři Lilie, Karlův most, Evropa, U Červeného lva, Slavia,"
            "Vltava, Na Hradbách, U Dvou slunců, Praha, Bohemia, Stará Pošta, Modrá Hvězda, U Kapličky,"
            "Zlatá Hvězda, Panorama"
        ),
        _list(
            "Národní, Hlavní, Dlouhá, Mostecká, Nerudova, Husova, Palackého, Nádražní, Masarykova,"
            "Zámecká, Lipová, Školní"
        ),
        "{street} {house}, {post} {city}",
    ),
    "hungarian": Stock(
        _list(
            "{word} Hotel, Hotel {word}, {word} Apartman, {word} Panzió, {word} Hostel, Villa {word},"
            "{word} Hotel {city}, Grand Hotel {word}, {word} Vendégház"
        ),
        _list(
            "Arany Oroszlán, Duna, Gellért, Corvin, Fehér Ló, Tulipán, Kossuth, Zöld Ház, Margit, Kis Herceg,"
            "Belváros, Panoráma, Tisza, Szent István, Gólya, Városliget"
        ),
        _list(
            "Kossuth Lajos utca, Petőfi Sándor utca, Széchenyi tér, Váci utca, Rákóczi út, Fő utca,"
            "Deák Ferenc utca, Arany János utca, Bartók Béla út, Duna utca"
        ),
        "{post} {city}, {street} {house}",
    ),
    "romanian": Stock(
        _list(
            "Hotel {word}, Pensiunea {word}, Vila {word}, Casa {word}, {word} Apartments, Hostel {word},"
            "Hotel {word} {city}, Grand Hotel {word}"
        ),
        _list(
            "Carpathia, Dacia, La Castel, Ambasador, Bucegi, Trandafirul, Hanul Vechi, Ardealul, Central,"
            "Dunărea, Capitol, Cetatea, Codrii, Belvedere, Luceafărul, Marea Neagră"
        ),
        _list(
            "Strada Lipscani, Bulevardul Unirii, Strada Mihai Eminescu, Calea Victoriei, Strada Republicii,"
            "Strada Horea, Piața Mare, Strada Avram Iancu, Bulevardul Independenței, Strada Morii"
        ),
        "{street} {house}, {city} {post}",
    ),
    "south slavic": Stock(
        _list(
            "Hotel {word}, {word} Apartments, Vila {word}, Villa {word}, Hostel {word}, Pansion {word},"
            "Hotel {word} {city}, Grand Hotel {word}, Kuća {word}"
        ),
        _list(
            "Adria, Dalmatia, Stari Grad, Slavija, Dunav, Jadran, Lovor, Maslina, Zlatni Rat, Bura,"
            "Stara Luka, Kod Mosta, Galeb, Park, Balkan, Lavanda, Bela Ladja, Riva"
        ),
        _list(
            "Trg slobode, Obala kneza Domagoja, Ulica kralja Zvonimira, Glavna ulica, Vukova ulica,"
            "Riva, Ulica Nikole Tesle, Stara cesta, Mostarska ulica, Jadranska ulica, Vodna ulica"
        ),
        "{street} {house}, {post} {city}",
    ),
    "bulgarian": Stock(
        _list(
            "Hotel {word}, {word} Apartments, Family Hotel {word}, {word} Hotel, Hostel {word},"
            "Hotel {word} {city}, Grand Hotel {word}, {word} Guest House, Villa {word}"
        ),
        _list(
            "Rila, Balkan, Slavyanska, Vitosha, Trakia, Bulgaria, Roza, Kristal, Rodina, Odessos,"
            "Stariya Grad, Kamchia, Arena, Lozenets, Perla, Zdravets"
        ),
        _list(
            "bul. Vitosha, ul. Tsar Simeon, bul. Knyaz Boris I, ul. Graf Ignatiev, bul. Bulgaria,"
            "ul. Ivan Vazov, ul. Alexandrovska, bul. Hristo Botev, ul. Shipka, ul. Opalchenska"
        ),
        "{street} {house}, {post} {city}",
        _list("Хотел «Роза», Хотел «Стария град» {city}, Хотел «Здравец»"),
    ),
    "latvian": Stock(
        _list(
            "Hotel {word}, {word} Hotel, Villa {word}, {word} Apartments, Hostel {word}, {word} Guest House"
        ),
        _list(
            "Dzintars, Baltija, Vecrīga, Daugava, Jūrmala, Zvaigzne, Amber, Old Town, Liepa, Kuršu,"
            "Ozols, Bellevue, Konventa Sēta, Panorama, Kopa, Ziemeļi"
        ),
        _list(
            "Brīvības iela, Kaļķu iela, Jūras iela, Lielā iela, Parka iela, Elizabetes iela, Tērbatas iela,"
            "Raiņa bulvāris, Dzirnavu iela, Skolas iela"
        ),
        "{street} {house}, {city} {post}",
    ),
    "lithuanian": Stock(
        _list(
            "Hotel {word}, {word} Hotel, Vila {word}, {word} Apartments, Hostel {word}, {word} Guest House"
        ),
        _list(
            "Gintaras, Nemunas, Saulė, Jūra, Amber, Old Town, Ąžuolas, Kalnas, Senamiestis, Panorama,"
            "Neringa, Trys Karaliai, Ąžuolynas, Vilija, Gedimino Bokštas, Perlas"
        ),
        _list(
            "Gedimino prospektas, Pilies gatvė, Vilniaus gatvė, Laisvės alėja, Liepų gatvė, Vokiečių gatvė,"
            "Didžioji gatvė, Vytauto gatvė, Žvejų gatvė, Jūros gatvė"
        ),
        "{street} {house}, {city} {post}",
    ),
    "ukrainian": Stock(
        _list(
            "Hotel {word}, {word} Apartments, Hostel {word}, {word} Park Hotel, Grand Hotel {word},"
            "Villa {word}, Hotel {word} {city}, {word} Guest House"
        ),
        _list(
            "Dnipro, Kashtan, Kobzar, Zhuravli, Chaika, Karpaty, Opera, Premier, Lybid, Sribnyi Lev,"
            "Ukraina, Slavutych, Chervona Kalyna, Sofia, Panorama, Edem"
        ),
        _list(
            "vul. Lesi Ukrainky, Maidan Nezalezhnosti, vul. Tarasa Shevchenka, prospekt Svobody,"
            "vul. Sadova, vul. Ivana Franka, naberezhna Dnipra, vul. Hohola, vul. Sofiivska, vul. Rynok"
        ),
        "{street} {house}, {city} {post}",
        _list("Готель «Дніпро», Готель «Червона калина» {city}"),
    ),
    "east slavic": Stock(
        _list(
            "Hotel {word}, {word} Apartments, Hostel {word}, {word} Park Hotel, Grand Hotel {word},"
            "Villa {word}, Hotel {word} {city}, Pension {word}"
        ),
        _list(
            "Astoria, Evropa, Slavyanka, Berezka, Zhuravli, Sputnik, Azimut, Sokol, Volga, Steppe, Karavan,"
            "Premier, Altai, Central, Samal, Shelkovy Put"
        ),
        _list(
            "Pushkin Street, Sadovaya Street, Abay Avenue, Central Square, Naberezhnaya Street, Mira Avenue,"
            "Lermontov Street, Station Street, Gagarin Avenue, Teatralnaya Street"
        ),
        "{street} {house}, {city} {post}",
        _list("Гостиница «Астория» {city}, Гостиница «Журавли»"),
    ),
    "greek": Stock(
        _list(
            "{word} Hotel, Hotel {word}, {word} Studios, Villa {word}, {word} Beach Resort, Pension {word}"
        ),
        _list(
            "Poseidon, Aphrodite, Athina, Blue Dolphin, Kalypso, Olympos, Thalassa, Elea, Ilios, Kyma,"
            "Artemis,"
            "Meltemi, Asteria, Minoas, Galini, Anemos, Bougainvillea, Nefeli, Ariadne, Akropol"
        ),
        _list(
            "Ermou, Leoforos Poseidonos, Odos Athinas, Paralia, Venizelou, Agiou Nikolaou,Plateia Syntagmatos"
        ),
        "{street} {house}, {city} {post}",
        _list("Ξενοδοχείο Ποσειδών, Ξενώνας Η Ελιά, Αρχοντικό Μέγαρο"),
    ),
    "turkish": Stock(
        _list(
            "{word} Hotel, {word} Otel, {word} Konağı, {word} Palas, {city} {word} Suites,{word} Resort & Spa"
        ),
        _list(
            "Sultanahmet, Boğaziçi, Gül, Yıldız, İnci, Altın, Çınar, Deniz, Şehzade, Hürrem, Kaleiçi,"
            "Lale, Ege,"
            "Turkuaz, Topkapı, Sarnıç"
        ),
        _list("İstiklal Caddesi, Atatürk Bulvarı, Divanyolu Caddesi, Kıbrıs Şehitleri Caddesi, Liman Sokak"),
        "{street} No: {house}, {post} {city}",
    ),
    "arabic": Stock(
        _list("Riad {word}, Hotel {word}, Dar {word}, Al {word} Palace, {word} Resort, Kasbah {word}"),
        _list(
            "Yasmine, El Bahja, Nakheel, Safa, Medina, Zitoun, Andalous, Salam, Noor, Atlas, Jnane,"
            "Qamar, Sahara,"
            "Marhaba, Bab Doukkala, Zahra"
        ),
        _list(
            "Avenue Mohammed V, Rue de la Kasbah, Corniche Road, Al Souq Street, Derb Sidi Bouamar,"
            "Sheikh Zayed"
        ),
        "{house} {street}, {city} {post}",
        _list("فندق الياسمين, رياض الأندلس, فندق قصر النخيل (Palm Palace), دار السلام"),
    ),
    "hebrew": Stock(
        _list("Hotel {word}, {word} Boutique Hotel, Beit {word}, {word} Suites {city}"),
        _list("Shalom, Carmel, Galil, Dizengoff, Neve Tzedek, Yarkon, Rothschild, Tamar, Jaffa Gate, Oranim"),
        _list("Dizengoff Street, Rothschild Boulevard, HaYarkon Street, Ben Yehuda Street, Allenby"),
        "{house} {street}, {city} {post}",
        _list("מלון הים, בית שלום, מלון בוטיק תמר"),
    ),
    "japanese": Stock(
        _list("Hotel {word} {city}, {word} Ryokan, {word} Inn, Business Hotel {word}, Guesthouse {word}"),
        _list("Sakura, Fuji, Hikari, Matsu, Kawa, Asahi, Tsuki, Hana, Kiyomizu, Momiji, Yuki, Shinano, Edo"),
        _list("Chuo-dori, Honmachi, Sakae-cho, Ekimae-dori, Higashiyama, Kawaramachi-dori"),
        "{house}-{street}, {city} {post}",
        _list("桜旅館, ホテル富士, 旅館 松の湯, 駅前ホテル {city}, ゲストハウス月"),
    ),
    "chinese": Stock(
        _list("{word} Hotel, {city} {word} Hotel, Grand {word}, {word} Garden Hotel, {word} Hostel"),
        _list(
            "Jade, Golden Lotus, Dragon, Pearl River, Bamboo, Orient, Red Lantern, Phoenix, Jasmine, Peony"
        ),
        _list("Nanjing Road, Zhongshan Road, Renmin Street, Jiefang Avenue, Queen's Road, Heping Road"),
        "{house} {street}, {city} {post}",
        _list("金龙大酒店, 和平饭店, 如意客栈, 西湖国宾馆, 九龍海景酒店"),
    ),
    "asian": Stock(
        _list("{word} Hotel, {word} Resort & Spa, {city} {word} Boutique, {word} Guesthouse, Baan {word}"),
        _list(
            "Lotus, Orchid, Frangipani, Riverside, Temple View, Golden Palm, Coconut Grove, Monsoon, Saffron,"
            "Silk, Elephant, Bamboo, Taj, Maharaja, Coral Bay, Sunrise, Serenity, Emerald, Garuda, Banyan"
        ),
        _list(
            "Beach Road, Sukhumvit Road, Jalan Raya, Mahatma Gandhi Road, Temple Street,"
            "Riverside Road, Rizal Avenue"
        ),
        "{house} {street}, {city} {post}",
        _list("호텔 서울, โรงแรมดอกบัว, होटल कमल"),
    ),
}
