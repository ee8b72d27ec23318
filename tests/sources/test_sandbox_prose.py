"""What the sandbox answers reads as people write: no text is another one with a different number in
it."""

import collections
import json
import pathlib
import re

import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "lib/sources"
PROSE = {"text", "comment_text", "content", "body", "cooked", "blurb", "selftext", "description",
         "textDisplay", "snippet", "video_description", "bio_description"}
LONG = 20  # characters of what is more than a name or a number


def prose(value, key=""):
    if isinstance(value, dict):
        for name, one in value.items():
            yield from prose(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from prose(one, key)
    elif isinstance(value, str) and key in PROSE and len(value) >= LONG and " " in value.strip():
        yield value


def answers(source):
    for entry in json.loads((SOURCES / source / "sandbox.har").read_text())["log"]["entries"]:
        try:
            yield json.loads(entry["response"]["content"].get("text", ""))
        except ValueError:  # a page or a feed
            continue


@pytest.mark.parametrize("source", sorted(path.parent.name for path in SOURCES.glob("*/sandbox.har")))
def test_no_text_is_made_of_another_one(source):
    forms = collections.defaultdict(set)
    for answer in answers(source):
        for text in prose(answer):
            forms[re.sub(r"\d+", "#", text)].add(text)
    numbered = [sorted(texts)[:3] for texts in forms.values() if len(texts) > 1]
    assert not numbered
