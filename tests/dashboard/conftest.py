"""The fixtures. Without a built program, or with the dashboard left out of it, the tests are skipped."""

import os
import pathlib

import pytest


@pytest.fixture(scope="session")
def app():
    """The folder in which the build has put the application together."""
    build = os.environ.get("FRESHET_BUILD")
    if not build:
        pytest.skip("FRESHET_BUILD does not name the build folder")
    folder = pathlib.Path(build) / "server/dashboard/app"
    if not (folder / "node_modules/.freshet").exists() or not (folder / "schema.d.ts").exists():
        pytest.skip("the dashboard was left out of this build: npm or its registry was out of reach")
    return folder
