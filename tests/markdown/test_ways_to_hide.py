"""What no reader sees is never in the markdown, and what one sees is: one word a page, hidden or not in
each of the ways of ways_to_hide.py. Whether it is seen is judged by what Chromium paints: twice, with
another word of the same length the second time. What does not change shows no word."""

import base64

from support import browsing
from support.reach import out_of_reach
from support.written import whole_pages
from ways_to_hide import ways

PROSE = "The gauge at the harbour has been read every hour since the pier was built. "
FIRST, SECOND = "word2x", "qzkd7m"
VIEW = {"width": 1280, "height": 420}

# Points of two pictures that anybody tells apart.
DIFFERENCE = """async ([one, other]) => {
  const points = async (data) => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height).data;
  };
  const a = await points(one), b = await points(other);
  let count = 0;
  for (let i = 0; i < a.length; i += 4) {
    if (Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > 24) ++count;
  }
  return count;
}"""
LEAST_POINTS = 10


def page_of(rules, body):
    """The prose is behind the word: of a page that shows nothing else scripts would show the rest."""
    sheet = f"<style>{rules}</style>" if rules else ""
    return (f"<!doctype html><html><head><title>t</title><style>body{{font-family:monospace}}</style>{sheet}</head>"
            f"<body>\n{body}\n<main>{PROSE * 60}</main>\n")


def seen_by_chromium(pages):
    """Whether each page, that says W, shows it."""
    from playwright.sync_api import sync_playwright

    seen = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browsing.CHROMIUM, args=browsing.FLAGS)
        view, judge = chromium.new_page(viewport=VIEW), chromium.new_page()
        for page in pages:
            shots = []
            for word in (FIRST, SECOND):
                view.set_content(page.replace("W<", word + "<").replace("W\n", word + "\n"),
                                 wait_until="domcontentloaded")
                shots.append(base64.b64encode(view.screenshot(animations="disabled")).decode())
            same = shots[0] == shots[1]
            seen.append(not same and judge.evaluate(DIFFERENCE, shots) >= LEAST_POINTS)
        chromium.close()
    return seen


def told_by_us(pages, folder):
    said = [page.replace("W<", FIRST + "<").replace("W\n", FIRST + "\n") for page in pages]
    return [FIRST in text for text in whole_pages(said, folder)]


def page_of_way(way):
    return page_of(way[1], way[2])


def test_what_is_seen_is_told_and_nothing_else(tmp_path):
    """As Chromium showed it when the table was made."""
    all_ways = ways()
    told = told_by_us([page_of_way(one) for one in all_ways], tmp_path)
    wrong = {one[0]: told_one for one, told_one in zip(all_ways, told) if told_one != one[3]}
    known = {one[0] for one in all_ways if one[4]}
    print(f"{len(all_ways)} ways: {sum(one[3] for one in all_ways)} seen, {sum(wrong.values())} hidden ones told, "
          f"{len(wrong) - sum(wrong.values())} seen ones not told")
    assert set(wrong) <= known, sorted(set(wrong) - known)
    assert not known - set(wrong), "these are right now, and want no mark: " + str(sorted(known - set(wrong)))


def test_the_table_is_what_chromium_shows(pytestconfig):
    if missing := browsing.why_not():
        out_of_reach(missing)
    some = ways() if pytestconfig.getoption("--all") else ways()[::40]
    seen = seen_by_chromium([page_of_way(one) for one in some])
    assert [one[0] for one, now in zip(some, seen) if now != one[3]] == []
