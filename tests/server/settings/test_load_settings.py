from collections.abc import Mapping
from pathlib import Path

import pytest

from doubles.trusted import trusted_settings
from plugineval.clients.plugins.registration import ExecutionPolicy
from plugineval.harness.run import RunConfig
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.run_defaults import RunDefaults
from plugineval.server.settings.settings import Settings
from plugineval.server.trust.settings_files import TrustedFiles


def load(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> Settings:
    trusted_settings(folder, text, home=folder / "home")
    return load_settings(config=None, home=folder / "home", environ=environ or {}, cwd=folder)


def test_no_file_at_all_gives_the_defaults_and_creates_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    settings = load_settings(config=None, home=home, environ={}, cwd=tmp_path)
    assert settings.source is None
    assert settings.plugins == {}
    assert settings.database == f"sqlite:///{home}/plugineval.db"
    assert {model for players in settings.roles.assigned.values() for model in players} == {"baseline:lexical"}
    assert not home.exists()


def test_the_least_form_registers_a_plugin_and_a_model(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        """
        [plugins.math]
        command = "mcp-mathematics"
        [models.fast]
        base_url = "http://127.0.0.1:8000/v1"
        model = "small"
        api_key_env = "FAST_KEY"
        [roles]
        generators = "fast"
        router = "fast"
        """,
    )
    assert settings.source == tmp_path / "plugineval.toml"
    assert settings.plugin("math").command == "mcp-mathematics"
    assert settings.plugin("math").policy is ExecutionPolicy.READ_ONLY
    assert settings.model("fast").api_key_env == "FAST_KEY"
    assert settings.model("fast").id == "fast"
    assert settings.roles.generators == ("fast",)
    assert settings.roles.router == "fast"
    assert settings.roles.writer == "baseline:lexical"


def test_every_table_of_the_file_arrives(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        """
        [plugins.notes]
        url = "https://notes.example/mcp"
        headers = { Authorization = "Bearer ${NOTES_TOKEN}" }
        policy = "never"
        tools = { search = "sandboxed" }
        call_timeout_s = 5
        [roles]
        generators = ["baseline:lexical", "openai:gpt-5"]
        [build]
        size = 12
        difficulty_mix = [0.5, 0.25, 0.25]
        [build.verification]
        tau = 0.9
        [run]
        models = ["baseline:lexical"]
        repeats = 5
        extra_calls = "forbid"
        [store]
        url = "sqlite:///data/x.db"
        """,
        {"NOTES_TOKEN": "t0p"},
    )
    notes = settings.plugin("notes")
    assert notes.headers["Authorization"].get_secret_value() == "Bearer t0p"
    assert notes.tools == {"search": ExecutionPolicy.SANDBOXED}
    assert notes.call_timeout_s == 5.0
    assert settings.roles.generators == ("baseline:lexical", "openai:gpt-5")
    assert settings.build.size == 12
    assert settings.build.verification.tau == 0.9
    assert settings.run.config() == RunConfig(models=("baseline:lexical",), repeats=5, extra_calls="forbid")
    assert settings.run.config("fast").models == ("fast",)
    assert settings.database == f"sqlite:///{tmp_path}/data/x.db"


def test_run_defaults_are_the_fields_of_a_run_and_who_runs_it(tmp_path: Path) -> None:
    assert RunDefaults().config("m") == RunConfig(models=("m",))
    assert set(RunDefaults.model_fields) == (set(RunConfig.model_fields) - {"variants"}) | {"engine"}


def test_relative_paths_are_relative_to_the_file_and_bare_commands_are_left_to_the_path(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        """
        [plugins.own]
        command = "bin/server"
        cwd = "data"
        [plugins.installed]
        command = "uvx"
        """,
    )
    assert settings.plugin("own").command == str(tmp_path / "bin/server")
    assert settings.plugin("own").cwd == tmp_path / "data"
    assert settings.plugin("installed").command == "uvx"


def test_the_file_is_the_named_one_then_the_variables_then_the_working_directorys_then_the_homes(
    tmp_path: Path,
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "cwd"
    for folder in (home, cwd):
        folder.mkdir()
    named, by_variable = tmp_path / "a.toml", tmp_path / "b.toml"
    for path in (named, by_variable, cwd / "plugineval.toml", home / "plugineval.toml"):
        path.write_text("")
    TrustedFiles(home).record(cwd / "plugineval.toml", "")
    environ = {"PLUGINEVAL_HOME": str(home), "PLUGINEVAL_CONFIG": str(by_variable)}

    def source(*, config: Path | None, environ: Mapping[str, str]) -> Path | None:
        return load_settings(config=config, home=None, environ=environ, cwd=cwd).source

    assert source(config=named, environ=environ) == named
    assert source(config=None, environ=environ) == by_variable
    assert source(config=None, environ={**environ, "PLUGINEVAL_CONFIG": ""}) == cwd / "plugineval.toml"
    (cwd / "plugineval.toml").unlink()
    assert source(config=None, environ={"PLUGINEVAL_HOME": str(home)}) == home / "plugineval.toml"


def test_the_home_is_the_named_one_then_the_variables_then_the_platforms(tmp_path: Path) -> None:
    def home(home: Path | None, environ: Mapping[str, str]) -> Path:
        return load_settings(config=None, home=home, environ=environ, cwd=tmp_path).home

    assert home(Path("here"), {"PLUGINEVAL_HOME": "/there"}) == tmp_path / "here"
    assert home(None, {"PLUGINEVAL_HOME": "/there"}) == Path("/there")
    assert home(None, {}).is_absolute()
    assert home(None, {}).name == "plugineval"


@pytest.mark.parametrize(("config", "environ"), [(Path("no.toml"), {}), (None, {"PLUGINEVAL_CONFIG": "no.toml"})])
def test_a_file_that_was_named_has_to_exist(tmp_path: Path, config: Path | None, environ: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match=r"no\.toml does not exist.*plugineval init"):
        load_settings(config=config, home=tmp_path, environ=environ, cwd=tmp_path)


def test_a_reference_that_is_not_set_stops_only_the_plugin_that_needs_it_and_is_named(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        """
        [plugins.math]
        command = "mcp-mathematics"
        [plugins.hub]
        command = "hub"
        env = { TOKEN = "${HUB_TOKEN}", REGION = "${REGION:-eu}", EMPTY = "${SET_BUT_EMPTY}" }
        """,
        {"SET_BUT_EMPTY": ""},
    )
    assert list(settings.plugins) == ["math"]
    with pytest.raises(ConfigurationError) as raised:
        settings.plugin("hub")
    assert "line 4: plugins.hub" in str(raised.value)
    assert "HUB_TOKEN, SET_BUT_EMPTY are not set" in str(raised.value)
    assert raised.value.next_step == "export HUB_TOKEN=... export SET_BUT_EMPTY=... and try again"


def test_references_are_filled_in_everywhere_a_plugin_is_told_something(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        """
        [plugins.hub]
        command = "${TOOLS}/hub"
        args = ["--region", "${REGION:-eu}", "$${LITERAL}"]
        env = { TOKEN = "${HUB_TOKEN}" }
        """,
        {"TOOLS": "/tools", "HUB_TOKEN": "s3cret"},
    )
    hub = settings.plugin("hub")
    assert hub.command == "/tools/hub"
    assert hub.args == ("--region", "eu", "${LITERAL}")
    assert hub.env["TOKEN"].get_secret_value() == "s3cret"
    assert "s3cret" not in repr(settings)


def test_a_name_that_is_not_registered_is_answered_with_the_names_that_are(tmp_path: Path) -> None:
    settings = load(tmp_path, '[plugins.math]\ncommand = "m"\n[models.fast]\nmodel = "m"')
    with pytest.raises(UnknownNameError, match="did you mean 'math'"):
        settings.plugin("mat")
    with pytest.raises(UnknownNameError, match=r"fast.*\[models\.slow\]"):
        settings.model("slow")


def test_a_byte_order_mark_and_windows_line_ends_are_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "plugineval.toml"
    path.write_bytes(b"\xef\xbb\xbf[plugins.math]\r\ncommand = 'm'\r\n")
    assert "math" in load_settings(config=path, home=tmp_path, environ={}, cwd=tmp_path).plugins


@pytest.mark.requirement("P9")
@pytest.mark.parametrize(
    ("line", "annotators"),
    [
        ("annotators = ['fast', 'baseline:lexical']", ("fast", "baseline:lexical")),
        ("annotators = 'fast'", ("fast",)),
        ("annotator = 'fast'", ("fast",)),
        ("writer = 'fast'", ("baseline:lexical",)),
    ],
)
def test_one_or_several_models_annotate_and_the_first_also_tells_the_depth(
    tmp_path: Path, line: str, annotators: tuple[str, ...]
) -> None:
    settings = load(tmp_path, f"[models.fast]\nmodel = 'x'\n[roles]\n{line}")
    assert settings.roles.assigned["annotators"] == annotators
    assert settings.roles.assigned["depth"] == annotators[:1]


def test_another_model_may_tell_the_depth(tmp_path: Path) -> None:
    settings = load(tmp_path, "[models.fast]\nmodel = 'x'\n[roles]\ndepth = 'fast'")
    assert settings.roles.assigned["depth"] == ("fast",)


def test_durability_is_a_setting_and_the_cheaper_kind_the_default(tmp_path: Path) -> None:
    assert load(tmp_path, "").store.synchronous == "normal"
    assert load(tmp_path, "[store]\nsynchronous = 'full'").store.synchronous == "full"


def test_how_long_locks_and_a_lost_server_are_waited_for_is_a_setting(tmp_path: Path) -> None:
    written = {"busy_timeout_s": 5.0, "idle_transaction_s": 3.0, "reconnect_s": 60.0}
    store = load(tmp_path, "[store]\n" + "".join(f"{name} = {value}\n" for name, value in written.items())).store
    assert {name: getattr(store, name) for name in written} == written


def test_workers_whose_hearts_beat_too_seldom_are_refused_with_the_least_that_would_do(tmp_path: Path) -> None:
    assert load(tmp_path, "[workers]\nheartbeat_s = 5.0\n").workers.heartbeat_s == 5
    with pytest.raises(ConfigurationError) as refused:
        load(tmp_path, "[workers]\nheartbeat_s = 10.0\n")
    assert "30" in str(refused.value)
