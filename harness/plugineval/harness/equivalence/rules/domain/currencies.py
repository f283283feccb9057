"""Currencies: ISO 4217 codes, their names and their signs; a sign or a bare "dollar" may mean many.

Names and codes come from pycountry; signs are not in it and are listed here.
"""

import re
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.iso import table
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, overlap, unsure
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json

_DOLLARS = "USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP"
_SHARED: dict[str, str] = {
    "$": _DOLLARS,
    "dollar": _DOLLARS,
    "dollars": _DOLLARS,
    "buck": _DOLLARS,
    "bucks": _DOLLARS,
    "£": "GBP EGP LBP SYP",
    "pound": "GBP EGP LBP SYP",
    "pounds": "GBP EGP LBP SYP",
    "¥": "JPY CNY",
    "￥": "JPY CNY",
    "₩": "KRW KPW",
    "won": "KRW KPW",
    "rupee": "INR PKR LKR NPR MUR",
    "rupees": "INR PKR LKR NPR MUR",
    "rs": "INR PKR LKR NPR MUR",
    "rs.": "INR PKR LKR NPR MUR",
    "peso": "MXN ARS CLP COP PHP CUP DOP UYU",
    "pesos": "MXN ARS CLP COP PHP CUP DOP UYU",
    "₱": "PHP CUP",
    "kr": "SEK NOK DKK ISK",
    "krone": "NOK DKK",
    "kroner": "NOK DKK",
    "franc": "CHF XOF XAF XPF",
    "francs": "CHF XOF XAF XPF",
    "fr.": "CHF XOF XAF XPF",
    "real": "BRL IRR",
}
_OWN = """
EUR: €|euro|euros
GBP: sterling|pound sterling|pounds sterling|british pound|british pounds|gb£|uk pound|uk pounds|great british pound
USD: us$|u.s. dollar|u.s. dollars|us dollars|american dollar|american dollars|united states dollar
CAD: c$|ca$|can$|canadian dollars
AUD: a$|au$|australian dollars
NZD: nz$|new zealand dollars
HKD: hk$|hong kong dollars
SGD: s$|sg$|singapore dollars
TWD: nt$|taiwan dollar|taiwan dollars
MXN: mx$|mexican pesos
BRL: r$|reais|brazilian reais
JPY: yen|japanese yen|jp¥|円
CNY: yuan|renminbi|rmb|chinese yuan|cn¥|元
INR: ₹|indian rupees
KRW: korean won|south korean won
RUB: ₽|ruble|rubles|rouble|roubles|russian rubles
TRY: ₺|lira|turkish lira
ILS: ₪|shekel|shekels|israeli shekel|new shekel
THB: ฿
VND: ₫|dong
UAH: ₴|hryvnia
NGN: ₦|naira
PLN: zł|zloty|złoty
CHF: swiss francs|sfr
SEK: swedish krona|swedish kronor
NOK: norwegian kroner
DKK: danish kroner
"""
_WORDS = re.compile(r"[^\W\d_]+\$?|[^\w\s]")


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two names of currencies, where the argument is a currency or a sign leaves no doubt that it is."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    hinted = Kind.CURRENCY in hints(place)
    first, second = currency_readings(gold), currency_readings(predicted)
    if not first or not second:
        return _half_known(gold, predicted) if hinted and (first or second) else None
    if not (hinted or Kind.CURRENCY in shapes(gold) | shapes(predicted)):
        return None
    return _compare(gold, predicted, first, second)


def _compare(gold: str, predicted: str, first: frozenset[str], second: frozenset[str]) -> Ruling:
    if gold.strip().casefold() == predicted.strip().casefold():
        return equal("currencies.spelling", "the same name in another case")
    agreement = overlap(first, second)
    if agreement is Agreement.EQUAL:
        return equal("currencies.name", "a name, a code or a sign of one currency", semantic=True)
    if agreement is Agreement.DIFFERENT:
        return different("currencies.another", "another currency")
    return unsure("currencies.ambiguous", "a name or a sign that several currencies share")


def _half_known(gold: str, predicted: str) -> Ruling | None:
    if all(len(text.strip()) == 3 and text.strip().isascii() and text.strip().isalpha() for text in (gold, predicted)):
        return different("currencies.code", "another code")
    return unsure("currencies.unknown", "only one of the two is a currency that is known by this name")


@lru_cache(maxsize=1)
def _names() -> dict[str, frozenset[str]]:
    names = {name: frozenset(codes.split()) for name, codes in _SHARED.items()}
    for record in table("4217"):
        code = record["alpha_3"]
        names[code.casefold()] = frozenset({code})
        names.setdefault(record["name"].casefold(), frozenset({code}))
    for line in _OWN.strip().splitlines():
        code, _, spellings = line.partition(": ")
        for name in spellings.split("|" if "|" in spellings else " "):
            names[name] = frozenset({code})
    return names


@lru_cache(maxsize=4096)
def currency_readings(text: str) -> frozenset[str]:
    """The ISO 4217 codes of the currencies `text` may name; empty where it names none."""
    return _names().get(" ".join(text.split()).casefold(), frozenset()) if len(text) <= 40 else frozenset()


@lru_cache(maxsize=1024)
def spoken_currencies(text: str) -> frozenset[str]:
    """The currencies that a sentence names beyond doubt: "in US dollars", "USD", "€"."""
    words = _WORDS.findall(text[:2000])
    found: set[str] = set()
    for size in (1, 2, 3):
        for start in range(len(words) - size + 1):
            phrase = " ".join(words[start : start + size])
            # A three-letter word is a code only in capitals: "all" and "try" are words.
            if size > 1 or len(phrase) != 3 or phrase.isupper() or not phrase.isascii():
                readings = currency_readings(phrase)
                found |= readings if len(readings) == 1 else set()
    return frozenset(found)
