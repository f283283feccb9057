"""A PostgreSQL server of the test's own, on loopback, that is started, killed and started again; no other is touched.

Where its programs are not installed, tests that need it are skipped; with PLUGINEVAL_NEEDS_POSTGRES set they fail.
The server refuses root, so that root runs it as an ordinary user.
"""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import URL, create_engine, text

USER = "plugineval"
ORDINARY = ("postgres", "nobody")


class Programs(NamedTuple):
    """The folder that holds initdb and pg_ctl."""

    folder: Path

    @classmethod
    def found(cls) -> "Programs":
        """Those of the newest version that is installed; a visible skip, or a failure, where there are none."""
        known = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
        on_path = shutil.which("pg_ctl")
        for folder in (*reversed(known), *([Path(on_path).resolve().parent] if on_path else [])):
            if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
                return cls(folder)
        if os.environ.get("PLUGINEVAL_NEEDS_POSTGRES"):
            pytest.fail("PLUGINEVAL_NEEDS_POSTGRES is set and no PostgreSQL server is installed")
        pytest.skip("no PostgreSQL server is installed")


class Postgres:
    """A cluster in a folder of its own, with words sorted as people sort them and not as bytes."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._password = secrets.token_hex(12)
        self._port = _free_port()
        self._user = next((name for name in ORDINARY if _known(name)), None) if os.geteuid() == 0 else None
        self._make()

    @classmethod
    @contextmanager
    def running(cls) -> "Generator[Postgres]":
        """A cluster that is running, and gone with its files afterwards."""
        programs = Programs.found()
        with tempfile.TemporaryDirectory(prefix="pg-") as name:
            server = cls(programs, Path(name))
            server.start()
            try:
                yield server
            finally:
                server.kill()

    def url(self, database: str) -> str:
        """The URL of a database, password and all."""
        return self._url(database).render_as_string(hide_password=False)

    def create(self) -> str:
        """The URL of a new, empty database."""
        name = f"d{secrets.token_hex(8)}"
        engine = create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return self.url(name)

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-c listen_addresses=127.0.0.1 -p {self._port} -k {self._folder} -c fsync=off -c max_connections=200"
        self._run("pg_ctl", "-D", str(self._data), "-l", str(self._folder / "log"), "-o", options, "-w", "start")

    def kill(self) -> None:
        """End it as a crash would: every connection is gone, and what was not committed too."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _url(self, database: str) -> URL:
        return URL.create("postgresql+psycopg", USER, self._password, "127.0.0.1", self._port, database)

    def _make(self) -> None:
        secret = self._folder / "password"
        secret.write_text(self._password)
        if self._user is not None:
            known = pwd.getpwnam(self._user)
            for place in (self._folder, secret):
                os.chown(place, known.pw_uid, known.pw_gid)
        locale = ("--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")
        auth = ("-U", USER, "-A", "scram-sha-256", f"--pwfile={secret}")
        self._run("initdb", "-D", str(self._data), *auth, *locale, "--no-sync")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs.folder / program), *arguments]
        with tempfile.TemporaryFile("w+") as said:
            ended = subprocess.run(
                command, user=self._user, cwd="/", stdout=said, stderr=said, stdin=subprocess.DEVNULL, check=False
            )
            said.seek(0)
            assert ended.returncode == 0, said.read()


def _known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port
