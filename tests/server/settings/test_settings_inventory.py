"""What a file would start, reach and take is shown whole to whoever is asked to trust it, without any value of env."""

from pathlib import Path

from plugineval.server.settings.inventory import uses_of
from plugineval.server.settings.source import parsed_source

TEXT = """
[plugins.a]
command = "sh"
args = ["-c", "echo 'hi there'", "${TOKEN}"]
cwd = "here"
env = { SECRET = "s3cret-value" }
policy = "sandboxed"
approve = "always"
tools = { drop = "never" }
[plugins.a.sandbox]
copy = "../fixture"
reset = ["./prepare", "{sandbox}"]
cleanup = [["./tidy"], ["./burn", "x y"]]
[plugins.b]
url = "https://b.example/mcp"
headers = { Authorization = "Bearer s3cret-value" }
[models.m]
base_url = "https://m.example/v1"
model = "x"
api_key_env = "M_KEY"
[roles]
writer = "m"
[store]
url = "postgresql://db.example/all"
"""


def lines(text: str) -> list[str]:
    return [use.line for use in uses_of(parsed_source(Path("plugineval.toml"), text))]


def test_every_command_address_and_variable_is_named() -> None:
    found = lines(TEXT)
    assert "plugin a starts: sh -c 'echo '\"'\"'hi there'\"'\"'' '${TOKEN}'" in found
    assert "plugin a runs (reset): ./prepare '{sandbox}'" in found
    assert "plugin a runs (cleanup): ./tidy" in found
    assert "plugin a runs (cleanup): ./burn 'x y'" in found
    assert "plugin a works on a copy of: ../fixture" in found
    assert "plugin a approves by itself: every change of its tools" in found
    assert "plugin b connects to: https://b.example/mcp" in found
    assert "model m is asked at: https://m.example/v1" in found
    assert "model m is sent the key in: M_KEY" in found
    assert "store keeps everything in: postgresql://db.example/all" in found
    assert "the file takes from your environment: TOKEN" in found


def test_a_variable_in_a_comment_is_not_taken() -> None:
    found = lines('# api = "${OLD_TOKEN}"\n[plugins.a]\nenv = { KEY = "${NEW_TOKEN}" }  # was ${OTHER}\n')
    assert found == ["plugin a is given the variables: KEY", "the file takes from your environment: NEW_TOKEN"]


def test_what_is_measured_while_nobody_looks_is_named_with_its_times() -> None:
    nightly = '[[schedules]]\nname = "nightly"\nbenchmark = "b"\ncron = "0 3 * * *"\nmodels = ["m"]\n'
    assert lines(nightly + '[[schedules]]\nrun = "run-a"\nevery = "12h"\n') == [
        'schedule nightly measures while nobody looks: b, cron 0 3 * * *, models ["m"]',
        "schedule 2 measures while nobody looks: run-a, every 12h",
    ]
    assert lines('schedules = "x"\n') == []


def test_values_of_variables_and_headers_are_not_shown() -> None:
    assert not [line for line in lines(TEXT) if "s3cret" in line]
    assert "plugin a is given the variables: SECRET" in lines(TEXT)


def test_tables_that_make_no_sense_are_shown_as_they_stand() -> None:
    found = lines(
        "plugins = { a = { command = 7, args = 'x', sandbox = 1, tools = [] }, b = 1 }\nroles = 3\nmodels = []\n"
    )
    assert found == ["plugin a starts: 7 x"]
