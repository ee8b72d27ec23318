"""The pages of all corpora as arrays: what bench_scrape --blocks has written, with labels."""

import json
from array import array
from dataclasses import dataclass, field

import numpy as np

from fitting import labels

CORPORA = ("wcxb", "fundus", "aeb", "moz", "traf")
# What a page weighs: of traf only segments are known, and what moz keeps is what one program keeps.
WEIGHTS = {"traf": 0.25, "moz": 0.5}


@dataclass
class Page:
    """One page; its blocks are [first, end) of the table's rows."""

    corpus: str
    name: str
    fold: int
    seen: bool
    kind: str
    truth: str
    texts: list = field(repr=False)
    first: int = 0
    end: int = 0


class Table:
    """All pages: rows of features, labels (-1: not known), weights, boxes and words."""

    def __init__(self, corpora, blocks, names=CORPORA):
        self.corpora, self.pages, self.raw = corpora, [], {}
        kinds = {"label": "b", "weight": "d", "words": "d", "group": "q",
                 "box": "q", "parent": "q", "depth": "q", "name_box": "q", "name": "q",
                 "said_block": "q", "said": "q"}
        self.raw = {key: array(kind) for key, kind in kinds.items()}
        for corpus in names:
            facts = json.loads((corpora / corpus / "meta.json").read_text())
            with (blocks / f"{corpus}.blocks").open() as lines:
                for line in lines:
                    page = json.loads(line)
                    if page["blocks"]:
                        self.add(corpus, page, facts[page["id"]])
        for key, values in self.raw.items():
            setattr(self, key, np.array(values))
        self.rows = features_of(blocks, len(self.label), names)
        self.page_first = np.array([one.first for one in self.pages])
        self.page_end = np.array([one.end for one in self.pages])
        self.page = np.repeat(np.arange(len(self.pages)), self.page_end - self.page_first)
        self.page_fold = np.array([one.fold for one in self.pages])
        self.fold = self.page_fold[self.page]
        del self.raw

    def add(self, corpus, page, about):
        raw = self.raw
        path = self.corpora / corpus / "gold" / f"{page['id']}.txt"
        one = Page(corpus, page["id"], about["fold"], bool(about.get("seen")),
                   about.get("type", "article"), path.read_text() if path.exists() else "",
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


def features_of(folder, blocks, names=CORPORA):
    """A row for each block of all pages, in the order of the table."""
    files = [np.fromfile(folder / f"{corpus}.features", np.uint8) for corpus in names]
    return np.concatenate(files).reshape(blocks, -1)


def label_blocks(page, words, about):
    """Labels and weights: a block weighs its words over the mean of the page's and the truth's."""
    words = np.array(words)
    if page.corpus == "traf":
        known = labels.labels_by_segments(page.texts, about["with"], about["without"])
        count = max(sum(one is not None for one in known), 1)
        return ([-1 if one is None else one for one in known],
                [0.0 if one is None else WEIGHTS[page.corpus] / count for one in known])
    truth = len(labels.words_of(page.truth))
    known = labels.labels_by_text(page.texts, page.truth)
    least_page = 20
    whole = max((words.sum() + truth) / 2, least_page)
    weight = WEIGHTS.get(page.corpus, 1.0) if truth else 0.0
    return known, list((words + 0.5) * weight / whole)
