"""What is preloaded into programs under test, compiled: tests/faults/faults.c says what it does."""

import subprocess

from support.reach import ROOT, need_tool


def build(folder):
    """The library, in `folder`, for every user."""
    made = folder / "faults.so"
    subprocess.run([need_tool("a C compiler", "cc", "gcc", "clang"), "-shared", "-fPIC", "-O1", "-o", made,
                    ROOT / "tests/faults/faults.c", "-ldl"], check=True)
    made.chmod(0o755)
    return made
