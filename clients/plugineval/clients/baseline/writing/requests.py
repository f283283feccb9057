"""What a person asks a tool for, taken from the tool's own description: an imperative, or a thing they want."""

import re
from typing import NamedTuple

from plugineval.clients.baseline.lexicon import VERBS
from plugineval.clients.baseline.words import clause, each_word, label, stems
from plugineval.pccf.tools import ToolSpec

_GIVEN = re.compile(
    r"\s+(?:in|of|for|from|on|to|at|using|with|by|into)\s+(?:an?|one|some|(?:the )?given|(?:the )?specified)\b.*$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|all|current|new)\s+", re.IGNORECASE)


class Request(NamedTuple):
    """`act` is an imperative ("convert units") where `verb`, else the name of a thing ("unit conversion")."""

    act: str
    verb: bool
    subject: str
    """The thing it is about, without the verb."""


def request_of(tool: ToolSpec, about: str = "") -> Request:
    """The request that `tool` answers; of several acts described, the one that shares most words with `about`."""
    words = clause(tool.description, words=20) or label(tool.name)
    wanted = set(stems(about))
    chosen = max(_alternatives(words), key=lambda act: len(wanted & set(stems(act))))
    short = _GIVEN.sub("", " ".join(chosen.split()[:14])).split()
    left = short if len(short) >= 2 else chosen.split()
    first = _imperative(left[0])
    if first is None:
        thing = _lowered(left)
        return Request(thing, verb=False, subject=thing)
    rest = _lowered(left[1:])
    subject = _ARTICLE.sub("", rest) or label(tool.name)
    return Request(f"{first} {_with_article(first, rest)}".strip(), verb=True, subject=subject)


def _alternatives(words: str) -> list[str]:
    """The acts of "encode or decode text" or "get X, convert Y, and format Z", where the first word is a verb."""
    if _imperative(words.split(maxsplit=1)[0]) is None:
        return [words]
    acts: list[str] = []
    for piece in re.split(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+", words):
        if piece and (not acts or _imperative(piece.split()[0])):
            acts.append(piece)
        elif piece:
            acts[-1] = words[words.index(acts[-1]) : words.index(piece, words.index(acts[-1])) + len(piece)]
    objects = acts[-1].split()[1:]
    return [f"{act} {' '.join(objects)}" if len(act.split()) == 1 and objects else act for act in acts]


def _imperative(word: str) -> str | None:
    """The base form of a verb that opens a description ("Returns" -> "return"); None where it is no verb."""
    lower = word.lower().strip(",.")
    for form in (lower, lower.removesuffix("s"), lower.removesuffix("es")):
        if form in VERBS:
            return form
    return None


def _with_article(verb: str, thing: str) -> str:
    """Descriptions are terse ("Create session"); people say "create a session"."""
    phrase = re.split(
        r"\s(?:in|of|for|from|on|to|at|using|with|by|into|between|and|or|that|which|as|per)\b|,", thing, maxsplit=1
    )[0]
    if not phrase or _DETERMINED.match(phrase) or plural(phrase) or _imperative(phrase.split()[0]):
        return thing
    if verb not in _MAKING:
        return f"the {thing}"
    return f"{'an' if phrase[0].lower() in 'aeiou' else 'a'} {thing}"


def plural(thing: str) -> bool:
    """Whether the last word of `thing` is (by its look) a plural."""
    last = thing.rsplit(maxsplit=1)[-1].lower()
    return last in {"data", "people"} or (last.endswith("s") and not last.endswith(("ss", "us", "is")))


_DETERMINED = re.compile(
    r"(?:the|a|an|all|any|every|each|one|two|some|your|my|this|that|what|how|whether|if|information|info|in|up|out|as|[\d\"'])\b",
    re.IGNORECASE,
)
_MAKING = frozenset(
    each_word("create add make generate evaluate build insert register send write run start open compute plot draw")
)


def _lowered(words: list[str]) -> str:
    """In the middle of a sentence: capitals go, unless they are an abbreviation or stand inside a word."""
    return " ".join(word.lower() if word[1:].islower() or len(word) == 1 else word for word in words)
