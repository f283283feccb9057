"""Asks a live connection for its tools; what a server gets wrong is an error for a person."""

import anyio
from mcp import MCPError
from mcp.types import Tool
from pydantic import ValidationError

from plugineval.clients.plugins.connection import Connection, first_problem
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import PluginUnavailableError


async def listed_tools(
    registration: PluginRegistration, connection: Connection, redactor: Redactor
) -> tuple[Tool, ...]:
    """All pages of tools/list within the start timeout. Raises `PluginUnavailableError`."""
    try:
        with anyio.fail_after(registration.start_timeout_s):
            return await connection.tools()
    except TimeoutError as error:
        raise _refusal(registration, f"did not list its tools within {registration.start_timeout_s:g} s") from error
    except MCPError as error:
        raise _refusal(registration, f"answered tools/list with an error: {redactor.text(error.message)}") from error
    except ValidationError as error:
        problem = redactor.text(first_problem(error))
        raise _refusal(registration, f"answered tools/list with what is no list of tools: {problem}") from error
    except ValueError as error:
        raise _refusal(registration, str(error)) from error


def _refusal(registration: PluginRegistration, problem: str) -> PluginUnavailableError:
    return PluginUnavailableError(
        problem, field=registration.field, next_step="ask for the tools by hand, for instance with the MCP Inspector"
    )
