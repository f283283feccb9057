"""MIME types: type, subtype and parameter names ignore case; a parameter on one side only is unsure."""

import re
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_TYPE = re.compile(
    r"\s*((?:application|audio|font|image|message|model|multipart|text|video|\*)/[\w.+\-*]+)\s*((?:;\s*[\w\-]+=(?:\"[^\"]*\"|[^;\s]+)\s*)*);?\s*",
    re.IGNORECASE,
)
_SAME = {
    "image/jpg": "image/jpeg",
    "text/javascript": "application/javascript",
    "text/xml": "application/xml",
    "application/x-javascript": "application/javascript",
    "audio/mp3": "audio/mpeg",
    "text/x-markdown": "text/markdown",
}


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two MIME types, whatever the argument is called; a bare "json" only where it is called one."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    first, second = read(gold), read(predicted)
    if first and second:
        return _compare(first, second)
    known = first or second
    bare = (predicted if first else gold).strip().casefold()
    if known and Kind.MIME in hints(place) and known[0].endswith(f"/{bare}"):
        return unsure("media_types.bare", "the subtype alone")
    return None


def _compare(gold: tuple[str, frozenset[str]], predicted: tuple[str, frozenset[str]]) -> Ruling:
    if gold == predicted:
        return equal("media_types.case", "the same type in another case or spacing")
    (first, parameters), (second, others) = gold, predicted
    if first != second and _SAME.get(first, first) != _SAME.get(second, second):
        return different("media_types.another", "another type")
    if parameters and others and parameters != others:
        return different("media_types.parameters", "other parameters")
    return unsure("media_types.loose", "a parameter on one side only, or a second name of the type")


@lru_cache(maxsize=1024)
def read(text: str) -> tuple[str, frozenset[str]] | None:
    """Type with subtype, and the parameters, all in lower case; None where it is no MIME type."""
    found = _TYPE.fullmatch(text) if len(text) <= 200 else None
    if found is None:
        return None
    parameters = (part.strip().replace('"', "").casefold() for part in found[2].split(";"))
    return found[1].casefold(), frozenset(part for part in parameters if part)
