"""What a settings file would start, reach and take, for a person who decides whether to trust it.

Read off the tables as they are written: nothing is filled in from the environment, nothing is looked up, and a table
that is wrong is shown as it stands. Values of `env` and `headers` may be secrets and are not shown.
"""

import shlex
from collections.abc import Iterator, Mapping

from plugineval.pccf.values import Json, Value, canonical_json
from plugineval.server.settings.references import references_of
from plugineval.server.settings.source import SettingsSource

_MODEL_FIELDS = ("base_url", "api_key_env", "recorded")
_SCHEDULE_FIELDS = ("every", "cron", "time_zone", "models", "repeats", "baseline")


class Use(Value):
    """Something that the file would do: by whom, in which way, and to what."""

    by: str
    """Such as `plugin math`."""
    verb: str
    what: str

    @property
    def line(self) -> str:
        """`plugin math starts: mcp-mathematics`."""
        return f"{self.by} {self.verb}: {self.what}"


def uses_of(source: SettingsSource) -> tuple[Use, ...]:
    """All of it, in the order of the file."""
    plugins, models = (_tables(source.tables.get(name)) for name in ("plugins", "models"))
    uses = [use for name, table in plugins.items() for use in _plugin(f"plugin {name}", table)]
    uses += [use for name, table in models.items() for use in _model(f"model {name}", table)]
    roles, store = (_table(source.tables.get(name)) for name in ("roles", "store"))
    uses += [Use(by="role", verb=role, what=_text(player)) for role, player in roles.items()]
    uses += [Use(by="store", verb="keeps everything in", what=_text(store["url"]))] if "url" in store else []
    uses += [
        use for number, table in enumerate(_list(source.tables.get("schedules"))) for use in _schedule(number, table)
    ]
    variables = references_of(source.tables)
    uses += [Use(by="the file", verb="takes from your environment", what=", ".join(variables))] if variables else []
    return tuple(uses)


def _plugin(by: str, table: Mapping[str, Json]) -> Iterator[Use]:
    if "command" in table:
        yield Use(by=by, verb="starts", what=_command([table["command"], *_list(table.get("args"))]))
    for field, verb in (("url", "connects to"), ("cwd", "works in"), ("policy", "may execute (policy)")):
        if field in table:
            yield Use(by=by, verb=verb, what=_text(table[field]))
    for field, verb in (("env", "is given the variables"), ("headers", "is sent the headers")):
        if named := _table(table.get(field)):
            yield Use(by=by, verb=verb, what=", ".join(named))
    if tools := _table(table.get("tools")):
        said = ", ".join(f"{tool} {_text(policy)}" for tool, policy in tools.items())
        yield Use(by=by, verb="may execute (policy by tool)", what=said)
    if table.get("approve") == "always":
        yield Use(by=by, verb="approves by itself", what="every change of its tools")
    yield from _sandbox(by, _table(table.get("sandbox")))


def _sandbox(by: str, table: Mapping[str, Json]) -> Iterator[Use]:
    if "copy" in table:
        yield Use(by=by, verb="works on a copy of", what=_text(table["copy"]))
    for moment in ("reset", "cleanup"):
        commands = _list(table.get(moment))
        several = commands if all(isinstance(each, list) for each in commands) else [commands]
        for argv in several:
            yield Use(by=by, verb=f"runs ({moment})", what=_command(_list(argv)))


def _model(by: str, table: Mapping[str, Json]) -> Iterator[Use]:
    verbs = {"base_url": "is asked at", "api_key_env": "is sent the key in", "recorded": "answers from"}
    for field in _MODEL_FIELDS:
        if field in table:
            yield Use(by=by, verb=verbs[field], what=_text(table[field]))
    if named := _table(table.get("headers")):
        yield Use(by=by, verb="is sent the headers", what=", ".join(named))


def _schedule(number: int, value: Json) -> Iterator[Use]:
    """Its models are asked, and paid, while nobody looks."""
    table = _table(value)
    said = [_text(table[field]) for field in ("run", "benchmark") if field in table]
    said += [f"{field} {_text(table[field])}" for field in _SCHEDULE_FIELDS if field in table]
    if said:
        by = f"schedule {_text(table.get('name', number + 1))}"
        yield Use(by=by, verb="measures while nobody looks", what=", ".join(said))


def _command(words: list[Json]) -> str:
    return shlex.join(_text(word) for word in words)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _table(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _tables(value: Json) -> dict[str, dict[str, Json]]:
    return {name: _table(table) for name, table in _table(value).items()}
