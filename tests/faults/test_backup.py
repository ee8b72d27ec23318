"""Row 50: backups that are made while a server is at work and killed, and what is made of them."""

import json
import os
import random
import stat
import threading
import time

from faulty_server import Caller
from serving import run_freshet

ROUNDS = 3


class Load(threading.Thread):
    """Calls one after the other, whatever becomes of the server."""

    def __init__(self, caller, page):
        super().__init__(daemon=True)
        self.caller, self.page, self.over, self.answered = caller, page, threading.Event(), 0

    def run(self):
        while not self.over.is_set():
            try:
                got = self.caller.call("scrape/markdown", {"url": f"{self.page}?{self.answered}"})
                self.answered += got.status == 200
            except (OSError, AssertionError, AttributeError):
                time.sleep(0.05)  # it was killed


def test_row_50_backups_under_load_and_kills(rig, site, tmp_path):
    at = site()
    server = rig(at.allowed, "server.access_log=false", plan={"monthly_credits": 1_000_000})
    caller = server.caller()
    load = Load(caller, at.url + "/page")
    load.start()
    made, rng = [], random.Random(50)
    for number in range(ROUNDS):
        for part in range(3):
            file = tmp_path / f"backup-{number}-{part}"
            run = server.run("backup", file, "--json")
            assert run.returncode == 0, run.stderr
            made.append((file, json.loads(run.stdout)))
            time.sleep(rng.uniform(0, 0.3))
        server.process.kill()
        server.process.wait()
        # Of the book that it has left behind, too.
        file = tmp_path / f"backup-{number}-killed"
        run = server.run("backup", file, "--json")
        assert run.returncode == 0, run.stderr
        made.append((file, json.loads(run.stdout)))
        server = rig(at.allowed, "server.access_log=false", data_dir=server.data_dir,
                     plan={"monthly_credits": 1_000_000})
        load.caller = Caller(server, caller.key)
    load.over.set()
    load.join(30)
    assert load.answered > 20
    assert [told["rows"] for _, told in made] == sorted(told["rows"] for _, told in made)
    for number, (file, told) in enumerate(made):
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
        assert told["bytes"] == file.stat().st_size and told["seconds"] >= 0
        back = tmp_path / f"restored-{number}"
        run = run_freshet("restore", file, "--data", back, "--json")
        assert run.returncode == 0, run.stderr
        restored = json.loads(run.stdout)
        assert (restored["rows"], restored["head"]) == (told["rows"], told["head"])
        run = run_freshet("ledger", "verify", "--data", back, "--head", told["head"])
        assert run.returncode == 0 and told["head"] in run.stdout, run.stderr
        # The book that went on continues each of them, and none of them what came later.
        assert server.run("ledger", "verify", "--head", told["head"]).returncode == 0
        if told["rows"] < made[-1][1]["rows"]:
            older = run_freshet("ledger", "verify", "--data", back, "--head", made[-1][1]["head"])
            assert older.returncode == 1 and "the book is older than" in older.stdout
    server.stop()
    again = rig(at.allowed, data_dir=back)
    shown = Caller(again, caller.key).shown()
    assert 1_000_000 - shown["balance"] == made[-1][1]["rows"] - 1


def test_a_backup_is_refused_with_what_to_do(rig, tmp_path):
    server = rig()
    server.caller()
    file = tmp_path / "backup"
    assert server.run("backup", file).returncode == 0
    run = server.run("backup", file)
    assert run.returncode == 1 and "--force replaces it" in json.loads(run.stderr)["detail"]
    assert server.run("backup", file, "--force").returncode == 0
    run = server.run("restore", file)
    assert run.returncode == 1 and "another process holds" in json.loads(run.stderr)["detail"]
    nowhere = run_freshet("backup", tmp_path / "other", "--data", tmp_path / "absent")
    assert nowhere.returncode == 1 and "there is no book" in json.loads(nowhere.stderr)["detail"]
    run = server.run("backup", tmp_path / "absent" / "file")
    assert run.returncode == 1 and "absent" in json.loads(run.stderr)["detail"]


def test_the_copy_that_the_readme_once_taught_is_called_what_it_is(rig, tmp_path):
    """After kill -9 the rows are in the -wal: a copy without it once verified as sound with no row."""
    server = rig()
    caller = server.caller()
    assert caller.shown()["balance"] == 1000
    server.process.kill()
    server.process.wait()
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("freshet.db", "pepper"):
        (copy / name).write_bytes((server.data_dir / name).read_bytes())
    run = run_freshet("ledger", "verify", "--data", copy)
    assert run.returncode == 1 and "rows may be missing" in json.loads(run.stderr)["detail"]
    run = run_freshet("accounts", "list", "--data", copy)
    assert run.returncode == 1 and "rows may be missing" in json.loads(run.stderr)["detail"]
    (copy / "freshet.db-wal").write_bytes((server.data_dir / "freshet.db-wal").read_bytes())
    assert run_freshet("ledger", "verify", "--data", copy).returncode == 0
