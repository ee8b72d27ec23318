"""All at once and for long: sources that are slow, cut or out of order, clients that leave, a full
disk, syncs that fail, a clock that is set, and kill -9. Each answered call is charged once, and nothing
else is. FRESHET_SOAK_S says for how long; a failure names its seed."""

import json
import os
import random
import threading
import time

import pytest
from faulty_server import Caller
from loopback_site import PAGE, answer, reset
from serving import post_bytes

CALLERS = 6
CLOCK_STEPS_S = (0, 0, 90_000, -90_000, 3600, -3600, 60, -60)


def steps_in_this_month():
    """Another month has a grant of its own, which this does not count."""
    now = time.time()
    return [step for step in CLOCK_STEPS_S
            if len({time.gmtime(now + at)[:2] for at in (0, step, step + 7200)}) == 1]


def pages_of(rng, over):
    """Each path fails now and then in its own way, and is well otherwise; all are once it is over: a
    host of which each probe fails is suspended for longer and longer."""
    well = answer(PAGE, "Content-Type: text/html", "Cache-Control: no-store")

    def slow(to):
        time.sleep(rng.uniform(0.1, 3))
        to.sendall(well)

    def cut(to):
        to.sendall(well[:-50] if rng.random() < 0.5 else well)

    def busy(to):
        refusal = answer(b"", "Retry-After: 1", status="429 Too Many Requests")
        to.sendall(refusal if rng.random() < 0.3 else well)

    def broken(to):
        reset(to) if rng.random() < 0.5 else to.sendall(well)

    def never(to):
        to.sendall(answer(b"", status="500 Internal Server Error"))

    def until_over(page):
        return lambda to: to.sendall(well) if over.is_set() else page(to)

    return {"/well": lambda to: to.sendall(well), "/slow": slow, "/cut": until_over(cut),
            "/busy": until_over(busy), "/broken": until_over(broken), "/never": until_over(never)}


class Repeater(threading.Thread):
    """Repeats each call under one idempotency key until it is answered for good; now and then it leaves
    before that."""

    def __init__(self, name, soak, seed):
        super().__init__(daemon=True)
        self.prefix, self.soak, self.rng = name, soak, random.Random(seed)
        self.charged, self.failed, self.broken_off, self.problem = [], [], 0, None
        self.last = None  # what came of the latest attempt, for whoever asks why there is no end

    def run(self):
        try:
            while not self.soak.over.is_set():
                self.call(f"{self.prefix}-{len(self.charged) + len(self.failed)}")
        except Exception as problem:  # noqa: BLE001 - told at the end
            self.problem = repr(problem)

    def call(self, name):
        path = self.rng.choice(list(self.soak.paths))
        sent = post_bytes("/v1/scrape/markdown",
                          {"url": f"{self.soak.url}{path}?{name}", "timeout_ms": 4000}, self.soak.key,
                          f"X-Request-Id: {name}", f"Idempotency-Key: {name}")
        tries = 0
        while True:
            tries += 1
            got = self.attempt(sent, leaves=tries < 5 and self.rng.random() < 0.2)
            self.last = (name, path, tries, got and (got.status, got.body))
            if got is None:
                self.broken_off += 1
                time.sleep(0.02)
            elif got.status == 200:
                assert got.json()["data"]["url"].endswith(name), got.body
                return self.charged.append(name)
            elif path == "/never" and got.status == 502:
                return self.failed.append(name)
            else:
                assert got.json()["retryable"], got.body
                time.sleep(0.05)

    def attempt(self, sent, leaves):
        try:
            wire = self.soak.server.wire(timeout=15)
        except OSError:
            return None
        try:
            wire.send(sent)
            if not leaves:
                return wire.read()
            time.sleep(self.rng.uniform(0, 0.2))
            return None
        except (OSError, AssertionError, ValueError):
            return None  # the server has died over it; who asks at its port then may meet themselves
        finally:
            wire.socket.close()


class Soak:
    def __init__(self, rig, faults, site, seed):
        self.rig, self.faults, self.rng = rig, faults, random.Random(seed)
        at = site()
        self.over = threading.Event()
        at.pages = self.paths = pages_of(random.Random(seed + 1), self.over)
        self.url, self.allowed = at.url, at.allowed
        self.data, self.happened = None, {}
        self.server = self.start()
        self.key = self.server.caller().key

    def start(self):
        server = self.rig(self.allowed, "server.access_log=false", "scrape.respect_robots=false",
                          data_dir=self.data, plan={"monthly_credits": 10_000_000})
        self.data = server.data_dir
        return server

    def kill(self):
        self.server.process.kill()
        self.server.process.wait()
        self.server = self.start()

    def disk_is_full(self):
        self.faults.switch_on("full")
        time.sleep(self.rng.uniform(0.1, 1))
        self.faults.switch_off("full")

    def sync_fails(self):
        self.faults.switch_on("failing_sync")
        try:
            assert self.server.wait() == 1  # nothing is certain but what is on the disk
        finally:
            self.faults.switch_off("failing_sync")
        self.server = self.start()

    def clock_is_set(self):
        self.faults.switch_on("clock", str(self.rng.choice(steps_in_this_month())).encode())

    def go_on_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(self.rng.uniform(0.3, 3))
            what = self.rng.choice([self.kill, self.disk_is_full, self.sync_fails, self.clock_is_set])
            self.happened[what.__name__] = self.happened.get(what.__name__, 0) + 1
            what()


def mixed_load(rig, faults, site, seconds, seed):
    soak = Soak(rig, faults, site, seed)
    callers = [Repeater(f"caller{n}", soak, seed + 10 + n) for n in range(CALLERS)]
    for one in callers:
        one.start()
    soak.go_on_for(seconds)
    soak.over.set()
    for one in callers:
        one.join(120)
        assert one.problem is None, (seed, one.problem)
        assert not one.is_alive(), (seed, one.last)
    charged = sorted(name for one in callers for name in one.charged)
    entries = ledger_of(Caller(soak.server, soak.key))
    assert sorted(row["request_id"] for row in entries) == charged, seed
    assert {row["amount"] for row in entries} <= {-1}
    shown = Caller(soak.server, soak.key).shown()
    assert (shown["balance"], shown["reserved"]) == (10_000_000 - len(charged), 0), seed
    report = json.loads(soak.server.run("ledger", "verify", "--json").stdout)
    assert report["ok"] and report["findings"] == [], (seed, report)
    print(f"{len(charged)} charged, {sum(len(one.failed) for one in callers)} failed, "
          f"{sum(one.broken_off for one in callers)} broken off; {soak.happened}")


def ledger_of(caller):
    rows, parameters = [], {"kind": "usage", "limit": 100}
    while True:
        page = caller.call("account/ledger", parameters).json()
        rows += page["data"]
        if not page["page"]["has_more"]:
            return rows
        parameters["cursor"] = page["page"]["next_cursor"]


def test_mixed_load_with_faults(rig, faults, site):
    mixed_load(rig, faults, site, 12, 20261122)


@pytest.mark.long
def test_mixed_load_with_faults_for_long(rig, faults, site):
    mixed_load(rig, faults, site, float(os.environ.get("FRESHET_SOAK_S", 1800)),
               random.SystemRandom().randrange(1 << 32))
