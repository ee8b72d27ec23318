"""The fuzz targets as programs of libFuzzer, each for a short time from its seeds. Builds the library
once more, led by its coverage: only with --all."""

import glob
import os
import subprocess

import pytest
from support.reach import ROOT, need_tool, out_of_reach

pytestmark = pytest.mark.long
SECONDS = 60
FUZZ = ROOT / "tests" / "fuzz"
BUILD = ROOT / "build" / "fuzz"
TARGETS = sorted(each.name.removesuffix("_fuzz.cpp") for each in FUZZ.glob("*_fuzz.cpp"))


@pytest.fixture(scope="module")
def programs():
    clang = need_tool("clang++", "clang++-19", "clang++")
    runtime = subprocess.run([clang, "-print-runtime-dir"], capture_output=True, text=True, check=True).stdout.strip()
    if not glob.glob(runtime + "/libclang_rt.fuzzer*.a"):
        out_of_reach("clang's runtime of libFuzzer is not installed")
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={clang}",
                    f"-DCMAKE_C_COMPILER={clang.replace('++', '')}", "-DCMAKE_CXX_FLAGS=-O1 -g1", "-DFRESHET_TESTS=ON",
                    "-DFRESHET_FUZZ=ON", "-DFRESHET_DASHBOARD=OFF", "-DFRESHET_JOINED_BYTES=68000"], check=True)
    subprocess.run(["cmake", "--build", BUILD, "--target", *(f"fuzz_{one}" for one in TARGETS)], check=True)
    return BUILD / "tests" / "fuzz"


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_found_from_the_seeds(programs, target, tmp_path):
    seeds = FUZZ / "seeds" / target
    assert seeds.is_dir()
    new = tmp_path / "new"
    new.mkdir()
    done = subprocess.run([programs / f"fuzz_{target}", f"-max_total_time={SECONDS}", "-rss_limit_mb=4096",
                           f"-artifact_prefix={tmp_path}{os.sep}", new, seeds], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-5000:]
