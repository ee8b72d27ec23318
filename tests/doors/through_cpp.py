"""C++: an engine in process and a client of a server, both in call_lines.cpp."""

import os
import pathlib
import subprocess

from through_http import serve
from prepared import SETTINGS
from reply import Reply


class Cpp:
    def __init__(self, *arguments):
        tool = pathlib.Path(os.environ.get("FRESHET_BUILD", "")) / "tests/call_lines"
        assert tool.exists(), "tests/call_lines was not built"
        self.process = subprocess.Popen([tool, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(self, endpoint, text, key):
        self.process.stdin.write("\t".join([endpoint, key, text]).encode() + b"\n")
        self.process.stdin.flush()
        code, offset, size, body_size = self.process.stdout.readline().decode().split()
        body = self.process.stdout.read(int(body_size))
        reply = Reply.of(body, body[int(offset):int(offset) + int(size)])
        assert reply.code == code
        return reply

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(60) == 0
        self.process.stdout.close()


class CppInProcess(Cpp):
    def __init__(self, prepared, name):
        settings = {**SETTINGS, "storage.data_dir": prepared.copy(name)}
        super().__init__("open", *(f"{key}={value}" for key, value in settings.items()))


class CppRemote(Cpp):
    def __init__(self, prepared, name):
        self.server = serve(prepared, name)
        super().__init__("connect", self.server.url)

    def close(self):
        super().close()
        assert self.server.stop() == 0


DOORS = {"C++ in process": CppInProcess, "C++ to a server": CppRemote}
