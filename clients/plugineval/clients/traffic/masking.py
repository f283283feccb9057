"""Masks: the same secret or person always gets the same stand-in, of the same shape, from ranges that nobody owns.

A query must still be one: `mail ann@corp.com` becomes `mail person1@example.com`, which a tool can be called with.
"""

from collections import Counter
from collections.abc import Mapping

from plugineval.clients.traffic.finders import MaskedKind, found_in

_CARDS = ("4111 1111 1111 1111", "5555 5555 5555 4444", "4012 8888 8888 1881")
"""Test numbers of the card networks; others repeat them."""
_IBANS = ("GB33BUKB20201555555555", "DE75512108001245126199", "FR7630006000011234567890189")
"""Published examples of the format; others repeat them."""


class Masker:
    """Of one import. What it replaced is counted, never kept."""

    def __init__(self) -> None:
        self.counts: Counter[MaskedKind] = Counter()
        self._stand_ins: dict[tuple[MaskedKind, str], str] = {}
        self._numbers: Counter[MaskedKind] = Counter()

    @property
    def told(self) -> Mapping[str, int]:
        """Kind -> how often something of it was masked."""
        return {kind.value: self.counts[kind] for kind in MaskedKind if self.counts[kind]}

    def masked(self, text: str) -> str:
        """`text` with everything that was found replaced."""
        parts: list[str] = []
        last = 0
        for found in found_in(text):
            parts += [text[last : found.start], self._stand_in(found.kind, text[found.start : found.end])]
            last = found.end
        return "".join([*parts, text[last:]])

    def _stand_in(self, kind: MaskedKind, original: str) -> str:
        self.counts[kind] += 1
        key = (kind, original.casefold() if kind is MaskedKind.EMAIL else "".join(original.split()))
        if key not in self._stand_ins:
            self._numbers[kind] += 1
            self._stand_ins[key] = _made(kind, self._numbers[kind])
        return self._stand_ins[key]


def _made(kind: MaskedKind, number: int) -> str:
    match kind:
        case MaskedKind.SECRET:
            return f"[secret{number}]"
        case MaskedKind.EMAIL:
            return f"person{number}@example.com"
        case MaskedKind.PHONE:
            # 555-0100 to 555-0199 are kept for fiction in every area code.
            return f"+1 202-555-{100 + (number - 1) % 100:04}"
        case MaskedKind.CARD:
            return _CARDS[(number - 1) % len(_CARDS)]
        case MaskedKind.IBAN:
            return _IBANS[(number - 1) % len(_IBANS)]
        case MaskedKind.ADDRESS:
            # TEST-NET-3 of RFC 5737.
            return f"203.0.113.{(number - 1) % 254 + 1}"
