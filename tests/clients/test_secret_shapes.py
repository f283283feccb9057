import pytest

from plugineval.clients.secret_shapes import looks_secret


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_TOKEN", "abc"),
        ("OPENAI_API_KEY", "whatever"),
        ("DB_PASSWORD", "hunter2"),
        ("Authorization", "anything"),
        ("X", "Bearer abc"),
        ("X", "sk-proj-abcdefgh1234"),
        ("X", "ghp_abcdefghijklmnop1234"),
        ("DATABASE_URL", "postgres://me:pw@host/db"),
        ("X", "3f0c9a1e-77b2-4d1c-9f00-a1b2c3d4e5f6"),
        ("X", "9b74c9897bac770ffc029102a200c5de"),
    ],
)
def test_a_secret_is_known_by_its_name_or_by_its_shape(name: str, value: str) -> None:
    assert looks_secret(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_LEVEL", "debug"),
        ("MAX_TOKENS", "4096"),
        ("USE_AUTH", "true"),
        ("OPENAI_API_KEY", ""),
        ("SSH_KEY_PATH", "/keys/id"),
        ("TOKEN_FILE", "/run/token"),
        ("AUTHOR", "Jane"),
        ("ROOT", "/srv/data/2026/reports"),
        ("PACKAGE", "@scope/mcp-server-filesystem"),
        ("PACKAGE", "mcp-server-kubernetes-2025"),
        ("ZONE", "Europe/Berlin"),
        ("URL", "https://example.com/mcp"),
    ],
)
def test_ordinary_values_are_left_alone(name: str, value: str) -> None:
    assert not looks_secret(name, value)
