"""Mail addresses: the domain ignores case, the mailbox does as far as anybody knows, which is a matter of meaning.

Dots and plus tags make another mailbox, except that one large host is known to ignore dots: there it is unsure.
"""

import re

from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_ADDRESS = re.compile(r"\s*(?:mailto:)?([^\s@<>,;\"]+)@([^\s@<>,;/]+\.[^\s@<>,;/.]+)\.?\s*", re.IGNORECASE)
_NAMED = re.compile(r"\s*(?P<name>[^<>@]*?)\s*<\s*([^\s@<>]+)@([^\s@<>]+)\s*>\s*")
_IGNORES_DOTS = {"gmail.com", "googlemail.com"}


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two mail addresses, whatever the argument is called."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or len(gold) > 320 or len(predicted) > 320:
        return None
    first, second = _read(gold), _read(predicted)
    return _compare(first, second) if first and second else None


def _read(text: str) -> tuple[str, str, str] | None:
    """Display name, mailbox, domain."""
    found = _ADDRESS.fullmatch(text)
    if found:
        return "", found[1], found[2].casefold()
    named = _NAMED.fullmatch(text)
    return (named["name"], named[2], named[3].casefold()) if named else None


def _compare(gold: tuple[str, str, str], predicted: tuple[str, str, str]) -> Ruling:
    (name, mailbox, domain), (other_name, other_mailbox, other_domain) = gold, predicted
    if domain != other_domain:
        return different("emails.domain", "another domain")
    if mailbox == other_mailbox:
        if name == other_name:
            return equal("emails.domain_case", "the same mailbox, the domain in another case")
        return unsure("emails.display_name", "the same mailbox, with and without a display name")
    if mailbox.casefold() == other_mailbox.casefold():
        return equal("emails.mailbox_case", "the mailbox in another case, which hosts ignore", semantic=True)
    if domain in _IGNORES_DOTS and _without_dots(mailbox) == _without_dots(other_mailbox):
        return unsure("emails.dots", "this host is known to ignore dots in a mailbox")
    return different("emails.mailbox", "another mailbox")


def _without_dots(mailbox: str) -> str:
    return mailbox.replace(".", "").casefold()
