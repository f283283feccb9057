"""Clear signs that a request asks for other than gold calls: numbered lists, and gold calls that are doubled."""

import re
from collections import Counter

from plugineval.harness.cases import Case
from plugineval.pccf.values import Json, content_hash

_NUMBERED = re.compile(r"(?:^|\n|\s)\(?(\d{1,2})[.)]\s+(?=\S)")
_AGAIN = re.compile(r"\b(?:twice|again|two times|2 times|both times|repeat\w*|three times|each|every)\b", re.IGNORECASE)


def count_mismatch(case: Case) -> str:
    """What does not add up; empty where nothing clearly does not."""
    if not case.gold:
        return ""
    asked, calls = _numbered(case.query.text), len(case.gold)
    if asked > 1 and calls != asked and not any(_holds(call.arguments, asked) for call in case.gold):
        return f"the request numbers {asked} things, and gold has {calls} call{'s' * (calls != 1)}"
    twice = [n for n in Counter(content_hash([call.tool, call.arguments]) for call in case.gold).values() if n > 1]
    if twice and not _AGAIN.search(case.query.text):
        return f"gold makes the same call {twice[0]} times, and the request does not say so"
    return ""


def _numbered(text: str) -> int:
    """How many items a numbered list has; 0 where the numbers are none of a list from 1 on."""
    found = [int(number) for number in _NUMBERED.findall(text)]
    return len(found) if found == list(range(1, len(found) + 1)) else 0


def _holds(value: Json, number: int) -> bool:
    """Whether a list of that many things is among the arguments: one call may take them all."""
    if isinstance(value, list):
        return len(value) == number or any(_holds(each, number) for each in value)
    return isinstance(value, dict) and any(_holds(each, number) for each in value.values())
