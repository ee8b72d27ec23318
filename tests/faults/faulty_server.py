"""A server of a test's own with its callers, and the faults that are switched on beneath it."""

from serving import Server, post_bytes

# Nothing of the free plan stands in the way of a test, but what it sets itself.
GENEROUS = {"rate": 100000, "burst": 1000, "concurrency": 1000, "processor_share": 1000}


class Rig(Server):
    """A server. `settings`: KEY=VALUE; `plan`: what differs from the generous one."""

    def __init__(self, data_dir, *settings, plan=(), **more):
        given = [f"plans.free.{name}={value}" for name, value in {**GENEROUS, **dict(plan)}.items()]
        super().__init__(data_dir, *(part for one in (*given, *settings) for part in ("--set", one)),
                         **more)
        self.accounts = 0

    def caller(self, *options):
        """Who has an account of their own, and a key of it."""
        self.accounts += 1
        email = f"caller{self.accounts}@example.org"
        self.run("accounts", "create", email)
        made = self.run("keys", "create", email, *options)
        assert made.returncode == 0, made.stderr
        return Caller(self, made.stdout.strip())

    def peak_kb(self):
        """The most memory that it has had."""
        return self.status_kb("VmHWM")

    def memory_kb(self):
        return self.status_kb("VmRSS")

    def status_kb(self, row):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith(row + ":"):
                return int(line.split()[1])
        raise AssertionError("no " + row)


class Caller:
    def __init__(self, server, key):
        self.server, self.key = server, key

    def call(self, endpoint, parameters=None, *fields):
        return self.server.post("/v1/" + endpoint, parameters or {}, self.key, *fields)

    def begin(self, endpoint, parameters, *fields, **options):
        """A connection on which a call is under way."""
        wire = self.server.wire(timeout=60, **options)
        wire.send(post_bytes("/v1/" + endpoint, parameters, self.key, *fields))
        return wire

    def shown(self):
        return self.call("account/show").json()["data"]

    def charges(self):
        """What the ledger says of calls: request ids and amounts."""
        rows = self.call("account/ledger", {"kind": "usage", "limit": 100}).json()["data"]
        return [(row["request_id"], row["amount"]) for row in rows]


class Faults:
    """What is switched on for the servers that `rig` starts from now on, and what they have noted."""

    def __init__(self, folder):
        self.folder = folder

    def switch_on(self, name, content=b""):
        (self.folder / name).write_bytes(content)

    def switch_off(self, name):
        (self.folder / name).unlink()

    def noted(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else ""
