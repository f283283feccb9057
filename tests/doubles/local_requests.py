"""Sixteen requests to two real servers, written before any model saw them, each with what is right."""

from collections.abc import Mapping, Sequence

from doubles.openai_server import Document
from plugineval.pccf.tools import Plugin
from plugineval.pccf.values import Json

Call = tuple[str, Document]
POSITIVES: Sequence[tuple[str, Call]] = (
    ("What time is it in Asia/Kolkata right now?", ("get_current_time", {"timezone": "Asia/Kolkata"})),
    ("Tell me the current time in Europe/Lisbon.", ("get_current_time", {"timezone": "Europe/Lisbon"})),
    ("I need the current time for America/Chicago.", ("get_current_time", {"timezone": "America/Chicago"})),
    (
        "Convert 09:15 from Europe/Paris to Asia/Tokyo.",
        ("convert_time", {"source_timezone": "Europe/Paris", "time": "09:15", "target_timezone": "Asia/Tokyo"}),
    ),
    (
        "When it is 18:40 in America/New_York, what time is it in Europe/London?",
        ("convert_time", {"source_timezone": "America/New_York", "time": "18:40", "target_timezone": "Europe/London"}),
    ),
    (
        "Our call is at 07:30 Australia/Sydney time. Convert that to America/Denver.",
        ("convert_time", {"source_timezone": "Australia/Sydney", "time": "07:30", "target_timezone": "America/Denver"}),
    ),
    ("Calculate 17 * 23.", ("calculate_expression", {"expr": "17 * 23"})),
    ("What is 144 / 12 + 7?", ("calculate_expression", {"expr": "144 / 12 + 7"})),
    ("Please evaluate 2**10 - 24.", ("calculate_expression", {"expr": "2**10 - 24"})),
    ("Is 97 a prime number? Use is_prime.", ("analyze_number_theory", {"number": 97, "operation": "is_prime"})),
    ("List the divisors of 360.", ("analyze_number_theory", {"number": 360, "operation": "divisors"})),
    (
        "Find the prime_factors of 1001.",
        ("analyze_number_theory", {"number": 1001, "operation": "prime_factors"}),
    ),
)
GLOBAL_NEGATIVES = ("Write a short poem about autumn leaves.", "Thanks, that was all for today!")
TARGETED_NEGATIVES = (
    ("Book me a table for two at eight.", "get_current_time"),
    ("Translate 'good morning' into Italian.", "calculate_expression"),
)


def cases(plugins: Mapping[str, Plugin], offered: Mapping[str, Sequence[str]]) -> list[Document]:
    """The lines of a cases file, with the tools as the servers list them."""
    tools: Json = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
        for name, plugin in plugins.items()
        for tool in plugin.tools
        if tool.name in offered[name]
    ]
    shared: Document = {"tools": tools, "now": "2026-11-30T11:05:00+00:00"}
    right: list[Document] = [
        {"id": f"positive-{number}", "query": query, "gold": [_gold(call)], "sample_type": "positive", **shared}
        for number, (query, call) in enumerate(POSITIVES)
    ]
    aside: list[Document] = [
        {"id": f"aside-{number}", "query": query, "gold": [], "sample_type": "global_negative", **shared}
        for number, query in enumerate(GLOBAL_NEGATIVES)
    ]
    beyond: list[Document] = [
        {"id": f"beyond-{n}", "query": q, "gold": [], "sample_type": "targeted_negative", "target_tool": tool, **shared}
        for n, (q, tool) in enumerate(TARGETED_NEGATIVES)
    ]
    return [*right, *aside, *beyond]


def _gold(call: Call) -> Json:
    name, arguments = call
    return {"name": name, "arguments": arguments}
