"""What a server costs and how it answers while `wrk` asks it: processor time and memory of all its
processes, from /proc, and the latencies that wrk has measured."""

import contextlib
import os
import pathlib
import signal
import subprocess
import time

TICK_S = 1 / os.sysconf("SC_CLK_TCK")
SAMPLE_S, QUIET_S = 0.05, 0.2
QUIET_WITHIN_S = 5
ANSWERED_WITHIN_S = 60

# A run ends when everything that was asked is answered, so that what a request has cost counts together
# with it: when the time is over a connection is given nothing more to send, and wrk is ended once the
# server is quiet. wrk's own report is for people; this one is for us. Latencies are microseconds.
SCRIPT = """
local ffi = require("ffi")
ffi.cdef "typedef struct { long s, ns; } moment; int clock_gettime(int, moment*);"
local at = ffi.new("moment")
local function seconds()
  ffi.C.clock_gettime(1, at)
  return tonumber(at.s) + tonumber(at.ns) / 1e9
end
local last, whole
request = function()
  last = last or seconds() + %d
  if seconds() > last then return "" end
  %s
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("told %%d %%d %%d %%d %%d\\n", summary.requests, errors.status,
           errors.connect + errors.read + errors.write + errors.timeout,
           latency:percentile(50), latency:percentile(99)))
end
"""
SAME = "whole = whole or wrk.format() return whole"
# Runs must not meet each other's numbers: each begins where no other has been.
ANOTHER = """number = (number or os.time() * 1000000) + 1
  return wrk.format(nil, nil, nil, (wrk.body:gsub("NUMBER", string.format("%d", number))
                                            :gsub("HOST", string.format("%d", number % 8 + 1))))"""


def processes_of(pid):
    """The process and all that came of it."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def processor_s(pids):
    """User and system time that the processes have used."""
    ticks = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            raise RuntimeError(f"process {pid} of a server has ended while it was asked") from None
        ticks += int(fields[11]) + int(fields[12])
    return ticks * TICK_S


def finer_processor_s(pids):
    """The same in nanoseconds' steps, but without threads that have ended."""
    spent = 0
    for pid in pids:
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                spent += int((thread / "schedstat").read_text().split()[0])
    return spent / 1e9


def has_work(pids):
    """Whether a thread waits for a processor or a disk, be it for long: the machine may be busy."""
    for pid in pids:
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):  # it may have ended meanwhile
                if (thread / "stat").read_text().rsplit(")", 1)[1].split()[0] in ("R", "D"):
                    return True
    return False


def memory_mb(pids):
    """Resident memory of the processes; what two of them share counts twice."""
    kilobytes = 0
    for pid in pids:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                kilobytes += int(line.split()[1])
    return kilobytes / 1024


def wait_until_quiet(pids, within_s=QUIET_WITHIN_S):
    """Waits until the processes have used no processor time for a while; when that began."""
    began = time.monotonic()
    end, before = began + within_s, processor_s(pids)
    while time.monotonic() < end:
        time.sleep(SAMPLE_S)
        now, used = time.monotonic(), processor_s(pids)
        # One tick may be what a server does for itself.
        if used - before > 1.5 * TICK_S or has_work(pids):
            began = now
        elif now - began > QUIET_S:
            break
        before = used
    return began


def lua_text(text):
    return "[==[" + text + "]==]"


def script_of(request, seconds):
    """wrk's script for one request, a dict with `body` and `headers`. Where NUMBER stands in the body, each
    is another one; HOST is one of eight then, so that no host is asked too often."""
    body, lines = request.get("body"), []
    if body is not None:
        lines += ['wrk.method = "POST"', "wrk.body = " + lua_text(body)]
    for name, value in request.get("headers", {}).items():
        lines.append(f"wrk.headers[ {lua_text(name)} ] = {lua_text(value)}")
    return "\n".join(lines) + SCRIPT % (seconds, ANOTHER if "NUMBER" in (body or "") else SAME)


def run(pid, url, script, connections, seconds):
    """One run of wrk, one thread, with a script of so many seconds; what came of it as a dict."""
    pids = processes_of(pid)
    wait_until_quiet(pids)
    before, began = processor_s(pids), time.monotonic()
    asking = subprocess.Popen(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds + ANSWERED_WITHIN_S}s", "--timeout",
         f"{ANSWERED_WITHIN_S}s", "--latency", "-s", script, url],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            asking.wait(seconds)
        ended = wait_until_quiet(pids, ANSWERED_WITHIN_S)
        used = processor_s(pids) - before
        asking.send_signal(signal.SIGINT)
        said, _ = asking.communicate(timeout=10)
    finally:
        asking.kill()
        asking.wait()
    told = [line.split()[1:] for line in said.splitlines() if line.startswith("told ")]
    if not told:
        raise RuntimeError("wrk: " + said.strip()[-300:])
    requests, refused, broken, p50_us, p99_us = map(int, told[0])
    return {"per_cpu_s": requests / used if used else 0.0, "per_s": requests / max(seconds, ended - began),
            "requests": requests, "cpu_s": used, "refused": refused, "broken": broken,
            "p50_ms": p50_us / 1e3, "p99_ms": p99_us / 1e3}
