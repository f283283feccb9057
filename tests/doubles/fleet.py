"""Workers as processes of their own, on one database server, asking one endpoint that counts who asks what."""

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from doubles.cli import addition, asked_for, cases_file, obedient
from doubles.forks import Ended, Fork, Forks
from doubles.mcp_client import plugin_table
from doubles.openai_server import Document, OpenAIServer, Reply
from doubles.store import engine_of

PATIENCE_S = 120
ALL = ("--workers",)
COUNTING = Path(__file__).parents[1] / "journeys" / "counting.py"


class Asked:
    """The endpoint's answers, and how often each question was put."""

    def __init__(self) -> None:
        self.questions: Counter[str] = Counter()
        self.judged: Counter[str] = Counter()
        """The same of those that are put to judges."""
        self.judges: dict[str, Callable[[Document], Reply]] = {}
        self._lock = threading.Lock()

    def __call__(self, request: Document) -> Reply:
        judge = self.judges.get(str(request["model"]))
        with self._lock:
            (self.questions if judge is None else self.judged)[asked_for(request)] += 1
        return obedient(request) if judge is None else judge(request)

    @property
    def repeats(self) -> int:
        """Questions that were put again."""
        return self.questions.total() - len(self.questions)


class Times(NamedTuple):
    """How the workers of a test share their work."""

    shard_cells: int = 20
    heartbeat_s: float = 0.2
    stalled_after_s: float = 4.0
    grace_s: float = 10.0


class Fleet:
    """A run of `cells` cases by workers that are started with `worker`; each asks under a path of its own."""

    def __init__(self, forks: Forks, folder: Path, database: str, server: OpenAIServer, times: Times) -> None:
        self._forks, self._folder, self._server, self._times = forks, folder, server, times
        self.database = database
        self.workers: list[Fork] = []
        self.models = {"m": ""}
        """What `plugineval.toml` says of each besides where it is; each is asked under its own name."""
        self.shared = self.tables = ""
        """What it says more of the workers, and in tables of its own."""

    def home(self, name: str, *, model: bool = True) -> Path:
        """The folder of one process, with the settings of it."""
        home = self._folder / name
        home.mkdir(parents=True, exist_ok=True)
        address = f"{self._server.base_url.removesuffix('/v1')}/{name}/v1"
        endpoints = [
            f'[models.{each}]\nbase_url = "{address}"\nmodel = "{each}"\n{more}\n' for each, more in self.models.items()
        ]
        times = "".join(f"{name} = {value}\n" for name, value in self._times._asdict().items())
        written = f'[store]\nurl = "{self.database}"\n[workers]\n{times}{self.shared}\n{self.tables}\n'
        written += "".join(endpoints if model else ())
        (home / "plugineval.toml").write_text(written)
        return home

    def builds(self, folder: Path, *, concurrency: int) -> None:
        """Workers build as well, with a plugin that writes down its calls and the model as reference router."""
        environ = f'env = {{CALLS = "{folder / "calls.txt"}", DELAY = "0.01"}}\n'
        roles = f'[roles]\nrouter = "m"\n[build]\nconcurrency = {concurrency}\n'
        self.shared, self.tables = 'jobs = ["build"]', f"{plugin_table('counting', COUNTING)}{environ}{roles}"

    def worker(self, *words: object, model: bool = True) -> Fork:
        """Start one."""
        home = self.home(f"w{len(self.workers)}", model=model)
        self.workers.append(self._forks.start("worker", "--home", home, "--json", *words))
        self.until(lambda: bool(self.heard(self.workers[-1], "serving")), self.workers[-1])
        return self.workers[-1]

    def evaluate(self, cells: int, *words: object, concurrency: int = 4) -> Fork:
        """Begin a run on the workers, or on this process with other `words`."""
        run = ("--model", "m", "--concurrency", concurrency)
        return self.measure([addition(f"c{number:05}", number) for number in range(cells)], *run, *words or ALL)

    def measure(self, cases: list[Document], *words: object) -> Fork:
        """The same with cases and models of one's own."""
        options = ("--repeats", 1, "--home", self.home("follower"), "--json")
        return self._forks.start("evaluate", cases_file(self._folder, cases), *options, *words)

    def build(self, size: int) -> Fork:
        """Begin a build on the counting plugin."""
        words = ("--plugin", "counting", "--name", "lengths", "--size", size)
        return self._forks.start("build", *words, "--home", self.home("follower"), "--json")

    def rerun(self, run_id: str, *words: object) -> Fork:
        """Begin it again."""
        return self._forks.start("rerun", run_id, *words, "--home", self.home("follower"), "--json")

    def resume(self, *words: object) -> Fork:
        """Go on with a run, or follow it."""
        return self._forks.start("resume", *(words or ("--last",)), "--home", self.home("follower"), "--json")

    def runs(self) -> list[dict[str, Any]]:
        """The listing."""
        listed: list[dict[str, Any]] = json.loads(
            self._forks.run("runs", "--json", "--home", self.home("follower")).out
        )["runs"]
        return listed

    def ended(self, fork: Fork) -> dict[str, Any]:
        """What a command that went well printed."""
        ended = self._forks.wait(fork)
        assert ended.code == 0, (ended, [worker.err.read_text() for worker in self.workers])
        printed: dict[str, Any] = json.loads(ended.out)
        return printed

    def end(self, fork: Fork, signum: int = signal.SIGTERM) -> Ended:
        """Send a signal, and wait for the end."""
        os.kill(fork.pid, signum)
        return self._forks.wait(fork)

    def heard(self, fork: Fork, event: str) -> list[dict[str, Any]]:
        """What a worker said of a kind so far."""
        lines = fork.out.read_text().splitlines(keepends=True)
        told = [json.loads(line) for line in lines if line.endswith("\n")]
        return [each for each in told if each["event"] == event]

    def asked_by(self) -> Counter[str]:
        """Who asked how often: folder of the process -> questions."""
        return Counter(path.split("/")[1] for path in list(self._server.paths))

    def until(self, holds: Callable[[], bool], *forks: Fork) -> None:
        """Look until something holds."""
        ends = time.monotonic() + PATIENCE_S
        while not holds():
            said = (file for fork in (*forks, *self.workers) for file in (fork.err, fork.out))
            assert time.monotonic() < ends, [file.read_text()[-2_000:] for file in said]
            time.sleep(0.02)

    def rows(self, query: str, **values: object) -> list[tuple[Any, ...]]:
        """What the database says."""
        engine = engine_of(self.database)
        try:
            with engine.connect() as connection:
                return [tuple(row) for row in connection.execute(text(query), values)]
        finally:
            engine.dispose()

    def change(self, statement: str) -> None:
        """Do what another process would do to the database."""
        engine = engine_of(self.database)
        with engine.begin() as connection:
            connection.execute(text(statement))
        engine.dispose()

    def waited(self, fork: Fork) -> Ended:
        """Its end, whatever it is."""
        return self._forks.wait(fork)

    def close(self) -> None:
        """End every worker that still runs."""
        for worker in self.workers:
            for signum in (signal.SIGCONT, signal.SIGKILL):
                try:
                    os.kill(worker.pid, signum)
                except ProcessLookupError:
                    break
