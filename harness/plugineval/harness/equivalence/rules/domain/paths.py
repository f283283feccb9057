"""File paths: "./a" and "a//b" are spelled in two ways, case and directories count.

"a/../b" is "b", as if no directory were a link. What depends on the machine is unsure: home directories, what lies
above, a trailing slash on what may be a file, an absolute path that ends like the relative one, backslashes without a
drive letter.
"""

import re
import unicodedata
from functools import lru_cache
from posixpath import normpath

from plugineval.harness.equivalence.rules.domain.hints import hints, name_words
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\\w")
_DIRECTORY = {"dir", "directory", "folder", "cwd"}
_UNSETTLED = re.compile(r"^~|\$\{?\w+|^%\w+%|^file:", re.IGNORECASE)
_SPOKEN = re.compile(r"(?!.*\bfile\b).*\b(?:directory|folder)\b", re.IGNORECASE)
_LOOKS = re.compile(r"[/\\]|\w\.\w")
_LONGEST = 1000


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two paths: by the argument, or because both begin like one (`./`, `../`, `~/`, `/`, a drive)."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or max(len(gold), len(predicted)) > _LONGEST:
        return None
    if "\n" in gold + predicted or "://" in gold + predicted:
        return None
    # A mail folder or a bare name is no path.
    hinted = Kind.PATH in hints(place) and Kind.URL not in hints(place) and bool(_LOOKS.search(gold + predicted))
    if not hinted and not all(Kind.PATH in shapes(text) for text in (gold, predicted)):
        return None
    return _compare(gold, predicted, directory=_of_directory(place))


def _of_directory(place: Place) -> bool:
    return bool(name_words(place.name) & _DIRECTORY) or _SPOKEN.match(place.description) is not None


def _compare(gold: str, predicted: str, *, directory: bool) -> Ruling:
    windows = all(_DRIVE.match(text.strip()) for text in (gold, predicted))
    first, second = normal(gold, windows=windows), normal(predicted, windows=windows)
    if first == second:
        return _slash_aside(gold, predicted, directory=directory)
    if windows and first.casefold() == second.casefold():
        return unsure("paths.case", "equal but for case on a system that may ignore it")
    return _apart(first, second)


def _slash_aside(gold: str, predicted: str, *, directory: bool) -> Ruling:
    ends = [text.strip().endswith(("/", "\\", "/.")) for text in (gold, predicted)]
    if ends[0] == ends[1] or directory:
        return equal("paths.normalised", "the same path after normalisation")
    return unsure("paths.trailing_slash", "a trailing slash on one side only")


def _apart(first: str, second: str) -> Ruling:
    if ".." in first.split("/") or ".." in second.split("/"):
        return _upwards(normpath(first), normpath(second))
    if _UNSETTLED.search(first) or _UNSETTLED.search(second):
        return _unsettled(first, second)
    if first.replace("\\", "/") == second.replace("\\", "/"):
        return unsure("paths.separators", "backslashes are separators on some systems only")
    if first.startswith("/") != second.startswith("/"):
        longer, shorter = (first, second) if first.startswith("/") else (second, first)
        if longer.endswith(f"/{shorter}") and longer != f"/{shorter}":
            return unsure("paths.relative", "the absolute path ends like the relative one")
    return different("paths.another", "another path")


def _upwards(first: str, second: str) -> Ruling:
    """Two paths that went through "..": what is left of them leads above where they start, or it does not."""
    if first == second:
        return equal("paths.parent", "the same path after normalisation")
    inner, outer = sorted((first, second), key=lambda path: path.split("/").count(".."))
    above = outer.split("/").count("..") - inner.split("/").count("..")
    # "../project/a" is "a" for whoever works in "project".
    comes_back = above and outer.split("/")[2 * above :] == inner.split("/")
    if comes_back or first.startswith("/") != second.startswith("/") or _UNSETTLED.search(first + second):
        return unsure("paths.parent", "where '..' leads depends on the machine")
    return different("paths.another", "another path")


def _unsettled(first: str, second: str) -> Ruling:
    if first.rsplit("/", 1)[-1] != second.rsplit("/", 1)[-1]:
        return different("paths.another", "another file name")
    return unsure("paths.home", "a home directory or a variable that only the machine can resolve")


@lru_cache(maxsize=2048)
def normal(text: str, *, windows: bool = False) -> str:
    """The path without empty and "." segments and without a trailing slash; ".." stays, links may lie on the way."""
    path = unicodedata.normalize("NFC", text.strip())
    if windows:
        path = path.replace("\\", "/")
        path = path[0].upper() + path[1:]
    root = "/" if path.startswith("/") else ""
    return root + "/".join(segment for segment in path.split("/") if segment not in {"", "."}) or "."
