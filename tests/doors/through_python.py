"""Python: Freshet() in this process and Freshet(base_url, api_key), a client for each key."""

import json

from support.reach import need_module
from through_http import serve
from prepared import SETTINGS
from reply import Reply


class Python:
    def __init__(self):
        self.freshet = need_module("freshet", "the Python module was not built")
        self.client, self.key = None, None

    def use(self, key):
        """One client at a time: only one engine may have the data folder."""
        if self.client is None or key != self.key:
            self.leave()
            self.client, self.key = self.opened(key), key

    def leave(self):
        if self.client is not None:
            self.client.close()

    def call(self, endpoint, text, key):
        self.use(key)
        status, body, data = self.client.call_bytes(endpoint, **json.loads(text))
        reply = Reply.of(body, data)
        assert status == reply.body.get("status", 200)
        return reply

    def close(self):
        self.leave()


class PythonInProcess(Python):
    def __init__(self, prepared, name):
        super().__init__()
        self.settings = {**SETTINGS, "storage.data_dir": str(prepared.copy(name))}

    def opened(self, key):
        return self.freshet.Freshet(api_key=key, config=self.settings)


class PythonRemote(Python):
    def __init__(self, prepared, name):
        super().__init__()
        self.server = serve(prepared, name)

    def opened(self, key):
        return self.freshet.Freshet(self.server.url, key)

    def close(self):
        super().close()
        assert self.server.stop() == 0


DOORS = {"Python in process": PythonInProcess, "Python to a server": PythonRemote}
