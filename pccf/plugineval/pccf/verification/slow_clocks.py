"""Results that move slowly, such as a clock that shows minutes: two looks a second apart show the same, and what moved
since the benchmark was built reads as drift. Only a look much later tells.

What moves with time is counted: a difference that holds no digit on either side is not waited for.
"""

import json
from collections.abc import Iterable

from plugineval.pccf.observations import Observation
from plugineval.pccf.values import Json
from plugineval.pccf.verification.repetition import KIND, TEXT, value_of

APART_S = 61.0
"""Between two looks at a result that may be a clock: one that shows minutes has moved by then."""
LONGEST_APART_S = 86_400.0
"""One that shows days has moved by then."""


def may_be_clock(parts: Iterable[str], first: Observation, seen: Observation) -> bool:
    """Whether both observations hold a digit at every place at which they differ."""
    return all(any(map(str.isdigit, said_at(each, part))) for part in parts for each in (first, seen))


def said_at(observation: Observation, part: str) -> str:
    """What an observation says at a place, as `moving_parts` names it; the text where it is no place in a value."""
    value = None if part in {TEXT, KIND} else value_of(observation)
    for raw in part.split("/")[1:] if value is not None else ():
        value = _member(value, raw.replace("~1", "/").replace("~0", "~"))
    return observation.text if value is None else json.dumps(value, ensure_ascii=False)


def _member(value: Json, name: str) -> Json:
    if isinstance(value, dict):
        return value.get(name)
    return value[int(name)] if isinstance(value, list) and name.isdigit() and int(name) < len(value) else None
