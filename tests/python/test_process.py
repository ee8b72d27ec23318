"""The package in a process: Ctrl-C, fork, threads, the end of the interpreter, `python -m freshet`."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from support.reach import out_of_reach
from described import LOOPBACK, SANDBOX

import freshet

TIMEOUT_S = 60


def run(environment, *words, **more):
    return subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, timeout=TIMEOUT_S, **more
    )


def interrupt_when_it_waits(program, upstream, environment):
    """Runs a program that calls `upstream`, and sends it Ctrl-C when the call has arrived there.
    The program reads a line before it ends: the call must be gone by then."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, upstream.url], env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert upstream.came.wait(TIMEOUT_S)
        process.send_signal(signal.SIGINT)
        assert upstream.gone.wait(TIMEOUT_S), "the call was not cancelled"
        out, err = process.communicate("\n", timeout=TIMEOUT_S)
    finally:
        process.kill()
    assert process.returncode == 0, err
    return out


def test_ctrl_c_cancels_a_blocking_call(silent_upstream, environment):
    program = """
import sys, freshet
client = freshet.Freshet(config={"scrape.allow_private": ["127.0.0.0/8"]})
try:
    client.scrape.markdown(sys.argv[1], respect_robots=False)
except KeyboardInterrupt:
    print("interrupted")
input()
try:
    client.microblog.search("")  # the client goes on
except freshet.InvalidRequest as error:
    print(error.code)
"""
    said = interrupt_when_it_waits(program, silent_upstream, environment)
    assert said == "interrupted\ninvalid_request\n"


def test_ctrl_c_cancels_an_awaited_call(silent_upstream, environment):
    program = """
import asyncio, sys, freshet
async def main():
    async with freshet.AsyncFreshet(config={"scrape.allow_private": ["127.0.0.0/8"]}) as client:
        try:
            await client.scrape.markdown(sys.argv[1], respect_robots=False)
        except asyncio.CancelledError:
            print("cancelled")
            input()
            raise
try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
"""
    if sys.version_info < (3, 11):
        out_of_reach("before 3.11, asyncio.run does not cancel its task at Ctrl-C")
    assert (
        interrupt_when_it_waits(program, silent_upstream, environment) == "cancelled\ninterrupted\n"
    )


def test_a_closing_client_ends_calls_of_other_threads(silent_upstream):
    client = freshet.Freshet(config=LOOPBACK)
    raised = []

    def call():
        try:
            client.scrape.markdown(silent_upstream.url, respect_robots=False)
        except freshet.FreshetError as error:
            raised.append(type(error))

    thread = threading.Thread(target=call)
    thread.start()
    assert silent_upstream.came.wait(TIMEOUT_S)
    client.close()
    thread.join(TIMEOUT_S)
    assert raised == [freshet.Cancelled]


def test_other_threads_run_while_a_call_waits(silent_upstream):
    with freshet.Freshet(config=LOOPBACK) as client:
        thread = threading.Thread(
            target=lambda: pytest.raises(
                freshet.Cancelled, client.scrape.markdown, silent_upstream.url, respect_robots=False
            )
        )
        thread.start()
        assert silent_upstream.came.wait(TIMEOUT_S)
        # The call holds no lock of the interpreter: this thread counts, and makes a call, too.
        assert sum(range(100_000)) > 0
        with pytest.raises(freshet.InvalidRequest):
            client.microblog.search("")
        assert thread.is_alive()
        client.close()
        thread.join(TIMEOUT_S)
        assert not thread.is_alive()


def in_a_fork(body):
    """What `body` returns in a forked child, by a pipe."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = body()
        except BaseException as error:  # noqa: BLE001 - told to the parent
            text = f"{type(error).__name__}: {error}"
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    deadline = time.monotonic() + TIMEOUT_S
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.01)
    with os.fdopen(read, "rb") as out:
        return out.read().decode()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_after_fork_the_child_is_told_and_may_open_another():
    client = freshet.Freshet(config=SANDBOX)
    client.microblog.search("climate")

    def body():
        try:
            client.microblog.search("climate")
        except RuntimeError as error:
            refused = str(error)
        client.close()  # must not wait for threads that are not there
        with freshet.Freshet(config=SANDBOX) as another:
            return f"{refused} / {len(another.microblog.search('climate', limit=2))}"

    told = in_a_fork(body)
    assert told.startswith(f"this client was opened in process {os.getpid()}, before fork()"), told
    assert "Open another client here" in told and told.endswith("/ 2")
    assert len(client.microblog.search("climate", limit=2)) == 2  # the parent goes on
    client.close()


@pytest.mark.parametrize("ending", ["", "client.close()", "del client", "sys.exit(0)"])
def test_the_interpreter_ends_cleanly(environment, ending):
    program = f"""
import sys, threading, freshet
client = freshet.Freshet(config={{"network.sandbox": True}})
client.microblog.search("climate")
{ending}
"""
    done = run(environment, "-c", program)
    assert (done.returncode, done.stderr) == (0, b"")


def module(environment, *words, **more):
    return run(environment, "-m", "freshet", *words, **more)


@pytest.mark.parametrize(
    "words",
    [
        ["q=tide gauge", "limit=2", "fields=text,url"],
        ['{"q": "tide gauge", "limit": 2, "fields": ["text", "url"]}'],
    ],
)
def test_the_module_makes_a_call(environment, words):
    done = module(environment, "microblog/search", *words, "--set", "network.sandbox=true")
    assert (done.returncode, done.stderr) == (0, b"")
    envelope = json.loads(done.stdout)
    assert len(envelope["data"]) == 2
    assert list(envelope["data"][0]) == ["object", "id", "url", "text"]


def test_the_module_reads_standard_input(environment):
    done = module(
        environment, "microblog/search", "-", "--set", "network.sandbox=true",
        input=b'{"q": "tide gauge", "limit": 1}',
    )  # fmt: skip
    assert done.returncode == 0 and len(json.loads(done.stdout)["data"]) == 1


def test_the_module_calls_a_server(environment, server, test_key):
    words = ["scrape/markdown", "url=https://example.com/tide-gauges", "images=false"]
    done = module(environment, *words, "--server", server.url, "--key", test_key)
    assert done.returncode == 0 and json.loads(done.stdout)["data"]["markdown"]
    by_name = {**environment, "FRESHET_API_KEY": test_key}
    assert module(by_name, *words, "--server", server.url).returncode == 0
    there = {**by_name, "FRESHET_URL": server.url}
    assert json.loads(module(there, *words).stdout)["meta"]["credits"]["used"] == 0
    own = module(there, "scrape/markdown", "url=https://example.com/", "--set", "scrape.obey_robots=maybe")
    assert own.returncode != 0 and b"scrape.obey_robots" in own.stderr
    refused = module(environment, *words, "--server", server.url)
    assert refused.returncode == 1 and refused.stdout == b""
    assert json.loads(refused.stderr)["code"] == "missing_api_key"


def test_the_module_fails_with_the_problem_document(environment):
    done = module(environment, "microblog/search", "q=x", "sinse=7d")
    assert done.returncode == 1 and done.stdout == b""
    assert json.loads(done.stderr)["errors"][0]["pointer"] == "/sinse"
    unknown = module(environment, "microblog/serach", "q=x")
    assert unknown.returncode == 1
    assert json.loads(unknown.stderr)["code"] == "unknown_endpoint"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["microblog/search", "climate"],
        ["microblog/search", "[1]"],
        ["microblog/search", "{"],
        ["microblog/search", "q=x", "--nonsense"],
        ["microblog/search", "q=x", "--set", "a.b"],
        ["microblog/search", "q=x", "--set", "a.b=c", "--server", "http://127.0.0.1:1"],
    ],
)
def test_the_module_refuses_wrong_usage(environment, words):
    done = module(environment, *words)
    assert done.returncode == 2 and done.stdout == b""
    assert b"usage: python -m freshet" in done.stderr


def test_the_module_shows_what_an_endpoint_takes(environment):
    shown = module(environment, "news/search", "--help")
    assert shown.returncode == 0 and b"since" in shown.stdout and b"Price: 1 credit" in shown.stdout
    every = module(environment, "--help")
    assert every.returncode == 0 and b"account/keys/revoke" in every.stdout
