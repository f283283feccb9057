"""Where secrets and personal data stand in a text: each finder knows one kind, by its shape and by its check digits.

People's names, street addresses and whatever else has no shape of its own are not found: whoever shares queries
still reads them first.
"""

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from ipaddress import ip_address
from itertools import chain
from typing import NamedTuple

from plugineval.clients.secret_shapes import looks_secret


class MaskedKind(StrEnum):
    """What was found."""

    SECRET = "secret"
    EMAIL = "email"
    PHONE = "phone"
    CARD = "card"
    IBAN = "iban"
    ADDRESS = "ip_address"
    """Of a machine, where it is not a private or reserved one."""


class Found(NamedTuple):
    """A span of a text."""

    start: int
    end: int
    kind: MaskedKind


_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?![\w-])")
_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?i:\b(?:bearer|basic|token))\s+(?P<scheme>[\w.+/=~-]{12,})"
    r"|(?i:\b(?:pass(?:word|wd|phrase)?|api[_ -]?key|secret|token|credentials?))\s*(?:is|[:=])\s*[\"']?"
    r"(?P<said>(?=[^\s\"',;]*[\d!@#$%^&*_+=])[^\s\"',;]{4,})"
    r"|(?<=://)(?P<login>[^\s/@:]*:[^\s/@]+)(?=@)",
    re.DOTALL,
)
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_WORD = re.compile(r"[^\s\"'`,;<>(){}\[\]]{12,}")
_DIGITS = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.]*\d)")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b")
_IP = re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4})(?![\w.:])")


def found_in(text: str) -> list[Found]:
    """What is to be masked, in order and without overlaps; of two that overlap the one whose finder comes first."""
    taken: list[Found] = []
    for each in chain.from_iterable(finder(text) for finder in _FINDERS):
        if all(each.end <= other.start or each.start >= other.end for other in taken):
            taken.append(each)
    return sorted(taken)


def _keys(text: str) -> Iterator[Found]:
    for match in _KEY.finditer(text):
        group = match.lastgroup
        start, end = match.span(group) if group else match.span()
        yield Found(start, end, MaskedKind.SECRET)
    for match in _WORD.finditer(text):
        # Of a URL or a path the parts are looked at, for a whole one is long and mixed by nature.
        for part in re.finditer(r"[^/:?&=#]+", match[0]):
            word = part[0].rstrip(".!?")
            begin = match.start() + part.start()
            # A UUID names a thing; requests are about things.
            if len(word) >= 12 and "@" not in word and not _UUID.fullmatch(word) and looks_secret("", word):
                yield Found(begin, begin + len(word), MaskedKind.SECRET)


def _emails(text: str) -> Iterator[Found]:
    for match in _EMAIL.finditer(text):
        yield Found(*match.span(), MaskedKind.EMAIL)


def _cards(text: str) -> Iterator[Found]:
    from stdnum import luhn

    for match in _DIGITS.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        # 0 and 7 to 9 begin no payment card; a run of one digit passes Luhn by accident.
        if digits[0] in "23456" and len(set(digits)) > 2 and luhn.is_valid(digits):
            yield Found(*match.span(), MaskedKind.CARD)


def _ibans(text: str) -> Iterator[Found]:
    from stdnum import iban

    for match in _IBAN.finditer(text):
        if (length := next((n for n in range(len(match[0]), 14, -1) if iban.is_valid(match[0][:n])), 0)) > 0:
            yield Found(match.start(), match.start() + length, MaskedKind.IBAN)


def _phones(text: str) -> Iterator[Found]:
    from phonenumbers import Leniency, PhoneNumberMatcher

    # Without a region only numbers with a country code are read: an order number is no telephone.
    for region, leniency in ((None, Leniency.VALID), ("US", Leniency.STRICT_GROUPING)):
        for match in PhoneNumberMatcher(text, region, leniency=leniency):
            grouped = re.search(r"[()+]|\d[ .-]\d+[ .-]\d", match.raw_string)
            if grouped and not _DIGITS.fullmatch(match.raw_string):
                yield Found(match.start, match.end, MaskedKind.PHONE)


def _addresses(text: str) -> Iterator[Found]:
    for match in _IP.finditer(text):
        try:
            address = ip_address(match[0])
        except ValueError:
            continue
        if address.is_global:
            yield Found(*match.span(), MaskedKind.ADDRESS)


_FINDERS: tuple[Callable[[str], Iterator[Found]], ...] = (_keys, _emails, _ibans, _cards, _phones, _addresses)
