"""What no reader sees is never in the markdown: generated pages, with words hidden in many ways, as
Chromium shows them on the screens of a desk and of a phone. A word that is seen on neither and that
we write is a failure; a word that is seen and that we leave out is counted."""

import random
import re

import pytest
from support import browsing
from support.reach import out_of_reach
from support.written import whole_pages

SCREENS = [(1280, 800), (390, 844)]
PAGES, PAGES_OF_ALL = 60, 600
WORDS = 24
# Of the words that Chromium shows: what a page says of itself is sometimes less than its layout.
MOST_LOST = 0.03

PROSE = "The gauge at the harbour has been read every hour since the pier was built. "

# Ways to hide, and as many to show; both may meet on one element, with or without !important.
HIDING = [
    "display:none", "visibility:hidden", "visibility:collapse", "opacity:0", "opacity: 0.0",
    "font-size:0", "font-size:1px", "font:0/0 a", "position:absolute;left:-9999px",
    "position:absolute;top:-5000px", "position:fixed;left:-200em", "text-indent:-9999px",
    "margin-left:-9999px", "position:absolute;clip:rect(0 0 0 0)",
    "position:absolute; clip: rect(1px, 1px, 1px, 1px)", "clip-path:inset(50%)",
    "clip-path: inset(100%)", "clip-path:circle(0)", "clip-path:polygon(0 0,0 0,0 0)",
    "height:0;overflow:hidden", "max-height:0; overflow:hidden", "width:0;height:0;overflow:hidden",
    "transform:scale(0)", "transform: translateX(-9999px)", "content-visibility:hidden",
    "color:#fff", "color:white;background:#ffffff", "color:#101010;background:#101010",
    "color:transparent", "background:rgb(10, 20, 30);color:rgb(10 20 30)", "color:#fefefe",
    "color:rgba(0,0,0,0)", "DISPLAY:NONE", "display:none;;color:red", "/* a */display/**/:none;display:none",
]
SHOWING = [
    "display:block", "display:inline", "visibility:visible", "opacity:1", "opacity:.8", "font-size:14px",
    "font-size:1.2em", "position:static", "text-indent:0", "color:#222", "color:#c00;background:#fff",
    "background:#111;color:#eee", "color:navy", "height:auto;overflow:visible", "clip-path:none",
    "transform:none", "margin-left:2px", "color:red", "padding:3px", "position:relative;left:4px",
]
ELEMENTS = ["div", "p", "span", "section", "b", "em", "blockquote", "article"]
CLASSES = [f"c{i}" for i in range(8)]
MEDIA = ["", "", "", "", "@media screen", "@media print", "@media (min-width:600px)",
         "@media (max-width: 599px)", "@media (min-width: 20em) and (max-width:2000px)",
         "@media not print", "@media (width >= 10px)", "@supports (display:grid)", "@layer x"]

# What Chromium says of every text of the page: its own styles, and where it stands.
SEEN = """() => {
  const near = (a, b) => a.every((v, i) => i > 2 || Math.abs(v - b[i]) < 9);
  const rgba = (text) => {
    const n = text.match(/[\\d.]+/g).map(Number);
    return n.length === 3 ? [...n, 1] : n;
  };
  const ground = (at) => {
    for (; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) return color;
    }
    return [255, 255, 255, 1];
  };
  const cut = (at) => {
    for (; at; at = at.parentElement) {
      const style = getComputedStyle(at), box = at.getBoundingClientRect();
      const clip = style.clip.match(/-?[\\d.]+/g);
      if (clip && style.position === "absolute" && (clip[1] - clip[3] <= 1 || clip[2] - clip[0] <= 1)) return true;
      if (/inset\\((5\\d|[6-9]\\d|100)%/.test(style.clipPath) || /circle\\(0/.test(style.clipPath)) return true;
      if (/polygon\\(0(px|%)? 0(px|%)?, 0(px|%)? 0(px|%)?, 0/.test(style.clipPath)) return true;
      if (style.contentVisibility === "hidden" && style.display !== "inline") return true;
      const holds = style.display !== "inline" && style.overflow !== "visible";
      if (holds && (box.width <= 1 || box.height <= 1)) return true;
    }
    return false;
  };
  const seen = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const word = node.data.match(/word\\d+x/);
    if (!word) continue;
    const at = node.parentElement, style = getComputedStyle(at);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const color = rgba(style.webkitTextFillColor || style.color);
    const shown = at.checkVisibility({opacityProperty: true, visibilityProperty: true,
                                      contentVisibilityAuto: true, checkOpacity: true, checkVisibilityCSS: true})
      && parseFloat(style.fontSize) > 2 && box.width > 0 && box.height > 0
      && box.right > 0 && box.bottom + scrollY > 0
      && color[3] > 0 && !near(color, ground(at)) && !cut(at);
    if (shown) seen.push(word[0]);
  }
  return seen;
}"""


def head(rules=""):
    """The page up to its words: prose that is seen, so that no script has to show the rest."""
    return f"<!doctype html><title>t</title><style>{rules}</style><body><main>{PROSE * 60}</main>\n"


class Maker:
    """One page of a seed. `states`: with rules that would hold only after a click or a script."""

    def __init__(self, seed, states):
        self.random = random.Random(seed)
        self.states = states
        self.words = 0

    def one_of(self, choices):
        return self.random.choice(choices)

    def declarations(self, hide):
        text = self.one_of(HIDING if hide else SHOWING)
        if self.random.random() < 0.2:
            text = ";".join(part + " !important" for part in text.split(";") if ":" in part)
        return text

    def simple(self):
        return self.one_of(["." + self.one_of(CLASSES), "." + self.one_of(CLASSES),
                            f"#i{self.random.randrange(WORDS)}", self.one_of(ELEMENTS),
                            f"[data-k=v{self.random.randrange(4)}]"])

    def selector(self):
        a, b = "." + self.one_of(CLASSES), "." + self.one_of(CLASSES)
        return self.one_of([self.simple(), self.simple(), a + b, self.one_of(ELEMENTS) + a, f"{a} {b}",
                            f"{a} > {b}", f"{a} + {b}", f"{a} ~ {b}", f"{a}:not({b})", f"{a}:nth-child(2)",
                            f"{a}:first-child", f"{a}, {b}", f"body {a}", f"{a} {self.one_of(ELEMENTS)} {b}"])

    def rule(self):
        hide = self.random.random() < 0.5
        selector = self.selector() if hide or self.states else self.simple()
        rule = f"{selector} {{ {self.declarations(hide)} }}"
        media = self.one_of(MEDIA)
        return f"{media} {{ {rule} }}" if media else rule

    def element(self, depth):
        tag = self.one_of(ELEMENTS)
        attributes = [f"id=i{self.words}"]
        if self.random.random() < 0.7:
            names = self.random.sample(CLASSES, self.random.randint(1, 2))
            attributes.append(f'class="{" ".join(names)}"')
        if self.random.random() < 0.25:
            attributes.append(f'style="{self.declarations(self.random.random() < 0.6)}"')
        if self.random.random() < 0.2:
            attributes.append(f"data-k=v{self.random.randrange(4)}")
        if self.random.random() < 0.06:
            attributes.append("hidden")
        self.words += 1
        inside = f"word{self.words}x "
        while depth < 4 and self.words < WORDS and self.random.random() < 0.5:
            inside += self.element(depth + 1)
        return f"<{tag} {' '.join(attributes)}>{inside}</{tag}>\n"

    def page(self):
        rules = "\n".join(self.rule() for _ in range(self.random.randint(4, 14)))
        body = ""
        while self.words < WORDS:
            body += self.element(0)
        return head(rules) + body


@pytest.fixture(scope="module")
def chromium():
    if missing := browsing.why_not():
        out_of_reach(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browsing.CHROMIUM, args=browsing.FLAGS)
        yield running
        running.close()


def seen_words(chromium, pages):
    seen = [set() for _ in pages]
    for width, height in SCREENS:
        view = chromium.new_page(viewport={"width": width, "height": height})
        for number, page in enumerate(pages):
            view.set_content(page, wait_until="domcontentloaded")
            seen[number] |= set(view.evaluate(SEEN))
        view.close()
    return seen


def written_words(pages, tmp_path):
    return [set(re.findall(r"word\d+x", text)) for text in whole_pages(pages, tmp_path)]


def judge(chromium, tmp_path, pages):
    """Hidden words that are written, seen ones that are not, and all seen ones."""
    seen, written = seen_words(chromium, pages), written_words(pages, tmp_path)
    leaked = [(n, word) for n in range(len(pages)) for word in sorted(written[n] - seen[n])]
    lost = [(n, word) for n in range(len(pages)) for word in sorted(seen[n] - written[n])]
    return leaked, lost, sum(map(len, seen))


@pytest.fixture
def page_count(pytestconfig):
    return PAGES_OF_ALL if pytestconfig.getoption("--all") else PAGES


def test_no_word_that_chromium_hides_is_written(chromium, tmp_path, page_count):
    pages = [Maker(seed, states=False).page() for seed in range(page_count)]
    leaked, lost, seen = judge(chromium, tmp_path, pages)
    words = page_count * WORDS
    print(f"{page_count} pages, {words} words, {seen} seen: {len(leaked)} hidden ones written, "
          f"{len(lost)} seen ones lost")
    assert seen > words / 4, "the pages hide nearly all: they show nothing"
    assert seen < words * 0.9, "the pages hide nearly nothing"
    assert not leaked, f"of page {leaked[0][0]}: {pages[leaked[0][0]]}"
    assert len(lost) <= MOST_LOST * seen, lost[:20]


def each_way_alone(how):
    """In an attribute and by a rule; the word beside it is seen."""
    shown = "" if "display" in how.lower() else " style='display:inline-block'"
    return [head() + f"<div>word1x</div><div style='{how}'>word2x</div>",
            head(f"p.a > span {{{how}}}") + f"<div>word1x</div><p class=a><span{shown}>word2x</span></p>"]


@pytest.fixture(scope="module")
def found_alone(chromium, tmp_path_factory):
    """The same two pages of every way, seen and written in one go: a browser's page costs more than
    what it shows."""
    pages = [page for how in HIDING for page in each_way_alone(how)]
    return seen_words(chromium, pages), written_words(pages, tmp_path_factory.mktemp("alone"))


@pytest.mark.parametrize("number", range(len(HIDING)), ids=HIDING)
def test_each_way_to_hide_alone(number, found_alone):
    seen, written = (found[2 * number:2 * number + 2] for found in found_alone)
    assert written == seen == [{"word1x"}] * 2


def test_what_a_click_or_a_state_shows_is_kept_and_counted(chromium, tmp_path, page_count):
    """Rules for another state (`.tab.active`) keep what is hidden now where a switch is seen: how much of
    it is said."""
    pages = [Maker(seed, states=True).page() for seed in range(10_000, 10_000 + page_count)]
    leaked, lost, seen = judge(chromium, tmp_path, pages)
    print(f"with rules for states: {len(leaked)} of {page_count * WORDS - seen} hidden words kept, "
          f"{len(lost)} of {seen} seen ones lost")
    assert len(lost) <= MOST_LOST * seen, lost[:20]


def test_what_a_click_opens_is_kept(tmp_path):
    def page_with(script, switches):
        return head(".tab{display:none}.tab.active{display:block}") + script + (
            f"<details><summary>word1x</summary><p>word2x</p></details><p>{PROSE * 3}</p>" + switches +
            f"<div class='tab active'>word3x {PROSE * 3}</div><div class=tab>word4x</div>"
            "<p hidden=until-found>word5x</p>")

    script, switches = "<script src=/tabs.js></script>", "<p><button>One</button> <button>Two</button></p>"
    pages = [page_with(script, switches), page_with(script, ""), page_with("", switches)]
    every = {f"word{number}x" for number in range(1, 6)}
    assert written_words(pages, tmp_path) == [every, every - {"word4x"}, every - {"word4x"}]
