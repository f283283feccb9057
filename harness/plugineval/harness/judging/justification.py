"""What a justification says of the verdict beside it. Only a plain statement counts: quoted words are somebody else's.

The check is narrow on purpose: "the notations are different" stands well beside "equal", "the values are different"
does not.
"""

import re

_STATED = re.compile(r'\bverdict"?\s*(?:is|:|=|should be)\s*"?(equal|different)\b', re.IGNORECASE)
_SUBTYPE = re.compile(
    r"\bsubtype\s*(?:is|:|=|should be)\s*(temporal|missing[ _]argument|incorrect[ _]value)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|‘[^’]*’|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
_SUBJECT = r"\b(?:they|both|(?:the )?(?:two )?(?:values|arguments|calls))\s+"
_CERTAINLY = r"(?:(?:semantically|essentially|effectively|exactly|fully|clearly|therefore|thus|indeed)\s+)?"
_ENDS = r"\s*(?=[.;!]|$)"
_CLAIMS = {
    "equal": re.compile(
        _SUBJECT
        + r"(?:are\s+"
        + _CERTAINLY
        + r"(?:equal|equivalent|identical|the same)|mean the same(?: thing)?)"
        + _ENDS,
        re.IGNORECASE,
    ),
    "different": re.compile(
        _SUBJECT
        + r"(?:are\s+"
        + _CERTAINLY
        + r"(?:different|not\s+(?:equal|equivalent|the same))|(?:do not|don't) mean the same(?: thing)?)"
        + _ENDS,
        re.IGNORECASE,
    ),
}
_OPPOSITE = {"equal": "different", "different": "equal"}


def verdicts_named(text: str) -> set[str]:
    """The verdicts that `text` states in so many words."""
    return {found.lower() for found in _STATED.findall(text)}


def contradiction(verdict: str, subtype: str | None, justification: str) -> str | None:
    """How `justification` contradicts its own verdict or subtype; None where it stands by both."""
    said = _QUOTED.sub(" ", justification)
    opposite = _OPPOSITE[verdict]
    if opposite in verdicts_named(said) or _CLAIMS[opposite].search(said):
        return f"the justification says {opposite}, the verdict says {verdict}"
    named = {found.lower().replace(" ", "_") for found in _SUBTYPE.findall(said)}
    if named - {subtype}:
        return f"the justification names another subtype than {subtype}"
    return None
