"""A few tools of an imagined office server, each with another kind of argument, and how a query is asked of them."""

from datetime import UTC, datetime

from plugineval.pccf.examples import Query
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
"""A Wednesday."""


def a_tool(
    name: str,
    description: str,
    properties: dict[str, Json],
    required: list[Json],
    definitions: dict[str, Json] | None = None,
) -> ToolSpec:
    """A tool of the office server."""
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": required}
    if definitions:
        schema["$defs"] = definitions
    return ToolSpec(plugin="office", name=name, description=description, input_schema=schema)


ZONE_HINT = "IANA time zone (e.g., 'Europe/Vienna', 'Asia/Seoul')"
MOVE_SLOT = a_tool(
    "move_slot",
    "Translate a clock time from one zone to another",
    {
        "from_zone": {"type": "string", "description": ZONE_HINT},
        "to_zone": {"type": "string", "description": ZONE_HINT},
        "clock_time": {"type": "string", "description": "Time of day (HH:MM)"},
    },
    ["from_zone", "to_zone", "clock_time"],
)
SUMMARIZE = a_tool(
    "summarize_series",
    "Summarize a series of measurements",
    {
        "series": {"type": "array", "items": {"type": "number"}, "description": "Measurements"},
        "measure": {"type": "string", "description": "What to report (average, median, largest_gap)"},
    },
    ["series", "measure"],
)
RESIZE = a_tool(
    "resize_picture",
    "Resize a picture to a width",
    {
        "width": {"type": "integer", "minimum": 1, "maximum": 400, "description": "Width in pixels"},
        "format": {"$ref": "#/$defs/Format"},
        "sharpen": {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None},
    },
    ["width", "format"],
    definitions={"Format": {"type": "string", "enum": ["hex", "rgb", "hsl"]}},
)
SOLVE = a_tool(
    "solve_formula",
    "Evaluate an arithmetic formula",
    {"formula": {"type": "string", "description": "Arithmetic formula"}},
    ["formula"],
)
ABSENCE = a_tool(
    "register_absence",
    "Register the absence of a person",
    {
        "person_name": {"type": "string", "description": "Name of the person"},
        "start_date": {"type": "string", "format": "date", "description": "First day"},
        "end_date": {"type": "string", "format": "date", "description": "Last day"},
    },
    ["person_name", "start_date", "end_date"],
)
WEIGH = a_tool(
    "convert_load",
    "Convert a load between units",
    {
        "value": {"type": "number", "description": "Load"},
        "from_unit": {"type": "string", "description": "Source unit"},
        "to_unit": {"type": "string", "description": "Target unit"},
    },
    ["value", "from_unit", "to_unit"],
)
EMPTY_BIN = a_tool("empty_bin", "Empty the recycle bin", {}, [])
RECENT = a_tool(
    "recent_errors",
    "Show recent error lines of the log",
    {"limit": {"type": "integer", "default": 5, "description": "How many"}},
    [],
)
TOOLS = (MOVE_SLOT, SUMMARIZE, RESIZE, SOLVE, ABSENCE, WEIGH, EMPTY_BIN, RECENT)
OFFICE = Toolset(tools=TOOLS)


def asked(text: str, *, now: datetime | None = None) -> Query:
    """A query of one message."""
    return Query.of_text(text, now=now)
