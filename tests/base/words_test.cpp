#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <set>

using namespace freshet::base;
using list = std::vector<std::string>;

TEST_CASE("Words of scripts with spaces") {
  CHECK(words("").empty());
  CHECK(words("tide") == list{"tide"});
  CHECK(words("the tide, a gauge.") == list{"the", "tide", "a", "gauge"});
  CHECK(words("--- ... !?").empty());
  CHECK(words("#tide @fan") == list{"tide", "fan"});
  CHECK(words("été à noël") == list{"été", "à", "noël"});
  CHECK(words("прилив и отлив") == list{"прилив", "и", "отлив"});
  CHECK(words("e\xCC\x82te") == list{"e\xCC\x82te"});  // a mark belongs to its letter
  CHECK(words("\xCC\x82 a") == list{"a"});             // and is no word without one
  CHECK(words("שלום עולם") == list{"שלום", "עולם"});
}

TEST_CASE("Parts of a compound are found") {
  CHECK(words("l'eau") == list{"l", "eau"});
  CHECK(words("l’eau") == words("l'eau"));
  CHECK(words("tide's") == list{"tide", "s"});
  CHECK(words("https://example.org/tide-gauge") ==
        list{"https", "example", "org", "tide", "gauge"});
  CHECK(words("end.next") == list{"end", "next"});
  CHECK(words("std::vector") == list{"std", "vector"});
  CHECK(words("u.s.a.") == list{"u", "s", "a"});
}

TEST_CASE("Numbers hold together") {
  CHECK(words("3.14 1,000,000 10.") == list{"3.14", "1,000,000", "10"});
  CHECK(words("v1.2.3-rc4") == list{"v1.2.3", "rc4"});
  CHECK(words("1..2 3.x") == list{"1", "2", "3", "x"});
  CHECK(words("2026-11-21") == list{"2026", "11", "21"});
  CHECK(words("٣٫١٤") == list{"٣٫١٤"});  // Arabic digits and decimal sign
}

TEST_CASE("Underscores join, and are no word") {
  CHECK(words("tide_gauge") == list{"tide_gauge"});
  CHECK(words("_x_ ___ 1_2") == list{"_x_", "1_2"});
}

TEST_CASE("Scripts without spaces, and Hangul, come as single characters") {
  CHECK(words("東京タワー") == list{"東", "京", "タ", "ワ", "ー"});
  CHECK(words("ひらがな") == list{"ひ", "ら", "が", "な"});
  CHECK(words("서울에서") == list{"서", "울", "에", "서"});
  CHECK(words("abc東def") == list{"abc", "東", "def"});
  CHECK(words("𠮷野家") == list{"𠮷", "野", "家"});  // beyond the BMP
  CHECK(words("ที่นี่") == list{"ที่", "นี่"});              // vowels and tones stay with their consonant
  CHECK(words("々〇") == list{"々", "〇"});
}

TEST_CASE("Emoji are words, one each") {
  CHECK(words("tide 🌊🌊") == list{"tide", "🌊", "🌊"});
  CHECK(words("👋🏽") == list{"👋🏽"});
  CHECK(words("🇫🇷🇩🇪") == list{"🇫🇷", "🇩🇪"});
  CHECK(words("🇫🇷🇩") == list{"🇫🇷", "🇩"});
  CHECK(words("a🇫🇷b") == list{"a", "🇫🇷", "b"});
}

TEST_CASE("Ill-formed bytes divide words") {
  CHECK(words("ab\xFF"
              "cd\xE2\x82") == list{"ab", "cd"});
}

TEST_CASE("Words never cross a boundary of UAX 29") {
  // ICU's iterator is the reference, on scripts for which it needs no dictionary and which we do
  // not divide further on purpose.
  constexpr std::u16string_view alphabet =
      u"abzABéЖжשא\u0301\u00AD\u200D019٣_,.;:'’·\u2024 -!#/\u203F٫";
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UBreakIterator, void (*)(UBreakIterator*)> breaks(
      ubrk_open(UBRK_WORD, "", nullptr, 0, &status), ubrk_close);
  REQUIRE(U_SUCCESS(status));
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::u16string text;
    for (auto left = random() % 12; left > 0; --left) text += alphabet[random() % alphabet.size()];
    ubrk_setText(breaks.get(), text.data(), static_cast<std::int32_t>(text.size()), &status);
    std::string divided;  // the text with U+0001 at every boundary
    std::string whole;
    std::set<std::size_t> boundaries;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (ubrk_isBoundary(breaks.get(), static_cast<std::int32_t>(i)) != 0) {
        boundaries.insert(whole.size());
      }
      append_utf8(whole, text[i]);
    }
    std::size_t at = 0;
    for (const std::string& word : words(whole)) {
      at = whole.find(word, at);
      REQUIRE(at != std::string::npos);
      const auto inside = boundaries.upper_bound(at);
      INFO(whole << " gave " << word);
      CHECK((inside == boundaries.end() || *inside >= at + word.size()));
      at += word.size();
    }
  }
}

TEST_CASE("No letter or digit of a text is lost") {
  std::mt19937 random(11);
  for (int round = 0; round < 5'000; ++round) {
    std::string text;
    std::size_t letters = 0;
    for (auto left = random() % 10; left > 0; --left) {
      const char32_t point = random() % 0x3000;
      append_utf8(text, point);
      const auto kind = static_cast<UChar32>(point);
      letters += u_isalnum(kind) != 0 ? 1 : 0;
    }
    std::size_t found = 0;
    for (const std::string& word : words(text)) {
      for (std::size_t at = 0; at < word.size();) {
        found += u_isalnum(static_cast<UChar32>(next_point(word, at))) != 0 ? 1 : 0;
      }
    }
    INFO(text);
    CHECK(found == letters);
  }
}
