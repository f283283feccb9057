"""Levels 1 and 2 by rule (P1, P2): do the query's words call for any tool of the set, and does the target support them.

A question of taste, small talk or writing needs no tool even where it borrows a tool's words. The target supports a
request when no other tool fits clearly better and the request asks for no act that the target's own words lack.
"""

import re
from typing import Literal

from plugineval.clients.baseline.arguments import arguments_of
from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.listed import listed
from plugineval.clients.baseline.relevance import NEED_THRESHOLD, Ranked, rank
from plugineval.clients.baseline.segments import own_part
from plugineval.clients.baseline.spotting.reading import read
from plugineval.clients.baseline.spotting.spans import named_in
from plugineval.clients.baseline.words import squeezed, stem, tokens
from plugineval.pccf.examples import Query
from plugineval.pccf.records import LevelVote
from plugineval.pccf.roles import Voted
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset, ToolSpec

_TALK = re.compile(
    r"\b(?:poem|essay|haiku|limerick|joke|story|slogan|toast|opinion|do you think"
    r"|your favou?rite|about yourself|how are you"
    r"|thank you|thanks for|good morning|cheer me up|in your own words|explain|why do people|what does .{1,40} mean"
    r"|give me advice|motivat\w+|brainstorm|write (?:me )?(?:a|an|some|two|three)|draft (?:a|an)|rephrase|pep talk)\b",
    re.IGNORECASE,
)
_ACTS = (
    "email|notify|remind|schedule|book|cancel|undo|restore|pay|buy|order|print|upload|publish|share|post|tweet|translate"
    "|draw|plot|subscribe|invite|call|text|encrypt|delete|archive|backup|automate"
)
_ASKED = re.compile(
    rf"(?:^|[.!?:;,]\s*|\b(?:please|you|to|and|then|will|kindly|an?)\s+)({_ACTS})\b|\b(email|schedule|reminder)\b",
    re.IGNORECASE,
)
"""An act counts where it is asked for, not where the word stands for a thing ("the log book")."""
_SET_ASIDE = re.compile(
    r"(?:^|(?<=[.!?;:] ))[^.!?;:]*\b(?:don['’]t (?!forget)|do not (?!forget)|not about|never mind|no longer"
    r"|enough of|instead of|somebody else|someone else|nothing to do with|yesterday it was)\b[^.!?;:]*[.!?;:]?",
    re.IGNORECASE,
)
"""Sentences that say what is not asked for."""
_CLOSE = 0.8
"""The target may score this share of the best tool and still be the one that is meant."""

_SURELY = 0.8
"""A score at which a request for words is still taken to need the tool."""


class LexicalAnnotator:
    """Implements `plugineval.pccf.roles.LevelAnnotator`."""

    @property
    def id(self) -> str:
        """`baseline:lexical`."""
        return BASELINE_ID

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: Toolset) -> Voted:
        """A vote with its reason; never fails."""
        asked = _asked(own_part(query) if level == 2 else query)
        ranked = rank(asked, toolset)
        positive, reason = _needs(asked, ranked) if level == 1 else _supports(asked, tool, ranked)
        vote = LevelVote(level=level, positive=positive, reason=reason, annotator=BASELINE_ID, prompt_hash=PROMPT_HASH)
        return Voted(vote=vote, spent=Spent())


def _asked(query: Query) -> Query:
    """The query without the sentences that set something aside, where anything is left."""
    left = _SET_ASIDE.sub("", query.text).strip()
    return Query.of_text(left, now=query.now) if left and left != query.text else query


def _needs(query: Query, ranked: tuple[Ranked, ...]) -> tuple[bool, str]:
    best = ranked[0] if ranked else None
    talk = _TALK.search(query.text)
    if talk and (best is None or best.score < _SURELY):
        return False, f"{talk.group()!r} asks for words, not for a tool"
    if best is not None and best.score >= NEED_THRESHOLD:
        return True, f"{best.tool.offered_name} fits with {best.score:.2f}"
    act = _foreign_acts(query, frozenset())
    if act:
        return True, f"{act[0]!r} asks for an act on the world"
    return False, f"no tool fits (best {best.score:.2f})" if best else "there is no tool"


def _supports(query: Query, tool: ToolSpec, ranked: tuple[Ranked, ...]) -> tuple[bool, str]:
    own = next((each.score for each in ranked if each.tool.offered_name == tool.offered_name), 0.0)
    best = ranked[0]
    if own < NEED_THRESHOLD * 0.8:
        return False, f"its words fit with {own:.2f} only"
    if own < _CLOSE * best.score:
        return False, f"{best.tool.offered_name} fits better ({best.score:.2f} against {own:.2f})"
    beyond = _foreign_acts(query, _vocabulary(tool)) or _foreign_values(query, tool)
    if beyond:
        return False, f"{beyond[0]!r} is beyond what it offers"
    return True, f"its words fit with {own:.2f}, and nothing is asked that they lack"


def _vocabulary(tool: ToolSpec) -> frozenset[str]:
    names = " ".join(each.label for each in arguments_of(tool))
    return frozenset(stem(word) for word in tokens(f"{tool.name} {tool.title or ''} {tool.description} {names}"))


def _foreign_acts(query: Query, known: frozenset[str]) -> list[str]:
    """Acts that the query asks for and the tool's own words do not hold."""
    found = [(first or second).lower() for first, second in _ASKED.findall(_unquoted(query))]
    return [word for word in found if stem(word) not in known]


def _unquoted(query: Query) -> str:
    text = query.text
    for found in reversed(read(query).quoted):
        text = text[: found.start] + text[found.end :]
    return text


def _foreign_values(query: Query, tool: ToolSpec) -> list[str]:
    """Values named for an argument that its schema does not allow."""
    found: list[str] = []
    for argument in arguments_of(tool):
        for named in named_in(query.text, argument.label) if argument.closed or argument.kind.numeric else ():
            word = str(named.value).split(" ")[0]
            spelled = squeezed(str(named.value))
            if argument.closed and spelled not in (known := listed(argument.choices).spellings):
                mentioned = any(choice in spelled for choice in known)
                found += [] if mentioned else [word]
            if argument.kind.numeric and _outside(word, argument.minimum, argument.maximum):
                found.append(word)
    return found


def _outside(word: str, minimum: float | None, maximum: float | None) -> bool:
    try:
        number = float(word.replace(",", ""))
    except ValueError:
        return False
    return (minimum is not None and number < minimum) or (maximum is not None and number > maximum)
