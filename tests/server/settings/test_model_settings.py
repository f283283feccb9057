"""How a model is asked, as `[models.NAME]` says it: read as it stands, or refused with its line and what is allowed."""

from pathlib import Path

import pytest

from plugineval.clients.models.config import ModelConfig
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.cli.doctor import Examination, diagnose
from plugineval.server.settings.loading import load_settings


def read(folder: Path, lines: str) -> ModelConfig:
    path = folder / "plugineval.toml"
    path.write_text(f"[models.m]\nmodel = 'x'\nbase_url = 'http://h/v1'\n{lines}")
    return load_settings(config=path, home=folder, environ={}, cwd=folder).models["m"]


def test_every_setting_of_how_a_model_is_asked_can_be_written(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "api = 'responses'\nstream = true\ntool_choice = 'required'\nparallel_tool_calls = false\nstrict_tools = true\n"
        "call_mode = 'native'\ndialect = 'openai'\ntemperature = 0.8\nseed = 7\nmax_tokens = 64\n",
    )
    assert (found.api, found.stream, found.tool_choice, found.call_mode) == ("responses", True, "required", "native")
    assert (found.parallel_tool_calls, found.strict_tools, found.dialect) == (False, True, "openai")
    assert (found.temperature, found.seed, found.max_tokens) == (0.8, 7, 64)


def test_a_temperature_can_be_left_out_of_requests(tmp_path: Path) -> None:
    assert read(tmp_path, "temperature = 'none'").temperature is None
    assert read(tmp_path, "").temperature == 0.0


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("api = 'completions'", ("line 4: models.m.api", "chat, responses")),
        ("call_mode = 'json'", ("line 4: models.m.call_mode", "native, json_schema")),
        ("tool_choice = 'any'", ("line 4: models.m.tool_choice", "auto, required, none")),
        ("dialect = 'klingon'", ("line 4: models.m.dialect", "plain, openai, gemini")),
        ("temperature = 'warm'", ("line 4: models.m.temperature", "number")),
        ("max_tokens = 0", ("line 4: models.m.max_tokens", "greater than or equal to 1")),
        ("strict_tools = 'yes'", ("line 4: models.m.strict_tools", "true or false")),
        ("tool_choise = 'auto'", ("line 4: models.m.tool_choise", "did you mean 'tool_choice'")),
        ("call_mode = 'json_schema'\ntool_choice = 'none'", ("line 5: models.m.tool_choice", "auto, required")),
        ("call_mode = 'json_schema'\nstrict_tools = true", ("line 5: models.m.strict_tools", "native")),
    ],
)
def test_a_setting_that_cannot_be_is_named_with_its_line_and_what_is_allowed(
    tmp_path: Path, lines: str, says: tuple[str, ...]
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        read(tmp_path, lines)
    assert [part for part in says if part not in str(refused.value)] == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("dialect = 'mistral'", "dialect mistral (seed as random_seed)"),
        ("", "dialect plain (nothing special)"),
        ("dialect = 'ollama'\nparallel_tool_calls = true", "ignored or refused by an endpoint of the dialect ollama"),
    ],
)
async def test_the_doctor_tells_the_dialect_and_what_it_does_not_take(tmp_path: Path, lines: str, says: str) -> None:
    read(tmp_path, lines)
    diagnosis = await diagnose(Examination(home=tmp_path, environ={}, cwd=tmp_path))
    assert says in next(finding.detail for finding in diagnosis.findings if finding.name == "model m")
