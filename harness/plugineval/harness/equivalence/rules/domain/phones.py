"""Phone numbers: separators never matter, digits always do (by phonenumbers).

A national number needs a country to be dialled: the other value's prefix gives it, else nobody knows.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_LETTERS = re.compile(r"[A-Za-z]{3,}")
_EXTENSION = re.compile(r"(?:ext(?:ension|\.)?|x|#|;ext=)\s*(\d{1,6})\s*$", re.IGNORECASE)
_DIALLED = re.compile(r"\s*(?:tel:)?\+?[\d\s().\-–/\u00a0\u202f]{5,30}", re.IGNORECASE)


class Phone(NamedTuple):
    """The digits of a number, its extension, and whether it starts with a country."""

    digits: str
    extension: str
    international: bool


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two phone numbers, by the argument or by their plus signs."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    if Kind.PHONE not in hints(place) and not all(Kind.PHONE in shapes(text) for text in (gold, predicted)):
        return None
    first, second = read(gold), read(predicted)
    if first and second:
        return _compare(first, second)
    lettered = any(_LETTERS.search(text) and any(sign.isdigit() for sign in text) for text in (gold, predicted))
    return unsure("phones.letters", "letters stand for digits") if (first or second) and lettered else None


def _compare(gold: Phone, predicted: Phone) -> Ruling:
    if gold.extension != predicted.extension:
        return different("phones.extension", "another extension")
    if gold.international == predicted.international:
        if gold.digits == predicted.digits:
            return equal("phones.separators", "the same digits with other separators")
        if _trunk(gold) == _trunk(predicted):
            return unsure("phones.trunk", "equal but for a leading zero")
        return different("phones.digits", "other digits")
    whole, national = (gold, predicted) if gold.international else (predicted, gold)
    return _national(whole, national)


def _trunk(phone: Phone) -> str:
    return phone.digits.lstrip("0") if not phone.international else phone.digits


def _national(whole: Phone, national: Phone) -> Ruling:
    if _parsed(whole.digits, national.digits):
        return equal("phones.national", "the national form of the same number", semantic=True)
    if whole.digits == national.digits.lstrip("0"):
        return unsure("phones.plus", "the same digits without the plus sign")
    # Area codes and trunk digits may be missing, the subscriber's digits may not.
    if whole.digits[-6:] == national.digits[-6:]:
        return unsure("phones.short", "one number may be a shorter form of the other")
    return different("phones.digits", "other digits")


@lru_cache(maxsize=1024)
def _parsed(whole: str, national: str) -> bool:
    """Whether `national`, dialled in the country of `whole`, reaches the same line."""
    from phonenumbers import NumberParseException, parse, region_code_for_country_code

    try:
        target = parse(f"+{whole}", None)
        dialled = parse(national, region_code_for_country_code(target.country_code or 0))
    except NumberParseException:
        return False
    return (target.country_code, target.national_number) == (dialled.country_code, dialled.national_number)


@lru_cache(maxsize=4096)
def read(text: str) -> Phone | None:
    """The phone number `text` spells; None where it is none."""
    if len(text) > 50:
        return None
    found = _EXTENSION.search(text)
    body = text[: found.start()].rstrip(" ,;") if found else text
    if not _DIALLED.fullmatch(body):
        return None
    # "+44 (0)20 ..." writes the trunk zero for readers at home.
    international = body.strip().removeprefix("tel:").startswith("+") or bool(re.match(r"\s*00[1-9]", body))
    digits = "".join(re.findall(r"\d", body.replace("(0)", "") if international else body))
    digits = digits.removeprefix("00") if international and "+" not in body else digits
    return Phone(digits, found[1] if found else "", international) if 5 <= len(digits) <= 17 else None
