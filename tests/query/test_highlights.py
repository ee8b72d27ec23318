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


def made_up_texts():
    """Texts of sentences of few words, by address, with what makes more of them."""
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
    return texts, words, chance


def pages_of(texts):
    return {
        address: "<html><body><main>"
        + "".join(f"<p>{' '.join(one).capitalize()}.</p>" for one in sentences)
        + "</main></body></html>"
        for address, sentences in texts.items()
    }


def test_the_order_is_that_of_a_plain_bm25(tmp_path):
    texts, words, chance = made_up_texts()
    client = client_of(tmp_path, pages_of(texts))
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


def test_the_scores_are_those_of_a_bm25_of_others(tmp_path):
    bm25s = need_module("bm25s", "bm25s is out of reach")
    texts, words, chance = made_up_texts()
    client = client_of(tmp_path, pages_of(texts))
    compared = 0
    for address, sentences in texts.items():
        query = chance.sample(words, chance.randint(1, 4))
        index = bm25s.BM25(method="lucene", k1=K1, b=B)
        index.index([list(one) for one in sentences], show_progress=False)
        # Lucene leaves out a factor that all scores have.
        theirs = {
            " ".join(one).capitalize() + ".": float(score) * (K1 + 1)
            for one, score in zip(sentences, index.get_scores(query), strict=True)
        }
        given = client.scrape.markdown(
            url=address,
            mode="page",
            respect_robots=False,
            highlights={"query": " ".join(query), "max_tokens": 10_000},
        ).to_dict()["highlights"]
        for one in given:
            assert one["score"] == pytest.approx(theirs[one["text"]], abs=2e-4), address
            compared += 1
        # None that it finds better is missing.
        least = min((one["score"] for one in given), default=0)
        found = {one["text"] for one in given}
        assert len(given) == 100 or all(
            text in found for text, score in theirs.items() if score > least + 2e-4
        )
    assert compared > 300


def sentences_of(text):
    """Each once, without headings: those are what was asked."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    parts = [part.strip() for line in lines for part in re.split(r"(?<=[.!?])\s+", line)]
    return list(dict.fromkeys(part for part in parts if len(part) > 20))


COMMON = set("""a an and are as at be but by for from has have how in into is it its new not of on or over says than
that the their this to was what when where which who why will with after about more out up your you""".split())


def test_more_of_what_a_title_asks_for_is_kept_than_by_cutting(tmp_path, pytestconfig):
    """Of the sentences that a question made from a page's title needs, the share that passages keep
    within a budget, beside the beginning of the page within the same. Needed is a sentence with two
    words of the title that stand in no more than a fifth of the sentences: no score takes part."""
    packaged = need_module("rs_bpe.bpe", "rs-bpe is out of reach")
    tokenizer = packaged.openai.cl100k_base()
    files = sample(sorted(need_shared("corpora", "aeb", "html").glob("*.html.gz")), pytestconfig)
    pages = {}
    for number, file in enumerate(files):
        text = gzip.decompress(file.read_bytes()).decode("utf-8", "replace")
        pages[f"https://page.example/{number}"] = text
    client = client_of(tmp_path, pages)
    kept = {(how, budget): 0 for how in ("passages", "cut") for budget in (200, 500)}
    needed_in_all = 0
    for address in pages:
        whole = client.scrape.markdown(url=address, respect_robots=False).to_dict()
        asked = {word for word in re.findall(r"\w+", (whole["title"] or "").lower())} - COMMON
        sentences = sentences_of(whole["markdown"])
        words = [set(re.findall(r"\w+", one.lower())) for one in sentences]
        asked = {word for word in asked if sum(word in one for one in words) * 5 <= len(words)}
        needed = [one for one, has in zip(sentences, words, strict=True) if len(has & asked) >= 2]
        if not needed:
            continue
        needed_in_all += len(needed)
        for budget in (200, 500):
            page = client.scrape.markdown(
                url=address,
                respect_robots=False,
                highlights={"query": " ".join(sorted(asked))[:200], "max_tokens": budget},
            ).to_dict()
            passages = "\n".join(one["text"] for one in page["highlights"])
            tokens = tokenizer.encode(whole["markdown"])[:budget]
            # None where a character is cut in two.
            cut = next(filter(None, (tokenizer.decode(tokens[: len(tokens) - n]) for n in range(4))))
            kept["passages", budget] += sum(one in passages for one in needed)
            kept["cut", budget] += sum(one in cut for one in needed)
    assert needed_in_all > 50
    print("needed sentences kept, of", needed_in_all)
    for budget in (200, 500):
        ours, theirs = (kept[how, budget] / needed_in_all for how in ("passages", "cut"))
        print(f"  {budget} tokens: passages {ours:.0%}, the first {budget} {theirs:.0%}")
        assert ours > theirs


@pytest.mark.parametrize("corpus", CORPORA)
def test_passages_of_real_pages_are_exact_and_within_their_budget(corpus, tmp_path, pytestconfig):
    packaged = need_module("rs_bpe.bpe", "rs-bpe is out of reach")
    count = packaged.openai.cl100k_base().count
    files = sample(sorted(need_shared("corpora", corpus, "html").glob("*.html.gz")), pytestconfig)
    pages = {}
    for number, file in enumerate(files[:: 1 if pytestconfig.getoption("--all") else 5]):
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
