"""Pages as `freshet markdown` writes them."""

import subprocess

from support.reach import need_program


def whole_pages(pages, folder):
    """The markdown of each page in the mode that chooses nothing; files are left in the folder."""
    saved, out = folder / "pages", folder / "out"
    saved.mkdir()
    for number, page in enumerate(pages):
        (saved / f"{number}.html").write_text(page)
    subprocess.run([need_program(), "markdown", "--mode", "page", "--out", out, saved], check=True, capture_output=True)
    return [(out / f"{number}.md").read_text() for number in range(len(pages))]
