#include <algorithm>
#include <catch2/catch.hpp>
#include <freshet/terminal_text.hpp>
#include <string>
#include <string_view>
#include <vector>

using namespace freshet::terminal_text;

TEST_CASE("terminal: what a terminal obeys is never shown to it") {
  // Colours, a cleared screen, a title, a clipboard (OSC 52), C1 controls, a carriage return.
  CHECK(harmless("\x1b[31mred\x1b[0m") == "[31mred[0m");
  CHECK(harmless("a\x1b]52;c;ZXZpbA==\x07"
                 "b") == "a]52;c;ZXZpbA==b");
  CHECK(harmless("a\xC2\x9B"
                 "31mb") == "a31mb");
  CHECK(harmless("paid\rfree\bx\x7f") == "paidfreex");
  CHECK(harmless("a\u202Egnp.exe") == "agnp.exe");
  CHECK(harmless(std::string_view("a\0b", 3)) == "ab");
  CHECK(harmless("a\xFF\xC3(b") == "a\uFFFD\uFFFD(b");
  CHECK(harmless("one\ntwo\tthree") == "one two three");
  CHECK(harmless("one\ntwo", true) == "one\ntwo");
}

TEST_CASE("terminal: every byte there is makes harmless text", "[alone]") {
  std::vector<std::string> wrong;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      const auto made = harmless(text);
      const bool fine = std::all_of(made.begin(), made.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte != 0x7F;
      });
      if (!fine) wrong.push_back(text);
    }
  }
  CHECK(wrong.empty());
}

TEST_CASE("terminal: wide letters take two columns, marks none") {
  CHECK(columns_of("tide") == 4);
  CHECK(columns_of("潮汐") == 4);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(cut("潮汐表", 5) == "潮汐…");
  CHECK(cut("潮汐表", 4) == "潮…");
  CHECK(cut("tide", 4) == "tide");
  CHECK(cut("tide gauge", 6) == "tide…");
  CHECK(cut("tide", 0).empty());
}

TEST_CASE("terminal: text is wrapped at words, and cut behind the last line") {
  CHECK(wrap("the tide comes in", 8, 9) == std::vector<std::string>{"the tide", "comes in"});
  CHECK(wrap("the tide comes in at noon", 8, 2) ==
        std::vector<std::string>{"the tide", "comes i…"});
  CHECK(wrap("  a \n b  ", 8, 9) == std::vector<std::string>{"a b"});
  CHECK(wrap("abcdefghij kl", 4, 9) == std::vector<std::string>{"abcd", "efgh", "ij", "kl"});
  CHECK(wrap("", 8, 9).empty());
  for (std::size_t columns = 2; columns < 30; ++columns) {
    for (const std::string& line :
         wrap("潮汐表 shows when the water is high, 每天两次", columns, 3)) {
      INFO(columns << ": " << line);
      CHECK(columns_of(line) <= columns);
    }
  }
}

TEST_CASE("terminal: what a name means is beside it, or below it where there is no room") {
  CHECK(definition("  q", "the words", 6, 40) == "  q   the words\n");
  CHECK(definition("  q", "the words that are looked for", 6, 31) ==
        "  q   the words that are looked\n      for\n");
  CHECK(definition("", "another line", 6, 40) == "      another line\n");
  CHECK(definition("  since", "how old", 8, 40) == "  since\n        how old\n");
  CHECK(definition("  q", "the words that are looked", 18, 30) ==
        "  q\n    the words that are looked\n");
  CHECK(definition("  潮汐", "高", 8, 40) == "  潮汐  高\n");
  CHECK(definition("  q", "", 6, 40) == "  q\n");
  CHECK(definition("", "", 6, 40).empty());
  CHECK(definition("q", "ab", 6, 0) == "q\n    a\n    b\n");
}
