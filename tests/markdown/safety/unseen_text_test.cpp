// What no reader sees is never in the markdown: characters without a shape, and text that is too
// small, cut away or in the colour of its background.
#include <catch2/catch.hpp>
#include <markdown/page.hpp>
#include <markdown/safety/unseen_text.hpp>
#include <string>

using namespace freshet;

namespace {

std::string shown_of(const std::string& body) {
  markdown::page_options whole;
  whole.mode = markdown::page_mode::page;
  auto made =
      markdown::convert({"<body>" + body, "text/html; charset=utf-8", "https://a.example/"}, whole);
  REQUIRE(made.has_value());
  return made->document.markdown;
}

}  // namespace

TEST_CASE("what no reader sees is found wherever it stands in a text of any length") {
  for (std::size_t size = 1; size < 50; ++size) {
    const std::string plain(size, '\n');
    CHECK_FALSE(markdown::may_hold_unseen(plain));
    for (std::size_t at = 0; at < size; ++at) {
      auto text = plain;
      text[at] = '\x7F';
      CHECK(markdown::may_hold_unseen(text));
      text.replace(at, 1, "\u200B");
      CHECK(markdown::may_hold_unseen(text));
      CHECK(markdown::without_unseen(text) == plain.substr(1));
      text.replace(at, 3, "\u2019");
      CHECK_FALSE(markdown::may_hold_unseen(text));
    }
  }
}

TEST_CASE("characters that no reader sees are left out") {
  using markdown::without_unseen;
  CHECK(without_unseen("a\U000E0049\U000E0067b") == "ab");            // tags
  CHECK(without_unseen("a\u200B\u2060\uFEFF\u00ADb") == "ab");        // without width
  CHECK(without_unseen("a\u202Eb\u202C\u2066c\u2069") == "abc");      // turned around
  CHECK(without_unseen("a\u200C\u200Db\u200E") == "ab");              // joiners of nothing
  CHECK(without_unseen("a\U000E0100b") == "ab");                      // variation selectors
  CHECK(without_unseen("a\u034F\u17B4\uFFF9\uFFFBb") == "ab");        // signs of programs
  CHECK(without_unseen("a\U0001BCA0\U0001D173\U0001D17Ab") == "ab");  // and of notes
  CHECK(without_unseen("a\u3164\uFFA0\u115F\u1160b\u180B") == "ab");  // places of nothing
  CHECK(without_unseen("\uAC00\u3164\uFFA0\uAC00") == "\uAC00\u3164\uAC00");
  CHECK(without_unseen("\u1820\u180B \u05D0\u034F") == "\u1820\u180B \u05D0\u034F");
  CHECK(without_unseen("a\xC2\x9B\x33\x31mb\xC2\x85") == "a31mb\xC2\x85");  // a terminal's commands
  CHECK(without_unseen("a\x1B[8mb\x7F c\x07\x0B\x1F") == "a[8mb c");
  CHECK(without_unseen("a\tb\r\nc\fd") == "a\tb\r\nc\fd");
  CHECK(without_unseen("\u0645\u06CC\u200C\u062E") == "\u0645\u06CC\u200C\u062E");
  CHECK(without_unseen("\u0645\u200C\u200D\u200C\u062E") == "\u0645\u200C\u062E");
  CHECK(without_unseen("\U0001F469\u200D\U0001F4BB") == "\U0001F469\u200D\U0001F4BB");
  CHECK(without_unseen("a\u00E9\u201C\xFF") == "a\u00E9\u201C\xFF");
}

TEST_CASE("each byte of a text is looked at, wherever it stands among eight") {
  for (int byte = 0; byte < 0x80; ++byte) {
    const bool unseen =
        (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\f' && byte != '\r') ||
        byte == 0x7F;
    for (std::size_t at = 0; at < 17; ++at) {
      std::string text(17, '~');
      text[at] = static_cast<char>(byte);
      CHECK(markdown::without_unseen(text).size() == (unseen ? 16u : 17u));
    }
  }
}

TEST_CASE("characters that no reader sees are in no part of a document") {
  CHECK(shown_of("<p>a&#x200B;b&#xE0041; <img src=i.png alt='c&#xE0042;d'>") ==
        "ab ![cd](https://a.example/i.png)\n");
  CHECK(shown_of("<p><code>a\x1B[8m b</code> <img src=i.png alt='c\x1B[2J'><pre>d\x1B]0;e</pre>") ==
        "`a[8m b` ![c\\[2J](https://a.example/i.png)\n\n```\nd]0;e\n```\n");
  const auto made =
      markdown::convert({"<title>T&#xE0041;</title><p>text", "text/html; charset=utf-8", ""}, {});
  REQUIRE(made.has_value());
  CHECK(made->document.title == "T");
  CHECK(made->document.text == "text");
}

TEST_CASE("text that is too small, cut away or in its background's colour is no text of the page") {
  for (const std::string style : {"font-size:1px",
                                  "font-size: 0",
                                  "font-size:0.5pt",
                                  "clip-path: inset(100%)",
                                  "clip-path:inset(50% 50%)",
                                  "clip-path:circle(0)",
                                  "color:#fff;background:#fff",
                                  "background-color:white; color:#FFFFFF",
                                  "color:red;background:red",
                                  "color:hsla(0, 0%, 0%, 0)",
                                  "color:oklch(40% 0.2 30 / 0%)",
                                  "font-size:calc(0px + 0em)",
                                  "font-size:min(0px, 0em)",
                                  "scale:0",
                                  "scale:1 0",
                                  "translate:-9999px",
                                  "translate:0 -100vh",
                                  "filter:opacity(0)",
                                  "filter:blur(0) opacity(1%)",
                                  "transform:rotateX(90deg)",
                                  "transform:matrix(0, 0, 0, 0, 0, 0)",
                                  "position:fixed;top:-100vh",
                                  "position:absolute;inset:auto auto auto -200vw"}) {
    INFO(style);
    CHECK(shown_of("<p>seen</p><p style='" + style + "'>hidden</p>") == "seen\n");
  }
  for (const std::string style :
       {"font-size:1em", "font-size:12px", "clip-path: inset(10%)", "color:#fff;background:#000",
        "color:inherit;background:inherit", "color:#ccc", "font-size:1rem",
        "color:hsl(0 0% 0% / 90%)", "color:oklch(0 0 0)", "font-size:calc(0px + 1em)",
        "font-size:calc(var(--size) * 0)", "scale:1.05", "translate:-50% 0", "filter:opacity(1)",
        "filter:none", "transform:rotateX(180deg)", "position:relative;top:-10vh"}) {
    INFO(style);
    CHECK(shown_of("<p>seen</p><p style='" + style + "'>too</p>") == "seen\n\ntoo\n");
  }
}
