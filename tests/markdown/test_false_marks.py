"""How often pages that people read are marked as unsafe, by corpus and by fold of sites. None of these
pages is an attack that anybody knows of; what is marked as an instruction counts as a false mark."""

import collections
import gzip
import json
import subprocess

import pytest
from support.reach import need_program, need_shared
from support.sample import sample

CORPORA = ["aeb", "fundus", "moz", "traf", "wcxb"]
# The rules of instructions were chosen by the other folds; this one was looked at last.
HELD_OUT = 4
MOST_MARKED = 0.01


def documents(corpus, tmp_path, config):
    """(fold, document) of each page, whole: what `mode: page` gives."""
    folder = need_shared("corpora", corpus)
    facts = json.loads((folder / "meta.json").read_text())
    saved, out = tmp_path / "pages", tmp_path / "out"
    saved.mkdir()
    for page in sample(sorted((folder / "html").iterdir()), config):
        name = page.name.removesuffix(".gz").removesuffix(".html")
        body = gzip.decompress(page.read_bytes()) if page.suffix == ".gz" else page.read_bytes()
        (saved / f"{name}.html").write_bytes(body)
    subprocess.run([need_program(), "markdown", "--json", "--mode", "page", "--out", out, saved],
                   check=True, capture_output=True)
    for made in sorted(out.glob("*.json")):
        fold = facts.get(made.stem, {}).get("fold", -1)
        yield fold, json.loads(made.read_text())


@pytest.mark.parametrize("corpus", CORPORA)
def test_pages_of_people_are_seldom_marked(corpus, tmp_path, pytestconfig):
    pages, marked, held, held_marked = 0, collections.Counter(), 0, 0
    for fold, document in documents(corpus, tmp_path, pytestconfig):
        pages += 1
        held += fold == HELD_OUT
        kinds = {mark["kind"] for mark in document["safety"]}
        marked.update(kinds)
        held_marked += fold == HELD_OUT and "instruction_like" in kinds
        for mark in document["safety"]:
            print(corpus, fold, document["url"], mark["kind"], mark["rule"], mark["excerpt"])
    print(f"{corpus}: {pages} pages; marked: {dict(marked)}; held out: {held_marked} of {held}")
    assert pages
    assert marked["instruction_like"] < MOST_MARKED * pages
    assert held_marked <= MOST_MARKED * max(held, 100)
