"""Files as we read them, beside what others read of them: the robots.txt of the sites that Protego tests
itself by, and the feeds of feedparser's own tests, neither of which is kept here: they come in the
packages' sources; addresses as ada reads them; and the months of dateparser. What is compared was drawn by chance, with a seed that is told."""

import html
import importlib
import json
import random
import re
import subprocess
import time
import urllib.parse

import pytest
from support.reach import BUILD, need_built, need_module
from support.source_package import unpacked

pytestmark = pytest.mark.long
SEED = 20261129


def answers(kind, lines):
    program = need_built(BUILD / "tests/read_lines")
    done = subprocess.run([program, kind], input="".join(line + "\n" for line in lines), capture_output=True,
                          text=True, errors="replace", check=True)
    said = done.stdout.splitlines()
    assert len(said) == len(lines)
    return said


def paths_by(text, draw):
    """Some that its rules mean, some beside them."""
    yield from ("/", "/index.html", "/a?b=c")
    rules = re.findall(r"(?im)^\s*(?:dis)?allow\s*:\s*([/*][^#\s]*)\s*$", text)
    for rule in draw.sample(rules, min(6, len(rules))):
        path = rule.replace("*", draw.choice(["", "x", "a/b", "x=1"])).rstrip("$")
        path = urllib.parse.quote("/" + path.lstrip("/"), safe="/?&=%:;,+~!*()@$'[]|-._")
        yield path
        yield path + draw.choice(["x", "/", "/y.html", "?z=1"])


def test_robots_txt_of_four_thousand_sites_say_what_protego_reads(tmp_path):
    folder = unpacked("protego", tmp_path)
    from protego import Protego

    draw, asked, theirs = random.Random(SEED), [], []
    for file in sorted((folder / "tests/test_data").iterdir()):
        try:
            text = file.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        rules = Protego.parse(text)
        for path in paths_by(text, draw):
            asked.append(f"{file}\t{path}")
            theirs.append("yes" if rules.can_fetch("http://site.example" + path, "Freshet") else "no")
    differ = [line for line, own, other in zip(asked, answers("robots", asked), theirs) if own != other]
    assert len(asked) > 40_000
    # Those are lines without rules, which end no group for us as for the largest crawler, and what lies
    # beyond 500 KiB.
    assert len(differ) <= len(asked) // 1000, (SEED, len(differ), differ[:20])


def seen(text):
    """What people see of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text or "")).split())


# Microsoft's CDF, which nobody writes, one that ends before its first entry does, and charsets that feedparser
# guesses by a package that it has not here.
NO_FEEDS = re.compile(r"/cdf/|/cdf_|rss_incomplete_cdata|/chardet/")


def test_feeds_say_what_feedparser_reads(tmp_path):
    folder = unpacked("feedparser", tmp_path)
    import feedparser

    files = sorted((folder / "tests").glob("**/*.xml"))
    compared, differ = 0, {"title": [], "time": [], "authors": [], "text": []}
    for file, line in zip(files, answers("feeds", [str(file) for file in files])):
        theirs, own = feedparser.parse(file.read_bytes()).entries, json.loads(line)
        if not theirs or NO_FEEDS.search(str(file)):
            continue
        assert own is not None and len(own) == len(theirs), file
        for one, other in zip(own, theirs):
            compared += 1
            moment = other.get("published_parsed") or other.get("updated_parsed") or other.get("created_parsed")
            authors = {who.get("name", "") for who in other.get("authors", [])} - {""}
            said = {"title": seen(other.get("title")), "authors": authors,
                    "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", moment) if moment else "",
                    "text": seen(other.content[0].value if other.get("content") else other.get("summary"))}
            ours = {"title": seen(one["title"]), "authors": set(one["authors"]),
                    "time": re.sub(r"\.\d+Z", "Z", one["time"]), "text": seen(one["text"])}
            for what, value in said.items():
                # A script's text goes when the markup does, behind this step.
                if ours[what] != value and "/sanitize/" not in str(file):
                    differ[what].append((file.name, ours[what], value))
    assert compared > 1_000
    assert {what: len(rows) <= compared // 50 for what, rows in differ.items()} == dict.fromkeys(differ, True), differ


SCHEMES = ("http:", "https:", "HTTP:", "ws:", "ftp:", "file:", "mailto:", "foo:", "", "", "", "")
HOSTS = ("a.example", "A.Example", "user:p@a.example:81", "a.example:443", "127.0.0.1", "0x7f.1", "1.2.3.4.5",
         "[::1]", "[1:2::3]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "straße.example", "a。example", "a%2eb", "")
PATHS = ("", "/", "/a/../b", "/a/./b", "/%2e%2e/c", "a b", "x;y=1", "/C|/d", "?q=a b", "#f g", "?", "#")
SIGNS = (*"/\\?#:@.%[]|^`{}<>\"'~-_&=;,+!$()*", " ", "\t", "\n", "\x00", "\x7f", "0", "0x", "7", "a", "Z", "é", "ß",
         "İ", "ﬀ", "\u00ad", "\u200d", "\ufffd", "💩", "..", "//", "::", ":1", "%00", "%2E", "%zz", "%C3%A9")


def address_by(draw):
    text = list(draw.choice(SCHEMES) + draw.choice(("//", "//", "/", "\\\\", "")) + draw.choice(HOSTS)
                + draw.choice(PATHS))
    for _ in range(draw.randint(0, 4)):
        at = draw.randint(0, len(text))
        text[at:at + draw.randint(0, 1)] = draw.choice(SIGNS)
    return "".join(text)


def test_two_hundred_thousand_addresses_are_what_ada_makes_of_them():
    ada = need_module("ada_url", "ada-url is not installed (tests/requirements.txt)")

    def href(against, reference):
        try:
            return ada.URL(reference, against or None).href
        except ValueError:
            return ""

    draw = random.Random(SEED)
    bases = ("", "http://a.example/d/e?q#f", "https://u:p@b.example:81/x/y/", "file:///c/d", "foo://h/p", "mailto:x")
    pairs = [(draw.choice(bases), address_by(draw)) for _ in range(200_000)]
    pairs = [pair for pair in pairs if not (pair[0] == "" and pair[1] == "")]
    own = answers("urls", [json.dumps(pair) for pair in pairs])
    differ = [(pair, json.loads(one), href(*pair)) for pair, one in zip(pairs, own)
              if json.loads(one) != href(*pair)]
    assert sum(href(*pair) != "" for pair in pairs) > 100_000
    assert differ == [], (SEED, len(differ))


LANGUAGES = ("ar az be bg bn bs ca da de el en es et eu fa fi fil fr gl gu he hi hr hu hy id is it ka kk kn lt lv mk ml mr "
             "ms nb nl pa pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz").split()
MONTHS = ("january february march april may june july august september october november december").split()


def test_the_months_of_fifty_languages_are_those_that_dateparser_knows():
    need_module("dateparser", "dateparser is not installed (tests/requirements.txt)")
    asked = []
    for language in LANGUAGES:
        known = importlib.import_module(f"dateparser.data.date_translation_data.{language}").info
        asked += [(language, number, name) for number, month in enumerate(MONTHS, 1) for name in known[month]]
    own = {}
    for (language, number, _), day in zip(asked, answers("days", [json.dumps(f"5 {one[2]} 2026") for one in asked])):
        own.setdefault((language, number), set()).add(day)
    # Not all abbreviations are read, and none as another month. Croats have two months by names that
    # are others to Poles and Czechs, of whom there are more pages.
    differ = {which: days for which, days in own.items() if days - {""} != {f"2026-{which[1]:02}-05"}}
    assert len(own) == 12 * len(LANGUAGES) and differ.keys() == {("hr", 6), ("hr", 10)}, differ
