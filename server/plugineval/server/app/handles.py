"""Handles of jobs: nobody can guess one, and where clients prove who they are, nobody can use that of another.

The owner is not looked up: it is part of the handle, signed, so that every server with the same key knows it.
"""

import base64
import hmac

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.values import canonical_json
from plugineval.server.app.server_key import load_key, signature
from plugineval.server.app.tokens import OWNER
from plugineval.server.workspace import Workspace

_SIGNED = 16
"""Bytes of a signature in a handle: 128 bits."""


def principal() -> str:
    """Who makes this request; empty for the person whose machine this is (stdio, or the server's own token)."""
    token = get_access_token()
    if token is None or token.client_id == OWNER:
        return ""
    return canonical_json([part or "" for part in principal_components(token)])


def new_handle(workspace: Workspace) -> str:
    """An id for a job of whoever makes this request."""
    from plugineval.server.store.ids import new_job_id

    name, owner = new_job_id(), principal()
    return f"{name}.{_mark(workspace, owner, name)}" if owner else name


def may_use(workspace: Workspace, handle: str) -> bool:
    """Whether whoever makes this request may use a handle. The person whose machine this is may use them all."""
    owner = principal()
    if not owner:
        return True
    name, _, mark = handle.partition(".")
    return hmac.compare_digest(mark.encode(), _mark(workspace, owner, name).encode())


def own(workspace: Workspace, handle: str) -> str:
    """`handle`, if it may be used; `UnknownNameError` as for one that there is not."""
    if not may_use(workspace, handle):
        raise UnknownNameError("job", handle, ())
    return handle


def _mark(workspace: Workspace, owner: str, name: str) -> str:
    key = load_key(workspace.settings.home, workspace.environ)
    signed = signature(key, "job", owner, name)[:_SIGNED]
    return base64.urlsafe_b64encode(signed).decode().rstrip("=")
