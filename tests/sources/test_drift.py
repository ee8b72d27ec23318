"""Every row of ../shared/sources/drift.md, where our sources differed from the services or our endpoints
lacked something, has tests that answer as the reference says. Most are C++; here stands which, and none
may go missing."""

import pathlib
import re

from support.reach import need_shared

TESTS = pathlib.Path(__file__).resolve().parents[1]

# The source of a row, and the beginning of what happens, with the names of its tests.
ROWS = {
    ("mojeek", "with `lang` or `country`"): ["Mojeek is told language and region by its own cookies"],
    ("gdelt", "on a 429, which comes after"): [
        "a page is made without the source that lets it wait, and says so",
        "a default news call does not wait for a GDELT that hangs and then refuses",
        "a default news call takes less than four seconds while GDELT lets it wait"],
    ("lemmy", "Lemmy 1.0's `/api/v3/search` shim"): ["An instance of Lemmy 1.0 is searched by its own interface"],
    ("lemmy", "a thread ends at 300 comments"): [
        "A thread of Lemmy that is cut says that there may be more",
        "A large thread of Lemmy is walked to its end, branch by branch"],
    ("feeds", "the key is source, host and operation"): [
        "feeds are suspended each by its address", "each feed has its row, and one that is dead is nobody else's"],
    ("dailymotion", "without `views_total` both field lists fail"): [
        "dailymotion: without views_total everything else is there",
        "dailymotion: a withdrawn field costs one more request, not the call"],
    ("x", "the list of fields never asks for `note_post`"): [
        "x: both namings give the same post", "x: where the old names are refused, the new ones are asked for, once"],
    ("mastodon stream", "a 301 to the streaming host"): ["mastodon stream: the address is what the instance names"],
    ("tavily", "without a key it is refused"): ["Tavily is asked once for all it gives, the key in a header"],
    ("feeds, youtube's Atom", "`media:description` and"): ["A media group is the text and the video of an entry"],
    ("several feeds or instances", "one row stands for all"): [
        "each feed has its row, and one that is dead is nobody else's"],
    ("a page of one source that was all filtered", "`items` counts what was read"): [
        "a page that was all filtered says so, and is complete"],
    ("peertube", "an empty first page with"): [
        "peertube: a page goes on over long videos until it has something, or the bound"],
    ("reddit", "`USER_DOESNT_EXIST` (400)"): [
        "A redirect to the search for communities means that there is none"],
    ("duckduckgo", "sends `Sec-Fetch-Mode` alone"): ["DuckDuckGo is asked as its own form asks, without commands"],
    ("reddit without a credential", "429 for most since June 2026"): [
        "Without an application Reddit's feeds are asked"],
    ("mediawiki", "a user agent without a contact"): ["A result of a wiki loses no field", "test_doctor_offline"],
    ("googlenews", "nine of 42 editions"): ["The id of an edition that several countries share says so"],
    ("marginalia", "the key `public` shares"): ["Marginalia is asked with the shared key unless there is another"],
    ("invidious", "`/channels` gives no"): ["invidious: every recorded answer is read"],
}

# What the endpoints could not express, by its beginning, with the tests of what does so now. Polls and
# quotes have no key in the contract, and the panel of a web search has no item.
LACKED = {
    "web search by domain and by time": [
        "search scope: sites are alternatives", "search scope: every engine is told of the time"],
    "transcript of a video": ["captions: the sandbox of every source with captions gives them"],
    "comments of a video": ["comments of videos: recorded ones are read without loss"],
    "a post, a video, a forum thread by id": ["lookups: ids and addresses become one request"],
    "a community's list without words": [
        "communities: every order has its request", "search orders: every forum is asked"],
    "user search, followers, following": ["people: recorded lists are read without loss"],
    "kinds of web results": [
        "search kinds: pictures have", "search kinds: videos have", "search kinds: suggestions"],
    "trending": ["trends: recorded hashtags of Mastodon are read", "trends: Bluesky's topics"],
    "one search over all platforms": [
        "all/search: one platform dead, one slow", "all/search: every platform that has something"],
    "`edited_at`, polls, quotes": ["mastodon: every recorded answer is read without loss"],
}


def rows_of(text):
    """[(source, what happens)] of the tables of what differs; what the endpoints lack is no difference."""
    found = []
    for part in re.findall(r"^## (?:Shown|Read)$(.*?)(?=^## |\Z)", text, re.M | re.S):
        lines = [line for line in part.splitlines() if line.startswith("|")]
        head = [cell.strip() for cell in lines[0].strip("|").split("|")]
        what = next(n for n, cell in enumerate(head) if cell in ("what happens", "suspicion"))
        for line in lines[2:]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found.append((cells[0], cells[what]))
    return found


def cases():
    """The names of all tests, those of C++ by their text."""
    of_cpp = "\n".join(path.read_text() for path in TESTS.rglob("*_test.cpp"))
    of_python = "\n".join(path.read_text() for path in TESTS.rglob("test_*.py"))
    return (re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', of_cpp)
            + re.findall(r"^def (test_\w+)", of_python, re.M))


def missing(wanted):
    names = cases()
    return [test for test in wanted if not any(name.startswith(test) for name in names)]


def test_every_difference_that_was_found_has_its_tests():
    rows = rows_of(need_shared("sources", "drift.md").read_text())
    assert len(rows) == len(ROWS) and len(rows) >= 20
    for source, happens in rows:
        mine = [tests for (name, begins), tests in ROWS.items() if name == source and happens.startswith(begins)]
        assert len(mine) == 1, (source, happens)
    assert missing([test for tests in ROWS.values() for test in tests]) == []


def test_all_that_the_endpoints_lacked_has_its_tests():
    text = need_shared("sources", "drift.md").read_text().split("## What the endpoints cannot express")[1]
    rows = [line.strip("|").split("|")[0].strip() for line in text.splitlines() if line.startswith("|")][2:]
    assert len(rows) == len(LACKED)
    for row in rows:
        assert any(row.startswith(begins) for begins in LACKED), row
    assert missing([test for tests in LACKED.values() for test in tests]) == []
