"""Which tools of a plugin may be executed: our own verb lists decide, a plugin's hints may only tighten.

Under `read_only` a tool is executed where nothing speaks against it - no changing verb in its name, its title or the
first words of its description, no hint that it is destructive or not read-only - and something speaks for it: the
hint that it is read-only, or a looking verb in its name. What is unknown counts as changing.
"""

from functools import lru_cache
from typing import NamedTuple

from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration
from plugineval.clients.plugins.verbs import changing_word, looking_word, tokens
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value

DESCRIPTION_WORDS = 3
"""How many words of a description are read: its verb leads, later words are often nouns (`a set of orders`)."""


class ExecutionDecision(Value):
    """Whether a tool is executed, and the sentence that says why."""

    allowed: bool
    reason: str
    ask: bool = False
    """Only where a person confirms it, once for each job."""


def decide(tool: ToolSpec, registration: PluginRegistration) -> ExecutionDecision:
    """Decide by the tool's own policy where the person set one, else by the plugin's."""
    if tool.name in registration.exclude:
        return ExecutionDecision(allowed=False, reason=f"{registration.field}.exclude names it")
    policy = registration.tools.get(tool.name, registration.policy)
    if policy is ExecutionPolicy.NEVER:
        return ExecutionDecision(allowed=False, reason="its policy is never")
    if policy is ExecutionPolicy.SANDBOXED:
        copied = registration.sandbox is not None
        reason = "executed on a copy of its fixture" if copied else "declared a throw-away copy (sandboxed)"
        return ExecutionDecision(allowed=True, reason=reason)
    if policy is ExecutionPolicy.ASK:
        return ExecutionDecision(allowed=True, reason="executed once a person confirms it (ask)", ask=True)
    hints = tool.hints
    return _read_only(_Said(tool.name, tool.title or "", tool.description, hints.read_only, hints.destructive))


class _Said(NamedTuple):
    """What a plugin says of a tool, as far as it counts here."""

    name: str
    title: str
    description: str
    read_only: bool | None
    destructive: bool | None


@lru_cache(maxsize=4096)
def _read_only(said: _Said) -> ExecutionDecision:
    objection = _objection(said)
    if objection is not None:
        return ExecutionDecision(allowed=False, reason=f"not known to be read-only: {objection}")
    if said.read_only:
        return ExecutionDecision(allowed=True, reason="its plugin says read-only and its words do not contradict")
    verb = looking_word(tokens(said.name))
    if verb is not None:
        return ExecutionDecision(allowed=True, reason=f"its name says {verb!r}")
    return ExecutionDecision(allowed=False, reason="not known to be read-only: neither a hint nor its name says so")


def _objection(said: _Said) -> str | None:
    if said.destructive:
        return "its plugin says that it is destructive"
    if said.read_only is False:
        return "its plugin says that it is not read-only"
    sources = {
        "name": tokens(said.name),
        "title": tokens(said.title),
        "description": tokens(said.description)[:DESCRIPTION_WORDS],
    }
    for source, words in sources.items():
        verb = changing_word(words)
        if verb is not None:
            return f"its {source} says {verb!r}"
    return None
