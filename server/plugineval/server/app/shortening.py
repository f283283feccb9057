"""Answers that fit a conversation: what is too long is cut where it stands, and says how much more there is."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from plugineval.pccf.values import Json
from plugineval.server.store.listing import Page

T = TypeVar("T")

BUDGET = 6_000
"""Characters of JSON in one answer; its text is of about the same length, and both together under 5,000 tokens."""
_STEPS = ((40, 1_500), (20, 600), (10, 300), (5, 160), (3, 100), (1, 60))
"""Members and characters that are kept, tried one after the other."""


def size_of(value: Json) -> int:
    """Characters of JSON."""
    return len(json.dumps(value, ensure_ascii=False))


def shortened(value: Json, budget: int = BUDGET) -> Json:
    """`value`, or all of its members with the beginnings of the longest: within `budget`, if their names are."""
    for members, characters in _STEPS:
        if size_of(value) <= budget:
            return value
        if isinstance(value, dict):
            value = {name: _cut(each, members, characters) for name, each in value.items()}
        else:
            value = _cut(value, members, characters)
    return value


def cut(text: str, most: int) -> str:
    """The beginning of a text, and how much more there is."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"


async def fitting(
    fetch: Callable[[int], Awaitable[Page[T]]], limit: int, size: Callable[[Sequence[T]], int], budget: int = BUDGET
) -> Page[T]:
    """A page of at most `limit` items that fits the budget, and at least of one: its cursor continues after it."""
    page = await fetch(limit)
    while len(page.items) > 1 and (taken := size(page.items)) > budget:
        page = await fetch(max(1, min(len(page.items) - 1, len(page.items) * budget // taken)))
    return page


def _cut(value: Json, members: int, characters: int) -> Json:
    if isinstance(value, str):
        return cut(value, characters)
    if isinstance(value, list):
        kept = [_cut(each, members, characters) for each in value[:members]]
        return [*kept, f"… {len(value) - members:,} more"] if len(value) > members else kept
    if isinstance(value, dict):
        shown = {name: _cut(each, members, characters) for name, each in list(value.items())[:members]}
        more = len(value) - len(shown)
        return {**shown, "…": f"{more:,} more"} if more else shown
    return value
