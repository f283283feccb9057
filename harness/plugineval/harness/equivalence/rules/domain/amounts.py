"""The numbers a written amount may stand for: a separator before three digits is a thousand or a decimal mark.

"1,000.50" has one reading, "1.000" has two, and the caller decides what an undecided amount is worth.
"""

import re
from fractions import Fraction
from functools import lru_cache

NUMBER = r"[+\-−]?(?:\d[\d.,'’ \u00a0\u202f]*\d|\d|\.\d+)(?:[eE][+\-]?\d{1,3})?"
"""Pattern of a written amount; `amounts` says what it is worth."""
_WRITTEN = re.compile(r"([+-]?)([\d.,'’ \u00a0\u202f]+)(?:[eE]([+-]?\d{1,3}))?")
_PLAIN = re.compile(r"\d+(\.\d+)?|\.\d+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(\.\d+)?")
_CONTINENTAL = re.compile(r"\d{1,3}(?:\.\d{3})+(,\d+)?")
_SPACED = re.compile(r"\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+([.,]\d+)?")
_COMMA = re.compile(r"\d+,\d+")
_THREE = re.compile(r"[1-9]\d{0,2}\.\d{3}")


@lru_cache(maxsize=4096)
def amounts(text: str) -> frozenset[Fraction]:
    """All numbers `text` may stand for; empty where it is no number."""
    written = _WRITTEN.fullmatch(text.strip().replace("−", "-"))
    if written is None:
        return frozenset()
    scale = Fraction(10) ** int(written[3] or 0) * (-1 if written[1] == "-" else 1)
    return frozenset(scale * Fraction(reading) for reading in _readings(written[2]))


def _readings(body: str) -> list[str]:
    readings: list[str] = []
    if _PLAIN.fullmatch(body):
        readings.append(body)
    if _GROUPED.fullmatch(body):
        readings.append(body.replace(",", ""))
    if _CONTINENTAL.fullmatch(body) and ("," in body or body.count(".") > 1 or _THREE.fullmatch(body)):
        readings.append(body.replace(".", "").replace(",", "."))
    if _SPACED.fullmatch(body):
        readings.append(re.sub(r"[ '’\u00a0\u202f]", "", body).replace(",", "."))
    if _COMMA.fullmatch(body) and not _GROUPED.fullmatch(body):
        readings.append(body.replace(",", "."))
    return readings


def exact(value: float) -> Fraction:
    """The number a JSON number was written as: 0.1 is one tenth."""
    return Fraction(repr(value))
