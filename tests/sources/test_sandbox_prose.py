"""What the sandbox answers reads as people write: no text is another one with a different number or
another name in it, and no two items of an answer say the same."""

import collections
import html
import json
import pathlib
import re

import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "lib/sources"
PROSE = {"text", "comment_text", "content", "body", "cooked", "blurb", "selftext", "description",
         "textDisplay", "snippet", "video_description", "bio_description", "trailText"}
LONG = 20  # characters of what is more than a name or a number
# What an API gives of each story that it does not sell, and what a forum says of who wrote.
MADE_BY_SOURCE = ("The first lines of the story", "Original Poster")
OWNER = ("uri", "ap_id", "webUrl", "url", "link", "id")
# Results and entries of what is no JSON, and what they say.
ITEM = re.compile(r"<(item|entry)[ >].*?</\1>|<li class=\"r\d+\">.*?</li>|"
                  r"<div class=\"result results_links.*?<div class=\"clear\">", re.DOTALL)
SAID = re.compile(r"<(?:description|content|summary)[^>]*>(.*?)</|<p class=\"s\">(.*?)</p>|"
                  r"class=\"result__snippet\"[^>]*>(.*?)</a>", re.DOTALL)
NAME = re.compile(r"\b[A-Z]\w*(?: [A-Z]\w*)*")
HARS = sorted(path.parent.name for path in SOURCES.glob("*/sandbox.har"))


def plain(text):
    """Without marks, and without what Reddit's feeds say below each post."""
    text = re.sub(r"<[^>]*>", " ", html.unescape(html.unescape(text)))
    return " ".join(text.split("submitted by")[0].split())


def prose(value, key="", owner=""):
    """Pairs of what an item is called and what it says."""
    if isinstance(value, dict):
        own = next((str(value[name]) for name in OWNER if isinstance(value.get(name), str | int)), owner)
        for name, one in value.items():
            yield from prose(one, name, own)
    elif isinstance(value, list):
        for one in value:
            yield from prose(one, key, owner)
    elif isinstance(value, str) and key in PROSE:
        yield owner, plain(value)


def answers(source):
    """Each answer as pairs of an item and its text."""
    for entry in json.loads((SOURCES / source / "sandbox.har").read_text())["log"]["entries"]:
        text = entry["response"]["content"].get("text", "")
        try:
            found = list(prose(json.loads(text)))
        except ValueError:
            said = [(item.start(), SAID.search(item[0])) for item in ITEM.finditer(text)]
            found = [(owner, plain(next(filter(None, one.groups())))) for owner, one in said if one]
        yield [(owner, one) for owner, one in found
               if len(one) >= LONG and " " in one and not one.startswith(MADE_BY_SOURCE)]


@pytest.mark.parametrize("source", HARS)
def test_no_text_is_made_of_another_one(source):
    forms = collections.defaultdict(set)
    for texts in answers(source):
        for _, text in texts:
            forms[NAME.sub("X", re.sub(r"\d+", "#", text))].add(text)
    assert [sorted(texts)[:3] for texts in forms.values() if len(texts) > 1] == []


@pytest.mark.parametrize("source", HARS)
def test_no_two_items_of_an_answer_say_the_same(source):
    for texts in answers(source):
        owners = collections.defaultdict(set)
        for owner, text in texts:
            owners[text].add(owner)
        assert {text: who for text, who in owners.items() if len(who) > 1} == {}


def test_feeds_and_pages_of_results_are_read():
    read = {source: sum(map(len, answers(source))) for source in ("feeds", "mojeek", "duckduckgo", "reddit")}
    assert min(read.values()) >= 12, read
