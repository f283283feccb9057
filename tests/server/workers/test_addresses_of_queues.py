"""What the database of workers may be: a PostgreSQL server, and nothing else."""

import pytest

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.workers.queue import SERVER_URL, require_server


@pytest.mark.parametrize("database", ["garbage", "", "postgresql:/one/slash", "sqlite:///file.db", "/a/file.db"])
def test_what_is_no_server_is_refused_with_what_is_allowed(database: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        require_server(database)
    assert (refused.value.field, refused.value.allowed) == ("database", (SERVER_URL,))
