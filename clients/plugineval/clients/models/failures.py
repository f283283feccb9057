"""How a try that gave no answer is described while it is still being decided whether to try again."""

from plugineval.pccf.routing import FailureKind


class TryFailed(Exception):
    """One try without an answer. `attempts` is filled in when no further try follows."""

    def __init__(
        self,
        kind: FailureKind,
        detail: str,
        *,
        retryable: bool = True,
        retry_after_s: float | None = None,
        asked: bool = True,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.asked = asked
        """False where the try was given up before anything was sent."""
        self.status: int | None = None
        self.attempts = 1
        self.raw: str | None = None
        """The body as text, where there was one that could not be used."""

    @property
    def sentence(self) -> str:
        """The detail and the number of tries."""
        return f"{self.detail} (after {self.attempts} {'try' if self.attempts == 1 else 'tries'})"
