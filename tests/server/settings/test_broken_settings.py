"""A broken file gives one sentence with path, line, key, what is allowed and the next step, and never a secret."""

import os
from pathlib import Path

import pytest

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.loading import load_settings

SECRET = "sk-live-0123456789abcdef"


def refusal(folder: Path, text: str | bytes) -> ConfigurationError:
    path = folder / "plugineval.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(ConfigurationError) as raised:
        load_settings(config=None, home=folder, environ={}, cwd=folder)
    assert str(path) in str(raised.value)
    assert raised.value.next_step or raised.value.allowed or "must" in raised.value.problem
    return raised.value


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("[plugins.math]\ncommand = mcp-mathematics", "line 2: command", "quotes"),
        ("[plugins.math]\ncommand = 'a'\ncommand = 'b'", "line 3: command", "keep one"),
        ("[plugins.math]\ncommand = 'a'\n[plugins.math]", "line 3: [plugins.math]", "keep one"),
        ('[plugins.win]\ncommand = "C:\\Users\\x.exe"', "line 2: command", "single quotes"),
        ("[plugins.math]\nargs = ['a',\n'b'", "line 2: args", "Unclosed array"),
        ("[plugins.math\ncommand = 'x'", "line 1", "table"),
    ],
)
def test_a_syntax_error_names_its_line_and_key(tmp_path: Path, text: str, where: str, says: str) -> None:
    message = str(refusal(tmp_path, text))
    assert where in message
    assert says in message


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("[plugin.math]\ncommand = 'x'", "line 1: plugin", "did you mean 'plugins'"),
        ("[plugins.math]\ncommand = 'x'\npolcy = 'never'", "line 3: plugins.math.polcy", "did you mean 'policy'"),
        ("[plugins.math]\ncommand = 'x'\nname = 'y'", "line 3: plugins.math.name", "no such key"),
        ("[models.fast]\nmodel = 'x'\nbaseurl = 'y'", "line 3: models.fast.baseurl", "did you mean 'base_url'"),
        ("[roles]\nroute = 'baseline:lexical'", "line 2: roles.route", "did you mean 'router'"),
        ("[build]\nverification.tauu = 1", "line 2: build.verification.tauu", "did you mean 'tau'"),
        ("[run]\nrepeat = 1", "line 2: run.repeat", "did you mean 'repeats'"),
        ("[store]\nurll = ''", "line 2: store.urll", "did you mean 'url'"),
    ],
)
def test_an_unknown_key_is_answered_with_the_nearest_one(tmp_path: Path, text: str, where: str, says: str) -> None:
    message = str(refusal(tmp_path, text))
    assert where in message
    assert says in message
    assert "Allowed:" in message


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ("plugins = 'math'", "line 1: plugins", "must be a table, not a text"),
        ("[plugins]\ncommand = 'x'", "line 2: plugins.command", "[plugins.math]"),
        ("[plugins.a]\ncommand = 5", "line 2: plugins.a.command", "must be a text in quotes"),
        ("[plugins.a]\ncommand = 'x'\nargs = '--all'", "line 3: plugins.a.args", "must be a list"),
        ("[plugins.a]\ncommand = 'x'\nargs = ['a', 1]", "line 3: plugins.a.args[1]", "must be a text in quotes"),
        ("[plugins.a]\ncommand = 'x'\nenv = { N = 1 }", "line 3: plugins.a.env.N", "not a number"),
        ("[plugins.a]\ncommand = 'x'\nenv = ['N']", "line 3: plugins.a.env", "must be a table"),
        ("[plugins.a]\ncommand = 'x'\nstart_timeout_s = '3'", "line 3: plugins.a.start_timeout_s", "not a text"),
        ("[plugins.a]\ncommand = 'x'\nstart_timeout_s = 0", "line 3: plugins.a.start_timeout_s", "greater than 0"),
        ("[plugins.'a b']\ncommand = 'x'", 'line 1: plugins."a b"', "letters, digits"),
        ("[models.m]\nmodel = 'x'\nconcurrency = true", "line 3: models.m.concurrency", "whole number"),
        ("[models.m]\nbase_url = 'http://h/v1'", "line 1: models.m.model", "is missing"),
        ("[models.'baseline:x']\nmodel = 'x'", 'line 1: models."baseline:x"', "another name"),
        ("[build]\nsize = 0", "line 2: build.size", "at least 1"),
        ("[build]\nsize = 3\n[build.verification]\n\ntau = 2.0", "line 5: build.verification.tau", "[0, 1]"),
        ("[build.verification]\nlambda_arg = 0.9", "line 2: build.verification.lambda_arg", "sum to 1"),
        ("[build]\ndifficulty_mix = [1.0]", "line 2: build.difficulty_mix", "more entries"),
        ("[run]\nrepeats = 0", "line 2: run.repeats", "greater than or equal to 1"),
        ("[roles]\ngenerators = []", "line 2: roles.generators", "at least 1"),
        ("[plugins.a]\ncommand = 'x'\n[plugins.a.env]\nD = 2026-01-01", "line 4: plugins.a.env.D", "date"),
    ],
)
def test_a_value_of_the_wrong_kind_names_what_was_wanted(tmp_path: Path, text: str, where: str, says: str) -> None:
    message = str(refusal(tmp_path, text))
    assert where in message
    assert says in message


@pytest.mark.parametrize(
    ("text", "where", "allowed"),
    [
        (
            "[plugins.a]\ncommand = 'x'\npolicy = 'readonly'",
            "line 3: plugins.a.policy",
            ("read_only", "sandboxed", "ask", "never"),
        ),
        (
            "[plugins.a]\ncommand = 'x'\n[plugins.a.tools]\nadd = 'yes'",
            "line 4: plugins.a.tools.add",
            ("read_only", "sandboxed", "ask", "never"),
        ),
        ("[run]\nextra_calls = 'allow'", "line 2: run.extra_calls", ("ignore", "read_only", "forbid")),
        ("[plugins.a]\nargs = []", "line 1: plugins.a", ("command", "url")),
        ("[plugins.a]\ncommand = ''", "line 2: plugins.a.command", ("command", "url")),
        ("[plugins.a]\ncommand = 'x'\nurl = 'http://h/'", "line 1: plugins.a", ("command", "url")),
        ("[plugins.a]\nurl = 'notes.example/mcp'", "line 2: plugins.a.url", ("http", "https")),
        ("[models.m]\nmodel = 'x'\nbase_url = 'localhost:8000'", "line 3: models.m.base_url", ("http", "https")),
        ("[store]\nurl = 'mysql://h/db'", "line 2: store.url", ("sqlite", "postgresql")),
        ("[store]\nsynchronous = 'off'", "line 2: store.synchronous", ("normal", "full")),
        (
            "[store]\nsync = 'full'",
            "line 2: store.sync",
            ("busy_timeout_s", "idle_transaction_s", "reconnect_s", "share_limits", "synchronous", "url"),
        ),
        (
            "[models.fast]\nmodel = 'x'\n[roles]\nwriter = 'fats'",
            "line 4: roles.writer",
            ("agent", "baseline:lexical", "fast", "sampling", "openai:MODEL"),
        ),
        (
            "[roles]\ngenerators = ['baseline:lexical', 'fast']",
            "line 2: roles.generators[1]",
            ("agent", "baseline:lexical", "sampling", "openai:MODEL"),
        ),
        (
            "[roles]\nannotator = 'fast'",
            "line 2: roles.annotator",
            ("agent", "baseline:lexical", "sampling", "openai:MODEL"),
        ),
    ],
)
def test_a_choice_that_does_not_exist_lists_the_choices(
    tmp_path: Path, text: str, where: str, allowed: tuple[str, ...]
) -> None:
    error = refusal(tmp_path, text)
    assert where in str(error)
    assert error.allowed == allowed


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (f"[models.m]\nmodel = 'x'\napi_key = '{SECRET}'", "line 3: models.m.api_key"),
        (f"[models.m]\nmodel = 'x'\napi_key_env = '{SECRET}'", "line 3: models.m.api_key_env"),
        (
            f"[models.m]\nmodel = 'x'\nheaders = {{ Authorization = 'Bearer {SECRET}' }}",
            "line 3: models.m.headers.Authorization",
        ),
    ],
)
def test_a_key_written_into_the_file_is_refused_unseen(tmp_path: Path, text: str, where: str) -> None:
    message = str(refusal(tmp_path, text))
    assert where in message
    assert "must not be written into the file" in message
    assert "export MY_KEY" in message
    assert SECRET not in message


def test_no_refusal_repeats_a_value_that_may_be_a_secret(tmp_path: Path) -> None:
    for line in (f"env = '{SECRET}'", f"headers = ['{SECRET}']", f"policy = '{SECRET}'", f"cwd = ['{SECRET}']"):
        assert SECRET not in str(refusal(tmp_path, f"[plugins.a]\ncommand = 'x'\n{line}"))
    assert SECRET not in str(refusal(tmp_path, f"[plugins.a]\ncommand = 'x'\nenv = {{ K = {SECRET} }}"))
    assert SECRET not in str(refusal(tmp_path, f"[plugins.a]\nurl = 'ftp://{SECRET}@h'"))


def test_a_store_whose_password_is_not_set_names_the_variable(tmp_path: Path) -> None:
    error = refusal(tmp_path, "[store]\nurl = 'postgresql://me:${DB_PASSWORD}@h/db'")
    assert "line 2: store.url" in str(error)
    assert error.next_step == "export DB_PASSWORD=..."


def test_a_file_that_is_not_utf8_names_the_line(tmp_path: Path) -> None:
    assert "line 2: the text is not UTF-8" in str(refusal(tmp_path, b"# ok\n# \xff\xe9\n"))
    assert "UTF-16" in str(refusal(tmp_path, "[plugins.a]".encode("utf-16")))


def test_a_directory_is_not_a_file(tmp_path: Path) -> None:
    (tmp_path / "plugineval.toml").mkdir()
    with pytest.raises(ConfigurationError, match="is a directory"):
        load_settings(config=None, home=tmp_path, environ={}, cwd=tmp_path)


def test_a_file_that_may_not_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plugineval.toml").write_text("")

    def refused(path: Path) -> bytes:
        raise PermissionError(13, os.strerror(13), str(path))

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(ConfigurationError, match="cannot be read") as raised:
        load_settings(config=None, home=tmp_path, environ={}, cwd=tmp_path)
    assert raised.value.next_step == "give yourself permission to read it, or name another file"
