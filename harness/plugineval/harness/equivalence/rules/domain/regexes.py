"""Regular expressions: one pattern up to trivial spellings of a quantifier; every other pair is unsure.

Whether two patterns find the same depends on flags, engine and whether the tool searches or matches.
"""

import re

from plugineval.harness.equivalence.rules.domain.hints import hints, says
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_LONGEST = 500
_SPOKEN = re.compile(r"\bregular expression|\bregexp?\b", re.IGNORECASE)
_QUANTIFIERS = {"{1,}": "+", "{0,}": "*", "{0,1}": "?", "{1}": ""}
_QUANTIFIER = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]])*\])|(\{1,\}|\{0,\}|\{0,1\}|\{1\})(?![?+])")


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two patterns, where the argument is a regular expression."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.REGEX not in hints(place):
        return None
    # A "pattern" may be a glob or a print on a shirt.
    if "regex" not in place.name.lower() and place.format != "regex" and not says(place, _SPOKEN):
        return None
    if max(len(gold), len(predicted)) <= _LONGEST and normal(gold) == normal(predicted):
        return equal("regexes.quantifier", "the same quantifier in another spelling", semantic=True)
    return unsure("regexes.pattern", "whether two patterns find the same depends on the engine and its flags")


def normal(pattern: str) -> str:
    """The pattern with the short spelling of every quantifier that has one."""
    return _QUANTIFIER.sub(lambda found: found[1] or _QUANTIFIERS[found[2]], pattern)
