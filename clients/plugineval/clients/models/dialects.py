"""Which provider's ways a configured model goes by, and that nothing is asked for which that provider does not take."""

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.quirks import Dialect, dialect_of
from plugineval.pccf.errors import ConfigurationError


def dialect_for(config: ModelConfig, base_url: str) -> Dialect:
    """The dialect of `config` at `base_url`; `ConfigurationError` for a setting that it refuses or ignores."""
    dialect = dialect_of(config.dialect, base_url)
    asked = {"parallel_tool_calls": config.parallel_tool_calls is not None, "strict_tools": config.strict_tools}
    wrong = sorted(name for name in dialect.refused if asked[name])
    if config.call_mode == "json_schema" and config.api not in dialect.formats:
        wrong.append("call_mode")
    if wrong:
        raise ConfigurationError(
            f"is ignored or refused by an endpoint of the dialect {dialect.name} (api {config.api})",
            field=f"models.{config.id}.{wrong[0]}",
            next_step='leave it out, or set dialect = "plain" where the endpoint does take it',
        )
    return dialect
