"""The trees: fitted by LightGBM, decided by the F1 to expect, written as the numbers that
lib/markdown/blocks/model.hpp reads."""

import re
from collections import Counter

import lightgbm
import numpy as np

# Eight bits a value are what the rows have.
SETTINGS = {
    "num_leaves": 15, "max_depth": 6, "learning_rate": 0.12,
    "min_data_in_leaf": 60, "feature_fraction": 0.4, "bagging_fraction": 0.7, "bagging_freq": 1,
    "lambda_l2": 1.0, "max_bin": 255, "min_data_in_bin": 1, "deterministic": True,
    "force_row_wise": True, "num_threads": 2, "seed": 16, "verbosity": -1,
}
TREES = 120
MOST_BLOCKS = 150  # of one page; those with more weight are taken more often
LEAF_UNIT = 1e4
# What trees are fitted to is a multiple of this: sums of it are exact, in whatever order they come
# and by however many threads, and the last bits of an exponential, of which machines have their
# own, do not count.
GRID = 2.0**-16


def sample(table):
    """Which blocks are fitted on, and how much more each weighs for those that are left out."""
    chance = np.random.default_rng(16)
    keep, scale = np.zeros(len(table.label), bool), np.ones(len(table.label))
    for page in table.pages:
        own = np.arange(page.first, page.end)
        own = own[(table.label[own] >= 0) & (table.weight[own] > 0)]
        if len(own) > MOST_BLOCKS:
            share = np.sqrt(table.weight[own])
            share = np.minimum(1, share * MOST_BLOCKS / share.sum())
            taken = chance.random(len(own)) < share
            scale[own[taken]] = 1 / share[taken]
            own = own[taken]
        keep[own] = True
    return keep, scale


class Trees:
    """A booster, and the log-odds of all blocks that it begins with."""

    def __init__(self, rows, label, weight):
        """Weights are brought to a mean of 1, so that the settings mean blocks."""
        weight = weight * (len(weight) / weight.sum())
        share = float((label * weight).sum() / weight.sum())
        self.start = float(np.log(share / (1 - share)))
        to_grid = lambda values: np.rint(values / GRID) * GRID

        def slopes(score, _):
            p = 1 / (1 + np.exp(-score))
            return to_grid((p - label) * weight), to_grid(p * (1 - p) * weight)

        data = lightgbm.Dataset(rows, label, init_score=np.full(len(label), self.start))
        self.booster = lightgbm.train({**SETTINGS, "objective": slopes}, data, TREES)

    def log_odds(self, rows):
        return self.start + self.booster.predict(rows, num_threads=2, raw_score=True)


def flatten(trees, columns):
    """Trees as [(splits, leaves)]. Leaves are numbered from left to right; a split is (feature,
    greatest value of its left side, leaves of that side as bits). Those of the first one hold what
    all begin with."""
    made = []
    for at, tree in enumerate(trees.booster.dump_model()["tree_info"]):
        splits, leaves, start = [], [], 0.0 if at else trees.start

        def walk(node):
            if "leaf_value" in node:
                leaves.append(int(round((start + node["leaf_value"]) * LEAF_UNIT)))
                return 1 << (len(leaves) - 1)
            left = walk(node["left_child"])
            right = walk(node["right_child"])
            feature = columns[node["split_feature"]]
            splits.append((feature, int(np.floor(node["threshold"])), left))
            return left | right

        walk(tree["tree_structure"])
        made.append((splits, leaves))
    return made


def pool(p, words, group):
    """What is decided as one has one probability."""
    _, group = np.unique(group, return_inverse=True)
    own = words + 1
    return (np.bincount(group, p * own) / np.bincount(group, own))[group]


def decide(p, words):
    """Which blocks to keep for the highest F1 to expect, and that F1."""
    order = np.argsort(-p, kind="stable")
    hit, kept = np.cumsum((p * words)[order]), np.cumsum(words[order])
    f1 = 2 * hit / np.maximum(kept + (p * words).sum(), 1e-9)
    best = len(f1) - 1 - int(np.argmax(f1[::-1]))
    keep = np.zeros(len(p), bool)
    keep[order[:best + 1]] = True
    return keep, float(f1[best])


WORD = re.compile(r"\w+")


def word_f1(truth, answer):
    a, b = Counter(WORD.findall(answer.lower())), Counter(WORD.findall(truth.lower()))
    if not a or not b:
        return float(not a and not b)
    return 2 * sum((a & b).values()) / (a.total() + b.total())


def calibration(expected, reached, steps=20, doubt=5):
    """The true F1 at each of evenly spaced expected ones, in thousandths; never less for more. Few
    pages expect little, so at each of them so many say that what is expected is true."""
    grid = np.linspace(0, 1, steps + 1)
    expected, reached = np.concatenate([expected, grid]), np.concatenate([reached, grid])
    count = np.ones(len(expected))
    count[-len(grid):] = doubt
    order = np.argsort(expected, kind="stable")
    blocks = []  # pools of adjacent violators: [expected sum, reached sum, count]
    for i in order:
        blocks.append([expected[i] * count[i], reached[i] * count[i], count[i]])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last)]
    at = [b[0] / b[2] for b in blocks]
    value = [b[1] / b[2] for b in blocks]
    return [int(round(1000 * one)) for one in np.interp(grid, at, value)]
