"""The log-odds of words as columns: of the words of class and id names, by how much of the text
below is content, and of the words of texts. Fitted without the folds that a page must not know."""

import numpy as np

EIGHTHS = 8
GREATEST = 40


class Vocabulary:
    """How much text speaks for and against each word, page by page: a page counts once."""

    def __init__(self, owner, word, page, good, bad, most, prior):
        """`owner` and `word` are pairs; `page`, `good` and `bad` are of owners."""
        self.owner, self.prior = owner, prior
        self.hashes, self.word = np.unique(word, return_inverse=True)
        keys, index = np.unique(page[owner] * np.int64(len(self.hashes)) + self.word,
                                return_inverse=True)
        self.good = np.minimum(np.bincount(index, good[owner]), most)
        self.bad = np.minimum(np.bincount(index, bad[owner]), most)
        self.key_word, self.key_page = keys % len(self.hashes), keys // len(self.hashes)

    def fit(self, keep_page, size, least_pages):
        """Odds of every word in eighths, 0 for all but the `size` most telling."""
        keep, count = keep_page[self.key_page], len(self.hashes)
        good = np.bincount(self.key_word[keep], self.good[keep], count)
        bad = np.bincount(self.key_word[keep], self.bad[keep], count)
        pages = np.bincount(self.key_word[keep], minlength=count)
        ratio = good.sum() / max(bad.sum(), 1e-9)
        share = ratio / (1 + ratio)
        odds = np.log((good + self.prior * share) / (bad + self.prior * (1 - share)) / ratio)
        odds[pages < least_pages] = 0
        worth = np.round(np.abs(odds) * np.sqrt(good + bad), 9)
        best = np.argsort(-worth, kind="stable")[:size]
        made = np.zeros(count, np.int64)
        made[best] = np.clip(np.rint(odds[best] * EIGHTHS), -GREATEST, GREATEST)
        return made

    def table(self, odds):
        """[(hash, odds)] of the words that count."""
        return [(int(self.hashes[i]), int(odds[i])) for i in np.flatnonzero(odds)]


def centred(value, unit):
    """As in lib/markdown/blocks/features.cpp, whose division rounds towards 0."""
    return np.clip(32 + np.trunc(value / unit), 0, 63).astype(np.uint8)


class Names:
    """Words of class and id names. A name counts for all the text below its element."""

    COLUMNS = ("odds_own", "odds_near", "odds_sum", "odds_least", "odds_most")
    SIZE, LEAST_PAGES = 1500, 5

    def __init__(self, table):
        self.table = table
        count = len(table.parent)
        mass = np.where(table.label >= 0, np.minimum(table.weight, 1.0), 0.0)
        good = self.up(np.bincount(table.box, mass * (table.label == 1), count))
        bad = self.up(np.bincount(table.box, mass * (table.label == 0), count))
        page = np.cumsum(table.depth == 0) - 1  # each page's boxes begin with the one of depth 0
        self.words = Vocabulary(table.name_box, table.name, page, good, bad, 1.0, 1.5)

    def levels(self):
        for depth in range(1, int(self.table.depth.max()) + 1):
            yield np.flatnonzero(self.table.depth == depth)

    def up(self, own):
        """Sums over all that is below each box."""
        total = own.copy()
        for level in reversed(list(self.levels())):
            np.add.at(total, self.table.parent[level], total[level])
        return total

    def fit(self, keep_page):
        return self.words.fit(keep_page, self.SIZE, self.LEAST_PAGES)

    def columns(self, odds):
        """The features of every block."""
        table = self.table
        own = np.bincount(table.name_box, odds[self.words.word], len(table.parent)).astype(int)
        own[table.depth == 0] = 0
        total, least, most = own.copy(), np.minimum(own, 0), np.maximum(own, 0)
        for level in self.levels():
            above = table.parent[level]
            total[level] += total[above]
            least[level] = np.minimum(least[above], own[level])
            most[level] = np.maximum(most[above], own[level])
        near = own + np.where(table.depth > 0, own[table.parent], 0)
        made = [centred(own, 1), centred(near, 1), centred(total, 4), centred(least, 1),
                centred(most, 1)]
        return np.stack(made, axis=1)[table.box]


class Texts:
    """Words of texts. Short texts weigh more than their words would."""

    COLUMNS = ("said_sum", "said_mean", "said_least", "said_most", "said_near")
    SIZE, LEAST_PAGES = 2500, 6
    REACH = 3

    def __init__(self, table):
        self.table = table
        mass = np.where(table.label >= 0, np.sqrt(np.minimum(table.weight, 1.0)), 0.0)
        self.words = Vocabulary(table.said_block, table.said, table.page,
                                mass * (table.label == 1), mass * (table.label == 0), 0.3, 0.5)

    def fit(self, keep_page):
        return self.words.fit(keep_page, self.SIZE, self.LEAST_PAGES)

    def columns(self, odds):
        table, count = self.table, len(self.table.label)
        value = odds[self.words.word]
        total = np.bincount(table.said_block, value, count).astype(int)
        words = np.maximum(np.bincount(table.said_block, minlength=count), 1)
        least, most = np.zeros(count, int), np.zeros(count, int)
        np.minimum.at(least, table.said_block, value)
        np.maximum.at(most, table.said_block, value)
        at = np.arange(count)
        first = np.maximum(at - self.REACH, table.page_first[table.page])
        end = np.minimum(at + self.REACH + 1, table.page_end[table.page])
        before = np.concatenate([[0], np.cumsum(total)])
        near = np.trunc((before[end] - before[first]) / (end - first))
        made = [centred(total, 4), centred(total, words), centred(least, 1), centred(most, 1),
                centred(near, 4)]
        return np.stack(made, axis=1)
