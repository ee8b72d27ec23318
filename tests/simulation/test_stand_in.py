"""The database of the simulation is a stand-in (statements.cpp): what it was asked in random seeds, by servers that are
killed, paused, cut off and mistaken in the time, PostgreSQL is asked in the same order by as many sessions. Rows,
errors, what others are told of, and who waits for whose lock must be the same."""

import os
import re
import subprocess

import pytest
from support import postgres
from support.freshet import program
from support.libpq import Session
from support.reach import BUILD, is_set, out_of_reach
from support.waiting import wait_until

SEEDS, EVENTS = (200, 1_000_000) if is_set("FRESHET_ALL") else (4, 2_000)
# Time is the recording's, in every statement, also where PostgreSQL asks for it.
CLOCK = """CREATE TABLE simulated (at timestamptz NOT NULL);
INSERT INTO simulated VALUES (to_timestamp(0));
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT at FROM public.simulated';"""
FIRST_DAY = 1793491200
# Their answers are not compared: a place in PostgreSQL's log that nobody reads, and a process's number.
UNREAD = ("SELECT pg_logical_emit_message", "UPDATE state SET probes", "SELECT pg_backend_pid()")
TIMEOUTS = re.compile(r"(SET (?:LOCAL )?(?:statement|idle_in_transaction_session)_timeout)=\d+")


def bytes_of(word):
    return None if word == "-" else bytes.fromhex(word[1:])


class Recording:
    """Its lines as lists of words; answers are one each."""

    def __init__(self, path):
        self.events = []
        lines = iter(path.read_text().splitlines())
        for line in lines:
            words = line.split(" ")
            if words[0] == "answer":
                results = []
                while (line := next(lines)) != f"answered {words[1]}":
                    kind, *rest = line.split(" ")
                    if kind == "result":
                        results.append((bytes_of(rest[0]).decode(), []))
                    else:
                        results[-1][1].append([bytes_of(one) for one in rest])
                words = ["answer", words[1], results]
            self.events.append(words)


class Replay:
    def __init__(self, url, events):
        self.url, self.events, self.sessions, self.asked = url, events, {}, {}
        self.control, self.listener = Session(url), Session(url)
        self.listener.ask("LISTEN \"freshet public\"")
        self.expected_notices, self.compared = [], {}
        self.waiter = None
        # For each event what is next of its session, and who is let go of next.
        next_of, turn, self.behind, self.turns = {}, None, [], []
        for what, pid, *_ in reversed(events):
            self.behind.append(next_of.get(pid))
            self.turns.append(turn)
            next_of[pid] = what
            turn = pid if what == "let_go" else turn
        self.behind.reverse()
        self.turns.reverse()

    def one(self, text):
        return self.control.ask(text)[0].rows

    def run(self):
        for self.place, (what, pid, *more) in enumerate(self.events):
            getattr(self, what)(pid, *more)
        wait_until(lambda: self.hear() >= len(self.expected_notices))
        assert self.heard == self.expected_notices
        for one in [*self.sessions.values(), self.control, self.listener]:
            one.close()

    heard = ()

    def hear(self):
        self.heard = [*self.heard, *self.listener.notices()]
        return len(self.heard)

    def told(self, text):
        self.expected_notices.append(bytes_of(text).decode())

    def open(self, pid):
        self.sessions[pid] = Session(self.url)

    def is_next(self, what):
        """Whether that is what comes next of this event's session."""
        return self.behind[self.place] == what

    def ask(self, pid, at, how, text, *values):
        text = TIMEOUTS.sub(r"\1=0", bytes_of(text).decode())
        if "clock_timestamp" in text:
            self.control.ask(f"UPDATE simulated SET at=to_timestamp({FIRST_DAY + int(at) / 1000:.3f})")
        self.asked[pid] = (text, how == "run", [None if one == "-" else (bytes_of(one), one[0] == "b") for one in values])
        if not self.is_next("blocked"):
            self.send(pid)
            if self.is_next("answer"):
                self.expect_answer(pid)

    def send(self, pid):
        text, is_one, values = self.asked[pid]
        if is_one:
            self.sessions[pid].send_with(text, values)
        else:
            self.sessions[pid].send(text)

    def blocked(self, pid):
        """Others hold the lock, and who is let go of first waits for it. The others ask when it is their turn: PostgreSQL
        promises no order."""
        states = [one.state for one in self.control.ask("SELECT 1 FROM state FOR UPDATE NOWAIT")]
        assert states == ["55P03"], f"nobody blocks {self.asked[pid][0]}"
        if self.waiter is None and self.turns[self.place] == pid and self.is_next("let_go"):
            self.waiter = pid
            self.send(pid)
            wait_until(lambda: self.is_waiting(pid))

    def let_go(self, pid):
        if self.waiter == pid:
            self.waiter = None
        else:
            assert self.waiter is None, "another one's turn"
            self.send(pid)
        if self.is_next("answer"):
            self.expect_answer(pid)

    def is_waiting(self, pid):
        session = self.sessions[pid]
        return (not session.is_answered(0)
                and self.one(f"SELECT 1 WHERE cardinality(pg_blocking_pids({session.pid})) > 0") != [])

    def expect_answer(self, pid):
        """Of one that nobody holds up."""
        wait_until(lambda: self.sessions[pid].is_answered(0.05) or self.is_waiting(pid))
        assert self.sessions[pid].is_answered(0), f"who blocks {self.asked[pid][0]}?"

    def answer(self, pid, expected):
        text, is_one, _ = self.asked.pop(pid)
        if expected and expected[-1][0] == "57014":  # it has waited for too long
            assert self.waiter != pid
            self.sessions[pid].ask("; ".join([*text.split("; ")[:-1], "SELECT 1/0"]))  # it fails, whatever by
            return
        told = self.sessions[pid].results()
        statements = [text] if is_one or text.startswith("DO ") else text.split("; ")
        assert [one.state[:2] for one in told] == [state[:2] for state, _ in expected], (text, [one.state for one in told])
        for statement, result, (_, rows) in zip(statements, told, expected):
            begin = statement[:60]
            self.compared[begin] = self.compared.get(begin, 0) + 1
            if not statement.startswith(UNREAD):
                expect_rows(statement, result.rows, rows)

    def end(self, pid):
        session = self.sessions.pop(pid)
        self.waiter = None if self.waiter == pid else self.waiter
        self.asked.pop(pid, None)
        self.control.ask(f"SELECT pg_terminate_backend({session.pid})")
        wait_until(lambda: self.one(f"SELECT 1 FROM pg_stat_activity WHERE pid={session.pid}") == [])
        session.close()


def expect_rows(statement, told, expected):
    assert len(told) == len(expected), (statement, told, expected)
    for row, wanted in zip(told, expected):
        assert len(row) == len(wanted), (statement, row, wanted)
        read = [int.from_bytes(of, "big", signed=True) if isinstance(one, int) and of is not None else of
                for one, of in zip(row, wanted)]
        assert row == read, (statement, row, read)


@pytest.fixture(scope="module")
def database():
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    one = postgres.Postgres()
    yield one
    one.close()


@pytest.fixture(scope="module")
def empty(database, tmp_path_factory):
    """A database with the tables of the program, and nobody in it."""
    database.sql("CREATE DATABASE empty")
    url = database.url.replace("/postgres", "/empty")
    subprocess.run([program(), "accounts", "list", "--data", tmp_path_factory.mktemp("data"), "--set",
                    f"storage.database={url}"], check=True, capture_output=True)
    one = Session(url)
    for text in ("TRUNCATE nodes, heartbeats, leases, secrets, ledger_head RESTART IDENTITY CASCADE",
                 "UPDATE state SET running_ms=0", *CLOCK.split(";\n"),
                 "ALTER DATABASE empty SET search_path = public, pg_catalog"):
        assert [each.state for each in one.ask(text)] == [""], text
    one.close()
    return url


def test_postgresql_answers_as_the_stand_in_does(database, empty, tmp_path):
    tool = BUILD / "tests/test_simulation"
    if not tool.exists():
        out_of_reach("test_simulation is not built")
    compared = {}
    seeds = os.environ.get("FRESHET_SEED", "")
    for seed in [int(seeds)] if seeds else range(1, SEEDS + 1):
        record = tmp_path / "record"
        subprocess.run([tool, "[.record]"], check=True, capture_output=True,
                       env={**os.environ, "FRESHET_SEED": str(seed), "FRESHET_RECORD": str(record)})
        name = f"seed{seed}"
        database.sql(f"CREATE DATABASE {name} TEMPLATE empty")
        database.sql(f"ALTER DATABASE {name} SET search_path = public, pg_catalog")
        replay = Replay(empty.replace("/empty", f"/{name}"), Recording(record).events[:EVENTS])
        try:
            replay.run()
        except AssertionError as wrong:
            raise AssertionError(f"seed {seed}, event {replay.place}: {replay.events[replay.place]}") from wrong
        for begin, count in replay.compared.items():
            compared[begin] = compared.get(begin, 0) + count
        database.sql(f"DROP DATABASE {name} WITH (FORCE)")
    print(f"{sum(compared.values())} statements, {len(compared)} kinds")
