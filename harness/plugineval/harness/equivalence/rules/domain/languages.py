"""Human languages: codes of every ISO 639 part and names are one language; a region or a script narrows it.

"en-US" and "en" are unsure (a region was dropped), "en-US" and "en-GB" are different. Programming languages live
under the same argument name and are none of this rule's business.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.countries import plain, same_spelling
from plugineval.harness.equivalence.rules.domain.hints import hints, says
from plugineval.harness.equivalence.rules.domain.iso import table
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_PROGRAMMING = re.compile(r"\bprogram|\bcod(e|ing)\b|\bdeveloper|\bsyntax|\bsoftware|\bcompil", re.IGNORECASE)
_NATURAL = re.compile(r"\btranslat|\blanguage code|\bISO[ -]?639|\bBCP|\bspoken\b|\bsubtitle|\blocale\b", re.IGNORECASE)
_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z0-9]{2,8}(?:[-_][A-Za-z0-9]{2,8})*))?")
_ALSO = {
    "greek": "ell",
    "farsi": "fas",
    "mandarin": "cmn",
    "mandarin chinese": "cmn",
    "cantonese": "yue",
    "castilian": "spa",
    "punjabi": "pan",
    "malay": "msa",
    "swahili": "swa",
    "nepali": "nep",
    "bokmal": "nob",
    "nynorsk": "nno",
}
_PARTS = {"nor": {"nob", "nno"}, "msa": {"ind"}, "hbs": {"bos", "hrv", "srp"}, "aka": {"twi"}}
"""The parts of a macrolanguage (ISO 639-3) that have a two-letter code of their own."""


class Language(NamedTuple):
    """An ISO 639-3 code and what narrows it: the rest of a language tag, in lower case."""

    code: str
    rest: str = ""


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two languages, where the argument is a language."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.LANGUAGE not in hints(place):
        return None
    if _is_programming(place):
        return None
    first, second = language(gold), language(predicted)
    if first and second:
        return _compare(gold, predicted, first, second)
    return _half_known(gold, predicted, place) if first or second else None


def _is_programming(place: Place) -> bool:
    """An "ISO 639 code" is no code of a program."""
    if "programming" in place.name.lower():
        return True
    return says(place, _PROGRAMMING) and not _NATURAL.search(place.description)


def _compare(gold: str, predicted: str, first: Language, second: Language) -> Ruling:
    if same_spelling(gold.replace("_", "-"), predicted.replace("_", "-")):
        return equal("languages.spelling", "the same code or name in another spelling")
    if first.code != second.code:
        if _may_belong(first.code, second.code):
            return unsure("languages.macro", "a language and one that may belong to it")
        return different("languages.another", "another language")
    if first.rest == second.rest:
        return equal("languages.code", "a code and a name, or two codes, of one language", semantic=True)
    if first.rest and second.rest and len(first.rest) == len(second.rest) == 2:
        return different("languages.region", "the same language of another region")
    return unsure("languages.narrowed", "a region or a script is named on one side only")


def _half_known(gold: str, predicted: str, place: Place) -> Ruling | None:
    both_codes = all(_TAG.fullmatch(text.strip()) and len(text.strip()) == 2 for text in (gold, predicted))
    if both_codes:
        return different("languages.code", "another code")
    if says(place, _NATURAL) or _NATURAL.search(place.context.query):
        return unsure("languages.unknown", "only one of the two is a language that is known by this name")
    return None


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for record in table("639-3"):
        for field in ("alpha_3", "bibliographic", "alpha_2"):
            if field in record:
                names.setdefault(record[field], record["alpha_3"])
    for record in table("639-3"):
        if "alpha_2" in record or record["type"] == "L":
            names.setdefault(plain(re.sub(r"\s*\(.*\)", "", record["name"])), record["alpha_3"])
    return names | _ALSO


def _may_belong(first: str, second: str) -> bool:
    """Whether one may be a part of the other; two languages with a two-letter code each are so only where known."""
    macros = {first, second} & _macro()
    if len(macros) != 1:
        return False
    (macro,) = macros
    (part,) = {first, second} - macros
    return part in _PARTS.get(macro, ()) or part not in _lettered()


@lru_cache(maxsize=1)
def _lettered() -> frozenset[str]:
    return frozenset(record["alpha_3"] for record in table("639-3") if "alpha_2" in record)


@lru_cache(maxsize=1)
def _macro() -> frozenset[str]:
    return frozenset(record["alpha_3"] for record in table("639-3") if record["scope"] == "M")


@lru_cache(maxsize=4096)
def language(text: str) -> Language | None:
    """The language `text` names, by code, tag or English name; None where it names none."""
    if len(text) > 60:
        return None
    code = _names().get(plain(text))
    if code:
        return Language(code)
    tag = _TAG.fullmatch(text.strip())
    code = _names().get(tag[1].lower()) if tag and tag[2] else None
    return Language(code, tag[2].replace("_", "-").lower()) if tag and code else None
