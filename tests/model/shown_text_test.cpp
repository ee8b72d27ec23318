// What may stand in texts that are shown: of names, titles and texts that somebody made to forge
// what a terminal or a page shows around them.
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <model/shown_text.hpp>
#include <string>

using namespace freshet;

namespace {

std::string line(std::string text) {
  model::to_one_line(text);
  return text;
}

std::string lines(std::string text) {
  model::to_lines(text);
  return text;
}

}  // namespace

TEST_CASE("shown_text: a line holds no control and nothing that turns letters") {
  CHECK(line("Ada Byron") == "Ada Byron");
  CHECK(line("a  b ") == "a  b ");
  CHECK(line("\x1B[31mAda\x1B]0;x\x07 B\x7F") == "[31mAda]0;x B");
  CHECK(line("Ada\u009B2JB\u0080\u009F") == "Ada2JB");
  CHECK(line("\u202Egpj.\u202Dexe\u202C \u202A\u202Ba\u2066\u2067\u2068\u2069") == "gpj.exe a");
  // In this order: what breaks the line is a space, not gone.
  CHECK(line("Ada\r\n\tB\vC\fD\u0085E\u2028F\u2029G") == "Ada B C D E F G");
  CHECK(line("\x1B") == "");
  CHECK(line(std::string("a\0b", 3)) == "ab");
  for (char32_t point = 0; point < 0x3000; ++point) {
    const bool is_control = point < 0x20 || (point >= 0x7F && point <= 0x9F);
    const bool turns = (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
    const bool breaks = point == 0x2028 || point == 0x2029;
    std::string text = "a";
    base::append_utf8(text, point);
    const auto whole = text + "b";
    INFO("U+" << std::hex << static_cast<unsigned>(point));
    if (model::is_one_line(whole) == (is_control || turns || breaks))
      FAIL_CHECK("taken for the other");
    if (!is_control && !turns && !breaks && line(whole) != whole) FAIL_CHECK("changed");
    // Wherever the eight bytes that are read at once begin.
    for (std::size_t at = 0; at < 10; ++at) {
      const auto moved = std::string(at, 'x') + whole + "yyyyyyyyy";
      if (model::is_one_line(moved) != model::is_one_line(whole)) FAIL_CHECK("behind " << at);
    }
  }
}

TEST_CASE("shown_text: what scripts and emoji need stays") {
  for (const std::string text :
       {"\u05D0\u200Fa\u200E", "\u0646\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645",
        "\u0915\u094D\u200D\u0937", "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\u061C1",
        "caf\u00E9 \u2014 \u201Cx\u201D\u2026"}) {
    CHECK(line(text) == text);
    CHECK(lines(text) == text);
  }
}

TEST_CASE("shown_text: what is left out lets nothing new appear") {
  // Letters and marks that come together are composed, and ill-formed bytes are no sign.
  CHECK(line("e\x1B\u0301") == "\u00E9");
  CHECK(lines("e\u202E\u0301") == "\u00E9");
  CHECK(line("a\xC2\x1B\x9B"
             "31m") ==
        "a\uFFFD\uFFFD"
        "31m");
  CHECK(lines(std::string("a\xE2\x80\0\xAE", 5) + "b") == "a\uFFFD\uFFFDb");
}

TEST_CASE("shown_text: lines have tabs and one kind of end, and no other control") {
  const std::string plain = "  a\tb\n\nc \n";
  CHECK(lines(plain) == plain);
  CHECK(lines("a\r\nb\rc\vd\fe\u0085f") == "a\nb\nc\nd\ne\nf");
  CHECK(lines("a\x1B[2J\u009B\x7F\bb") == "a[2Jb");
}

TEST_CASE("shown_text: directions stay where they are closed in their paragraph") {
  for (const std::string closed :
       {"a \u202B\u05D0 b\u202C c", "a \u2067\u05D0\u2069 \u2068b\u2066c\u2069\u2069",
        "\u2066a \u202Bb\u202C\u2069\n\u2068c\u2069"}) {
    CHECK(lines(closed) == closed);
  }
  CHECK(lines("a\u202Bb") == "ab");
  CHECK(lines("a\u2067b\nc\u2069") == "ab\nc");
  CHECK(lines("a\u202Cb\u2069c") == "abc");
  CHECK(lines("a\u2067b\u2029c\u2069") == "ab\u2029c");
  // An isolate ends what is open in it, and only its own end closes it.
  CHECK(lines("\u2067a\u202Bb\u2069c\u202C") == "\u2067ab\u2069c");
  CHECK(lines("\u202Ba\u2067b\u202Cc\u2069d\u202C") == "\u202Ba\u2067bc\u2069d\u202C");
  // Overrides never do.
  CHECK(lines("a \u202Egpj.exe\u202C b") == "a gpj.exe b");
  CHECK(lines("\u202Ba\u202D1\u202Cb\u202C") == "\u202Ba1b\u202C");
}

TEST_CASE("shown_text: many signs are read once each") {
  std::string many, closed;
  for (int i = 0; i < 100'000; ++i) many += i % 2 == 0 ? "\u2067" : "\u202B";
  for (int i = 0; i < 100'000; ++i) many += "\u2069";
  for (int i = 0; i < 50'000; ++i) closed += "\u2067";
  for (int i = 0; i < 50'000; ++i) closed += "\u2069";
  const bool is_closed = lines(many) == closed;
  CHECK(is_closed);
}

TEST_CASE("shown_text: every text of an item is shown, by the table of its keys") {
  const std::string evil = "a\x1B[1m\n\u202Eb";
  article one;
  one.id = "feeds:" + evil;
  one.title = one.site.name = one.author.display_name = one.lang = evil;
  one.text = evil;
  one.tags = {evil, "\u202E", "tide"};
  one.authors.push_back({evil, evil, evil, "", ""});
  one.media.push_back({"image", "https://a.example/", "", evil, {}, {}, {}});
  one.safety.push_back({"bidi", "override.1", evil});
  item any = one;
  model::to_shown(any);
  const auto& got = std::get<article>(any);
  for (const auto& text : {got.title, got.site.name, got.author.display_name, got.lang,
                           got.authors[0].id, got.authors[0].handle, got.authors[0].display_name}) {
    CHECK(text == "a[1m b");
  }
  CHECK(got.id == "feeds:a[1m b");
  CHECK(got.text == "a[1m\nb");
  CHECK(got.media[0].alt == "a[1m\nb");
  CHECK(got.tags == std::vector<std::string>{"a[1m b", "tide"});
  CHECK(got.safety[0].excerpt == evil);

  transcript said;
  said.segments.push_back({0, 1, evil});
  document page;
  page.markdown = evil;
  item spoken = said, written = page;
  model::to_shown(spoken);
  model::to_shown(written);
  CHECK(std::get<transcript>(spoken).segments[0].text == "a[1m\nb");
  CHECK(std::get<document>(written).markdown == evil);
}
