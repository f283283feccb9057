"""Which values of a configuration are secrets: by the name they go by, by the shape of a known kind of key, or
because they look drawn at random. In doubt a value counts as a secret: asking for an export costs less than a leak.
"""

import re
from itertools import pairwise

_NAME = re.compile(
    r"key|token|secret|passw|pwd|passphrase|credential|auth(?!ors?(?![a-z]))|cookie|session|bearer|signature|dsn|conn(ection)?_?str|webhook",
    re.IGNORECASE,
)
_HARMLESS_NAME = re.compile(
    r"(_|-)?(file|path|dir|url|uri|host|type|name|env|count|limit|timeout|mode)$", re.IGNORECASE
)
_KNOWN = re.compile(
    r"sk-[\w-]{8,}|gh[pousr]_\w{16,}|github_pat_\w+|glpat-[\w-]+|xox[a-z]-[\w-]+|AKIA[0-9A-Z]{12,}|AIza[\w-]{20,}"
    r"|gsk_\w{16,}|hf_\w{16,}|npm_\w{16,}|pypi-[\w-]{16,}|eyJ[\w-]+\.[\w-]+\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY"
    r"|://[^/\s:@]*:[^/\s@]+@"
)
_SCHEME = re.compile(r"^(Bearer|Basic|Token)\s+\S", re.IGNORECASE)
_PLAIN = re.compile(r"^(true|false|yes|no|on|off|none|null|\d{1,5}|)$", re.IGNORECASE)


def looks_secret(name: str, value: str) -> bool:
    """Whether `value`, set under `name` (an environment variable, header, flag or query parameter), is a secret."""
    if _PLAIN.match(value):
        return False
    named = bool(_NAME.search(name)) and not _HARMLESS_NAME.search(name)
    return named or bool(_KNOWN.search(value) or _SCHEME.match(value)) or looks_random(value)


def looks_random(value: str) -> bool:
    """Whether `value` is one long word in which letters and digits keep alternating, as in a generated key or UUID."""
    if not re.fullmatch(r"[A-Za-z0-9_\-+=]{20,}", value):
        return False
    joined = re.sub(r"[^A-Za-z0-9]", "", value)
    changes = sum(before.isdigit() != after.isdigit() for before, after in pairwise(joined))
    return changes >= 4
