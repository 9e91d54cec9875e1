"""Every country of the airport data: its name, currency and the language its hotels are named in."""

from __future__ import annotations

from typing import NamedTuple


class Country(NamedTuple):
    """``code`` in lower case as on the wire; ``language`` is a key of ``wordstock.STOCKS``."""

    code: str
    name: str
    currency: str
    language: str


_TABLE = """
ae|United Arab Emirates|AED|arabic
af|Afghanistan|AFN|asian
ag|Antigua & Barbuda|XCD|english
ai|Anguilla|XCD|english
al|Albania|ALL|slavic
am|Armenia|AMD|english
ao|Angola|AOA|portuguese
aq|Antarctica|USD|english
ar|Argentina|ARS|spanish
as|American Samoa|USD|english
at|Austria|EUR|german
au|Australia|AUD|english
aw|Aruba|AWG|dutch
az|Azerbaijan|AZN|turkish
ba|Bosnia & Herzegovina|BAM|slavic
bb|Barbados|BBD|english
bd|Bangladesh|BDT|asian
be|Belgium|EUR|french
bf|Burkina Faso|XOF|french
bg|Bulgaria|BGN|slavic
bh|Bahrain|BHD|arabic
bi|Burundi|BIF|french
bj|Benin|XOF|french
bl|St. Barthélemy|EUR|french
bm|Bermuda|BMD|english
bn|Brunei|BND|asian
bo|Bolivia|BOB|spanish
bq|Caribbean Netherlands|USD|dutch
br|Brazil|BRL|portuguese
bs|Bahamas|BSD|english
bt|Bhutan|BTN|asian
bw|Botswana|BWP|english
by|Belarus|BYN|slavic
bz|Belize|BZD|english
ca|Canada|CAD|english
cc|Cocos (Keeling) Islands|AUD|english
cd|Congo - Kinshasa|CDF|french
cf|Central African Republic|XAF|french
cg|Congo - Brazzaville|XAF|french
ch|Switzerland|CHF|german
ci|Côte d’Ivoire|XOF|french
ck|Cook Islands|NZD|english
cl|Chile|CLP|spanish
cm|Cameroon|XAF|french
cn|China|CNY|chinese
co|Colombia|COP|spanish
cr|Costa Rica|CRC|spanish
cu|Cuba|CUP|spanish
cv|Cape Verde|CVE|portuguese
cw|Curaçao|XCG|dutch
cx|Christmas Island|AUD|english
cy|Cyprus|EUR|greek
cz|Czechia|CZK|slavic
de|Germany|EUR|german
dj|Djibouti|DJF|french
dk|Denmark|DKK|nordic
dm|Dominica|XCD|english
do|Dominican Republic|DOP|spanish
dz|Algeria|DZD|arabic
ec|Ecuador|USD|spanish
ee|Estonia|EUR|nordic
eg|Egypt|EGP|arabic
eh|Western Sahara|MAD|arabic
er|Eritrea|ERN|english
es|Spain|EUR|spanish
et|Ethiopia|ETB|english
fi|Finland|EUR|nordic
fj|Fiji|FJD|english
fk|Falkland Islands|FKP|english
fm|Micronesia|USD|english
fo|Faroe Islands|DKK|nordic
fr|France|EUR|french
ga|Gabon|XAF|french
gb|United Kingdom|GBP|english
gd|Grenada|XCD|english
ge|Georgia|GEL|english
gf|French Guiana|EUR|french
gg|Guernsey|GBP|english
gh|Ghana|GHS|english
gi|Gibraltar|GIP|english
gl|Greenland|DKK|nordic
gm|Gambia|GMD|english
gn|Guinea|GNF|french
gp|Guadeloupe|EUR|french
gq|Equatorial Guinea|XAF|spanish
gr|Greece|EUR|greek
gt|Guatemala|GTQ|spanish
gu|Guam|USD|english
gw|Guinea-Bissau|XOF|portuguese
gy|Guyana|GYD|english
hk|Hong Kong|HKD|chinese
hn|Honduras|HNL|spanish
hr|Croatia|EUR|slavic
ht|Haiti|USD|french
hu|Hungary|HUF|slavic
id|Indonesia|IDR|asian
ie|Ireland|EUR|english
il|Israel|ILS|hebrew
im|Isle of Man|GBP|english
in|India|INR|asian
iq|Iraq|IQD|arabic
ir|Iran|IRR|arabic
is|Iceland|ISK|nordic
it|Italy|EUR|italian
je|Jersey|GBP|english
jm|Jamaica|JMD|english
jo|Jordan|JOD|arabic
jp|Japan|JPY|japanese
ke|Kenya|KES|english
kg|Kyrgyzstan|KGS|slavic
kh|Cambodia|KHR|asian
ki|Kiribati|AUD|english
km|Comoros|KMF|french
kn|St. Kitts & Nevis|XCD|english
kp|North Korea|KPW|asian
kr|South Korea|KRW|asian
kw|Kuwait|KWD|arabic
ky|Cayman Islands|KYD|english
kz|Kazakhstan|KZT|slavic
la|Laos|LAK|asian
lb|Lebanon|LBP|arabic
lc|St. Lucia|XCD|english
lk|Sri Lanka|LKR|asian
lr|Liberia|LRD|english
ls|Lesotho|LSL|english
lt|Lithuania|EUR|slavic
lu|Luxembourg|EUR|french
lv|Latvia|EUR|slavic
ly|Libya|LYD|arabic
ma|Morocco|MAD|arabic
md|Moldova|MDL|slavic
me|Montenegro|EUR|slavic
mf|St. Martin|EUR|french
mg|Madagascar|MGA|french
mh|Marshall Islands|USD|english
mk|North Macedonia|MKD|slavic
ml|Mali|XOF|french
mm|Myanmar|MMK|asian
mn|Mongolia|MNT|slavic
mo|Macao|MOP|chinese
mp|Northern Mariana Islands|USD|english
mq|Martinique|EUR|french
mr|Mauritania|MRU|arabic
ms|Montserrat|XCD|english
mt|Malta|EUR|english
mu|Mauritius|MUR|english
mv|Maldives|MVR|asian
mw|Malawi|MWK|english
mx|Mexico|MXN|spanish
my|Malaysia|MYR|asian
mz|Mozambique|MZN|portuguese
na|Namibia|NAD|english
nc|New Caledonia|XPF|french
ne|Niger|XOF|french
nf|Norfolk Island|AUD|english
ng|Nigeria|NGN|english
ni|Nicaragua|NIO|spanish
nl|Netherlands|EUR|dutch
no|Norway|NOK|nordic
np|Nepal|NPR|asian
nr|Nauru|AUD|english
nu|Niue|NZD|english
nz|New Zealand|NZD|english
om|Oman|OMR|arabic
pa|Panama|USD|spanish
pe|Peru|PEN|spanish
pf|French Polynesia|XPF|french
pg|Papua New Guinea|PGK|english
ph|Philippines|PHP|asian
pk|Pakistan|PKR|asian
pl|Poland|PLN|slavic
pm|St. Pierre & Miquelon|EUR|french
pt|Portugal|EUR|portuguese
pw|Palau|USD|english
py|Paraguay|PYG|spanish
qa|Qatar|QAR|arabic
re|Réunion|EUR|french
ro|Romania|RON|slavic
rs|Serbia|RSD|slavic
ru|Russia|RUB|slavic
rw|Rwanda|RWF|english
sa|Saudi Arabia|SAR|arabic
sb|Solomon Islands|SBD|english
sc|Seychelles|SCR|english
sd|Sudan|SDG|arabic
se|Sweden|SEK|nordic
sg|Singapore|SGD|asian
sh|St. Helena|SHP|english
si|Slovenia|EUR|slavic
sk|Slovakia|EUR|slavic
sl|Sierra Leone|SLE|english
sn|Senegal|XOF|french
so|Somalia|SOS|english
sr|Suriname|SRD|dutch
ss|South Sudan|SSP|english
st|São Tomé & Príncipe|STN|portuguese
sv|El Salvador|USD|spanish
sx|Sint Maarten|XCG|dutch
sy|Syria|SYP|arabic
sz|Eswatini|SZL|english
tc|Turks & Caicos Islands|USD|english
td|Chad|XAF|french
tg|Togo|XOF|french
th|Thailand|THB|asian
tj|Tajikistan|TJS|slavic
tl|Timor-Leste|USD|portuguese
tm|Turkmenistan|TMT|slavic
tn|Tunisia|TND|arabic
to|Tonga|TOP|english
tr|Türkiye|TRY|turkish
tt|Trinidad & Tobago|TTD|english
tv|Tuvalu|AUD|english
tw|Taiwan|TWD|chinese
tz|Tanzania|TZS|english
ua|Ukraine|UAH|slavic
ug|Uganda|UGX|english
um|U.S. Outlying Islands|USD|english
us|United States|USD|english
uy|Uruguay|UYU|spanish
uz|Uzbekistan|UZS|slavic
vc|St. Vincent & Grenadines|XCD|english
ve|Venezuela|VES|spanish
vg|British Virgin Islands|USD|english
vn|Vietnam|VND|asian
vu|Vanuatu|VUV|english
wf|Wallis & Futuna|XPF|french
ws|Samoa|WST|english
xk|Kosovo|EUR|slavic
ye|Yemen|YER|arabic
yt|Mayotte|EUR|french
za|South Africa|ZAR|english
zm|Zambia|ZMW|english
zw|Zimbabwe|ZWG|english
"""

COUNTRIES: dict[str, Country] = {
    row.split("|")[0]: Country(*row.split("|")) for row in _TABLE.strip().splitlines()
}

ALSO_KNOWN_AS: dict[str, str] = {
    "usa": "us",
    "united states of america": "us",
    "america": "us",
    "uk": "gb",
    "great britain": "gb",
    "britain": "gb",
    "holland": "nl",
    "the netherlands": "nl",
    "czech republic": "cz",
    "turkey": "tr",
    "burma": "mm",
    "ivory coast": "ci",
    "espana": "es",
    "italia": "it",
    "deutschland": "de",
    "polska": "pl",
    "hellas": "gr",
    "eire": "ie",
    "osterreich": "at",
    "schweiz": "ch",
    "suisse": "ch",
    "macau": "mo",
    "uae": "ae",
    "emirates": "ae",
    "bosnia": "ba",
    "trinidad": "tt",
}
