"""npm packages of tests, installed beside the build."""

import fcntl
import shutil
import subprocess

from support.reach import BUILD, need_tool, out_of_reach

INSTALL_TIMEOUT_S = 600


def installed(name, files, *flags):
    """The folder `name` of the build with these files, a package.json among them, and what that one
    names in node_modules; or a skip that says why there is none."""
    need_tool("npm")
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run two at a time
        for file in files:
            shutil.copy(file, folder)
        manifest, done = (folder / "package.json").read_text(), folder / "node_modules/.freshet"
        if done.exists() and done.read_text() == manifest:
            return folder
        ran = subprocess.run(["npm", "install", "--no-progress", "--no-package-lock", *flags],
                             cwd=folder, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S)
        if ran.returncode != 0:
            out_of_reach(f"npm could not install the packages of {name}: " + ran.stderr.strip()[-200:])
        done.write_text(manifest)
    return folder
