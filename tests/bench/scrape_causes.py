"""Why pages are lost (word F1 below .5), as far as words tell it: those of the page, of its truth and of
our answer. Reads ../shared/corpora and what tests/bench/scrape has converted."""

import gzip
import html
import re
from collections import Counter

LOST = 0.5
MOST = 0.85  # of the words of one that are in another: all but some
WORD = re.compile(r"\w+")
SILENT = re.compile(r"(?is)<(script|style)\b[^>]*>.*?</\1>")
CAUSES = ("the truth is empty", "the truth is not in the page without its scripts",
          "too much: the truth and what stands around it", "too little: a part of the truth",
          "another part of the page")


def words_of(text):
    return Counter(WORD.findall(text.lower()))


def share(of, within):
    """How many of the words of one are in the other."""
    return (of & within).total() / max(of.total(), 1)


def cause_of(page, truth, answer):
    truth, answer = words_of(truth), words_of(answer)
    if not truth:
        return CAUSES[0]
    seen = words_of(html.unescape(re.sub(r"<[^>]+>", " ", SILENT.sub(" ", page))))
    if share(truth, seen) < LOST:
        return CAUSES[1]
    if share(truth, answer) > MOST:
        return CAUSES[2]
    return CAUSES[3] if share(answer, truth) > MOST else CAUSES[4]


def page_of(folder, name):
    for path in (folder / "html" / f"{name}.html.gz", folder / "html" / f"{name}.html"):
        if path.exists():
            raw = path.read_bytes()
            return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode(errors="replace")
    return ""


def show_lost(folder, answers, marks):
    """The lost pages by cause, each with its type and its mark."""
    found = {}
    for name, value in sorted(marks["page"].items(), key=lambda one: one[1]):
        if value < LOST:
            truth = (folder / "gold" / f"{name}.txt").read_text()
            answer = (answers / f"{name}.md").read_text()
            kind = marks["facts"][name].get("type", "article")
            found.setdefault(cause_of(page_of(folder, name), truth, answer), []).append(f"{name} {kind} {value:.2f}")
    for cause in CAUSES:
        if cause in found:
            print(f"  lost, {cause}: {len(found[cause])}: " + ", ".join(found[cause]))
