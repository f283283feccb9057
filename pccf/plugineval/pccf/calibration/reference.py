"""The reference router, frozen: its model, prompt, temperature and seeds stand in the benchmark (D9)."""

from dataclasses import dataclass

from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.examples import Query, RouterFreeze
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.routing import Router, RouterReply
from plugineval.pccf.tools import Toolset


def freeze(router: Router, *, runs: int, temperature: float | None = None) -> RouterFreeze:
    """What a benchmark says about the router it was calibrated on: seeds 0 to `runs` - 1."""
    return RouterFreeze(
        model=router.id, prompt_hash=router.prompt_hash, temperature=temperature, seeds=tuple(range(runs))
    )


@dataclass(frozen=True, kw_only=True)
class ReferenceRouter:
    """A router together with its freeze; every reply goes through the journal."""

    router: Router
    freeze: RouterFreeze
    calls: RoleCalls

    async def reply(self, case: str, query: Query, toolset: Toolset, seed: int) -> RouterReply:
        """The reply to `query` with `seed`; the same freeze, query and tools are never paid for twice."""
        key = CallKey.known(
            stage="calibrate",
            model=self.freeze.model,
            case=case,
            repeat=seed,
            request=[
                query.model_dump(mode="json"),
                toolset.content_hash,
                self.freeze.prompt_hash,
                self.freeze.temperature,
            ],
        )
        return await self.calls.ask(key, RouterReply, lambda: self.router.route(query, toolset, seed=seed))
