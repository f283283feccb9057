"""Program text: one syntax tree is one program, whatever its white space and quotes; all else is unsure.

Case is never noise in code, so that a text rule must not see it.
"""

import ast
import re
import warnings
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_PROGRAM = re.compile(r"\w\(.*\)|[=;{}]|\blambda\b|\bimport\b|\breturn\b|=>", re.DOTALL)
_LONGEST = 20_000


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two programs, where the argument is one ("code" may also be a promotion code: it must look like a program)."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or not hints(place) & {Kind.CODE, Kind.EXPRESSION}:
        return None
    if max(len(gold), len(predicted)) > _LONGEST or not (_PROGRAM.search(gold) and _PROGRAM.search(predicted)):
        return None
    first, second = _tree(gold), _tree(predicted)
    if first is not None and first == second:
        return equal("code.syntax", "one syntax tree: white space, quotes, redundant brackets")
    return unsure("code.text", "programs of another text may still do the same")


@lru_cache(maxsize=512)
def _tree(text: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text.strip()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
