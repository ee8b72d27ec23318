"""Rows 2, 3, 4 and 48: what a disk does to a server, and what a server finds when it starts."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import threading

import pytest
from faulty_server import Caller
from serving import Server, post_bytes, run_freshet
from support.waiting import wait_until

SYNCED = ("freshet.db", "freshet.db-wal")
SECTOR = 512


class Asker(threading.Thread):
    """Calls one after the other, and what was answered by then."""

    def __init__(self, caller, page, name):
        super().__init__()
        self.caller, self.page, self.prefix = caller, page, name
        self.answered, self.begun = [], 0

    def run(self):
        try:
            while True:
                name = f"{self.prefix}-{self.begun}"
                self.begun += 1
                answer = self.caller.call("scrape/markdown", {"url": f"{self.page}?{name}"},
                                          f"X-Request-Id: {name}")
                assert answer.status == 200, answer.body
                self.answered.append(name)
        except (OSError, AssertionError, AttributeError):
            pass  # the power is gone


def torn(kept, live, rng):
    """What may be found: of everything that was written since the last sync any sectors, or none."""
    size = rng.choice((len(kept), len(live), rng.randint(*sorted((len(kept), len(live))))))
    found = bytearray(kept[:size].ljust(size, b"\0"))
    for at in range(0, size, SECTOR):
        if rng.random() < 0.5 and at < len(live):
            new = live[at:min(at + SECTOR, size)]
            found[at:at + len(new)] = new
    return bytes(found)


def lose_power(rig, faults, site, to, seed, copies_wanted=2):
    """A server under load, stopped at a random moment; what its disk has synced, and some of the rest,
    in `to`. Gives the names of the calls that were answered."""
    (faults.folder / "kept").mkdir(exist_ok=True)
    server = rig(site.allowed, "server.access_log=false")
    caller = server.caller()
    askers = [Asker(caller, site.url + "/page", f"asker{n}") for n in range(4)]
    for asker in askers:
        asker.start()
    rng = random.Random(seed)
    least = rng.randint(5, 60)
    wait_until(lambda: sum(len(asker.answered) for asker in askers) >= least)
    server.signal(19)  # SIGSTOP: nobody writes while this is read
    wait_until(lambda: open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1][1] == "T")
    answered = [name for asker in askers for name in asker.answered]
    begun = sum(asker.begun for asker in askers)
    copies = []
    for number in range(copies_wanted):
        copy = to / f"copy{number}"
        copy.mkdir()
        # It is written aside, synced and renamed: under that name it was kept.
        shutil.copy(next((faults.folder / "kept").glob("pepper.new")), copy / "pepper")
        for name in SYNCED:
            kept = faults.folder / "kept" / name
            live = server.data_dir / name
            before = kept.read_bytes() if kept.exists() else b""
            (copy / name).write_bytes(before if number == 0 else torn(before, live.read_bytes(), rng))
        copies.append(copy)
    server.process.kill()
    server.process.wait()
    for asker in askers:
        asker.join()
    return copies, answered, begun, caller.key


def look_at(copies, answered, begun, key):
    for copy in copies:
        report = run_freshet("ledger", "verify", "--json", "--data", copy)
        assert report.returncode == 0, (copy.name, report.stdout, report.stderr)
        assert json.loads(report.stdout)["ok"] is True
        book = sqlite3.connect(f"file:{copy / 'freshet.db'}?mode=ro", uri=True)
        assert book.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        book.close()
        again = Server(copy)
        try:
            shown = again.post("/v1/account/show", {}, key).json()["data"]
            spent = 1000 - shown["balance"]
            assert len(answered) <= spent <= begun and shown["reserved"] == 0, copy.name
        finally:
            again.stop()


def test_row_02_power_loss(rig, faults, site, tmp_path):
    found = lose_power(rig, faults, site(), tmp_path, 2)
    look_at(*found)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_row_02_power_loss_often(rig, faults, site, tmp_path, seed):
    look_at(*lose_power(rig, faults, site(), tmp_path, 100 + seed, 8))


def test_row_03_disk_full(rig, faults, site):
    at = site()
    server = rig(at.allowed)
    caller = server.caller()
    page = {"url": at.url + "/page"}
    assert caller.call("scrape/markdown", page).status == 200
    faults.switch_on("full")
    for n in range(20):
        refused = caller.call("scrape/markdown", {"url": f"{at.url}/page?{n}"})
        assert refused.status == 503, refused.body
        assert refused.json()["code"] == "storage_unavailable"
        assert refused.field("X-Service-Credits-Used") == "0"
        assert int(refused.field("Retry-After")) >= 1 and refused.json()["retry_after_s"] >= 1
    assert faults.noted("refused"), "the disk was never asked"
    assert server.get("/healthz").status == 200
    faults.switch_off("full")
    # How long it takes to look again is the server's; that it does is what counts.
    wait_until(lambda: caller.call("scrape/markdown", page).status == 200)
    charged = 1000 - caller.shown()["balance"]
    assert charged == len(caller.charges())
    assert caller.shown()["reserved"] == 0
    server.stop()
    assert server.run("ledger", "verify").returncode == 0


def killed_after(calls, rig, at):
    """A server that was killed after so many charged calls, and who made them."""
    server = rig(at.allowed)
    caller = server.caller()
    for n in range(calls):
        assert caller.call("scrape/markdown", {"url": f"{at.url}/page?{n}"}).status == 200
    server.process.kill()
    server.process.wait()
    return server, caller


def test_row_03_a_start_that_finds_no_room(rig, site):
    """It leaves what a killed process has left, for the one that has room."""
    at = site()
    server, caller = killed_after(20, rig, at)
    room = (server.data_dir / "freshet.db-wal").stat().st_size // 512  # the units of dash
    started = subprocess.run(["sh", "-c", f'ulimit -f {room} && exec "$@"', "sh", os.environ["FRESHET_BIN"],
                              "serve", "--listen", "127.0.0.1:0", "--data", server.data_dir],
                             capture_output=True, text=True)
    assert started.returncode == 1 and json.loads(started.stderr)["code"] == "storage_unavailable"
    again = rig(at.allowed, data_dir=server.data_dir)
    assert Caller(again, caller.key).shown()["balance"] == 980
    again.stop()
    assert again.run("ledger", "verify").returncode == 0


def test_row_04_a_sync_that_fails(rig, faults, site):
    at = site()
    server = rig(at.allowed)
    caller = server.caller()
    assert caller.call("scrape/markdown", {"url": at.url + "/page"}).status == 200
    faults.switch_on("failing_sync")
    # What a second sync would say of the first one's pages is not to be believed: none is tried, and
    # nobody is answered.
    with server.wire() as wire:
        wire.send(post_bytes("/v1/scrape/markdown", {"url": at.url + "/page?1"}, caller.key))
        assert wire.read() is None
    assert server.wait() == 1
    assert len(faults.noted("failed_syncs")) == 1
    (line,) = [json.loads(one) for one in server.log_text().splitlines() if '"error"' in one]
    assert "the accounts cannot be stored" in line["message"] and "check the disk" in line["message"]
    faults.switch_off("failing_sync")
    again = rig(at.allowed, data_dir=server.data_dir)
    later = Caller(again, caller.key)
    assert later.call("scrape/markdown", {"url": at.url + "/page?2"}).status == 200
    shown = later.shown()
    # The call that was not answered may be in the book or not, as the disk has it: no other may.
    assert 1000 - shown["balance"] in (2, 3) and shown["reserved"] == 0
    assert again.run("ledger", "verify").returncode == 0


def test_row_04_a_file_that_may_not_grow(rig, site):
    """A limit of file sizes is an error like a full disk: SIGXFSZ ends nobody."""
    at = site()
    server = rig(at.allowed, "server.access_log=false", limit_file_kb=600)
    caller = server.caller()
    refused = None
    for n in range(3000):
        answer = caller.call("scrape/markdown", {"url": f"{at.url}/page?{n}"})
        if answer.status != 200:
            refused = answer
            break
    assert refused is not None, "the file never reached its limit"
    assert refused.json()["code"] == "storage_unavailable" and refused.field("Retry-After")
    assert refused.field("X-Service-Credits-Used") == "0"
    assert server.get("/healthz").status == 200 and server.process.poll() is None
    assert len(caller.charges()) == min(n, 100)
    server.stop()
    again = rig(at.allowed, data_dir=server.data_dir)
    assert Caller(again, caller.key).shown()["balance"] == 1000 - n
    assert again.run("ledger", "verify").returncode == 0


def test_row_48_poison_at_the_start(rig, site):
    at = site()
    server, caller = killed_after(5, rig, at)
    with open(server.data_dir / "freshet.db-wal", "ab") as journal:
        journal.write(random.Random(48).randbytes(10_000))  # a tail that no commit has written
    (server.data_dir / "admin.sock").unlink()
    (server.data_dir / "admin.sock").write_bytes(b"no socket")
    (server.data_dir / "quotas").write_bytes(b"\xff\0not a line\n" * 100)
    again = rig(at.allowed, data_dir=server.data_dir)
    later = Caller(again, caller.key)
    assert later.shown()["balance"] == 995
    assert later.call("scrape/markdown", {"url": at.url + "/page"}).status == 200
    again.stop()
    assert again.run("ledger", "verify").returncode == 0
