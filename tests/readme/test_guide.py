"""The operators' guide says what is there: its commands run, its tables name every alert and panel."""

import json
import pathlib
import re
import subprocess

import pytest
from support.freshet import program
from support.reach import needs_program

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = (ROOT / "server/guides/deployment.md").read_text()
MONITORING = ROOT / "server/monitoring"

pytestmark = needs_program


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def data(tmp_path):
    made = tmp_path / "data"
    subprocess.run([program(), "accounts", "create", "a@example.org", "--data", made], check=True,
                   capture_output=True, timeout=60)
    return made


def test_the_restore_that_was_practised(data, tmp_path):
    (commands,) = blocks("sh")
    done = subprocess.run(["bash", "-euc", f'freshet() {{ "{program()}" "$@"; }}\n{commands}'], cwd=tmp_path,
                          env={"DATA": str(data), "PATH": "/usr/bin:/bin"}, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    heads = re.findall(r"\b\d+:[0-9a-f]{16,}", done.stdout)
    assert len(heads) >= 2 and len(set(heads)) == 1, done.stdout


def test_every_alert_is_explained():
    rules = re.findall(r"- alert: (\w+)", (MONITORING / "freshet.rules.yml").read_text())
    assert re.findall(r"^\| `(Freshet\w+)`", GUIDE, re.MULTILINE) == rules


def test_the_picture_is_the_board():
    (picture,) = re.findall(r"^\+-+\+-+\+\n(.*?)^\+-", GUIDE, re.MULTILINE | re.DOTALL)
    drawn = [cell.strip() for row in picture.splitlines() for cell in row.split("|")[1:3]]
    panels = [p["title"] for p in json.loads((MONITORING / "grafana.json").read_text())["panels"]]
    assert len(drawn) == len(panels)
    assert all(title.startswith(cell) for cell, title in zip(drawn, panels)), drawn
