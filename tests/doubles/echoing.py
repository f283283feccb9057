"""An endpoint that says back whatever it was sent (address, headers, body), each time in another place; and a home in
which a secret stands wherever one can be.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from doubles.canaries import ENVIRONMENT, PLUGIN_VARIABLE, SHELL_SECRET
from doubles.openai_server import Document, OpenAIServer, Reply, calling, message, refusal
from doubles.plugins import leaky

SCRIPT = Path(leaky.__file__)

SETTINGS = """
[plugins.leaky]
command = {python}
args = ["-S", {script}, "--small", "--token", "${{NOTES_KEY}}"]
env = {{ NOTES_TOKEN = "${{NOTES_TOKEN}}", NOTES_PASSPHRASE = "${{NOTES_PASSPHRASE}}" }}
policy = "sandboxed"
moving = ["get_structure"]

[plugins.leaky.sandbox]
copy = "fixture"
per = "session"
reset = [{python}, "-S", "-c", "import sys; sys.stderr.write(str(sys.argv))", "--token=${{RESET_TOKEN}}"]

[plugins.gone]
command = {python}
args = ["-S", {script}, "--refuse", "${{NOTES_KEY}}"]
env = {{ NOTES_TOKEN = "${{NOTES_TOKEN}}" }}

[plugins.far]
url = "http://user:${{REMOTE_PASSWORD}}@127.0.0.1:9/mcp?key=${{REMOTE_KEY}}"
headers = {{ X-Token = "${{REMOTE_TOKEN}}" }}

[models.fast]
base_url = "http://user:${{GATE_PASSWORD}}@{place}/v1?api_key=${{GATE_KEY}}"
model = "echo"
api_key_env = "FAST_API_KEY"
headers = {{ X-Gate = "Bearer ${{GATE_TOKEN}}" }}
extra_body = {{ gate = {{ token = "${{BODY_TOKEN}}" }} }}
max_retries = 0
salvage_text_calls = true

[models.judging]
base_url = "http://{place}/v1"
model = "echo"
api_key_env = "JUDGE_API_KEY"
max_retries = 0

[models.unset]
base_url = "http://{place}/v1?key=${{NOBODY_SET_THIS}}"
model = "echo"

[roles]
generators = ["baseline:lexical", "fast"]
annotators = ["baseline:lexical", "judging"]
judge = "judging"
"""


def echo(server: Callable[[], OpenAIServer]) -> Callable[[Document], Reply]:
    """What answers; `server` is the double that it stands in, which knows the heads of requests."""
    asked = 0

    def answer(request: Document) -> Reply:
        nonlocal asked
        asked += 1
        heads = " ".join(f"{name}={value}" for name, value in server().heads[-1].items())
        # What it was not sent it may have from elsewhere: a tool that another party runs, a page, a leak of last year.
        elsewhere = f"{SHELL_SECRET} {PLUGIN_VARIABLE}"
        said = f"{server().paths[-1]} {heads} {json.dumps(request.get('gate'))} {elsewhere}"
        replies = (
            lambda: calling((_offered(request), {"text": said, "said": said})),
            lambda: message(f"I was sent {said}"),
            lambda: refusal(400, f"I do not take {said}"),
            lambda: calling((_offered(request), {"text": "hello"})),
            lambda: Reply(status=500, body=f"<p>{said}</p>".encode()),
            lambda: message(f"<tool_call>{json.dumps({'name': 'get_text', 'arguments': {'text': said}})}</tool_call>"),
            lambda: refusal(401, f"Incorrect API key provided: {said}"),
            lambda: message(json.dumps({"equivalent": False, "verdict": "different", "reason": said, "level": "L1"})),
        )
        return replies[asked % len(replies)]()

    return answer


def _offered(request: Document) -> str:
    tools = request.get("tools")
    if isinstance(tools, list) and tools and isinstance(tools[0], dict) and isinstance(tools[0]["function"], dict):
        return str(tools[0]["function"]["name"])
    return "get_text"


def planted_home(folder: Path, base_url: str) -> Path:
    """A home with a secret in every place of its settings; the variables are `ENVIRONMENT`."""
    (folder / "fixture").mkdir(parents=True)
    (folder / "fixture" / "note.txt").write_text("a note")
    place = base_url.removeprefix("http://").removesuffix("/v1")
    text = SETTINGS.format(python=json.dumps(sys.executable), script=json.dumps(str(SCRIPT)), place=place)
    assert all(f"${{{name}}}" in text for name in REFERRED)
    (folder / "plugineval.toml").write_text(text)
    return folder


NAMED_ELSEWHERE = {"FAST_API_KEY", "JUDGE_API_KEY", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "PLUGINEVAL_TOKEN"}
REFERRED = ENVIRONMENT.keys() - NAMED_ELSEWHERE
