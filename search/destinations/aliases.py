"""Cities by the names their own people and their neighbours use, because the gateway's list is in English.

A table of our own, of everyday spellings; keys and values are folded when the module is loaded.
"""

from __future__ import annotations

from search.domain.text import fold, spellings

_TABLE = """
Alghero: L'Alguer
Alicante: Alacant
Antwerp: Antwerpen, Anvers
Athens: Athina, Athen, Athènes, Atene, Atenas, Αθήνα
Barcelona: Barcelone, Barna
Basel: Basle, Bâle, Basilea
Beijing: Peking
Belgrade: Beograd, Belgrad
Bologna: Bologne
Bruges: Brugge
Brussels: Bruxelles, Brussel, Brüssel, Bruselas
Bucharest: București, Bukarest, Bucarest
Cologne: Köln, Koeln, Colonia
Copenhagen: København, Kopenhagen, Copenhague
Corfu: Kerkyra, Korfu
Dubrovnik: Ragusa
Edinburgh: Edimburgo, Édimbourg
Fez: Fès
Florence: Firenze, Florenz, Florencia
Gdansk: Gdańsk, Danzig
Geneva: Genève, Genf, Ginevra, Ginebra
Genoa: Genova, Genua, Gênes
Girona: Gerona
Gothenburg: Göteborg
Gran Canaria: Las Palmas
Hannover: Hanover
Heraklion: Iraklion, Crete, Kreta
Ibiza: Eivissa
Istanbul: Constantinople
Katowice: Kattowitz
Kiev: Kyiv, Київ
Krakow: Kraków, Cracow, Krakau, Cracovia
Lisbon: Lisboa, Lissabon, Lisbonne, Lisbona
Lodz: Łódź
London: Londres, Londra, Londyn
Lviv: Lemberg, Lwów, Львів
Lyon: Lyons, Lione
Malaga: Málaga
Marrakesh: Marrakech
Marseille: Marseilles, Marsiglia
Menorca: Minorca, Mahon
Milan: Milano, Mailand, Milán
Moscow: Moskva, Moskau, Москва
Munich: München, Monachium, Múnich, Monaco di Baviera
Munster: Münster
Naples: Napoli, Neapel, Nápoles
Nice: Nizza
Nis: Niš
Nuremberg: Nürnberg, Norimberga
Palma: Mallorca, Majorca, Palma de Mallorca
Paris: Parigi, Paryż
Porto: Oporto
Poznan: Poznań, Posen
Prague: Praha, Prag, Praga
Rhodes: Rodos, Rhodos
Rome: Roma, Rom, Rzym
Saint Petersburg: Sankt Petersburg, Petersburg
Santiago: Santiago de Compostela
Santorini: Thira
Seville: Sevilla, Sevilha
Sofia: София
Stockholm: Estocolmo, Stoccolma
Strasbourg: Straßburg
Szczecin: Stettin
Tallinn: Reval
Tangier: Tanger
Tel Aviv: תל אביב
Thessaloniki: Salonica, Saloniki
Tokyo: Tokio, 東京
Turin: Torino
Valencia: València
Venice: Venezia, Venedig, Venise, Venecia
Vienna: Wien, Vienne, Viena, Wiedeń
Vilnius: Wilno
Warsaw: Warszawa, Warschau, Varsovie, Varsovia, Varsavia
Wroclaw: Wrocław, Breslau
Zaragoza: Saragossa
Zurich: Zürich, Zurigo
"""


def _read(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        city, _, names = line.partition(": ")
        folded = dict.fromkeys(spelling for name in names.split(", ") for spelling in spellings(name))
        folded.pop(fold(city), None)
        found[fold(city)] = tuple(folded)
    return found


OTHER_NAMES: dict[str, tuple[str, ...]] = _read(_TABLE)
