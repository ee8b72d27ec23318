"""A PostgreSQL server of the tests' own on loopback: in a temporary folder, as a user without
rights, ended by its id. As a program it runs a command beside one, whose address it gives in
FRESHET_TEST_POSTGRES: python3 tests/support/postgres.py COMMAND..."""

import contextlib
import ctypes
import fcntl
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# As a program, it is asked for by its path.
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]

from support.ports import free_port  # noqa: E402

# What was made once is kept here, and made anew where it is not.
MADE = pathlib.Path(__file__).resolve().parents[2] / "build"
# A server of the tests loses nothing that anybody wants when the machine fails.
QUICK = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]


def programs():
    """The folder of initdb and postgres; None where they are out of reach."""
    for folder in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    found = shutil.which("initdb")
    return pathlib.Path(found).resolve().parent if found else None


def owner():
    """Whom it runs as: PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            pass
    return None


def children_of(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # who has ended meanwhile
            if stat.read_text().rsplit(")", 1)[1].split()[1] == str(pid):
                found.append(int(stat.parent.name))
    return found


def send(pid, what):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, what)


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGINT)


class Postgres:
    """In memory, unless `top` names another folder to be in; with a library `preloaded` that reads its faults below
    its folder."""

    def __init__(self, settings=QUICK, top=None, port=None, preloaded=None):
        self.bin, self.settings, self.port = programs(), settings, port or free_port()
        if top is None and os.path.isdir("/dev/shm"):
            top = "/dev/shm"
        self.folder = tempfile.mkdtemp(prefix="freshet-postgres-", dir=top)
        self.user = owner()
        if self.user is not None:
            os.chown(self.folder, self.user, -1)
        self.data = os.path.join(self.folder, "data")
        self._make_data()
        self.process, self.environment = None, None
        if preloaded is not None:
            self.environment = {**os.environ, "FAULTS": self.folder, "LD_PRELOAD": shutil.copy(preloaded, self.folder)}
        self.start()

    def _make_data(self):
        """A copy of what initdb has made once, which takes most of a second of a processor."""
        version = subprocess.run([self.bin / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
        made = MADE / ("postgres-" + version.split()[2])
        if not MADE.is_dir():
            return self._init(self.data)
        with open(f"{made}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not made.exists():
                self._init(self.data)
                shutil.rmtree(f"{made}.new", ignore_errors=True)
                shutil.copytree(self.data, f"{made}.new")
                os.rename(f"{made}.new", made)
                return
        shutil.copytree(made, self.data)
        if self.user is not None:
            subprocess.run(["chown", "-R", str(self.user), self.data], check=True)

    def _init(self, data):
        self._as_owner([self.bin / "initdb", "-D", data, "-U", "freshet", "--auth=trust",
                        "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"], check=True)

    @property
    def url(self):
        return f"postgresql://freshet@127.0.0.1:{self.port}/postgres"

    def _as_owner(self, command, check):
        return subprocess.run([str(part) for part in command], user=self.user, cwd=self.folder, check=check,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        options = [part for one in [*self.settings, f"port={self.port}", "listen_addresses=127.0.0.1",
                                    "unix_socket_directories=", "max_connections=200"]
                   for part in ("-c", one)]
        log = open(os.path.join(self.folder, "log"), "a")
        self.process = subprocess.Popen([str(self.bin / "postgres"), "-D", self.data, *options], user=self.user,
                                        cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                        env=self.environment, preexec_fn=end_with_parent)
        ready = [self.bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "freshet"]
        end = time.monotonic() + 120
        while self._as_owner(ready, check=False).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(pathlib.Path(self.folder, "log").read_text())
            time.sleep(0.1)

    def stop(self, how=signal.SIGINT):
        """SIGINT ends it in good order, SIGQUIT as a crash does."""
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(60)

    def stand_still(self):
        """All of it, as on a machine that has no memory left, or waits for its disk: what is sent to it is acknowledged,
        and nobody answers."""
        self.process.send_signal(signal.SIGSTOP)
        for pid in children_of(self.process.pid):
            send(pid, signal.SIGSTOP)

    def go_on(self):
        for pid in [*children_of(self.process.pid), self.process.pid]:
            send(pid, signal.SIGCONT)

    def sql(self, text):
        """What psql prints of it."""
        done = subprocess.run(["psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", self.url, "-c", text],
                              capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Standby(Postgres):
    """Follows another one, of which it is a copy; can be read, and promoted."""

    def __init__(self, primary, settings=QUICK, top=None, port=None, preloaded=None):
        self.primary = primary
        super().__init__(settings, top, port, preloaded)

    def promote(self):
        self.sql("SELECT pg_promote()")

    def _make_data(self):
        self._as_owner([self.bin / "pg_basebackup", "-D", self.data, "-d", self.primary.url, "-R", "-X", "stream",
                        "--checkpoint=fast", "--no-sync"], check=True)


def main(command):
    if programs() is None:
        line = f"SKIPPED {os.path.basename(command[0])} on PostgreSQL: initdb is out of reach\n"
        print(line, end="")
        if os.environ.get("FRESHET_SKIPS"):
            with open(os.environ["FRESHET_SKIPS"], "a") as skips:
                skips.write(line)
        return 1 if os.environ.get("FRESHET_NO_SKIPS", "") not in ("", "0", "false") else 0
    server = Postgres()
    files = os.path.join(server.folder, "files")
    os.mkdir(files)
    try:
        return subprocess.run(command, env={**os.environ, "FRESHET_TEST_POSTGRES": server.url, "TMPDIR": files}).returncode
    finally:
        server.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
