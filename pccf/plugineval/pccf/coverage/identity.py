"""The id of a scenario that was given none: from what it says, so that the same scenario keeps it however often it is
derived.
"""

from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.values import Json, content_hash


def scenario_id(scenario: Scenario) -> str:
    """Target, kind and a hash of title, look-alike and further tools; whatever `scenario.id` says now."""
    meaning: list[Json] = [scenario.title, scenario.lookalike]
    if scenario.then:
        meaning += [*scenario.then, scenario.ordered]
    return f"{scenario.target}.{scenario.kind.value}.{content_hash(meaning)[:8]}"
