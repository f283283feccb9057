"""Combined schemas (`oneOf`, `anyOf`, `allOf`) as one object: every argument of every branch, required where all agree.

The result accepts more than the original: what it no longer says, grading still checks against the original.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from plugineval.pccf.values import Json

_ALTERNATIVES = frozenset({"oneOf", "anyOf"})


def merged_branches(
    schema: Mapping[str, Json], keywords: Sequence[str], target: Callable[[Json], Json]
) -> dict[str, Json]:
    """`schema` without the combining `keywords`, with the properties and requirements of their branches.

    `target` follows a branch that is a reference.
    """
    merged: dict[str, Json] = {keyword: value for keyword, value in schema.items() if keyword not in keywords}
    for keyword in keywords:
        listed = schema[keyword]
        items = listed if isinstance(listed, list) else []
        branches = [found for item in items if isinstance(found := target(item), dict)]
        _add_properties(merged, branches)
        _add_required(merged, branches, every=keyword not in _ALTERNATIVES)
        if keyword not in _ALTERNATIVES:
            _add_others(merged, branches)
    return merged


def _add_properties(merged: dict[str, Json], branches: Sequence[Mapping[str, Json]]) -> None:
    own = merged.get("properties")
    found: dict[str, Json] = dict(own) if isinstance(own, dict) else {}
    offered: dict[str, list[Json]] = {}
    for branch in branches:
        inner = branch.get("properties")
        for name, sub in (inner if isinstance(inner, dict) else {}).items():
            kept = offered.setdefault(name, [])
            if sub not in kept:
                kept.append(sub)
    for name, subs in offered.items():
        found.setdefault(name, subs[0] if len(subs) == 1 else {"anyOf": subs})
    if found:
        merged["properties"] = found


def _add_required(merged: dict[str, Json], branches: Sequence[Mapping[str, Json]], *, every: bool) -> None:
    listed = [_names(branch.get("required")) for branch in branches]
    if not listed:
        return
    named = list(dict.fromkeys(name for names in listed for name in names))
    agreed = named if every else [name for name in named if all(name in names for names in listed)]
    required = list(dict.fromkeys([*_names(merged.get("required")), *agreed]))
    if required:
        merged["required"] = cast("list[Json]", required)


def _add_others(merged: dict[str, Json], branches: Sequence[Mapping[str, Json]]) -> None:
    for branch in branches:
        for keyword, value in branch.items():
            if keyword not in {"properties", "required"}:
                merged.setdefault(keyword, value)


def _names(value: Json) -> list[str]:
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
