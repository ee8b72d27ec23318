"""Real upstream software, started on loopback from the scripts in ../shared/upstreams."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

# As a program, it is asked for by its path.
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]

from support.reach import need_shared, out_of_reach  # noqa: E402


def need(*programs_or_paths):
    """Skips, with a line that says so, where a piece of software is out of reach."""
    for name in programs_or_paths:
        if not (pathlib.Path(name).exists() if "/" in name else shutil.which(name)):
            out_of_reach(f"{name} is out of reach")


def wait_for_port(port, seconds=60, process=None):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            probe.settimeout(0.5)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process is not None and process.poll() is not None:
            raise RuntimeError("the upstream ended before it listened")
        time.sleep(0.1)
    raise RuntimeError(f"nothing listens on port {port} after {seconds} s")


def wait_for_results(url, seconds=120):
    """Until a search finds something: the first one may take longer than it waits for its own sources, and
    on a busy machine fail for that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(url, timeout=seconds) as answer:
            if json.load(answer)["results"]:
                return
        time.sleep(1)
    raise RuntimeError(f"{url} finds nothing after {seconds} s")


def copy(name, to):
    """A folder of ../shared/upstreams, writable, as its scripts need it."""
    source = need_shared("upstreams", name)
    target = pathlib.Path(to) / name
    shutil.copytree(source, target)
    for path in [target, *target.rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)
    return target


def end_process(pid, signal_number=signal.SIGTERM, seconds=10):
    """Ends one process by its id and waits until it is gone."""
    try:
        os.kill(pid, signal_number)
    except ProcessLookupError:
        return
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        try:  # a child of ours stays as a zombie until it is waited for
            if os.waitpid(pid, os.WNOHANG)[0] == pid:
                return
        except ChildProcessError:
            pass
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)


def run_up(folder, seconds=240):
    """Runs the folder's up.sh, which leaves servers behind and writes their ids down."""
    done = subprocess.run(
        ["bash", "up.sh"], cwd=folder, capture_output=True, text=True, timeout=seconds
    )
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)


@contextlib.contextmanager
def servers_of(folder, port, *pid_files):
    """What the folder's up.sh starts on `port`, until the block ends, or whoever runs the tests does, however."""
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            raise RuntimeError(f"another program listens on port {port}, which {folder.name} needs: end that one")
    # It ends them when this process, or what is left of it, holds its input no more.
    guard = subprocess.Popen([sys.executable, __file__, *(folder / name for name in pid_files)],
                             stdin=subprocess.PIPE, start_new_session=True)
    try:
        run_up(folder)
        wait_for_port(port)
        yield
    finally:
        guard.stdin.close()
        guard.wait(60)


if __name__ == "__main__":
    sys.stdin.read()
    for written in map(pathlib.Path, sys.argv[1:]):
        with contextlib.suppress(OSError, ValueError):  # one that was not started
            end_process(int(written.read_text()))
