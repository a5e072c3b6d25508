"""An Apprise API server, as far as notifications by key go: /notify/KEY of https://github.com/caronc/apprise-api.

Started with a port and the path of a JSON file that has the configurations: key to lines of Apprise's text format.
What a message means, and which services get it, the library decides.
"""

import json
import logging
import re
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import apprise

TYPES = ("info", "success", "warning", "failure")
TAGS = re.compile(r"^[a-z0-9\s| ,_:+&-]+$", re.IGNORECASE)
SEPARATOR = "\x1f"

with open(sys.argv[2], encoding="utf-8") as file:
    CONFIGURATIONS = json.load(file)


def tags_of(text):
    """A comma means or, a space means and."""
    groups = (group.split() for group in re.split(r"[,|]", text))
    return [tuple(group) if len(group) > 1 else group[0] for group in groups if group]


def notify(key, sent):
    """The status and the body of the answer."""
    if not sent.get("body") or sent.get("type", "info") not in TYPES:
        return 400, {"error": "Payload lacks minimum requirements"}
    if sent.get("tag") and not TAGS.match(sent["tag"]):
        return 400, {"error": "Unsupported characters found in tag definition"}
    if key not in CONFIGURATIONS:
        return 204, None
    services = apprise.Apprise(asset=apprise.AppriseAsset(body_format=sent.get("format", "text")))
    configuration = apprise.AppriseConfig()
    configuration.add_config(CONFIGURATIONS[key], format="text")
    services.add(configuration)
    line = SEPARATOR.join(("%(levelname)s", "%(asctime)s", "%(message)s"))
    with apprise.LogCapture(level=logging.INFO, fmt=line) as log:
        reached = services.notify(
            sent["body"],
            title=sent.get("title", ""),
            notify_type=sent.get("type", "info"),
            tag=tags_of(sent["tag"]) if sent.get("tag") else None,
        )
        details = [entry.split(SEPARATOR) for entry in log.getvalue().splitlines() if SEPARATOR in entry]
    if reached:
        return 200, {"error": None, "details": details}
    return 424, {"error": "One or more notification could not be sent", "details": details}


def serve(environ, start):
    path = re.match(r"^/notify/([\w-]{1,128})/?$", environ["PATH_INFO"])
    if path is None or environ["REQUEST_METHOD"] != "POST":
        status, answer = 404, {"error": "Not found"}
    else:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        status, answer = notify(path.group(1), json.loads(body))
    start(f"{status} Answer", [("content-type", "application/json")] if answer else [])
    return [json.dumps(answer).encode()] if answer else []


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


make_server("127.0.0.1", int(sys.argv[1]), serve, handler_class=Quiet).serve_forever()
