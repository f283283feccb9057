"""Colours: hexadecimal in three or six digits, rgb(), and the names of CSS (by webcolors).

A name against another number is unsure: people say green for more than #008000.
"""

import importlib
import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_HEX = re.compile(r"(?:#|0x)?([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*(\d*\.?\d+%?)\s*)?\)", re.IGNORECASE)


class Colour(NamedTuple):
    """Eight hexadecimal digits (red, green, blue, opacity), and whether they were given by a name."""

    digits: str
    named: bool = False


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two colours, where the argument is one."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.COLOUR not in hints(place):
        return None
    first, second = read(gold), read(predicted)
    if not first or not second:
        return None
    if first.digits == second.digits:
        if gold.strip().casefold() == predicted.strip().casefold():
            return equal("colours.case", "the same colour in another case")
        return equal("colours.value", "the same red, green and blue", semantic=first.named or second.named)
    if first.named != second.named:
        return unsure("colours.shade", "a name that people use for more than one shade")
    return different("colours.another", "another colour")


@lru_cache(maxsize=1024)
def read(text: str) -> Colour | None:
    """The colour `text` spells; None where it is none."""
    body = text.strip().casefold()
    named = _names().get(body.replace(" ", "").replace("-", "")) if body[:1].isalpha() else None
    if named:
        return Colour(named, named=True)
    hexadecimal, rgb = _HEX.fullmatch(body), _RGB.fullmatch(body)
    if hexadecimal:
        digits = hexadecimal[1]
        doubled = digits if len(digits) > 4 else "".join(digit * 2 for digit in digits)
        return Colour(doubled.ljust(8, "f"))
    return _of_rgb(rgb) if rgb else None


def _of_rgb(rgb: re.Match[str]) -> Colour | None:
    channels = [int(rgb[i]) for i in (1, 2, 3)]
    opacity = rgb[4] or "1"
    share = float(opacity.rstrip("%")) / (100 if opacity.endswith("%") else 1)
    if max(channels) > 255 or share > 1:
        return None
    return Colour("".join(f"{channel:02x}" for channel in (*channels, round(share * 255))))


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    # webcolors ships no type marker: its two functions are called through the module object.
    webcolors = importlib.import_module("webcolors")
    names: list[str] = webcolors.names("css3")
    return {name: str(webcolors.name_to_hex(name))[1:] + "ff" for name in names}
