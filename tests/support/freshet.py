"""The program under test: a running server, its accounts and keys, and calls over HTTP."""

import functools
import json
import os
import pathlib
import signal
import subprocess
import threading
import urllib.error
import urllib.request


def program():
    """The built program, as tests/run names it."""
    return os.environ.get("FRESHET_BIN", "")


@functools.cache
def endpoint_count():
    """How many endpoints the program describes: each has a tool, too."""
    told = subprocess.run([program(), "openapi"], capture_output=True, text=True, check=True)
    return len(json.loads(told.stdout)["paths"])


def schema_problems(description, endpoint, answer):
    """What is wrong with an answer by /openapi.json; nothing where jsonschema is out of reach."""
    try:
        import jsonschema
    except ImportError:
        return []
    operation = description["paths"]["/v1/" + endpoint]["post"]
    code = None if answer.status == 200 else answer.json["code"]
    owners = [name for name, one in description["paths"].items() if code in one["post"]["x-errors"]]
    if owners and "/v1/" + endpoint not in owners:
        return [f"{endpoint} answered {code}, which its x-errors leave out"]
    responses = operation["responses"]
    response = responses[str(answer.status)]
    if "$ref" in response:
        response = description["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    # Of what a list can be answered as, what was not asked to be streamed.
    content = next(media for name, media in response["content"].items() if name.endswith("json"))
    schema = {**content["schema"], "components": description["components"]}
    validator = jsonschema.Draft202012Validator(schema)
    return [error.message[:300] for error in validator.iter_errors(answer.json)]


class Answer:
    """One HTTP answer."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)


class Freshet:
    """`freshet serve` on a free port of loopback, ended by its process id."""

    def __init__(self, data, *settings, listen="127.0.0.1:0", environment=None):
        self.data = pathlib.Path(data)
        self.log_path = self.data.parent / (self.data.name + ".log")
        command = [program(), "serve", "--listen", listen, "--data", str(self.data)]
        for setting in settings:
            command += ["--set", setting]
        self.log = open(self.log_path, "ab")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment
        )
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.process.wait(5)
            raise RuntimeError("no server: " + self.log_path.read_text())
        self.url = line.split()[2]
        self.description, self.describing = None, threading.Lock()

    def run(self, *arguments):
        """A command of the program on this server's data."""
        done = subprocess.run(
            [program(), *arguments, "--data", str(self.data)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def account(self, email="someone@example.org"):
        self.run("accounts", "create", email)
        return email

    def key(self, email, *options):
        return self.run("keys", "create", email, *options)

    def request(self, method, path, body=None, key=None, headers=(), timeout=60):
        request = urllib.request.Request(self.url + path, method=method)
        if key:
            request.add_header("Authorization", "Bearer " + key)
        for name, value in dict(headers).items():
            request.add_header(name, value)
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, data=data, timeout=timeout) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refused:
            return Answer(refused.code, refused.headers, refused.read())

    def call(self, endpoint, key, /, headers=(), **parameters):
        """One call; every answer is held to the description that the server gives of itself."""
        answer = self.request("POST", "/v1/" + endpoint, parameters, key, headers)
        with self.describing:  # once, whatever calls at the same time
            if self.description is None:
                self.description = self.request("GET", "/openapi.json").json
        if "fields" not in parameters:  # a masked answer leaves keys out by wish
            assert schema_problems(self.description, endpoint, answer) == []
        return answer

    def walk(self, endpoint, key, /, **parameters):
        """Every item of a list, page after page; the pages' metas too."""
        items, metas = [], []
        while True:
            answer = self.call(endpoint, key, **parameters)
            assert answer.status == 200, answer.body
            envelope = answer.json
            items += envelope["data"]
            metas.append(envelope["meta"])
            if not envelope["page"]["has_more"]:
                assert envelope["page"]["next_cursor"] is None
                return items, metas
            parameters["cursor"] = envelope["page"]["next_cursor"]
            assert len(metas) < 200, "a walk without an end"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)
        self.log.close()
        return self.process.returncode


def without_fetched_at(items):
    """What items say, whenever they came from their source."""
    return [{key: value for key, value in one.items() if key != "fetched_at"} for one in items]
