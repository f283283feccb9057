"""Ids that a person can read aloud and that never collide: what it is, the day it was made, and 40 random bits.

A job's id is also the key to its result, so it is 192 random bits and nothing else.
"""

import secrets
from datetime import UTC, datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(kind: str) -> str:
    """An id such as `run-20261130-ab12cd34`; the day is UTC."""
    tail = "".join(secrets.choice(_ALPHABET) for _ in range(8))
    return f"{kind}-{datetime.now(UTC):%Y%m%d}-{tail}"


def new_job_id() -> str:
    """32 URL-safe characters that cannot be guessed, and that no command line takes for an option."""
    while (token := secrets.token_urlsafe(24)).startswith("-"):
        pass
    return token
