"""What is different between two lists of tools of one server: what came, what went, and what of a tool changed.

Everything that a server says of a tool counts, its hints too: a harmless tool that becomes another one behind the same
name is the attack that an approval is there to notice. All of it is text of a plugin, to be neutralised where shown.
"""

import json
from collections.abc import Iterator

from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import Json, Value

SHOWN = 160
"""Characters of a value in a sentence."""
NAMES_SHOWN = 5
NAME_LENGTH = 80
DETAILS = 4
_SAID = ("title", "description", "input_schema", "output_schema", "hints")


class FieldChange(Value):
    """One thing that a server says of a tool, before and now."""

    tool: str
    field: str
    before: Json
    after: Json

    @property
    def sentence(self) -> str:
        """`add: description was "..." and is "..."`."""
        return f"{self.tool}: {self.field} was {_shown(self.before)} and is {_shown(self.after)}"


class ToolChanges(Value):
    """From an earlier list of tools to a later one."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[FieldChange, ...] = ()
    order: bool = False
    """The same tools in another order."""

    @property
    def sentence(self) -> str:
        """Which tools, and what of them, without the words that came: those are shown to people alone."""
        fields: dict[str, list[str]] = {}
        for change in self.changed:
            fields.setdefault(change.tool, []).append(change.field)
        changed = tuple(f"{tool} ({', '.join(found)})" for tool, found in fields.items())
        named = (("added", self.added), ("removed", self.removed), ("changed", changed))
        parts = [f"{verb} {_few(names)}" for verb, names in named if names]
        return "; ".join(parts) or ("another order" if self.order else "nothing that is shown")

    @property
    def details(self) -> tuple[str, ...]:
        """The first differences, before and now."""
        told = tuple(change.sentence for change in self.changed[:DETAILS])
        more = len(self.changed) - DETAILS
        return told if more <= 0 else (*told, f"and {more} more differences")


def changes_between(old: Plugin, new: Plugin) -> ToolChanges:
    """What is different from `old` in `new`."""
    before, after = ({tool.name: tool for tool in plugin.tools} for plugin in (old, new))
    changed = (change for name in before if name in after for change in _changes(before[name], after[name]))
    return ToolChanges(
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=tuple(changed),
        order=before.keys() == after.keys() and list(before) != list(after),
    )


def _changes(old: ToolSpec, new: ToolSpec) -> Iterator[FieldChange]:
    was, now = (tool.model_dump(mode="json") for tool in (old, new))
    for field in _SAID:
        if was[field] != now[field]:
            yield FieldChange(tool=old.name, field=field.replace("_", " "), before=was[field], after=now[field])


def _few(names: tuple[str, ...]) -> str:
    more = len(names) - NAMES_SHOWN
    shown = ", ".join(name[:NAME_LENGTH] for name in names[:NAMES_SHOWN])
    return shown + (f" and {more} more" if more > 0 else "")


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
