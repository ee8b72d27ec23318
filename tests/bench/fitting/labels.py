"""Which blocks of a page are in its truth: the words of both are aligned, so that a teaser that
says the same as a paragraph, or one word of a menu, is not taken for content."""

import re
from collections import Counter, defaultdict

# Scripts without spaces are compared by characters.
UNSPACED = r"\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"
WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")
RUN = 3  # words that are compared at once
LEAST = 0.5  # share of a block's runs that must stand in the truth, in one place
REACH = 6  # blocks around a short one that may say where it stands
WINDOW = 40  # words of the truth in which it is looked for


SOFT_HYPHEN = "\u00ad"  # a truth may have them; our text has none


def words_of(text):
    return WORD.findall(text.replace(SOFT_HYPHEN, "").lower())


class Alignment:
    """The blocks of one page, as lists of words, placed in the words of the truth."""

    def __init__(self, blocks, truth):
        self.blocks, self.truth = blocks, truth
        self.places = [None] * len(blocks)
        self.used = bytearray(len(truth) + 1)
        self.runs = defaultdict(list)
        for at in range(len(truth) - RUN + 1):
            self.runs[tuple(truth[at:at + RUN])].append(at)

    def best_place(self, words):
        """Where most of its runs stand beside one another: (start, share); best where no other
        block stands already."""
        votes = Counter()
        for i in range(len(words) - RUN + 1):
            for at in self.runs.get(tuple(words[i:i + RUN]), ())[:40]:
                votes[at - i] += 1
        runs = len(words) - RUN + 1
        found = (0, 0.0)
        for offset, count in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))[:8]:
            # A word more or less moves what follows.
            near = sum(votes.get(offset + shift, 0) for shift in range(-3, 4))
            share = min(max(near, count) / runs, 1.0)
            start = max(offset, 0)
            if share >= LEAST and self.is_free(start, len(words)):
                return start, share
            found = max(found, (start, share), key=lambda place: place[1])
        return found

    def is_free(self, start, count):
        end = min(start + count, len(self.truth))
        return end > start and sum(self.used[start:end]) <= (end - start) / 2

    def take(self, block, start):
        end = min(start + len(self.blocks[block]), len(self.truth))
        if not self.is_free(start, len(self.blocks[block])):
            return
        self.used[start:end] = b"\1" * (end - start)
        self.places[block] = (start, end)

    def nearest(self, block, step):
        for at in range(block + step, block + step * (REACH + 1), step):
            if 0 <= at < len(self.places) and self.places[at]:
                return self.places[at]
        return None

    def distance(self, block, start):
        beside = [p for p in (self.nearest(block, -1), self.nearest(block, 1)) if p]
        return min((abs(start - p[0]) for p in beside), default=len(self.truth))

    def place_long(self):
        seen = Counter(tuple(words) for words in self.blocks)
        found = []
        for i, words in enumerate(self.blocks):
            if len(words) < RUN:
                continue
            start, share = self.best_place(words)
            if share >= LEAST:
                found.append((i, start, seen[tuple(words)] > 1))
        for i, start, _ in sorted((f for f in found if not f[2]),
                                  key=lambda f: -len(self.blocks[f[0]])):
            self.take(i, start)
        # Of several with the same text the one whose neighbours stand beside it.
        twice = sorted((self.distance(i, start), i, start) for i, start, again in found if again)
        for _, i, _ in twice:
            start, share = self.best_place(self.blocks[i])
            if share >= LEAST:
                self.take(i, start)

    def place_short(self):
        for i, words in enumerate(self.blocks):
            if self.places[i] or not words or len(words) > 6:
                continue
            before, after = self.nearest(i, -1), self.nearest(i, 1)
            if before and after and 0 <= after[0] - before[1] <= WINDOW:
                low, high = before[1], after[0]
            elif before:
                low, high = before[1], before[1] + len(words) + 4
            elif after:
                low, high = after[0] - len(words) - 4, after[0]
            else:
                continue
            low, high = max(low, 0), min(high, len(self.truth))
            for start in range(low, high - len(words) + 1):
                if self.truth[start:start + len(words)] == words and not any(
                        self.used[start:start + len(words)]):
                    self.take(i, start)
                    break


def labels_by_text(texts, truth):
    """A 0 or 1 for each block, by the words of the truth."""
    made = Alignment([words_of(text) for text in texts], words_of(truth))
    made.place_long()
    made.place_short()
    return [1 if place else 0 for place in made.places]


def labels_by_segments(texts, wanted, unwanted):
    """1 or 0 for the blocks that hold a segment that must or must not appear, None for others."""
    flat = lambda text: " ".join(text.split())
    made = []
    for text in map(flat, texts):
        good = any(flat(one) in text for one in wanted if flat(one))
        bad = any(flat(one) in text for one in unwanted if flat(one))
        made.append(None if good == bad else int(good))
    return made
