"""The application's own checks: its types, strictly, and its pure functions under node's runner."""

import subprocess


def run(app, *command):
    return subprocess.run(command, cwd=app, capture_output=True, text=True, timeout=120)


def test_the_types_hold(app):
    done = run(app, "node", "node_modules/typescript/bin/tsc", "--noEmit")
    assert done.returncode == 0, done.stdout


def test_the_pure_functions_do_what_they_say(app):
    done = run(app, "npm", "test", "--silent")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout and "# pass 0" not in done.stdout


def test_the_types_are_those_of_this_build(app):
    """A description that has changed changes them: they are made of it, never kept."""
    made = run(app, "node", "node_modules/openapi-typescript/bin/cli.js", "openapi.json")
    assert made.returncode == 0, made.stderr
    assert "ForumPost" in made.stdout and (app / "schema.d.ts").read_text() == made.stdout
