"""The source packages of PyPI, for the tests that are in them. The packages themselves stand in
tests/requirements.txt."""

import importlib.metadata
import subprocess
import sys
import tarfile

from support.reach import need_module, out_of_reach


def unpacked(name, folder):
    """The folder of the source package of an installed package, in the version that is installed."""
    need_module(name, f"{name} is not installed (tests/requirements.txt)")
    version = importlib.metadata.version(name)
    done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:",
                           "--disable-pip-version-check", "--dest", folder, f"{name}=={version}"],
                          capture_output=True, text=True, timeout=300)
    files = list(folder.glob("*.tar.gz"))
    if done.returncode != 0 or not files:
        out_of_reach(f"the source package of {name} is out of reach")
    with tarfile.open(files[0]) as packed:
        packed.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())
