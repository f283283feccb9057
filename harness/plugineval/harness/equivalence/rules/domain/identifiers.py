"""Identifiers: every character counts, leading zeros too; case and inner spaces are the owner's business.

Only numbers that people write in groups (IBAN, ISBN, card numbers) ignore spaces and hyphens.
"""

import re
import unicodedata
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import CASE_SENSITIVE, hints, name_words, says
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.quantities import read as read_quantity
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_TOKEN = re.compile(r"[#@]?[A-Za-z0-9]+(?:[-_/.:#][A-Za-z0-9]+)*")
_CLOCKED = re.compile(r"\d{4}-?[01]\d(-?\d\d)?(\D.*)?|(\d{1,2}[:/.\-]){1,2}\d{2,4}|P?T?(\d+(\.\d+)?[YMWDHSymwdhs])+")
_DASHES = str.maketrans({"‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-"})
_GROUPED = {"iban", "isbn", "issn", "card", "ssn", "barcode"}
_SPACED = {"postcode", "postal", "zip", "zipcode", "flight", "tracking", "plate"}
_OF_TIME = {"date", "time", "day", "month", "year", "timestamp", "duration"}
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_SEAT = re.compile(r"\d{1,3}[A-Z]")
_ZIP = re.compile(r"\d{5}(-?\d{4})?")


@lru_cache(maxsize=4096)
def looks_like_identifier(text: str) -> bool:
    """Whether a string by itself reads as an identifier: one token with a digit that is no number, date or quantity.

    "A1", "ORD-123", "v1.2" and "02134" are; "25", "2024-03-05", "1h30m", "5km" and "12 eggs" are not.
    """
    token = text.strip()
    if not 1 < len(token) <= 64 or not any(sign.isdigit() for sign in token) or not _TOKEN.fullmatch(token):
        return False
    if _NUMBER.fullmatch(token) or _CLOCKED.fullmatch(token) or read_quantity(token):
        return False
    return any(sign.isalpha() for sign in token) or (token.isdigit() and token.startswith("0")) or token[0] == "#"


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two identifiers, where the argument is one; or an identifier and the number that it became."""
    if Kind.IDENTIFIER not in hints(place) or name_words(place.name) & _OF_TIME:
        return None
    if isinstance(gold, str) and isinstance(predicted, str):
        found = _texts(_plain(gold), _plain(predicted), name_words(place.name))
        return _case_counts(found, gold, predicted) if says(place, CASE_SENSITIVE) else found
    text, number = (gold, predicted) if isinstance(gold, str) else (predicted, gold)
    if isinstance(text, str) and isinstance(number, int) and not isinstance(number, bool):
        return _number_lost(text.strip(), number)
    return None


def _case_counts(found: Ruling | None, gold: str, predicted: str) -> Ruling | None:
    """What the tool says of case settles what is open between two spellings that case alone tells apart."""
    if found and found.rule == "identifiers.case" and _plain(gold).upper() == _plain(predicted).upper():
        return different("identifiers.case", "the tool says that case counts")
    return found


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_DASHES).strip()


def _number_lost(text: str, number: int) -> Ruling | None:
    if text.isascii() and text.isdigit() and text.startswith("0") and len(text) > 1:
        return different("identifiers.leading_zero", f"{number} cannot hold the leading zero")
    return None


def _texts(gold: str, predicted: str, words: frozenset[str]) -> Ruling | None:
    if max(len(gold), len(predicted)) > 80:
        return None
    if found := _grouped(gold, predicted, words):
        return found
    if not _comparable(gold, predicted):
        return None
    if "".join(gold.split()).upper() == "".join(predicted.split()).upper():
        return _respelled(words)
    return _characters(gold, predicted) if all(map(_TOKEN.fullmatch, (gold, predicted))) else None


def _respelled(words: frozenset[str]) -> Ruling:
    if words & _SPACED:
        return equal("identifiers.spacing", "the same code with other spaces or case", semantic=True)
    return unsure("identifiers.case", "equal but for case or spaces, which the owner may tell apart")


def _grouped(gold: str, predicted: str, words: frozenset[str]) -> Ruling | None:
    if "isbn" in words and same_book(gold, predicted):
        return equal("identifiers.isbn", "the short and the long number of one book", semantic=True)
    if words & _GROUPED and _compact(gold) == _compact(predicted) and any(map(str.isdigit, gold)):
        return equal("identifiers.grouping", "the same digits in other groups")
    return None


def _characters(gold: str, predicted: str) -> Ruling:
    if all(map(_ZIP.fullmatch, (gold, predicted))) and gold[:5] == predicted[:5]:
        return unsure("identifiers.extension", "the same code with and without its extension")
    return different("identifiers.characters", "other characters")


def _comparable(gold: str, predicted: str) -> bool:
    """Whether both hold digits and neither is a plain number, a date or a quantity that has a rule of its own."""
    if gold == predicted or not all(any(map(str.isdigit, text)) for text in (gold, predicted)):
        return False
    if all(map(_NUMBER.fullmatch, (gold, predicted))):
        return False
    return not any(_CLOCKED.fullmatch(text) or _measured(text) for text in (gold, predicted))


def _measured(text: str) -> bool:
    """Whether a text is a quantity; "12C" is a seat where the argument is an identifier."""
    return not _SEAT.fullmatch(text) and read_quantity(text) is not None


def same_book(gold: str, predicted: str) -> bool:
    """Whether one is the ten-digit ISBN and the other the thirteen-digit one of the same book."""
    short, long = sorted((_compact(gold), _compact(predicted)), key=len)
    return (len(short), len(long)) == (10, 13) and long.startswith("978") and short[:9] == long[3:12]


def _compact(text: str) -> str:
    return re.sub(r"[\s\-]", "", text).upper()
