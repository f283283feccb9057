"""Words by which a tool's name says what it does. Ours, so that an untrusted plugin cannot declare itself harmless.

Three lists: words that change something wherever they stand, words that are verbs in front and often nouns elsewhere
(`post_message` changes, `get_post` does not), and words that only look.
"""

import re
from collections.abc import Iterable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CHANGING = _words(
    "add append apply approve archive assign cancel clear create decrement delete deploy destroy disable drop edit "
    "enable erase exec execute grant increment initialize insert install invite invoke kill launch login logout merge "
    "mkdir modify move optimize overwrite pay prune publish purchase purge put rebuild refund register reindex reject "
    "remove rename replace reply resend reset restart restore resume revert revoke rollback save send submit subscribe "
    "terminate trigger truncate uninstall unregister unsubscribe upload upsert wipe write"
)

CHANGING_IN_FRONT = _words(
    "block book change checkout close commit complete configure copy export fill flag follow forward hold import init "
    "like link lock log mark mute open order patch pause pin post process push record release request reserve rotate "
    "run schedule set share sign stage start stop store swap switch sync tag toggle train transfer turn unlock update "
    "vote watch"
)

LOOKING = _words(
    "analyse analyze calculate check classify compare compute convert count decode describe detect diff encode "
    "estimate evaluate explain extract fetch find forecast get hash head help inspect is list locate look lookup "
    "measure parse peek ping plan predict preview query rank read retrieve route search see select show simulate solve "
    "stat stats status summarise summarize suggest tail tell test tokenize translate validate verify view"
)

_TOKENS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def tokens(text: str) -> tuple[str, ...]:
    """The words of a name in lower case: split at everything that is no letter, and at camelCase humps."""
    return tuple(found.lower() for found in _TOKENS.findall(text))


def changing_word(words: Iterable[str]) -> str | None:
    """The first word that says something is changed; a noun-like one counts only where no looking verb leads."""
    found = [_plain(word) for word in words]
    looks = bool(found) and found[0] in LOOKING
    for word in found:
        if word in CHANGING or (word in CHANGING_IN_FRONT and not looks):
            return word
    return None


def looking_word(words: Iterable[str]) -> str | None:
    """The first word that says something is only looked at or computed."""
    return next((word for word in words if word in LOOKING), None)


def _plain(word: str) -> str:
    """The plain verb of a third person: `Creates` -> `create`, `Pushes` -> `push`; else the word itself."""
    known = CHANGING | CHANGING_IN_FRONT | LOOKING
    candidates = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return next((candidate for candidate in candidates if candidate in known), word)
