"""Whether structured content satisfies the output schema that its tool declared, by the rules that hold for arguments.

The schema comes from an untrusted server: what is not admitted as an input schema is not admitted here either, and
the same bounds hold when content is checked. A `format` is an annotation in every draft.
"""

from typing import cast

from plugineval.pccf.errors import InvalidSchemaError
from plugineval.pccf.values import Arguments, Json

MOST_SHOWN = 3


def output_violation(schema: dict[str, Json], structured: Json, *, present: bool) -> str | None:
    """What is wrong with the content, as a sentence; None where it is valid. A null may be `present`."""
    from plugineval.pccf.schemas import check_schema, violations

    try:
        if not present:
            check_schema(schema, tool="output")
            return "the tool declares an output schema and returned no structured content"
        # The rules are those of any JSON value; only the name of the parameter speaks of arguments.
        broken = violations(schema, cast("Arguments", structured))
    except InvalidSchemaError as error:
        return f"the output schema of the tool is not valid JSON Schema: {error.problem}"
    if not broken:
        return None
    found = [f"{one.path or '/'}: {one.message}" for one in broken[:MOST_SHOWN]]
    return "the structured content violates the output schema of the tool: " + "; ".join(found)
