"""With an OAuth issuer the server takes its tokens alone, says where they come from, and keeps owners apart."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import jwt
import pytest

from doubles.issuer import Issuer, issuing
from doubles.mcp_client import MODES, TOKEN, Agent, Home, Mode, Served, over_http, served
from journeys.conftest import counting_home
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.app.oauth import OAuth

pytestmark = pytest.mark.anyio

RESOURCE = "https://evals.example/mcp"
SCOPE = "evals:use"


class Guarded(NamedTuple):
    issuer: Issuer
    server: Served
    home: Home

    def token(self, subject: str = "ada", **changed: object) -> str:
        return self.issuer.token(RESOURCE, subject, **{"scope": SCOPE, **changed})


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    made = counting_home(tmp_path_factory.mktemp("guarded"), DELAY="0.1")
    with issuing() as issuer:
        environ = {"PLUGINEVAL_ISSUER": issuer.url, "PLUGINEVAL_RESOURCE": RESOURCE, "PLUGINEVAL_SCOPES": SCOPE}
        home = Home(made.path, made.environ | environ)
        with served(home) as server:
            yield Guarded(issuer, server, home)


def _status(url: str, token: str) -> int:
    body: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    return httpx2.post(url, json=body, headers=headers, timeout=30).status_code


def test_clients_are_told_where_tokens_come_from(guarded: Guarded) -> None:
    refused = httpx2.post(guarded.server.url, json={}, timeout=30)
    assert refused.status_code == 401
    place = "https://evals.example/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{place}"' in refused.headers["www-authenticate"]
    here = guarded.server.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp")
    metadata = httpx2.get(here, timeout=30).json()
    assert metadata["resource"] == RESOURCE
    assert [str(each).rstrip("/") for each in metadata["authorization_servers"]] == [guarded.issuer.url]
    assert metadata["scopes_supported"] == [SCOPE]


async def test_only_a_token_of_the_issuer_for_this_resource_gets_in(guarded: Guarded) -> None:
    url = guarded.server.url
    assert _status(url, guarded.token()) not in (401, 403)
    assert _status(url, guarded.token(aud="https://elsewhere.example/mcp")) == 401
    assert _status(url, guarded.token(iss="https://elsewhere.example")) == 401
    assert _status(url, guarded.token(exp=1_700_000_000)) == 401
    assert _status(url, guarded.token(exp=None)) == 401
    assert _status(url, guarded.token(aud=None)) == 401
    assert _status(url, guarded.issuer.forged(RESOURCE)) == 401
    assert _status(url, TOKEN) == 401
    assert _status(url, "a.b.c") == 401
    assert _status(url, guarded.token(scope="evals:look")) == 403


def test_keys_are_not_fetched_for_everybody_who_knocks(guarded: Guarded) -> None:
    before = len(guarded.issuer.asked)
    for number in range(20):
        strange = jwt.encode({"aud": RESOURCE}, guarded.issuer.stranger, "RS256", headers={"kid": f"strange-{number}"})
        assert _status(guarded.server.url, strange) == 401
    assert len(guarded.issuer.asked) - before <= 2


@pytest.mark.parametrize("mode", MODES)
async def test_a_job_belongs_to_who_started_it_and_to_nobody_else(mode: Mode, guarded: Guarded) -> None:
    url = guarded.server.url
    async with (
        over_http(url, mode, token=guarded.token("ada")) as ada,
        over_http(url, mode, token=guarded.token("bob")) as bob,
    ):
        mine, theirs = Agent(ada), Agent(bob)
        job = await mine.call("benchmark_build", plugins=["counting"], name="hers", size=20, wait_s=0)
        job_id = str(job["job_id"])
        for tool in ("job_get", "job_cancel", "job_resume"):
            assert "there is no job" in await theirs.refused(tool, job_id=job_id)
        assert "there is no job" in await theirs.refused("work_next", job_id=job_id)
        assert "there is no job" in await theirs.refused("benchmark_scenarios", job_id=job_id)
        with pytest.raises(Exception, match="there is no job"):
            await theirs.read(f"plugineval://jobs/{job_id}")
        assert job_id not in str(await theirs.call("job_get"))
        assert job_id in str(await mine.call("job_get"))
        guessed = job_id[:-1] + ("A" if job_id[-1] != "A" else "B")
        assert "there is no job" in await mine.refused("job_get", job_id=guessed)
        assert (await mine.call("job_cancel", job_id=job_id))["state"] == "cancelled"


async def test_the_person_of_the_machine_sees_every_job(guarded: Guarded) -> None:
    async with over_http(guarded.server.url, "auto", token=guarded.token("ada")) as ada:
        job = await Agent(ada).call("benchmark_build", plugins=["counting"], name="hers", size=1, wait_s=45)
    workspace = Home(guarded.home.path).workspace()
    try:
        assert (await (await workspace.store()).jobs.get(str(job["job_id"]))).id == job["job_id"]
    finally:
        await workspace.aclose()


@pytest.mark.parametrize("wrong", [{"PLUGINEVAL_ISSUER": "http://issuer.example"}, {"PLUGINEVAL_ISSUER": "here"}])
def test_an_issuer_in_the_clear_is_refused(wrong: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="PLUGINEVAL_ISSUER"):
        OAuth.of(wrong, resource=RESOURCE)
    assert OAuth.of({}, resource=RESOURCE) is None
