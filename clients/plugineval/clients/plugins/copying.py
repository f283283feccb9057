"""Opens a connection on a fresh copy of a plugin's fixture, and takes the copy away once the connection has ended."""

import logging
import os
from pathlib import Path
from typing import Literal

import anyio
from pydantic import SecretStr

from plugineval.clients.plugins.commands import resolve_command
from plugineval.clients.plugins.copies import Copies, Copy
from plugineval.clients.plugins.errands import Errand, run_errand
from plugineval.clients.plugins.fixtures import Fixture
from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.last_words import LastWords
from plugineval.clients.plugins.opening import Opened, open_connection
from plugineval.clients.plugins.processes import Launch
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.sandbox import Argv, Sandbox, placed
from plugineval.clients.plugins.surroundings import Folders, environment
from plugineval.pccf.errors import ConfigurationError, PluginUnavailableError

logger = logging.getLogger(__name__)


class CopyOpener:
    """Of one plugin; `open` is called for each copy."""

    def __init__(
        self, registration: PluginRegistration, sandbox: Sandbox, household: Household, copies: Copies
    ) -> None:
        self._registration = registration
        self._sandbox = sandbox
        self._household = household
        self._copies = copies
        self._fixture = Fixture(registration, sandbox)
        self._sweeping = anyio.Lock()
        self._swept = False

    async def open(self, redactor: Redactor) -> Opened:
        """A connection on a fresh copy, ready to be owned. Raises `PluginUnavailableError`."""
        await self._sweep(redactor)
        copy = await self._copied()
        try:
            await self._errands("reset", copy, redactor)
            opened = self._opened(copy, redactor)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._take_away(copy, redactor)
            raise
        opened.connection.folder = copy.data

        async def tidy() -> None:
            await self._take_away(copy, redactor)

        return opened._replace(tidy=tidy)

    async def _copied(self) -> Copy:
        def work() -> Copy:
            copy = self._copies.make()
            self._fixture.copy_into(copy.data)
            return copy

        try:
            return await anyio.to_thread.run_sync(work)
        except OSError as error:
            raise self._refusal("copy", f"its fixture cannot be copied: {error}") from error
        except ConfigurationError as error:
            raise self._refusal("copy", error.problem, error.next_step) from error

    def _opened(self, copy: Copy, redactor: Redactor) -> Opened:
        registration = self._placed(copy)
        folders = self._folders(registration, copy)
        if not folders.work.is_dir():
            raise PluginUnavailableError(
                f"its working directory {redactor.text(str(folders.work))} is not in the fixture",
                field=f"{registration.field}.cwd",
                next_step="correct cwd, or make it with a reset command",
            )
        return open_connection(registration, self._household, redactor, folders)

    def _placed(self, copy: Copy) -> PluginRegistration:
        plain = self._registration
        env = {name: SecretStr(placed(value.get_secret_value(), copy.data)) for name, value in plain.env.items()}
        cwd = None if plain.cwd is None else Path(placed(str(plain.cwd), copy.data))
        args = tuple(placed(each, copy.data) for each in plain.args)
        return plain.model_copy(update={"args": args, "env": env, "cwd": cwd})

    def _folders(self, registration: PluginRegistration, copy: Copy) -> Folders:
        log = self._copies.root.parent / "stderr.log"
        return Folders(work=registration.cwd or copy.data, home=copy.home, stderr=log)

    async def _take_away(self, copy: Copy, redactor: Redactor) -> None:
        try:
            await self._errands("cleanup", copy, redactor)
        except PluginUnavailableError as error:
            # The call was answered already, and a later one may need what was not cleaned up.
            logger.error("%s", error)
        await anyio.to_thread.run_sync(self._copies.remove, copy)

    async def _sweep(self, redactor: Redactor) -> None:
        """Take away, once, what a process left behind that was killed."""
        async with self._sweeping:
            if not self._swept:
                for copy in await anyio.to_thread.run_sync(self._copies.stale):
                    await self._take_away(copy, redactor)
                await anyio.to_thread.run_sync(self._copies.sweep)
                self._swept = True

    async def _errands(self, kind: Literal["reset", "cleanup"], copy: Copy, redactor: Redactor) -> None:
        commands = self._sandbox.reset if kind == "reset" else self._sandbox.cleanup
        for argv in commands:
            words = LastWords(self._copies.root.parent / "stderr.log", redactor)
            launch = self._launch(kind, argv, copy)
            problem = await run_errand(Errand(launch, self._sandbox.timeout_s, words, self._household.guard))
            if problem is not None:
                said = f". Its last words:\n{words.text}" if words.text else ""
                raise self._refusal(kind, redactor.text(f"its {kind} command {argv[0]!r} {problem}{said}"))

    def _launch(self, kind: str, argv: Argv, copy: Copy) -> Launch:
        registration = self._placed(copy)
        folders = self._folders(registration, copy)._replace(work=copy.data)
        variables = environment(registration, folders, os.environ)
        try:
            command = resolve_command(registration.model_copy(update={"command": argv[0]}), variables)
        except PluginUnavailableError as error:
            raise self._refusal(kind, f"its {kind} command: {error.problem}", error.next_step) from error
        arguments = (placed(each, copy.data) for each in argv[1:])
        return Launch((command, *arguments), variables, str(copy.data), self._household.grace_s)

    def _refusal(self, key: str, problem: str, next_step: str | None = None) -> PluginUnavailableError:
        where = f"{self._registration.field}.sandbox.{key}"
        return PluginUnavailableError(problem, field=where, next_step=next_step or "run it by hand on a copy")
