"""A page takes no more memory than what the engine counts on (bytes_to_read), whatever its elements say
of themselves: of each shape below a byte once took more than that, or takes the most today."""

import resource
import subprocess

import pytest
from support.reach import need_program

PAGE, MOST_PER_BYTE, PROGRAM = 1_200_000, 160, 40_000_000
PROSE = "The gauge at the harbour has been read every hour since the pier was built. "
MANY = ("position:absolute;background:#fff;color:#fefefe;text-indent:-999px;transform:translateX(-90px) rotate(3deg);"
        "opacity:.3;clip-path:inset(5%);filter:blur(2px);width:300px;height:20px;overflow:hidden;margin:3px;"
        "padding:3px;white-space:nowrap;font-size:2px")
# PROGRAM: what it has without a page.
# The rules of each page's sheet, and what stands in it again and again.
SHAPES = {
    "hidden": ("", "<p hidden>a"),
    "moved away": (".x{text-indent:-9999px}", "<p class=x>a"),
    "of what is taken back": (f".x{{{MANY};all:revert-layer}}", "<p class=x>a"),
    "items": ("", "<li>a"),
    "cells": ("", "<tr><td>a<td>b"),
}


@pytest.mark.parametrize("mode", ["page", "article"])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_page_takes_memory_by_its_bytes(shape, mode, tmp_path):
    rules, part = SHAPES[shape]
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><title>t</title><style>{rules}</style><body><main>{PROSE * 60}</main>"
                    + "<table>" * (shape == "cells") + part * (PAGE // len(part)))
    most = PAGE * MOST_PER_BYTE + PROGRAM
    done = subprocess.run([need_program(), "markdown", "--mode", mode, page], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)))
    assert done.returncode == 0, done.stderr[-500:]
    assert mode == "article" or "The gauge at the harbour" in done.stdout
