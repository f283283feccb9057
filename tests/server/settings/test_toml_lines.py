import tomllib

import pytest

from plugineval.server.settings.toml_lines import Key, line_of, line_of_syntax_error

TEXT = '''# settings
[plugins.math]
command = "mcp-mathematics"
args = [
  "--quiet",
  """
[plugins.fake]
command = 'inside a text'
""",
]

env = { TOKEN = "a", "od.d" = "b" }

[build]
verification.tau = 0.8
[build."odd name"]
x = 1

[[many]]
a = 1
[[many]]
b = 2
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("plugins",), 2),
        (("plugins", "math"), 2),
        (("plugins", "math", "command"), 3),
        (("plugins", "math", "args"), 4),
        (("plugins", "math", "args", 1), 4),
        (("plugins", "math", "env", "od.d"), 12),
        (("build",), 14),
        (("build", "verification"), 15),
        (("build", "verification", "tau"), 15),
        (("build", "odd name", "x"), 17),
        (("many", 1, "b"), 22),
        (("many", 1), 21),
    ],
)
def test_a_key_is_found_on_the_line_of_the_statement_that_defines_it(key: Key, line: int) -> None:
    assert line_of(TEXT, key) == line


def test_a_key_that_is_missing_is_blamed_on_the_table_it_is_missing_from() -> None:
    assert line_of(TEXT, ("plugins", "math", "url")) == 2
    assert line_of(TEXT, ("nowhere", "at", "all")) == 1


def test_a_large_file_is_searched_in_few_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(f"[plugins.p{n}]\ncommand = 'c{n}'" for n in range(500))
    parses = 0
    real = tomllib.loads

    def counted(part: str) -> dict[str, object]:
        nonlocal parses
        parses += 1
        return real(part)

    monkeypatch.setattr(tomllib, "loads", counted)
    assert line_of(text, ("plugins", "p321", "command")) == 644
    assert parses < 20


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = c\n", 2),
        ("a = 1\nb = [1,\n2\n", 2),
        ("a = 1\na = 2", 2),
        ('a = """\nnever closed\n', 1),
        ("[p]\nx = 1\n[p]\n", 3),
    ],
)
def test_a_syntax_error_is_blamed_on_the_line_where_it_starts(text: str, line: int) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as raised:
        tomllib.loads(text)
    assert line_of_syntax_error(text, str(raised.value)) == line
