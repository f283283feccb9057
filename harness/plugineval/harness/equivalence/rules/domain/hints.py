"""What a place in the schema says about the kind of its value: by its name, its description, its format.

A hint is evidence, never a proof: a rule still wants both values to read as the kind ("state" may be open or closed).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.verdicts import Place

CASE_SENSITIVE = re.compile(r"(?<!not )(?<!n't )(?<!non-)(?<!never )\bcase[- ]sensitive\b", re.IGNORECASE)
"""The tool tells upper case from lower case."""
_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")


class _Hint(NamedTuple):
    names: frozenset[str]
    said: re.Pattern[str] | None = None
    formats: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    """Words in the name that speak against it."""


def _hint(names: str, said: str = "", formats: str = "", unless: str = "") -> _Hint:
    return _Hint(
        frozenset(names.split()),
        re.compile(said, re.IGNORECASE) if said else None,
        frozenset(formats.split()),
        frozenset(unless.split()),
    )


_IDENTIFIERS = (
    "id identifier uuid guid zip zipcode postal postcode sku isbn issn iban bic vin ssn serial reference ref"
    " ticket barcode account tracking flight plate code key login username handle card"
)
_AMOUNTS = "price cost amount budget salary fee payment balance total fare deposit"
_LENGTHS = (
    "distance length width height depth radius altitude elevation weight mass volume speed velocity area"
    " temperature temp pressure power energy size capacity dose dosage quantity measurement"
)
_HINTS: dict[Kind, _Hint] = {
    Kind.ADDRESS: _hint(
        "ip ipv4 ipv6 cidr subnet host hostname mac", r"\b(IP(v[46])?|MAC) address|\bCIDR\b", "ipv4 ipv6 hostname"
    ),
    Kind.BASE64: _hint("base64 b64", r"\bbase64\b", "byte"),
    Kind.CODE: _hint("code script snippet program", r"\b(python|source) code\b|\blambda\b"),
    Kind.COLOUR: _hint("color colour", r"\bcolou?r\b", "color"),
    Kind.COORDINATES: _hint(
        "coordinate coord latlng latlon latlong location position point geo gps center", r"\bcoordinates\b"
    ),
    Kind.COUNTRY: _hint(
        "country nation",
        r"\bISO[ -]?3166(?!-2)|\bcountry (code|name)|\bname of the country|^(the )?(\w+ )?country\b(?! (and|or))",
    ),
    Kind.CURRENCY: _hint("currency ccy", r"\bcurrency\b|\bISO[ -]?4217", unless=_AMOUNTS + " country city"),
    Kind.DIGEST: _hint("hash sha sha1 sha256 md5 digest checksum commit fingerprint", r"\b(hash|checksum|SHA-?\d*)\b"),
    Kind.EMAIL: _hint("email mail", r"\be-?mail\b", "email idn-email"),
    Kind.EXPRESSION: _hint(
        "expression expr formula equation function", r"\bmath\w*( \w+)? (expression|function)|\bformula\b"
    ),
    Kind.IDENTIFIER: _hint(_IDENTIFIERS, r"\b(ID|identifier|postal code|ZIP code)\b", "uuid"),
    Kind.LANGUAGE: _hint(
        "language lang locale", r"\blanguage code|\bISO[ -]?639|\bBCP[ -]?47|\b(target|source|spoken) language"
    ),
    Kind.LATITUDE: _hint("lat latitude", r"^latitude\b"),
    Kind.LONGITUDE: _hint("lon lng longitude", r"^longitude\b"),
    Kind.MIME: _hint("mime mimetype", r"\bMIME\b|\bmedia type\b|\bcontent[- ]type\b"),
    Kind.MONEY: _hint(_AMOUNTS, r"\b(price|amount of money|cost)\b"),
    Kind.ORGANISATION: _hint("company ticker symbol stock organization organisation brand", r"\b(company|ticker)\b"),
    Kind.PATH: _hint(
        "path file filename filepath dir directory folder cwd", r"\bpath\b|\b(file|directory) name\b", "path"
    ),
    Kind.PHONE: _hint(
        "phone mobile telephone tel fax whatsapp msisdn", r"\b(phone|mobile|telephone|cell|fax)\b|E\.164", "phone tel"
    ),
    Kind.PLACE: _hint(
        "city town location place destination origin address region venue airport station area district capital start"
        " end from to source target waypoint departure arrival country state province stop",
        r"\b(city|town|place|location|airport|station|address)\b",
    ),
    Kind.QUANTITY: _hint(_LENGTHS),
    Kind.RANGE: _hint("range interval between bracket span page", r"\b(range|interval)\b"),
    Kind.REGEX: _hint("regex regexp pattern", r"\bregular expression|\bregexp?\b", "regex"),
    Kind.SQL: _hint("sql", r"\bSQL\b"),
    Kind.SUBDIVISION: _hint(
        "state province subdivision", r"\b(US|U\.S\.|two-letter) state\b|\bstate (code|abbreviation)|\bISO[ -]?3166-2"
    ),
    Kind.UNIT: _hint(
        "unit uom", r"^(the )?(\w+ )?units? (of|for|to|in)\b|\btemperature scale\b", unless=_AMOUNTS + " price cost"
    ),
    Kind.URL: _hint("url uri href link website webpage endpoint webhook", r"\bUR[LI]\b", "uri url iri uri-reference"),
}


def hints(place: Place) -> frozenset[Kind]:
    """The kinds that the place speaks for. Cached: a benchmark has few places and many values."""
    return _hints(place.name, place.description, place.format)


@lru_cache(maxsize=4096)
def _hints(name: str, description: str, fmt: str) -> frozenset[Kind]:
    words = name_words(name)
    return frozenset(kind for kind, hint in _HINTS.items() if _speaks(hint, words, description, fmt))


def _speaks(hint: _Hint, words: frozenset[str], description: str, fmt: str) -> bool:
    if hint.unless & words:
        return False
    return bool(hint.names & words) or fmt in hint.formats or bool(hint.said and hint.said.search(description))


@lru_cache(maxsize=4096)
def name_words(name: str) -> frozenset[str]:
    """The words of an argument name in lower case, plurals in the singular too: `ownTags` -> own, tags, tag."""
    numbered = {word.lower() for word in _WORD.findall(name)}
    # base64 and ipv4 are one word to the reader, address2 is not.
    words = numbered | {word.rstrip("0123456789") for word in numbered}
    singular = {word[:-3] + "y" if word.endswith("ies") else word[:-1] for word in words if _plural(word)}
    return frozenset(words | singular)


def _plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")


def says(place: Place, pattern: re.Pattern[str]) -> bool:
    """Whether the description of the argument or of the tool says it: evidence for what a notation means."""
    return bool(pattern.search(place.description) or pattern.search(place.context.tool_description))
