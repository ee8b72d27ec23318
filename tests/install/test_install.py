"""What is installed is enough: programs of others that find it by CMake and by pkg-config, and the
Debian packages' contents. Uses the build that is there and compiles only the consumers."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from support.reach import need_built, need_tool, quick_linker

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build" / "dev"))
TIMEOUT_S = 900

CPP = """
#include <freshet/engine.hpp>
#include <iostream>
int main() {
  auto page = freshet::to_markdown("<h1>Tides</h1><p>High at <b>noon</b>.</p>", {.mode = "page"});
  if (!page) return 1;
  std::cout << page->markdown;
}
"""
C = """
#include <freshet.h>
#include <stdio.h>
int main(void) {
  printf("%s\\n", freshet_version());
  return freshet_abi() == FRESHET_ABI ? 0 : 1;
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C CXX)
find_package(freshet 0.1 REQUIRED)
add_executable(cpp_consumer main.cpp)
target_link_libraries(cpp_consumer PRIVATE freshet::freshet)
add_executable(c_consumer main.c)
target_link_libraries(c_consumer PRIVATE freshet::c)
set_target_properties(c_consumer PROPERTIES BUILD_RPATH_USE_ORIGIN OFF)
"""
HEADERS = {str(path.relative_to(ROOT)) for path in (ROOT / "include").rglob("*") if path.is_file()}


def run(command, cwd, **more):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT_S, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    need_built(BUILD / "lib" / "libfreshet_cpp.a")
    at = tmp_path_factory.mktemp("prefix")
    for component in ("server", "runtime", "dev"):
        run(["cmake", "--install", str(BUILD), "--prefix", str(at), "--component", component], BUILD)
    return at


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "main.cpp").write_text(CPP)
    (tmp_path / "main.c").write_text(C)
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    return tmp_path


def library_folder(prefix):
    (found,) = prefix.rglob("libfreshet.so")
    return found.parent


def test_every_header_is_installed_and_nothing_else(prefix):
    assert {str(p.relative_to(prefix)) for p in (prefix / "include").rglob("*") if p.is_file()} == HEADERS


def test_the_installed_program_runs(prefix):
    told = run([str(prefix / "bin" / "freshet"), "openapi"], prefix, env={"HOME": "/nonexistent"})
    assert json.loads(told)["openapi"].startswith("3.1")


def test_find_package(prefix, sources):
    run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}",
         "-DCMAKE_EXE_LINKER_FLAGS=" + " ".join(quick_linker())], sources)
    run(["cmake", "--build", "build"], sources)
    assert "High at **noon**." in run(["./build/cpp_consumer"], sources)
    assert run(["./build/c_consumer"], sources).startswith("0.1")


def test_a_version_that_is_not_there_is_refused(prefix, sources):
    (sources / "CMakeLists.txt").write_text(PROJECT.replace("freshet 0.1 ", "freshet 7.0 "))
    done = subprocess.run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                          cwd=sources, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode != 0 and "7.0" in done.stderr


def pkg_config(prefix, package, cwd):
    need_tool("pkg-config")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(library_folder(prefix) / "pkgconfig")}
    return run(["pkg-config", "--cflags", "--libs", package], cwd, env=environment).split()


def test_pkg_config_for_c(prefix, sources):
    flags = pkg_config(prefix, "freshet", sources)
    run(["gcc", "-std=c99", "-Wpedantic", "-Werror", "main.c", "-o", "c_consumer", *flags], sources)
    out = run(["./c_consumer"], sources, env={"LD_LIBRARY_PATH": str(library_folder(prefix))})
    assert out.startswith("0.1")


def test_pkg_config_for_cpp(prefix, sources):
    flags = pkg_config(prefix, "freshet-cpp", sources)
    run(["g++", "main.cpp", "-o", "cpp_consumer", *flags, *quick_linker()], sources)
    assert "High at **noon**." in run(["./cpp_consumer"], sources)


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    need_tool("dpkg-dev", "dpkg-shlibdeps")
    need_built(BUILD / "CPackConfig.cmake")
    at = tmp_path_factory.mktemp("packages")
    # Not compressed, and stripped as those of the preset `package`: they are only looked into.
    run(["cpack", "-G", "DEB", "--config", str(BUILD / "CPackConfig.cmake"), "-B", str(at),
         "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none", "-D", "CPACK_STRIP_FILES=TRUE"], BUILD)
    return {run(["dpkg-deb", "-f", str(one), "Package"], at).strip(): one for one in at.glob("*.deb")}


def test_debian_packages(packages, tmp_path):
    holds = {name: run(["dpkg-deb", "-c", str(one)], tmp_path) for name, one in packages.items()}
    depends = {name: run(["dpkg-deb", "-f", str(one), "Depends"], tmp_path)
               for name, one in packages.items()}
    assert sorted(holds) == ["freshet", "libfreshet-dev", "libfreshet1"]
    assert "./usr/bin/freshet\n" in holds["freshet"] and "include" not in holds["freshet"]
    for name in ("Caddyfile", "nginx.conf", "haproxy.cfg", "freshet.rules.yml", "grafana.json"):
        assert f"/usr/share/doc/freshet/examples/{name}\n" in holds["freshet"]
    assert "libfreshet.so.1" in holds["libfreshet1"] and "bin/" not in holds["libfreshet1"]
    assert "libfreshet_cpp.a" in holds["libfreshet-dev"]
    assert "freshet-config.cmake" in holds["libfreshet-dev"]
    assert "libsqlite3-0" in depends["freshet"] and "libcurl4" in depends["libfreshet1"]
    assert "libfreshet1 (=" in depends["libfreshet-dev"]


# At once, as it takes long to begin. A minute of the long one goes into the objects of a static library
# without optimisation.
@pytest.mark.parametrize("names", [("freshet",), pytest.param(("libfreshet1", "libfreshet-dev"), marks=pytest.mark.long)],
                         ids=" ".join)
def test_lintian_finds_no_error_in_packages(packages, names, tmp_path):
    need_tool("lintian")
    # Of the folders in which a build for packages would put its files: the preset `package`.
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error",
                           "--suppress-tags", "uses-no-compression-for-data-tarball",
                           *(packages[name] for name in names)],
                          cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_service_is_sound_and_walled_off(packages, tmp_path):
    need_tool("systemd", "systemd-analyze")
    run(["dpkg-deb", "-x", str(packages["freshet"]), "root"], tmp_path)
    root = tmp_path / "root"
    unit = (root / "lib/systemd/system/freshet.service").read_text()
    program = re.search(r"^ExecStart=(\S+) serve --config (\S+)$", unit, re.MULTILINE)
    assert (root / program[1].lstrip("/")).exists() and (root / program[2].lstrip("/")).exists()
    # The same unit with programs that are here.
    here = tmp_path / "freshet.service"
    here.write_text(unit.replace(program[1], str(root / program[1].lstrip("/"))))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(here)], capture_output=True,
                          text=True, timeout=TIMEOUT_S)
    about_it = [line for line in done.stderr.splitlines() if "freshet" in line]
    assert done.returncode == 0 and about_it == [], done.stderr
    # 4.0 of 10: what systemd calls OK. The rest is what browsers and their walls need.
    run(["systemd-analyze", "security", "--offline=true", "--threshold=40", str(here)], tmp_path)



def test_the_shipped_configuration_is_taken(packages, tmp_path):
    run(["dpkg-deb", "-x", str(packages["freshet"]), "."], tmp_path)
    run([str(tmp_path / "usr/bin/freshet"), "accounts", "create", "a@example.org", "--config",
         "etc/freshet/freshet.toml", "--data", str(tmp_path / "data")], tmp_path)
