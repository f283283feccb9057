"""Identifiers by name: every character of one counts, leading zeros too.

They are known by what the schema calls them, before anybody can take them for a date or a number: 20240305 is a day
only where something says so. What case or separators alone tell apart is left to the rules of the identifier's own kind
(an ISBN, a UUID), and open where there is none.
"""

import re
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain import decide as decide_kind
from plugineval.harness.equivalence.rules.domain.identifiers import same_book
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.harness.equivalence.wording import surface, words_of
from plugineval.pccf.values import Json

_NAMES = frozenset(
    {"id", "ids", "identifier", "uuid", "guid", "sku", "isbn", "issn", "iban", "bic", "swift", "vin", "imei", "ssn"}
    | {"hash", "sha", "sha1", "sha256", "md5", "commit", "token", "apikey", "password", "passwd", "passcode", "pin"}
    | {"zip", "zipcode", "postcode", "barcode", "upc", "ean", "gtin", "asin", "doi", "serial", "username", "login"}
    | {"slug", "pnr", "secret"}
)
_SECRETS = frozenset({"password", "passwd", "passcode", "token", "secret", "apikey"})
_THINGS = frozenset(
    {"order", "account", "flight", "tracking", "invoice", "confirmation", "booking", "ticket", "card", "serial"}
    | {"passport", "license", "licence", "plate", "reservation", "customer", "employee", "api", "postal", "zip"}
)
_NUMBERS = frozenset({"number", "no", "nr", "num", "code", "reference", "ref", "key"})
_OTHER_KIND = frozenset(
    {"date", "time", "timezone", "tz", "phone", "mobile", "tel", "email", "mail", "url", "uri", "link", "path", "file"}
    | {"country", "currency", "language", "lang", "locale"}
)
_SAID = re.compile(
    r"\b(?:identifier|u?u?id|guid|sku|isbn|iban|zip code|postal code|postcode|(?:order|account|tracking|invoice|serial|"
    r"flight|booking|confirmation) (?:number|code|reference))\b",
    re.IGNORECASE,
)
_HASH = re.compile(r"[0-9a-f]{7,}")
_SEPARATORS = re.compile(r"[\W_]+")


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two texts under the name of an identifier, where both look like one."""
    if not isinstance(gold, str) or not isinstance(predicted, str) or not _named(place.name, place.description):
        return None
    one, other = surface(gold), surface(predicted)
    if one == other:
        return Ruling(Agreement.EQUAL, "identifiers.exact")
    if _is_a_phrase(one) or _is_a_phrase(other):
        return None
    if (_bare(one) != _bare(other) and not _one_thing(one, other)) or not _SECRETS.isdisjoint(words_of(place.name)):
        return Ruling(Agreement.DIFFERENT, "identifiers.exact", "another identifier: every character counts")
    open_case = Ruling(Agreement.UNSURE, "identifiers.spelling", "only case or separators differ")
    return decide_kind(gold, predicted, place) or open_case


def _one_thing(one: str, other: str) -> bool:
    """The two numbers of one book, or a hash and its first digits, which people use for it."""
    short, long = sorted((one.casefold(), other.casefold()), key=len)
    return same_book(one, other) or (_HASH.fullmatch(short) is not None and long.startswith(short) and len(long) >= 40)


@lru_cache(maxsize=4096)
def _named(name: str, description: str) -> bool:
    words = words_of(name)
    if words and words[-1] in _NAMES:
        return "email" not in words
    if _OTHER_KIND & set(words):
        return False
    listed = len(words) > 1 and words[-1] in _NUMBERS and words[-2] in _THINGS
    return listed or _SAID.search(description.partition(".")[0]) is not None


def _is_a_phrase(text: str) -> bool:
    """Several words without a digit are a name that somebody put where an identifier belongs."""
    return " " in text and not any(character.isdigit() for character in text)


def _bare(text: str) -> str:
    return _SEPARATORS.sub("", text).casefold()
