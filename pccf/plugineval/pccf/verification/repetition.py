"""Where two results of the same call differ: what a result shows only once (clocks, ids, draws) is no gold result.

A place is a JSON pointer (RFC 6901) into the structured result, or into a text that is a JSON object or list. Where
the number of items or the names of the keys differ, the place is that of the whole list or object, because the places
inside it move as well. The whole result is `text`, and two different kinds of observation differ in `kind`.
"""

import json
from collections.abc import Iterable, Iterator

from plugineval.pccf.json_pointers import escaped
from plugineval.pccf.observations import Observation
from plugineval.pccf.values import Json

KIND = "kind"
TEXT = "text"


def moving_parts(first: Observation, second: Observation) -> tuple[str, ...]:
    """The places at which two observations of one call differ, sorted; empty where they say the same.

    How long a call took is no difference, nor is the order of the keys of an object.
    """
    if first.kind is not second.kind:
        return (KIND,)
    old, new = value_of(first), value_of(second)
    if old is None or new is None:
        return () if first.text == second.text and old == new else (TEXT,)
    found = sorted({place or TEXT for place in _differences(old, new, "")})
    # Equal structured content beside a text that differs: the text says more than the content.
    return tuple(found) if found or _follows(first, second) else (TEXT,)


def covered(parts: Iterable[str], known: Iterable[str]) -> bool:
    """Whether every one of `parts` is at or below one of the `known` places; `text` covers the whole result."""
    places = tuple(known)
    return all(any(_within(part, place) for place in places) for part in parts)


def _within(part: str, place: str) -> bool:
    if place == TEXT:
        return part != KIND
    return part == place or part.startswith(f"{place}/")


def value_of(observation: Observation) -> Json:
    """What the places point into; None where the result is a mere text."""
    # Servers wrap a text that they return, which hides the JSON inside it.
    if observation.structured is not None and observation.structured != {"result": observation.text}:
        return observation.structured
    if observation.text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        parsed: Json = json.loads(observation.text)
    except ValueError:
        return None
    return parsed


def _follows(first: Observation, second: Observation) -> bool:
    """Whether the texts say nothing that the values do not: they are equal, or they are those values."""
    if first.text == second.text or first.structured is None:
        return True
    try:
        texts: list[Json] = [json.loads(observation.text) for observation in (first, second)]
    except ValueError:
        return False
    return not any(True for _ in _differences(texts[0], texts[1], ""))


def _differences(old: Json, new: Json, place: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for name in old:
            yield from _differences(old[name], new[name], f"{place}/{escaped(name)}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, f"{place}/{index}")
    elif old != new or isinstance(old, bool) is not isinstance(new, bool):
        # True equals 1 in Python, and is something else in JSON.
        yield place
