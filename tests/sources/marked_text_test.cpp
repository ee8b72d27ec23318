#include <catch2/catch.hpp>
#include <freshet/item.hpp>
#include <sources/marked_text.hpp>
#include <string>
#include <string_view>
#include <vector>

using namespace freshet;

namespace {

forum_post read(std::string_view markdown) {
  forum_post out;
  sources::read_marked_text(markdown, "https://tides.example/post/1", out);
  return out;
}

std::string text_of(std::string_view markdown) { return read(markdown).text; }

}  // namespace

TEST_CASE("What is marked in Markdown is plain text") {
  const struct {
    std::string_view markdown, text;
  } cases[] = {
      {"", ""},
      {"The **tide** is *in*, __very__ _much_ ~~out~~.", "The tide is in, very much out."},
      {"***both*** and **one *in* the other**", "both and one in the other"},
      {"5 * 3 * 4, snake_case_name, ~5 m, **, a ** b, _open",
       "5 * 3 * 4, snake_case_name, ~5 m, **, "
       "a ** b, _open"},
      {"die *Flut*ung, é_a_b", "die Flutung, é_a_b"},
      {R"(\*no\* \_stars\_ \[x\](y) C:\tide)", R"(*no* _stars_ [x](y) C:\tide)"},
      {"`**code**` and ``a ` b`` and `open", "**code** and a ` b and `open"},
      {"Tides &amp; gauges &lt;b&gt; &nosuch; A&B; x & y;",
       "Tides & gauges <b> &nosuch; A&B; x & y;"},
      {"# High water\n\nText\n## Low water ##\n#hashtag\n####### seven",
       "High water\n\nText\n\nLow water\n\n#hashtag\n####### seven"},
      {"> said\n> > before\n\nanswer", "said\n\nbefore\n\nanswer"},
      {">!spoiler!<", ">!spoiler!<"},
      {"a\n\n---\n\n* * *\n\nb\n===\nc", "a\n\nb\n\nc"},
      {"- one\n  - two\n1. three\n* four", "- one\n  - two\n\n1. three\n\n* four"},
      {"| a | b |\n|---|:-:|\n| 1 | *2* |", "| a | b |\n| 1 | 2 |"},
      {"```py\nx = a * b * c\n# no heading\n```\nafter", "x = a * b * c\n# no heading\n\nafter"},
      {"~~~\nnever *closed*", "never *closed*"},
      {"::: spoiler The end\nIt *floods*.\n:::\nafter", "The end\n\nIt floods.\n\nafter"},
      {"first\\\nsecond", "first\nsecond"},
      {"one\n\n\n\ntwo", "one\n\ntwo"},
      {"*across\nlines* and `too\n`", "across\nlines and too"},
      {"<b>no tag</b>", "<b>no tag</b>"},
      {"a\n\n\tx = *p;\n\tb\n\nc", "a\n\nx = *p;\nb\n\nc"},
      {"1) one\n\n   more\n2) two\n   - deep\n     er\n",
       "1) one\n\nmore\n\n2) two\n\n  - deep\ner"},
      {"- ![](https://a.example/i.png)\n- b", "- \n- b"},
      {"[a *b*][1] and [c]\n\n[1]: /u\n[c]: <https://c.example> 'C'", "a b and c"},
  };
  for (const auto& one : cases) {
    INFO(one.markdown);
    CHECK(text_of(one.markdown) == one.text);
  }
}

TEST_CASE("Links of Markdown are their labels, and pictures are none of its text") {
  const auto one = read(
      "See [the *tide* (b)](https://a.example/p_(q)?a=1 \"title\") and https://b.example/y_z_. "
      "![alt t](/i.png) <https://d.example> [here](</c/tides>) [![in](https://e.example/in.jpg)]"
      "(https://e.example) [same](#part) [no](x [https://f.example/g]");
  CHECK(one.text ==
        "See the tide (b) and https://b.example/y_z_.  https://d.example here  same "
        "[no](x [https://f.example/g]");
  CHECK(one.links == std::vector<std::string>{"https://a.example/p_(q)?a=1",
                                              "https://b.example/y_z", "https://d.example/",
                                              "https://tides.example/c/tides", "https://e.example/",
                                              "https://f.example/g"});
  REQUIRE(one.media.size() == 2);
  CHECK(one.media[0].type == "image");
  CHECK(one.media[0].url == "https://tides.example/i.png");
  CHECK(one.media[0].alt == "alt t");
  CHECK(one.media[1].url == "https://e.example/in.jpg");
}

TEST_CASE("Hostile Markdown ends, and stays what it is", "[alone]") {
  const std::string_view parts[] = {"[",   "](",      "![", "`",   "``x`", "*",  "_a*",
                                    "**_", "[a](",    "<h", "&",   "\\",   "~~", "http://",
                                    "> ",  "[a](b '", "#",  ":::", "|-",   "(",  "é*"};
  for (const auto part : parts) {
    std::string whole;
    while (whole.size() < 60'000) whole += part;
    INFO(part);
    CHECK(text_of(whole).size() <= whole.size());
    CHECK(text_of(whole + "\n\nend").ends_with("end"));
  }
  // A cell of each row for each column, and a long address for each use of its name.
  std::string wide = std::string(20'000, '|') + "\n", address = "[x]: /" + std::string(30'000, 'u');
  for (int i = 0; i < 10'000; ++i) wide += "|-";
  for (int i = 0; i < 10'000; ++i) wide += "\n|";
  address += "\n\n";
  for (int i = 0; i < 10'000; ++i) address += "[x] ";
  for (const auto& whole : {wide, address, std::string(200'000, '>')}) {
    CHECK(text_of(whole).size() <= whole.size());
  }
  std::string ticks;
  for (std::size_t size = 1; size < 400; ++size) ticks += std::string(size, '`') + " ";
  CHECK(text_of(ticks).size() + 1 == ticks.size());
}
