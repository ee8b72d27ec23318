#include <base/unicode.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

namespace {

constexpr std::string_view fffd = "\xEF\xBF\xBD";

std::string times(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("Well-formed UTF-8 is told from the rest") {
  for (const std::string_view good :
       {"", "abc", "é", "日本語", "🌊", "\x7f", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80",
        "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    CHECK(is_utf8(good));
    CHECK(repair_utf8(good) == good);
  }
  CHECK(is_utf8(std::string_view("\0", 1)));
  for (const std::string_view bad : {"\x80",
                                     "\xBF",
                                     "\xC0\x80",
                                     "\xC1\xBF",
                                     "\xC2",
                                     "\xC2x",
                                     "\xE0\x80\x80",
                                     "\xE0\x9F\xBF",
                                     "\xE2\x82",
                                     "\xE2\x82x",
                                     "\xED\xA0\x80",
                                     "\xED\xBF\xBF",
                                     "\xF0\x80\x80\x80",
                                     "\xF0\x8F\xBF\xBF",
                                     "\xF0\x9F\x8C",
                                     "\xF4\x90\x80\x80",
                                     "\xF5\x80\x80\x80",
                                     "\xFF",
                                     "\xFE",
                                     "abcdefgh\x80",
                                     "abcdefghijklmnop\xC3"}) {
    CHECK_FALSE(is_utf8(bad));
    CHECK(is_utf8(repair_utf8(bad)));
  }
}

TEST_CASE("Each maximal subpart becomes one U+FFFD") {
  // The example of table 3-8 of the Unicode standard.
  CHECK(repair_utf8("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64") ==
        "a" + times(fffd, 3) + "b" + times(fffd, 1) + "c" + times(fffd, 2) + "d");
  CHECK(repair_utf8("\xC0\xAF\xE0\x80\xBF") == times(fffd, 5));
  CHECK(repair_utf8("\xED\xA0\x80") == times(fffd, 3));
  CHECK(repair_utf8(std::string_view("a\0b", 3)) == "ab");
  CHECK(repair_utf8(std::string_view("\xC3\0", 2)) == fffd);
}

TEST_CASE("Code points are read one by one") {
  constexpr std::string_view text = "aé日🌊\xFF";
  std::size_t at = 0;
  CHECK(next_point(text, at) == U'a');
  CHECK(next_point(text, at) == U'é');
  CHECK(next_point(text, at) == U'日');
  CHECK(next_point(text, at) == U'🌊');
  CHECK(next_point(text, at) == ill_formed);
  CHECK(at == text.size());
}

TEST_CASE("Every code point survives writing and reading") {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, point);
    std::size_t at = 0;
    const bool same = next_point(text, at) == point && at == text.size();
    if (!same) FAIL("U+" << std::hex << static_cast<std::uint32_t>(point));
  }
  for (const char32_t invalid :
       {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}, ill_formed}) {
    std::string text;
    append_utf8(text, invalid);
    CHECK(text == fffd);
  }
}

TEST_CASE("NFC composes") {
  CHECK(nfc("plain ASCII") == "plain ASCII");
  CHECK(nfc("e\xCC\x81") == "é");
  CHECK(nfc("é") == "é");
  CHECK(nfc("\xE2\x84\xAB") == "Å");                           // Angstrom sign
  CHECK(nfc("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB") == "한");  // conjoining jamo
  CHECK(nfc("ﬁ") == "ﬁ");                                      // compatibility forms stay
  CHECK(nfc("q\xCC\x87\xCC\xA3") == "q\xCC\xA3\xCC\x87");      // marks in canonical order
  CHECK(nfc("a\xFF") == std::string("a") + std::string(fffd));
}

TEST_CASE("Of marks without end on one letter some are left, in whatever way they come") {
  std::string marks, ignored, halfwidth;
  for (int i = 0; i < 2'000; ++i) {
    marks += i % 2 == 0 ? "\u0301" : "\u0323";
    // Nothing once it is folded, but a letter of its own before.
    ignored += i % 2 == 0 ? "\u0301\u034F" : "\u0323\u034F";
    halfwidth += i % 2 == 0 ? "\uFF9E" : "\u0301";
  }
  for (const std::string& each : {marks, ignored, halfwidth}) {
    for (const std::string letter : {"", "a", "\u4E00"}) {
      CHECK(length(nfc(letter + each + "b" + marks)) < 2 * most_marks + 4'010);
      CHECK(length(fold(letter + each + "b" + marks)) <= 2 * most_marks + 2);
    }
  }
  CHECK(length(nfc("a" + marks + "b")) == most_marks + 1);
  CHECK(nfc("a" + marks + "b").ends_with("b"));
  // As many as some people put on their letters stay.
  const auto few = marks.substr(0, 2 * most_marks);
  CHECK(length(nfc("x" + few)) == most_marks + 1);
}

TEST_CASE("Folding makes comparable what users take for equal") {
  CHECK(fold("Tide GAUGE") == "tide gauge");
  CHECK(fold("STRASSE") == fold("Straße"));
  CHECK(fold("ＡＢＣ１２３") == "abc123");  // full width
  CHECK(fold("ｶﾞ") == "ガ");                // half width
  CHECK(fold("ﬁn") == "fin");
  CHECK(fold("ΣΊΣΥΦΟΣ") == fold("σίσυφος"));
  CHECK(fold("É") == fold("e\xCC\x81"));
  CHECK(fold("co\xC2\xADop") == "coop");  // soft hyphen
  CHECK(fold("zero\xE2\x80\x8Bwidth") == "zerowidth");
  CHECK(fold("x²") == "x2");
  CHECK(fold("\xFF") == fffd);
  CHECK(fold("ı") != fold("i"));  // full folding, not Turkish
}

TEST_CASE("Folding twice is folding once") {
  for (char32_t point = 1; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, point);
    const std::string once = fold(text);
    if (fold(once) != once) FAIL("U+" << std::hex << static_cast<std::uint32_t>(point));
  }
}

TEST_CASE("Lengths and prefixes count code points") {
  CHECK(length("") == 0);
  CHECK(length("aé日🌊") == 4);
  CHECK(prefix("aé日🌊", 0).empty());
  CHECK(prefix("aé日🌊", 1) == "a");
  CHECK(prefix("aé日🌊", 2) == "aé");
  CHECK(prefix("aé日🌊", 3) == "aé日");
  CHECK(prefix("aé日🌊", 4) == "aé日🌊");
  CHECK(prefix("aé日🌊", 99) == "aé日🌊");
  CHECK(prefix("", 5).empty());
}

TEST_CASE("Runs of white space become one space") {
  CHECK(collapse_spaces("  a \t\r\n b  ") == "a b");
  CHECK(collapse_spaces("a\xC2\xA0\xE3\x80\x80\xE2\x80\xA8"
                        "b") == "a b");  // nbsp, ideographic, LS
  CHECK(collapse_spaces("\xC2\x85\xE1\x9A\x80").empty());
  CHECK(collapse_spaces("").empty());
  CHECK(collapse_spaces(" \n ").empty());
  CHECK(collapse_spaces("a\xE2\x80\x8B"
                        "b") ==
        "a\xE2\x80\x8B"
        "b");  // zero width is no space
}

TEST_CASE("ASCII tools leave the rest alone") {
  CHECK(to_lower_ascii("ABCÉ[z") == "abcÉ[z");
  CHECK(equals_ignoring_ascii_case("Content-Type", "content-TYPE"));
  CHECK_FALSE(equals_ignoring_ascii_case("a", "ab"));
  CHECK_FALSE(equals_ignoring_ascii_case("É", "é"));
  CHECK_FALSE(equals_ignoring_ascii_case("@", "`"));
  CHECK(trim(" \t\r\n\v\fa b ") == "a b");
  CHECK(trim("   ").empty());
  CHECK(trim("\xC2\xA0") == "\xC2\xA0");
}

TEST_CASE("The nearest of some names") {
  const std::vector<std::string_view> known = {"q", "since", "limit", "cursor", "sources", "lang"};
  CHECK(nearest("limt", known) == "limit");
  CHECK(nearest("lmiit", known) == "limit");
  CHECK(nearest("LIMIT", known) == "limit");
  CHECK(nearest("source", known) == "sources");
  CHECK(nearest("curser", known) == "cursor");
  CHECK(nearest("sincee", known) == "since");
  CHECK(nearest("language", known).empty());  // four away
  CHECK(nearest("zz", known).empty());
  CHECK(nearest("x", known).empty());
  CHECK(nearest("", known).empty());
  CHECK(nearest("limit", {}).empty());
  CHECK(nearest(std::string(1'000'000, 'x'), known).empty());
}

TEST_CASE("ASCII letters are lowered wherever they stand, and no other byte is") {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t place = 0; place < 12; ++place) {
      std::string text(12, '\xC3');
      text[place] = static_cast<char>(byte);
      auto wanted = text;
      if (byte >= 'A' && byte <= 'Z') wanted[place] = static_cast<char>(byte - 'A' + 'a');
      if (to_lower_ascii(text) != wanted) FAIL_CHECK("byte " << byte << " at " << place);
    }
  }
}
