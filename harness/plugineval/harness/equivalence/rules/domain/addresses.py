"""Addresses of the Internet Protocol, with many spellings in version 6 and one in version 4, and of network cards."""

import re
from functools import lru_cache
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_CARD = re.compile(
    r"(?:[0-9a-f]{2}([-:])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})", re.IGNORECASE
)
_ONE_CARD = equal("addresses.card", "the same hardware address with other separators")
_TWO_CARDS = different("addresses.card", "another hardware address")
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two addresses or two networks."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    if Kind.ADDRESS in hints(place) and {gold.strip().lower(), predicted.strip().lower()} <= _LOOPBACK:
        return unsure("addresses.loopback", "names of the own machine, which a server may tell apart")
    cards = [_CARD.fullmatch(text.strip()) for text in (gold, predicted)]
    if all(cards):
        same = len({re.sub(r"[-:.]", "", text.strip()).lower() for text in (gold, predicted)}) == 1
        return _ONE_CARD if same else _TWO_CARDS
    first, second = read(gold), read(predicted)
    return _compare(gold, predicted, first, second) if first and second else None


def _compare(
    gold: str, predicted: str, first: IPv4Interface | IPv6Interface, second: IPv4Interface | IPv6Interface
) -> Ruling:
    if first == second:
        if ("/" in gold) == ("/" in predicted):
            return equal("addresses.spelling", "the same address in another spelling")
        return unsure("addresses.prefix", "an address and a network of this one address")
    if first.network == second.network and "/" in gold and "/" in predicted:
        return unsure("addresses.host_bits", "the same network, written with different host bits")
    if _mapped(first) == _mapped(second):
        return unsure("addresses.mapped", "an address of version 4 inside one of version 6")
    return different("addresses.another", "another address")


def _mapped(found: IPv4Interface | IPv6Interface) -> str:
    """The address, as version 4 where it is one inside version 6, with its prefix length."""
    inside = found.ip.ipv4_mapped if isinstance(found, IPv6Interface) else None
    length = found.network.prefixlen - (96 if inside else 0)
    return f"{inside or found.ip}/{length}"


@lru_cache(maxsize=2048)
def read(text: str) -> IPv4Interface | IPv6Interface | None:
    """The address or network `text` spells; None where it is none."""
    if len(text) > 60:
        return None
    try:
        return ip_interface(text.strip())
    except ValueError:
        return None
