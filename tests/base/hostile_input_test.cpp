// Random and mutated bytes for every function that reads what others wrote: nothing may crash,
// and what comes out must hold what the header promises. The seeds are fixed, so a failure repeats.
#include <base/digest.hpp>
#include <base/host.hpp>
#include <base/ids.hpp>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <random>

using namespace freshet::base;

namespace {

constexpr int rounds = 4'000;

/// Fragments that lead a reader into its corners, with random bytes between them.
class text_maker {
 public:
  text_maker(unsigned seed, std::vector<std::string_view> pieces)
      : random_(seed), pieces_(std::move(pieces)) {}

  std::string operator()() {
    std::string text;
    for (auto left = random_() % 12; left > 0; --left) {
      if (random_() % 4 != 0) {
        text += pieces_[random_() % pieces_.size()];
      } else {
        for (auto bytes = random_() % 4; bytes > 0; --bytes) text += static_cast<char>(random_());
      }
    }
    if (!text.empty() && random_() % 4 == 0) text[random_() % text.size()] ^= 1 << random_() % 8;
    return text;
  }

 private:
  std::mt19937 random_;
  std::vector<std::string_view> pieces_;
};

}  // namespace

TEST_CASE("Any bytes as a URL") {
  text_maker make(
      1, {"http:", "https://",  "file:", "foo:",        "mailto:", "//", "/",    "\\", "..",
          "%2e",   "?",         "#",     "@",           ":",       "[",  "]",    "::", "[::1]",
          "0x7f",  "127.0.0.1", "1.",    "example.org", "xn--",    "é",  "日本", "。", "%",
          "%4",    "%c3%a9",    "C|",    "utm_a=b",     "&",       "=",  " ",    "\t", "www."});
  const auto against = parse_url("http://base.example/a/b?c");
  for (int round = 0; round < rounds; ++round) {
    const std::string text = make();
    INFO(text);
    for (const auto& parsed : {parse_url(text), resolve_url(*against, text)}) {
      if (!parsed) continue;
      const auto again = parse_url(parsed->text());
      REQUIRE(again.has_value());
      CHECK(again->text() == parsed->text());
      CHECK(again->host == parsed->host);
      for (const char c : parsed->text()) REQUIRE((c >= 0x20 && c < 0x7f));
      if (parsed->is_http()) {
        CHECK_FALSE(parsed->host.empty());
        CHECK(parsed->path.starts_with('/'));
      }
    }
    const std::string canonical = canonical_url(text);
    CHECK(canonical_url(canonical) == canonical);
    CHECK(same_page_key(canonical) == same_page_key(text));
    CHECK(percent_decode(percent_encode(text)) == text);
    CHECK(percent_decode(text).size() <= text.size());
    CHECK(host_of(text).find('/') == std::string::npos);
    static_cast<void>(parse_host(text, true));
    static_cast<void>(parse_host(text, false));
    static_cast<void>(query_parameter(text, "a"));
    static_cast<void>(resolve_url(text, text));
    CHECK_FALSE(join_path(text, "x").empty());
  }
}

TEST_CASE("Any bytes as text") {
  text_maker make(2, {"a",
                      "B",
                      " ",
                      "\xC2\xA0",
                      "é",
                      "e\xCC\x81",
                      "ß",
                      "日",
                      "ー",
                      "한",
                      "\xE1\x84\x92",
                      "🌊",
                      "🇫🇷",
                      "\xE2\x80\x8D",
                      "3.",
                      "1,2",
                      "'",
                      "’",
                      "_",
                      ".",
                      "\xED\xA0\x80",
                      "\xF0\x9F",
                      std::string_view("\0", 1),
                      "ที่",
                      "ﷺ",
                      "İ"});
  for (int round = 0; round < rounds; ++round) {
    const std::string text = make();
    INFO(text);
    const std::string repaired = repair_utf8(text);
    CHECK(is_utf8(repaired));
    CHECK(repaired.find('\0') == std::string::npos);
    CHECK(repair_utf8(repaired) == repaired);
    CHECK(is_utf8(nfc(text)));
    CHECK(nfc(nfc(text)) == nfc(text));
    const std::string folded = fold(text);
    CHECK(is_utf8(folded));
    CHECK(fold(folded) == folded);
    for (const std::string& word : words(folded)) {
      CHECK_FALSE(word.empty());
      CHECK(folded.find(word) != std::string::npos);
      CHECK(is_utf8(word));
    }
    static_cast<void>(words(text));
    CHECK(length(repaired) <= repaired.size());
    for (std::size_t points = 0; points < 6; ++points) {
      const std::string_view cut = prefix(repaired, points);
      CHECK(is_utf8(cut));
      CHECK(length(cut) == std::min(points, length(repaired)));
      static_cast<void>(prefix(text, points));
    }
    const std::string collapsed = collapse_spaces(text);
    CHECK(collapse_spaces(collapsed) == collapsed);
    CHECK(trim(trim(text)) == trim(text));
    static_cast<void>(nearest(text, {"since", "limit", "é"}));
  }
}

TEST_CASE("Any bytes as JSON") {
  text_maker make(3, {"{",    "}",       "[",       "]", ":",    ",",   "\"", "\"a\"",
                      "\\",   "\\u00e9", "\\ud83c", "1", "-",    "0.5", "e9", "1e999",
                      "true", "null",    "\"a\":1", "é", "\xFF", " ",   "\n"});
  for (int round = 0; round < rounds; ++round) {
    const std::string text = make();
    INFO(text);
    const auto parsed = parse_json(text);
    const auto strictly = parse_json(text, true);
    if (strictly) CHECK(parsed.has_value());
    if (parsed) {
      const auto again = parse_json(json::serialize(*parsed));
      REQUIRE(again.has_value());
      CHECK(*again == *parsed);
      static_cast<void>(text_of(*parsed));
      static_cast<void>(integer_of(*parsed));
      static_cast<void>(number_of(member(*parsed, "a")));
    }
    std::string written;
    append_json_string(written, text);
    const auto read = parse_json(written, true);
    REQUIRE(read.has_value());
    CHECK(is_utf8(view_of(*read)));
    if (is_utf8(text)) CHECK(view_of(*read) == text);
    const json::value as_value(text);
    static_cast<void>(integer_of(as_value));
    static_cast<void>(number_of(as_value));
  }
}

TEST_CASE("Any bytes as a moment") {
  text_maker make(
      4, {"2026", "-", "11",       "21",     "T",    " ",        "03:40:00",   ":",
          ".5",   "Z", "+01:00",   "Sat,",   "Nov",  "November", "GMT",        "EST",
          "(",    ")", "20260101", "120000", "9999", "0",        "2026-11-21", "21 Nov 2026 "});
  const auto last = parse_time("9999-12-31T23:59:59.999Z");
  for (int round = 0; round < 10 * rounds; ++round) {
    const std::string text = make();
    INFO(text);
    const auto at = parse_time(text);
    if (!at) continue;
    CHECK(*at >= freshet::time_point{});
    CHECK(*at <= *last);
    CHECK(parse_time(format_time(*at)) == at);
  }
}

TEST_CASE("Any bytes as ids and encodings") {
  text_maker make(5, {"bluesky", ":", "at://", "Zg==", "Zm9v", "=", "-_", "+/", "req_", "é"});
  for (int round = 0; round < rounds; ++round) {
    const std::string text = make();
    INFO(text);
    if (const auto id = parse_item_id(text)) {
      CHECK(std::string(id->source) + ':' + std::string(id->native) == text);
    }
    static_cast<void>(is_valid_request_id(text));
    if (const auto bytes = base64_decode(text)) CHECK(base64(*bytes) == text);
    if (const auto bytes = base64url_decode(text)) CHECK(base64url(*bytes) == text);
    CHECK(base64url_decode(base64url(text)) == text);
    CHECK(hex(text).size() == 2 * text.size());
    CHECK(hmac_sha256(text, text) == hmac_sha256(text, text));
    CHECK(crc32(text) == crc32(text));
  }
}
