"""The command `freshet call`, in process and to a server."""

import subprocess

from through_http import serve
from prepared import set_options
from reply import Reply
from support.freshet import program


class Command:
    def __init__(self, *options):
        self.options = options

    def call(self, endpoint, text, key):
        with_key = ["--key", key] if key else []
        done = subprocess.run([program(), "call", endpoint, text, *self.options, *with_key],
                              capture_output=True)
        told, silent = (done.stdout, done.stderr) if done.returncode == 0 else (done.stderr, done.stdout)
        assert silent == b""
        reply = Reply.of(told)
        assert done.returncode == (0 if reply.code == "ok" else 1)
        return reply

    def close(self):
        pass


class CommandInProcess(Command):
    def __init__(self, prepared, name):
        super().__init__(*set_options(), "--data", prepared.copy(name))


class CommandRemote(Command):
    def __init__(self, prepared, name):
        self.server = serve(prepared, name)
        super().__init__("--server", self.server.url)

    def close(self):
        assert self.server.stop() == 0


DOORS = {"command in process": CommandInProcess, "command to a server": CommandRemote}
