"""The pages of all corpora as arrays: what bench_scrape --blocks has written, with labels."""

import json
import pathlib
import re
import zlib
from array import array
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np

from fitting import labels

# What a page weighs: of traf only segments are known, and what moz keeps is what one program keeps.
# So it is with defuddle, but it has the small pages.
WEIGHTS = {"traf": 0.25, "moz": 0.5, "defuddle": 1.0}
# Of a short page that is cut out of one. Three times as much makes small pages too sure.
PART_WEIGHT = 0.0495


@dataclass
class Corpus:
    """Pages, what is known of each, and what people see of them as their content."""

    name: str
    html: pathlib.Path
    meta: pathlib.Path
    gold: pathlib.Path

    def facts(self):
        return json.loads(self.meta.read_text())

    def truth_of(self, page):
        path = self.gold / f"{page}.txt"
        return path.read_text() if path.exists() else ""


class Defuddle(Corpus):
    """Small pages with the markdown that they should become. Folds are by site, where pages have
    one."""

    FRONT = re.compile(r"\A```json\n.*?\n```\n", re.DOTALL)
    ADDRESS = re.compile(r"\]\([^)\s]*[^)]*\)")
    URL = re.compile(r'\A.{0,200}?<!-- \{"url":\s*"([^"]*)"', re.DOTALL)

    def __init__(self, folder, out):
        super().__init__("defuddle", folder, out / "defuddle.json", folder)
        facts = {}
        for path in sorted(folder.glob("*.html")):
            found = self.URL.match(path.read_text(errors="replace"))
            url = found[1] if found else f"https://{path.stem}/"
            site = urlsplit(url).hostname or path.stem
            facts[path.stem] = {"url": url, "fold": zlib.crc32(site.encode()) % 5, "seen": True}
        self.meta.write_text(json.dumps(facts))

    def truth_of(self, page):
        text = (self.gold / f"{page}.md").read_text()
        return self.ADDRESS.sub("]", self.FRONT.sub("", text))


def corpora_of(folder, out):
    """In the order of the table's pages. What is not there as the others are is made below `out`."""
    made = [Corpus(name, folder / name / "html", folder / name / "meta.json", folder / name / "gold")
            for name in ("wcxb", "fundus", "aeb", "moz", "traf")]
    return [*made, Defuddle(folder / "defuddle", out)]


@dataclass
class Page:
    """One page; its blocks are [first, end) of the table's rows."""

    corpus: str
    name: str
    is_part: bool  # a short page, cut out of the one of this name
    fold: int
    seen: bool
    kind: str
    truth: str
    texts: list = field(repr=False)
    first: int = 0
    end: int = 0


class Table:
    """All pages: rows of features, labels (-1: not known), weights, boxes and words."""

    def __init__(self, corpora, blocks):
        self.pages, self.raw = [], {}
        kinds = {"label": "b", "weight": "d", "words": "d", "group": "q",
                 "box": "q", "parent": "q", "depth": "q", "name_box": "q", "name": "q",
                 "said_block": "q", "said": "q"}
        self.raw = {key: array(kind) for key, kind in kinds.items()}
        for corpus in corpora:
            facts = corpus.facts()
            with (blocks / f"{corpus.name}.blocks").open() as lines:
                for line in lines:
                    page = json.loads(line)
                    if page["blocks"]:
                        self.add(corpus, page, facts[page["id"]])
        for key, values in self.raw.items():
            setattr(self, key, np.array(values))
        self.rows = features_of(blocks, corpora, len(self.label))
        self.page_first = np.array([one.first for one in self.pages])
        self.page_end = np.array([one.end for one in self.pages])
        self.page = np.repeat(np.arange(len(self.pages)), self.page_end - self.page_first)
        self.page_fold = np.array([one.fold for one in self.pages])
        self.page_is_part = np.array([one.is_part for one in self.pages])
        self.fold = self.page_fold[self.page]
        del self.raw

    def add(self, corpus, page, about):
        raw = self.raw
        one = Page(corpus.name, page["id"], page["part"], about["fold"], bool(about.get("seen")),
                   about.get("type", "article"), corpus.truth_of(page["id"]),
                   [block["text"] for block in page["blocks"]], first=len(raw["label"]))
        known, weights = label_blocks(one, [block["words"] for block in page["blocks"]], about)
        start = len(raw["parent"])
        for block, label, weight in zip(page["blocks"], known, weights):
            raw["said_block"].extend([len(raw["label"])] * len(block["said"]))
            raw["said"].extend(block["said"])
            raw["label"].append(label)
            raw["weight"].append(weight)
            raw["words"].append(block["words"])
            raw["group"].append(block["group"] + one.first)
            raw["box"].append(block["box"] + start)
        for at, box in enumerate(page["boxes"]):
            raw["parent"].append(box["parent"] + start)
            raw["depth"].append(raw["depth"][start + box["parent"]] + 1 if at else 0)
            raw["name_box"].extend([start + at] * len(box["words"]))
            raw["name"].extend(box["words"])
        one.end = len(raw["label"])
        self.pages.append(one)


def features_of(folder, corpora, blocks):
    """A row for each block of all pages, in the order of the table."""
    files = [np.fromfile(folder / f"{corpus.name}.features", np.uint8) for corpus in corpora]
    return np.concatenate(files).reshape(blocks, -1)


def label_blocks(page, words, about):
    """Labels and weights: a block weighs its words over the mean of the page's and the truth's."""
    words = np.array(words)
    weight = WEIGHTS.get(page.corpus, 1.0) * (PART_WEIGHT if page.is_part else 1.0)
    if page.corpus == "traf":
        known = labels.labels_by_segments(page.texts, about["with"], about["without"])
        count = max(sum(one is not None for one in known), 1)
        return ([-1 if one is None else one for one in known],
                [0.0 if one is None else weight / count for one in known])
    known = labels.labels_by_text(page.texts, page.truth)
    truth = len(labels.words_of(page.truth))
    weight = weight if truth else 0.0
    truth = float(words @ np.array(known)) if page.is_part else truth
    least_page = 20
    whole = max((words.sum() + truth) / 2, least_page)
    return known, list((words + 0.5) * weight / whole)
