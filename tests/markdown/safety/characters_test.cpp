// Characters that say something to a model only, and those of ordinary writing.
#include <catch2/catch.hpp>
#include <markdown/safety/characters.hpp>
#include <markdown/safety/unseen_text.hpp>
#include <string>

using namespace freshet;

namespace {

/// "kind rule: excerpt" of the first mark; "" if there is none.
std::string mark_of(std::string_view text) {
  markdown::mark_list marks;
  markdown::mark_characters(text, marks);
  if (marks.empty()) return "";
  const auto& one = marks.all().front();
  return one.kind + " " + one.rule + ": " + one.excerpt;
}

std::string repeat(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("runs of unseen characters are marked") {
  CHECK(mark_of("a\U000E0048\U000E0049\U000E0021\U000E0021b") ==
        "invisible_characters tag_characters.1: HI!!");
  CHECK(mark_of("word " + repeat("\u200B\u200C", 8)) ==
        "invisible_characters zero_width_run.1: word");
  CHECK(mark_of("\U0001F600" + repeat("\U000E0110", 5))
            .starts_with("invisible_characters "
                         "variation_selectors.1"));
  CHECK(mark_of("\U0001F600" + repeat("\uFE01", 5)).starts_with("invisible_characters"));
  CHECK(mark_of("a" + repeat("\u3164\uFFA0", 4))
            .starts_with("invisible_characters zero_width_run.1"));
  CHECK(mark_of("a" + repeat("\U0001D173\U0001D17A", 4)).starts_with("invisible_characters"));
  CHECK(mark_of("a" + repeat("\u00AD", 4)).starts_with("invisible_characters soft_hyphen_run.1"));
}

TEST_CASE("ordinary writing is not marked") {
  for (const std::string text :
       {"", "plain", "Silben\u00ADtren\u00ADnung", "a\u200Bb\u200Bc", "\uFEFFtext",
        "a\u200B\u200B\u200B\u200B\u200B\u200B\u200B\u200B\u200B",
        "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466", "\u2764\uFE0F",
        "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",
        "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645", "\u05E9\u05DC\u05D5\u05DD abc",
        "\u200F\u05E9\u05DC\u05D5\u05DD\u200F", "\u2067\u05E9\u2069 a", "\u202B\u05E9\u202C",
        "\u2068one"}) {
    INFO(text);
    CHECK(mark_of(text).empty());
  }
}

TEST_CASE("directions that turn a text around are marked") {
  CHECK(mark_of("file\u202Egpj.exe") == "bidi override.1: filegpj.exe");
  CHECK(mark_of("a \u2066\u2067 b\nc").starts_with("bidi unbalanced.1: a b"));
}

TEST_CASE("one look for each character, and no more") {
  using markdown::without_unseen;
  CHECK(without_unseen("a\uFE00b\uFE01") == "ab");
  CHECK(without_unseen("\U0001F600\uFE0F\uFE01\uFE02") == "\U0001F600\uFE0F");
  CHECK(without_unseen("1\uFE0F\u20E3 \u00A9\uFE0F \u2764\uFE0F") ==
        "1\uFE0F\u20E3 \u00A9\uFE0F \u2764\uFE0F");
}
