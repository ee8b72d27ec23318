#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace freshet::base;

namespace {

std::string spaces_by_points(std::string_view text) {
  std::string out;
  bool pending = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto from = at;
    const auto point = next_point(text, at);
    if (point != ill_formed && u_isUWhiteSpace(static_cast<UChar32>(point)) != 0) {
      pending = !out.empty();
      continue;
    }
    if (pending) out += ' ';
    pending = false;
    out.append(text.substr(from, at - from));
  }
  return out;
}

std::string made_up(std::mt19937& random) {
  constexpr std::string_view pieces[] = {"a",
                                         " ",
                                         "  ",
                                         "\n",
                                         "\t",
                                         "\v",
                                         "word ",
                                         "\xC2\xA0",
                                         "\xC2",
                                         "\xE2\x80\xA8",
                                         "\xE3\x80\x80",
                                         "\xE1\x9A\x80",
                                         "\xE2\x80",
                                         "\xC3\xA9",
                                         "e\xCC\x81",
                                         "\xEA\xB0\x80",
                                         "\xE1\x86\xA8",
                                         "\xF0\x9F\x8C\x8A",
                                         "\xED\xA0\x80",
                                         std::string_view("\0", 1),
                                         "\xE2\x84\xAB",
                                         "\xCD\xB4"};
  std::string text;
  for (auto left = random() % 8; left > 0; --left) text += pieces[random() % std::size(pieces)];
  return text;
}

}  // namespace

TEST_CASE("Each code point that is taken for clean is left by NFC, and stands behind any other") {
  for (char32_t point = 1; point <= 0x10FFFF; ++point) {
    if (point >= 0xD800 && point <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, point);
    if (!is_clean(text)) continue;
    const auto c = static_cast<UChar32>(point);
    const bool inert =
        u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) == UNORM_YES && u_getCombiningClass(c) == 0;
    if (!inert) FAIL_CHECK("U+" << std::hex << static_cast<unsigned>(point));
  }
}

TEST_CASE("Letters of many scripts, punctuation and emoji are taken for clean") {
  for (const std::string_view text :
       {"", "plain", "\xC3\xA9t\xC3\xA9", "\xD0\xBC\xD0\xBE\xD1\x80\xD0\xB5", "\xE6\xB5\xB7",
        "\xEB\xB0\x94\xEB\x8B\xA4", "\xE2\x80\x9Cquoted\xE2\x80\x9D", "\xF0\x9F\x8C\x8A",
        "\xD7\x99\xD7\x9D"}) {
    INFO(text);
    CHECK(is_clean(text));
  }
  CHECK_FALSE(is_clean(std::string_view("a\0b", 3)));
  CHECK_FALSE(is_clean("a\xC3"));
  CHECK_FALSE(is_clean("e\xCC\x81"));
}

TEST_CASE("Cleaning in place is repair and NFC, and what is clean they leave") {
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto text = made_up(random);
    const auto wanted = nfc(repair_utf8(text));
    auto cleaned = text;
    clean(cleaned);
    if (cleaned != wanted) FAIL_CHECK("cleaned is not repaired: " << text);
    if (is_clean(text) && text != wanted) FAIL_CHECK("not clean: " << text);
  }
}

TEST_CASE("White space collapses as it does code point by code point") {
  std::mt19937 random(6);
  for (int i = 0; i < 20'000; ++i) {
    const auto text = made_up(random);
    if (collapse_spaces(text) != spaces_by_points(text)) FAIL_CHECK("collapsed wrongly: " << text);
  }
  CHECK(collapse_spaces(" a  b \n c\t") == "a b c");
}
