"""A folder's npm packages, and a Node.js that is new enough for them."""

import os
import pathlib
import shutil
import subprocess

from support.npm import installed
from support.reach import out_of_reach

HERE = pathlib.Path(__file__).resolve().parent
NODE_MAJOR = 22


class Packages:
    """One of the folders here with a package.json, installed."""

    def __init__(self, name):
        self.folder = installed(f"mcp/{name}", (HERE / name).iterdir())

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
    return out_of_reach(f"there is no Node.js {NODE_MAJOR}, and npm brought none for this machine")
