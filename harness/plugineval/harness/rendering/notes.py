"""The routing note as short markdown for a team's repository (B26). Whatever came from plugins is neutralised."""

from plugineval.harness.rendering.neutral import code, prose
from plugineval.harness.rendering.tables import percent_of
from plugineval.harness.routing_note import Route, RoutingNote


def render_routing_note(note: RoutingNote, warning: str = "") -> str:
    """Scope and expiry first, then the default, then one line per tool; a `warning` that it has expired comes first."""
    lines = [
        f"**{prose(warning)}**" if warning else "",
        f"**Measured on {prose(note.benchmark)} on {note.measured_at:%Y-%m-%d}; expires {note.expires_at:%Y-%m-%d}.**",
        "# Routing note",
        prose(note.verdict),
        f"Default: {_models(note.default)}.",
        "\n".join(map(_route, note.routes)),
        f"Run {prose(note.run)}."
        + (f" Recommended first: {note.recommendation.value}." if note.recommendation else ""),
    ]
    return "\n\n".join(line for line in lines if line) + "\n"


def _route(route: Route) -> str:
    avoid = f"; not {_models(route.avoid)}" if route.avoid else ""
    rates = ", ".join(f"{code(model)} {percent_of(rate)}" for model, rate in route.accuracy.items())
    return f"- {code(route.tool)}: {_models(route.use)}{avoid}. {route.cases} cases: {rates}."


def _models(models: tuple[str, ...]) -> str:
    if not models:
        return "none measured"
    return code(models[0]) if len(models) == 1 else "any of " + ", ".join(map(code, models)) + " (no difference shown)"
