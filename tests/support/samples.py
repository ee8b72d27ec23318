"""Files that came with a package's source, fetched once beside the build."""

import fcntl
import subprocess
import sys
import tarfile

from support.reach import BUILD, out_of_reach

DOWNLOAD_TIMEOUT_S = 300


def of_package(requirement, inside, *suffixes):
    """The files below a folder `inside` of a package's source ("name==version") that end so; or a
    skip that says why there are none."""
    folder = BUILD / "samples" / requirement
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run several at a time
        if not list(folder.glob("*.tar.gz")):
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                       "--disable-pip-version-check", "--no-binary", ":all:", "--dest", folder, requirement]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=DOWNLOAD_TIMEOUT_S)
            if ran.returncode != 0:
                out_of_reach(f"the source of {requirement} is out of reach: " + ran.stderr.strip()[-200:])
        archive = next(folder.glob("*.tar.gz"))
        files = {}
        with tarfile.open(archive) as members:
            for member in members:
                if f"/{inside}/" in member.name and member.name.endswith(suffixes) and member.isfile():
                    files[member.name.rsplit("/", 1)[1]] = members.extractfile(member).read()
    return files
