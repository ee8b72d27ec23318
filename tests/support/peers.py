"""The official clients of Firecrawl and Tavily: those of npm, installed beside the build, and those of
PyPI. Each is called in the same way, with the names of the API, so that one test serves both."""

import json
import re
import shutil
import subprocess
import threading

from support.npm import installed
from support.reach import ROOT, need_module, out_of_reach

MANIFEST = ROOT / "tests/dropin/package.json"
ANSWER_TIMEOUT_S = 60


def npm_folder():
    """The folder that has them in node_modules, or a skip that says why there is none."""
    # Firecrawl's asks for a newer Node.js than Debian has; whether it runs is seen by running it.
    return installed("dropin_clients", [MANIFEST], "--ignore-scripts", "--no-audit")


class Failed(Exception):
    """What a client raised: its class, the message, and the status and code where it tells them."""

    def __init__(self, kind, message, status=None, code=None):
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.status, self.code = kind, message, status, code


class NodeClients:
    """Those of npm, in one process of Node.js."""

    name = "npm"

    def __init__(self):
        folder = npm_folder()
        shutil.copy(MANIFEST.with_name("drive.mjs"), folder)
        self.process = subprocess.Popen(["node", "drive.mjs"], cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if not self.process.stdout.readline():
            why = self.process.communicate()[1].strip().splitlines()
            version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
            assert int(version.strip("v").split(".")[0]) < 22, why
            out_of_reach(f"the clients do not run on Node.js {version}: {why[-1:]}")

    def firecrawl(self, url, key, method, *args, **options):
        return self.ask("firecrawl", {"apiKey": key, "apiUrl": url}, method, *args, options)

    def tavily(self, url, key, method, *args, **options):
        camel = {re.sub(r"_(\w)", lambda m: m[1].upper(), name): value for name, value in options.items()}
        return self.ask("tavily", {"apiKey": key, "apiBaseURL": url}, method, *args, camel)

    def ask(self, client, options, method, *args):
        line = json.dumps({"client": client, "options": options, "method": method, "args": args})
        watch = threading.Timer(ANSWER_TIMEOUT_S, self.process.kill)
        watch.start()
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = json.loads(self.process.stdout.readline())
        finally:
            watch.cancel()
        if "error" in answer:
            said = answer["error"]
            raise Failed(said["class"], said["message"], said.get("status"), said.get("code"))
        return answer.get("value")

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()


class PythonClients:
    """Those of PyPI, in this process."""

    name = "pypi"

    def __init__(self):
        self.firecrawl_package = need_module("firecrawl", "firecrawl-py is out of reach")
        self.tavily_package = need_module("tavily", "tavily-python is out of reach")

    def firecrawl(self, url, key, method, *args, **options):
        snake = {re.sub(r"([A-Z]+)", lambda m: "_" + m[1].lower(), name): value
                 for name, value in options.items()}
        client = self.firecrawl_package.Firecrawl(api_key=key, api_url=url)
        answer = self.run(getattr(client, method), *args, **snake)
        return answer.model_dump(exclude_none=True)

    def tavily(self, url, key, method, *args, **options):
        client = self.tavily_package.TavilyClient(key, api_base_url=url)
        return self.run(getattr(client, method), *args, **options)

    @staticmethod
    def run(call, *args, **options):
        try:
            return call(*args, **options)
        except Exception as error:  # noqa: BLE001: which class it is, is what is tested
            response = getattr(error, "response", None)
            status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
            code = getattr(error, "code", None)
            raise Failed(type(error).__name__, str(error), status, code) from error

    def stop(self):
        pass


def told(answer, name):
    """A member, whatever a client makes of its name: sourceURL, source_url, rawContent."""
    plain = lambda text: text.replace("_", "").lower()
    found = {plain(key): value for key, value in answer.items()}
    return found.get(plain(name))
