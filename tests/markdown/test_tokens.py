"""token_estimate against a packaged cl100k tokenizer, on the markdown of every page at hand."""

import gzip
import json
import subprocess

import pytest
from support.reach import need_module, need_program, need_shared
from support.sample import sample

CORPORA = ["aeb", "wcxb", "traf", "moz"]
TOLERANCE = 0.10
# A handful of names and addresses says little about a rule that is made of averages.
LEAST_TOKENS = 100
# Pages in which what the averages stand for does not hold: mojibake, code, lists of names.
SHARE_WITHIN = 0.85


@pytest.fixture(scope="module")
def count():
    packaged = need_module("rs_bpe.bpe", "rs-bpe is out of reach")
    return packaged.openai.cl100k_base().count


@pytest.mark.parametrize("corpus", CORPORA)
def test_the_estimate_is_within_a_tenth(corpus, count, tmp_path, pytestconfig):
    program = need_program()
    pages = sample(sorted(need_shared("corpora", corpus, "html").glob("*.html.gz")), pytestconfig)
    assert pages
    saved = tmp_path / "pages"
    saved.mkdir()
    for number, page in enumerate(pages):
        (saved / f"{number}.html").write_bytes(gzip.decompress(page.read_bytes()))
    out = tmp_path / "out"
    run = subprocess.run([program, "markdown", "--json", "--out", out, saved], capture_output=True)
    assert run.returncode == 0, run.stderr
    estimated = actual = within = judged = 0
    for document in out.glob("*.json"):
        item = json.loads(document.read_text())
        tokens = count(item["markdown"])
        estimated += item["token_estimate"]
        actual += tokens
        if tokens >= LEAST_TOKENS:
            judged += 1
            within += abs(item["token_estimate"] / tokens - 1) <= TOLERANCE
    print(f"{corpus}: {estimated / actual - 1:+.3f} in all; within 10 %: {within} of {judged} pages")
    assert abs(estimated / actual - 1) <= TOLERANCE
    assert within >= SHARE_WITHIN * judged
