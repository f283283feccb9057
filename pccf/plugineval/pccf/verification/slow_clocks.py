"""Results that move slowly, such as a clock that shows minutes: two looks a second apart show the same, and what moved
since the benchmark was built reads as drift. Only a look much later tells.

What moves with time is counted: a difference that holds no digit on either side is not waited for.
"""

import json
from collections.abc import Iterable

from plugineval.pccf.json_pointers import followed, unescaped
from plugineval.pccf.observations import Observation
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
    names = map(unescaped, part.split("/")[1:])
    value = None if part in {TEXT, KIND} else followed(value_of(observation), names)
    return observation.text if value is None else json.dumps(value, ensure_ascii=False)
