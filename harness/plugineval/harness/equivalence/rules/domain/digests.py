"""Values that are bytes in disguise: UUIDs, hashes in hexadecimal, base64. Case is noise in the first two only."""

import base64
import binascii
import re

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_HEX = re.compile(r"(?:0x|sha\d+[:\-]|md5:)?([0-9a-f]{7,128})", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/_\-]+={0,2}")


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two UUIDs by their shape; two hashes or base64 texts where the argument is one."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    if all(Kind.UUID in shapes(text) for text in (gold, predicted)):
        return _uuids(gold, predicted)
    said = hints(place)
    first, second = _HEX.fullmatch(gold.strip()), _HEX.fullmatch(predicted.strip())
    if Kind.DIGEST in said and first and second:
        return _hashes(first, second)
    return _encoded(gold, predicted) if Kind.BASE64 in said else None


def _uuids(gold: str, predicted: str) -> Ruling:
    first, second = (re.sub(r"urn:uuid:|[{}\-\s]", "", text.lower()) for text in (gold, predicted))
    if first != second:
        return different("digests.uuid", "another UUID")
    return equal("digests.uuid", "the same UUID: case, hyphens and braces")


def _hashes(gold: re.Match[str], predicted: re.Match[str]) -> Ruling:
    first, second = gold[1].lower(), predicted[1].lower()
    if first == second:
        if _label(gold) == _label(predicted):
            return equal("digests.hex", "the same hexadecimal digits in another case")
        return unsure("digests.label", "the same digits, with and without the name of the hash")
    if first.startswith(second) or second.startswith(first):
        return unsure("digests.short", "one is an abbreviation of the other")
    return different("digests.hex", "other hexadecimal digits")


def _label(found: re.Match[str]) -> str:
    return found[0][: found.start(1)].lower()


def _encoded(gold: str, predicted: str) -> Ruling | None:
    first, second = _bytes(gold), _bytes(predicted)
    if first is None or second is None:
        return None
    if first == second:
        return equal("digests.base64", "the same bytes: padding or alphabet", semantic=True)
    return different("digests.base64", "other bytes")


def _bytes(text: str) -> bytes | None:
    body = "".join(text.split())
    if not _BASE64.fullmatch(body):
        return None
    plain = body.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
