"""Two names that may be one by convention: accents, initials, abbreviations. Always unsure, never guessed.

Whether a tool knows "Sao Paulo" or "NYC" is for a judge or for the tool itself.
"""

import re
import unicodedata
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.countries import plain
from plugineval.harness.equivalence.rules.domain.rulings import unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_LONGEST = 80
_CAPITALS = re.compile(r"(?:[A-Z]\.?){2,6}")
_LITTLE = {"of", "the", "and", "de", "la", "for", "in", "&"}
_TOKENS = re.compile(r"[^\W_]+\.?")
_TRANSLITERATED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"})
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
_SHORT = {
    "st": ("saint", "street", "sankt", "state"), "ste": ("sainte",), "ave": ("avenue",), "av": ("avenue",),
    "rd": ("road",),
    "blvd": ("boulevard",), "mt": ("mount", "mountain"), "ft": ("fort",), "dr": ("drive", "doctor"), "ln": ("lane",),
    "sq": ("square",), "pl": ("place",), "hwy": ("highway",), "intl": ("international",), "univ": ("university",),
    "dept": ("department",), "prof": ("professor",), "jr": ("junior",), "sr": ("senior",), "bros": ("brothers",),
    "co": ("company", "county"), "corp": ("corporation",), "inc": ("incorporated",), "ltd": ("limited",),
    "n": ("north",), "s": ("south",), "e": ("east",), "w": ("west",), "str": ("strasse", "street"),
    "apt": ("apartment",),
}  # fmt: skip


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two short names that convention may make one."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or max(len(gold), len(predicted)) > _LONGEST:
        return None
    if not gold.isascii() or not predicted.isascii():
        found = accents(gold, predicted)
        if found:
            return unsure("aliases.accents", "equal but for accents or transliteration")
    if _initials(gold, predicted) or _initials(predicted, gold):
        return unsure("aliases.initials", "one is the initials of the other")
    if _abbreviated(gold, predicted):
        return unsure("aliases.abbreviation", "equal but for an abbreviated word")
    return None


def accents(gold: str, predicted: str) -> bool:
    """Whether two texts differ by accents or transliteration alone (width and case of letters apart)."""
    first, second = (unicodedata.normalize("NFKC", text).casefold().strip() for text in (gold, predicted))
    if first == second:
        return False
    return any(plain(first.translate(a)) == plain(second.translate(b)) for a in _WAYS for b in _WAYS)


_WAYS = (_TRANSLITERATED, _LETTERS)


def _initials(short: str, long: str) -> bool:
    stripped = short.strip()
    if not _CAPITALS.fullmatch(stripped) or " " not in long.strip():
        return False
    letters = stripped.replace(".", "").casefold()
    words = [word.casefold() for word in re.split(r"[\s\-]+", long.strip())]
    return letters in {_firsts(words), _firsts([word for word in words if word not in _LITTLE])}


def _firsts(words: list[str]) -> str:
    return "".join(word[:1] for word in words)


def _abbreviated(gold: str, predicted: str) -> bool:
    if " " not in gold or " " not in predicted:
        return False
    first, second = _words(gold), _words(predicted)
    if len(first) != len(second) or len(first) < 2 or first == second:
        return False
    if any(word.isdigit() for word in first) and not any(word in _SHORT for word in (*first, *second)):
        # A number with an abbreviated unit is no name.
        return False
    pairs = list(zip(first, second, strict=True))
    same = [left.rstrip(".") == right.rstrip(".") for left, right in pairs]
    return any(same) and all(_one_word(left, right) or _one_word(right, left) for left, right in pairs)


def _one_word(short: str, long: str) -> bool:
    stem, word = short.rstrip("."), long.rstrip(".")
    if stem == word or word in _SHORT.get(stem, ()):
        return True
    return stem.isalpha() and word.startswith(stem) and (short.endswith(".") or len(stem) == 1) and len(word) > 1


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_TOKENS.findall(plain(text)))


def follows(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether `part` stands in `words`, in its order and without gaps."""
    size = len(part)
    return any(words[start : start + size] == part for start in range(len(words) - size + 1))
