"""`plugineval build --estimate`: plugins are started and their tools listed, and nobody is asked anything."""

from typing import TYPE_CHECKING

import typer

from plugineval.pccf.estimate import Estimate, RoleEstimate
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.terminal import echo_json, out

if TYPE_CHECKING:
    from rich.table import Table

_COLUMNS = ("role", "models", "calls", "at least", "at most", "tokens", "dollars")


def show_estimate(estimate: Estimate, *, as_json: bool) -> None:
    """One object for scripts, or a table and what it rests on for people."""
    if as_json:
        echo_json(estimate.model_dump(mode="json"))
        return
    console = out()
    console.print(_table(estimate), crop=False)
    typer.echo("\n".join([estimate.told, *(f"  {assumption}" for assumption in estimate.assumptions)]))


def _table(estimate: Estimate) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    # Where nobody is paid, columns of noughts would only break the names of models on a narrow terminal.
    names = _COLUMNS if estimate.tokens.high else _COLUMNS[:-2]
    for name in names:
        words = name in _COLUMNS[:2]
        table.add_column(name, justify="left" if words else "right", overflow="fold", no_wrap=name == _COLUMNS[0])
    for role in estimate.roles:
        table.add_row(*map(Text, _cells(role)[: len(names)]))
    return table


def _cells(role: RoleEstimate) -> tuple[str, ...]:
    calls, models = role.calls, printable(", ".join(role.models))
    numbers = (f"{number:,.0f}" for number in (calls.expected, calls.low, calls.high, role.tokens.expected))
    money = "price unknown" if role.cost is None else f"{role.cost.expected:.4g}"
    return role.role.replace("_", " "), models, *numbers, money
