// Random bytes for the two grammars and the matcher. The seed is fixed, so a failure repeats.
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <query/since.hpp>
#include <query/text_query.hpp>
#include <random>

using namespace freshet;

namespace {

constexpr int rounds = 10'000;

std::string random_text(std::mt19937& random) {
  constexpr std::string_view pieces[] = {"tide", "\"", "-", " ", "“", "”", "−", "潮位", "🌊", "é",
                                         "'",    ".",  "#", "1", "d", "h", "w", "\xFF", "_", "ß"};
  std::string text;
  for (auto left = random() % 14; left > 0; --left) {
    if (random() % 8 == 0) {
      text += static_cast<char>(random());
    } else {
      text += pieces[random() % std::size(pieces)];
    }
  }
  return text;
}

}  // namespace

TEST_CASE("Any bytes as q, and what it matches") {
  std::mt19937 random(6);
  for (int round = 0; round < rounds; ++round) {
    const std::string q = random_text(random);
    INFO(q);
    const auto parsed = query::parse_text_query(q);
    if (!parsed) {
      CHECK(parsed.error().code() == errc::invalid_request);
      CHECK(parsed.error().parameters.size() == 1);
      continue;
    }
    CHECK_FALSE(parsed->terms.empty());
    post searched;
    searched.text = random_text(random);
    searched.title = random_text(random);
    static_cast<void>(query::matches(*parsed, searched));
    for (const query::term& one : parsed->terms) {
      CHECK_FALSE(one.words.empty());
      post holds;
      holds.text = one.text;
      // A text holds each of its own terms, and fails whatever excludes it.
      query::text_query alone;
      alone.terms.push_back(one);
      CHECK(query::matches(alone, holds) != one.excluded);
    }
  }
}

TEST_CASE("Any bytes as since") {
  std::mt19937 random(8);
  for (int round = 0; round < rounds; ++round) {
    const std::string text = random_text(random);
    INFO(text);
    const auto parsed = query::parse_since(text);
    if (parsed) {
      CHECK(*parsed >= std::chrono::minutes{1});
      CHECK(*parsed <= std::chrono::days{3650});
    } else {
      CHECK(base::is_utf8(parsed.error().detail()));
    }
  }
}
