"""Real upstream servers have ports that are fixed: one that outlived its run would answer the next one's tests."""

import contextlib
import pathlib
import socket
import subprocess
import sys
import time

import pytest
from support import upstream
from support.ports import free_port

TESTS = pathlib.Path(__file__).resolve().parents[1]
RUN = f"""
import pathlib, sys, time
sys.path[:0] = [{str(TESTS)!r}]
from support import upstream
with upstream.servers_of(pathlib.Path(sys.argv[1]), int(sys.argv[2]), "pid", "pid.of.none"):
    print("up", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path):
    port = free_port()
    (tmp_path / "up.sh").write_text(
        f"cd {tmp_path}\nsetsid {sys.executable} -m http.server --bind 127.0.0.1 {port} >log 2>&1 &\necho $! >pid\n")
    return tmp_path, port


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_they_end_with_a_run_that_is_killed(folder):
    folder, port = folder
    run = subprocess.Popen([sys.executable, "-c", RUN, folder, str(port)], stdout=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "up\n"
    assert listens(port)
    run.kill()
    run.wait(60)
    end = time.monotonic() + 60
    while listens(port) and time.monotonic() < end:
        time.sleep(0.1)
    assert not listens(port)


def test_a_port_of_another_program_is_told_of(folder):
    folder, port = folder
    with upstream.servers_of(folder, port, "pid"):
        with pytest.raises(RuntimeError, match=f"listens on port {port}"), contextlib.ExitStack() as held:
            held.enter_context(upstream.servers_of(folder, port, "pid"))
    assert not listens(port)
