"""What a server costs that nobody asks: its memory, and how long it takes from its start until it has
answered once, by the clock and in processor time, which says more where the machine is shared. Every
server is started some times, in turn, and the medians are told."""

import contextlib
import pathlib
import statistics
import subprocess
import time

from serving import load, peers
from support.ports import free_port

# What a server still does when it has answered its first request.
SETTLE_S = 0.5
BODY = b'{"data":"ready"}'
BESIDE = ("nginx", "fastify")


@contextlib.contextmanager
def ours(program, folder):
    """Our server as shipped, on a data folder that stays: its process and how long it took to answer."""
    port = free_port()
    with open(folder / "ours.log", "ab") as log:
        process = subprocess.Popen(
            [program, "serve", "--listen", f"127.0.0.1:{port}", "--data", folder / "ours"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        yield process, port, peers.wait_until_ready(process, port, "/healthz")
    finally:
        peers.end(process)


def started(name, program, folder):
    return ours(program, folder) if name == "Freshet" else peers.running(name, folder, BODY)


def measure(program, folder, starts):
    """Name to medians; of peers that are out of reach, nothing."""
    folder = pathlib.Path(folder)
    came = {name: [] for name in ("Freshet", *BESIDE)}
    # The first start makes the data folder, and reads files that nobody has read yet.
    for number in range(starts + 1):
        for name in list(came):
            try:
                with started(name, program, folder) as (process, _, took):
                    pids = load.processes_of(process.pid)
                    spent = load.finer_processor_s(pids)
                    time.sleep(SETTLE_S)
                    if number > 0:
                        came[name].append((load.memory_mb(pids), took * 1e3, spent * 1e3))
            except peers.OutOfReach:
                if name == "Freshet":
                    raise
                del came[name]
    figures = ("memory_mb", "ready_ms", "ready_cpu_ms")
    return {name: dict(zip(figures, map(statistics.median, zip(*one)))) for name, one in came.items()}


def table(idles):
    yield f"{'idle':10}  {'memory MB':>9}  {'start to ready ms':>17}  {'CPU ms':>7}"
    for name, one in idles.items():
        yield f"{name:10}  {one['memory_mb']:>9.1f}  {one['ready_ms']:>17.1f}  {one['ready_cpu_ms']:>7.1f}"
