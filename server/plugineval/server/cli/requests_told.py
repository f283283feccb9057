"""What a job asks a person to confirm, as the terminal shows it, and under which name the answers are kept."""

import json

from plugineval.server.cli.terminal import say_line
from plugineval.server.trust.requests import Request

BY = "command line"
DESCRIPTION_SHOWN = 300


def show_request(request: Request) -> None:
    """What a job asks for, with everything a plugin or model says neutralised."""
    say_line(f"Job {request.job_id} asks to execute {request.tool} of plugin {request.plugin}, first with:")
    say_line(f"  {json.dumps(request.arguments, ensure_ascii=False)}")
    if request.description:
        say_line(f"  The plugin says of it: {request.description[:DESCRIPTION_SHOWN]}")
