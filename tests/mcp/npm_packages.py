"""Installs a folder's npm packages beside the build, and finds a Node.js that is new enough."""

import fcntl
import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", HERE.parent.parent / "build" / "dev"))
INSTALL_TIMEOUT_S = 600
NODE_MAJOR = 22


class Packages:
    """One of the folders here with a package.json, installed."""

    def __init__(self, name):
        if not shutil.which("npm"):
            pytest.skip("npm is not installed")
        self.folder = BUILD / "mcp" / name
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tests run two at a time
            self.install(name)

    def install(self, name):
        installed = self.folder / "installed.json"
        wanted = (HERE / name / "package.json").read_text()
        for file in (HERE / name).iterdir():
            shutil.copy(file, self.folder / file.name)
        if installed.exists() and installed.read_text() == wanted:
            return
        done = subprocess.run(["npm", "install", "--no-progress", "--no-package-lock"],
                              cwd=self.folder, capture_output=True, text=True,
                              timeout=INSTALL_TIMEOUT_S)
        if done.returncode != 0:
            pytest.skip("npm could not install them: " + done.stderr.strip()[-200:])
        installed.write_text(wanted)

    def run(self, node, script, *arguments, timeout=120):
        """A script of the folder; its output with what it said of errors."""
        path = str(pathlib.Path(node).parent) + os.pathsep + os.environ["PATH"]
        return subprocess.run([node, self.folder / script, *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=timeout,
                              env={**os.environ, "PATH": path})


def find_node(of):
    """The one that npm brought for this machine, or the system's."""
    brought = sorted(of.folder.glob("node_modules/node-linux-*/bin/node"))
    for candidate in [*map(str, brought), shutil.which("node")]:
        if not candidate:
            continue
        try:
            told = subprocess.run([candidate, "--version"], capture_output=True, text=True).stdout
        except OSError:  # another processor's
            continue
        if told.startswith("v") and int(told[1:].split(".")[0]) >= NODE_MAJOR:
            return candidate
    return pytest.skip(f"there is no Node.js {NODE_MAJOR}, and npm brought none for this machine")
