"""Databases as others have set them up: with other settings, in other letters, behind a pooler."""

import os
import shutil
import subprocess
import tempfile

import pytest
from support import postgres
from support.ports import free_port
from support.reach import out_of_reach
from support.waiting import wait_until

# What the texts of statements and of answers mean depends on each of these.
OTHERWISE = ("array_nulls=off", "transform_null_equals=on", "standard_conforming_strings=off", "bytea_output=escape",
             "DateStyle=SQL, DMY", "TimeZone=Asia/Kathmandu", "IntervalStyle=iso_8601", "extra_float_digits=-15",
             "default_transaction_isolation=serializable", "quote_all_identifiers=on", "client_min_messages=debug1",
             "lock_timeout=50", "idle_session_timeout=1000")


@pytest.fixture(scope="module")
def database():
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    one = postgres.Postgres([*postgres.QUICK, *OTHERWISE])
    yield one
    one.close()


@pytest.fixture
def pooler(database):
    """pooler(mode) starts pgbouncer before the database and gives the address of an empty one through it."""
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
    if program is None:
        out_of_reach("pgbouncer is out of reach")
    folder, started = tempfile.mkdtemp(prefix="freshet-pooler-"), []
    if postgres.owner() is not None:
        os.chown(folder, postgres.owner(), -1)

    def start(mode):
        name, port = f"pooled_{mode}", free_port()
        database.sql(f"CREATE DATABASE {name}")
        users, settings = os.path.join(folder, "users"), os.path.join(folder, mode)
        with open(users, "w") as file:
            file.write('"freshet" ""\n')
        with open(settings, "w") as file:
            file.write(f"[databases]\n* = host=127.0.0.1 port={database.port}\n[pgbouncer]\nlisten_addr=127.0.0.1\n"
                       f"listen_port={port}\nunix_socket_dir=\nauth_type=trust\nauth_file={users}\npool_mode={mode}\n"
                       "default_pool_size=50\n")
        started.append(subprocess.Popen([program, "-q", settings], user=postgres.owner(), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL))
        url = f"postgresql://freshet@127.0.0.1:{port}/{name}"
        wait_until(lambda: subprocess.run(["psql", "-X", "-q", url, "-c", ""], capture_output=True).returncode == 0)
        return url

    yield start
    for one in started:
        one.terminate()
        one.wait(30)
    shutil.rmtree(folder)


def expect_charges(serve, pages, url):
    server = serve(f"storage.database={url}")
    server.run("accounts", "create", "a@example.org", f"--set=storage.database={url}")
    key = server.run("keys", "create", "a@example.org", f"--set=storage.database={url}")
    for _ in range(3):
        assert server.call("scrape/markdown", key, url=pages).status == 200
    assert server.call("account/usage", key).json["data"][0]["credits"] == 3
    assert server.call("account/ledger/verify", key).json["data"]["ok"]
    return server


def test_settings_of_others_change_no_meaning(serve, pages, database, tmp_path):
    database.sql("CREATE DATABASE book")
    url = database.url.replace("/postgres", "/book")
    server = expect_charges(serve, pages, url)
    assert server.stop() == 0
    database.sql("CREATE DATABASE moved")
    old = serve(data="file")
    old.account()
    assert old.stop() == 0
    assert "moved 1 row" in old.run("migrate", "--to", database.url.replace("/postgres", "/moved"))


def test_a_database_that_cannot_keep_every_text_is_refused(serve, database):
    database.sql("CREATE DATABASE western ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(RuntimeError, match="ENCODING 'UTF8' TEMPLATE template0"):
        serve("storage.database=" + database.url.replace("/postgres", "/western"))


def test_a_pooler_that_keeps_sessions_is_a_server_like_any(serve, pages, pooler):
    expect_charges(serve, pages, pooler("session"))


@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_pooler_that_keeps_no_sessions_is_refused(serve, pooler, mode):
    with pytest.raises(RuntimeError, match="pool_mode = session"):
        serve(f"storage.database={pooler(mode)}")
