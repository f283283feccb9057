"""A router that does something around the answers of another and is taken for it everywhere else."""

from plugineval.pccf.routing import Router


class RouterAround:
    """`id` and `prompt_hash` of a `Router`; whoever goes around it says in `route` how it answers."""

    def __init__(self, router: Router) -> None:
        self._router = router

    @property
    def id(self) -> str:
        """Of the router."""
        return self._router.id

    @property
    def prompt_hash(self) -> str:
        """Of the router."""
        return self._router.prompt_hash
