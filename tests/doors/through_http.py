"""HTTP: POST /v1/<endpoint> at a server of its own."""

import urllib.error
import urllib.request

from prepared import SETTINGS
from reply import Reply
from support.freshet import Freshet


def serve(prepared, name):
    return Freshet(prepared.copy(name), *(f"{key}={value}" for key, value in SETTINGS.items()))


class Http:
    def __init__(self, prepared, name):
        self.server = serve(prepared, name)

    def call(self, endpoint, text, key):
        request = urllib.request.Request(f"{self.server.url}/v1/{endpoint}", text.encode(),
                                         {"Content-Type": "application/json"})
        if key:
            request.add_header("Authorization", f"Bearer {key}")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Reply.of(answer.read())
        except urllib.error.HTTPError as refused:
            reply = Reply.of(refused.read())
            assert reply.body["status"] == refused.code
            return reply

    def close(self):
        assert self.server.stop() == 0, self.server.log_path.read_text()


DOORS = {"HTTP": Http}
