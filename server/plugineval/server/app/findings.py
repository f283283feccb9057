"""What of the set-up is not as it should be, read from the settings alone: an agent tells it, a person mends it."""

from collections.abc import Iterator, Mapping

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.server.settings.settings import Settings
from plugineval.server.trust.tool_lists import ToolLists


def findings_of(settings: Settings, unready: Mapping[str, str]) -> tuple[str, ...]:
    """One sentence for each; `unready` are models that cannot be asked, and what they wait for."""
    return tuple(_findings(settings, unready))


def _findings(settings: Settings, unready: Mapping[str, str]) -> Iterator[str]:
    for entry in settings.unready:
        yield f"{entry.kind} {entry.name}: {entry.error().problem}; {entry.next_step}."
    for role, players in settings.roles.assigned.items():
        for player in players:
            if player in unready:
                yield f"role {role}: {player} is not ready; {unready[player]}."
    agents = {role for role, players in settings.roles.assigned.items() if set(players) & set(WORK_MODELS)}
    if agents:
        yield f"{', '.join(sorted(agents))}: played by the connected agent, through work_next and work_submit."
    if settings.roles.self_judged:
        yield (
            f"{', '.join(settings.roles.self_judged)} generates and evaluates, so that its own mistakes may pass; name "
            "another model for one of the roles under [roles]."
        )
    yield from _of_trust(settings)


def _of_trust(settings: Settings) -> Iterator[str]:
    if settings.untrusted is not None:
        yield f"{settings.untrusted.sentence}. Only a person can, and this server reads it when it starts."
    elif settings.source is None:
        yield f"{settings.nothing_registered}."
    lists = ToolLists(settings.home)
    for name, registration in settings.plugins.items():
        changes = lists.pending(registration)
        if changes is not None:
            told = f"its tools changed and nothing of it is executed: {changes.sentence}"
            yield f"plugin {name}: {told}. A person approves it with `plugineval approve {name}`."
