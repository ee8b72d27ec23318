"""Passages against a plain BM25 and a real tokenizer, on texts that are made up and on real pages."""

import gzip
import json
import math
import random
import re

import pytest
from support.reach import need_module, need_shared
from support.sample import sample

K1, B = 1.2, 0.75
CORPORA = ["aeb", "wcxb", "traf", "moz"]
BUDGETS = (50, 200, 500)
# By how much a real tokenizer may find a budget exceeded.
OVER = 0.02
# The estimate is made of averages. What does not keep to it is mojibake and the like: of Chinese that
# was decoded as Japanese, a real tokenizer makes twice as many.
SHARE_WITHIN = 0.99


def client_of(folder, pages):
    """An engine that knows these pages, by their addresses, and nothing else."""
    freshet = need_module("freshet", "the Python package is not built")
    entries = [
        {
            "startedDateTime": "2026-11-01T12:00:00Z",
            "request": {"method": "GET", "url": address, "headers": []},
            "response": {
                "status": 200,
                "headers": [{"name": "Content-Type", "value": "text/html; charset=utf-8"}],
                "content": {"mimeType": "text/html", "text": page},
            },
        }
        for address, page in pages.items()
    ]
    har = folder / "pages.har"
    har.write_text(json.dumps({"log": {"version": "1.2", "creator": {}, "entries": entries}}))
    return freshet.Freshet(config={"network.replay": str(har)})


def scores(sentences, terms):
    """BM25 of each sentence, with the weights of Lucene."""
    usual = sum(map(len, sentences)) / len(sentences)
    out = []
    for sentence in sentences:
        score = 0.0
        for term in terms:
            having = sum(term in one for one in sentences)
            rarity = math.log(1 + (len(sentences) - having + 0.5) / (having + 0.5))
            times = sentence.count(term)
            length = 1 - B + B * len(sentence) / usual
            score += rarity * times * (K1 + 1) / (times + K1 * length)
        out.append(score)
    return out


def test_the_order_is_that_of_a_plain_bm25(tmp_path):
    chance = random.Random(19)
    words = ["tide", "gauge", "harbour", "skerry", "elm", "boat", "sand", "kelp", "moor", "quay"]
    texts = {}
    for number in range(40):
        # Nothing is there twice: a repeated sentence is given once.
        made = dict.fromkeys(
            tuple(chance.choices(words, k=chance.randint(3, 14)))
            for _ in range(chance.randint(2, 60))
        )
        texts[f"https://made.example/{number}"] = list(made)
    pages = {
        address: "<html><body><main>"
        + "".join(f"<p>{' '.join(one).capitalize()}.</p>" for one in sentences)
        + "</main></body></html>"
        for address, sentences in texts.items()
    }
    client = client_of(tmp_path, pages)
    compared = 0
    for address, sentences in texts.items():
        query = chance.sample(words, chance.randint(1, 4))
        page = client.scrape.markdown(
            url=address,
            mode="page",
            respect_robots=False,
            highlights={"query": " ".join(query), "max_tokens": 10_000},
        )
        expected = scores(sentences, query)
        order = sorted(range(len(sentences)), key=lambda at: (-round(expected[at], 9), at))
        wanted = [at for at in order if expected[at] > 0][:100]
        given = page.to_dict()["highlights"]
        assert [one["text"] for one in given] == [
            " ".join(sentences[at]).capitalize() + "." for at in wanted
        ], address
        for one, at in zip(given, wanted, strict=True):
            assert one["score"] == pytest.approx(expected[at], abs=1e-4)
        compared += len(given)
    assert compared > 300


@pytest.mark.parametrize("corpus", CORPORA)
def test_passages_of_real_pages_are_exact_and_within_their_budget(corpus, tmp_path, pytestconfig):
    packaged = need_module("rs_bpe.bpe", "rs-bpe is out of reach")
    count = packaged.openai.cl100k_base().count
    files = sample(sorted(need_shared("corpora", corpus, "html").glob("*.html.gz")), pytestconfig)
    pages = {}
    for number, file in enumerate(files[:: 1 if pytestconfig.getoption("--all") else 3]):
        text = gzip.decompress(file.read_bytes()).decode("utf-8", "replace")
        pages[f"https://page.example/{number}"] = text
    client = client_of(tmp_path, pages)
    asked = kept = filled = 0
    for address in pages:
        title = client.scrape.markdown(url=address, respect_robots=False).title or ""
        query = " ".join(re.findall(r"\w+", title))[:200]
        if not query:
            continue
        for budget in BUDGETS:
            page = client.scrape.markdown(
                url=address,
                respect_robots=False,
                highlights={"query": query, "max_tokens": budget},
            ).to_dict()
            given = page["highlights"]
            for one in given:
                assert page["markdown"][one["start"] : one["end"]] == one["text"]
            texts = [one["text"] for one in given]
            assert len(set(texts)) == len(texts)
            apart = sorted((one["start"], one["end"]) for one in given)
            assert all(a[1] <= b[0] for a, b in zip(apart, apart[1:], strict=False))
            assert [one["score"] for one in given] == sorted(
                (one["score"] for one in given), reverse=True
            )
            tokens = sum(count(text) for text in texts)
            asked += 1
            kept += tokens <= budget * (1 + OVER)
            filled += tokens / budget
    print(f"{corpus}: {kept} of {asked} budgets kept, {filled / asked:.0%} of them filled")
    assert asked
    assert kept >= SHARE_WITHIN * asked
