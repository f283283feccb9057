"""Without its extra a local model says in one sentence what to install; wrong files and ports are refused."""

import importlib.metadata
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from socket import create_server

import pytest

from doubles.cli import plugineval
from plugineval.clients.local.extras import LLAMA, NEEDLE, required
from plugineval.clients.local.listening import HOST, listening
from plugineval.clients.local.served import Served
from plugineval.clients.local.templates import template_of
from plugineval.pccf.errors import ConfigurationError


def test_a_missing_extra_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("plugineval.clients.local.extras.version", nothing)
    for extra in (NEEDLE, LLAMA):
        with pytest.raises(ConfigurationError, match=f"Next: pip install {extra.distribution}=={extra.version}"):
            required(extra)
    called = plugineval("serve-model", "needle")
    assert called.code == 2
    assert called.err.count("\n") == 1
    assert importlib.metadata.version("plugineval")


def test_the_extras_pin_the_versions_that_the_code_names() -> None:
    project = (Path(__file__).parents[3] / "pyproject.toml").read_text()
    for extra in (NEEDLE, LLAMA):
        assert f'{extra.extra} = ["{extra.distribution}=={extra.version}"]' in project


def test_needle_takes_no_file_and_gguf_needs_one() -> None:
    assert "needle comes with its own weights" in plugineval("serve-model", "needle", "x.gguf").err
    assert "gguf needs a file" in plugineval("serve-model", "gguf").err


def test_a_port_that_is_taken_is_named() -> None:
    with create_server((HOST, 0)) as taken, pytest.raises(ConfigurationError, match="give another --port"):
        listening(taken.getsockname()[1])


def test_a_template_is_ours_or_a_file(tmp_path: Path) -> None:
    assert "<tools>" in template_of("hermes")
    own = tmp_path / "own.jinja"
    own.write_text("{{ messages }}")
    assert template_of(str(own)) == "{{ messages }}"
    with pytest.raises(ConfigurationError, match="Allowed: hermes"):
        template_of("chatml")


def test_the_table_to_paste_is_a_model_of_the_settings() -> None:
    served = Served("needle", "needle3", "http://127.0.0.1:1/v1", ("concurrency = 1",))
    assert served.table.splitlines() == [
        "[models.needle]",
        'base_url = "http://127.0.0.1:1/v1"',
        'model = "needle3"',
        "concurrency = 1",
    ]
