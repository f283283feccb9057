"""Sentences in which services say that a request failed; kept apart from ordinary texts that mention errors."""

import re
from collections.abc import Iterator

SENTENCE = 300
"""Characters up to which a text is one statement about the call; in a longer one errors may be the topic."""
_LINES = 3
_NOTHING = r"(?!\s*(?:rate|count|margin|bars?|log)?\s*[:=]\s*(?:0\b|(?:none|no|null|false|nil)[ \t.]*(?:\n|,|;|\Z)))"
_OPENING = re.compile(
    rf"[^\w{{\[]*\[?((?:error|failed|failure|exception|fatal)\b{_NOTHING}|traceback \(most recent call last\)|"
    r"an? [\w ]{0,30}error\b|invalid\b|unable to\b|could not\b|couldn't\b|cannot\b|can't\b|not found\b|no such\b|"
    r"unknown (?:tool|command)\b|access denied\b|permission denied\b|unauthorized\b|forbidden\b|"
    r"\w{1,40}(?:error|exception):|n/a\W*$)",
    re.IGNORECASE,
)
_REASONS = (
    "bad request|unauthori[sz]ed|payment required|forbidden|not found|method not allowed|not acceptable|"
    "request time-?out|conflict|gone|unprocessable (?:entity|content)|too many requests|internal server error|"
    "not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out"
)
_PHRASE = re.compile(
    rf"\b(?:http(?:/\d(?:\.\d)?)?(?: error| status)?(?: code)?|status(?: code)?|error(?: code)?)[ :=]*[45]\d\d\b|"
    rf"\b[45]\d\d\b[ :,-]*(?:{_REASONS})\b|"
    r"\b(?:internal server error|bad gateway|service (?:temporarily )?unavailable|too many requests|"
    r"(?:rate limit|quota)(?: \w+)? (?:exceeded|reached)|(?:please )?(?:try again|retry) later|"
    r"(?:request|call|query|lookup|operation|connection|command|tool|fetch|search|login|authentication) "
    r"(?:has |was |is )?(?:failed|refused|rejected|denied|timed out|time-?out|aborted)|could not be completed|"
    r"failed to \w+|(?:does|do|did)(?: not|n't|n’t) exist|(?:is|was|were|could) not(?: be)? found|no such \w+|"
    r"(?:is|are|was) (?:invalid|not valid|unauthori[sz]ed|not (?:supported|available|permitted|allowed|authori[sz]ed))|"
    r"(?:is|are) (?:currently |temporarily )?unavailable|invalid (?:argument|parameter|request|input|value|api|token|"
    r"key|city|id|name|date|format|query|credentials?|\w+:)|(?:access|permission) denied|timed out|"
    r"(?:an|unexpected|unknown|server|network|database|connection|parse) error(?: has)?(?: occurred)?|"
    r"something went wrong|missing required \w+|not authenticated|unauthori[sz]ed)\b|"
    r"[\w'’)] not found\W*$|:\s*(?:timeout|unauthori[sz]ed|forbidden|failed|not found)\W*$",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"(?:^|[:=-]\s*)n/a\b", re.IGNORECASE)
_FAVOURABLE = re.compile(
    r"\b(?:no|0|zero|without|never|any) (?:\w+ ){0,2}(?:errors?|timeouts?|failures?)\b", re.IGNORECASE
)
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html\b)", re.IGNORECASE)
_HEADING = re.compile(r"<(title|h1|h2|center)[^>]*>\s*([^<]{0,200})", re.IGNORECASE)
_PAGE_TROUBLE = re.compile(rf"\b[45]\d\d\b|\b(?:{_REASONS}|error|access denied|unavailable)\b", re.IGNORECASE)


def phrases(text: str) -> Iterator[str]:
    """What `text` says of a failure, as remarks: its opening, a phrase of a short text, the heading of an HTML page."""
    opening = _OPENING.match(text)
    if opening is not None:
        yield f"the text opens with {opening.group().strip()!r}"
    elif _PAGE.match(text):
        yield from _of_page(text)
    elif len(text) <= SENTENCE and len(text.strip().splitlines()) <= _LINES and not _FAVOURABLE.search(text):
        yield from _of_sentence(text.strip())


def _of_page(text: str) -> Iterator[str]:
    for found in _HEADING.finditer(text[:4_000]):
        if _PAGE_TROUBLE.search(found[2]):
            yield f"an HTML page headed {found[2].strip()!r}"
            return


def _of_sentence(text: str) -> Iterator[str]:
    found = _PHRASE.search(text) or (None if "\n" in text else _PLACEHOLDER.search(text))
    later = next((m for line in text.splitlines()[1:] if (m := _OPENING.match(line))), None)
    said = found or later
    if said is not None:
        yield f"the text says {said.group().strip(' :=')!r}"
