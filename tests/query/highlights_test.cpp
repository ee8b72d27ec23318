// Passages: what is found in which order, exact and within bounds, whatever the text.
#include <catch2/catch.hpp>
#include <cmath>
#include <query/highlights.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace freshet;
using query::best_passages;

namespace {

query::text_query asked(std::string_view q) { return query::parse_text_query(q).value(); }

std::int64_t bytes(std::string_view text) { return static_cast<std::int64_t>(text.size()); }

std::vector<std::string> found(std::string_view q, query::passage_text passage,
                               std::int64_t budget = 10'000) {
  std::vector<std::string> out;
  for (const auto& one : best_passages(asked(q), passage, budget, bytes))
    out.emplace_back(passage.text.substr(one.where.begin, one.where.end - one.where.begin));
  return out;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("passages are sentences, the best first, equal ones in the order of the text") {
  const query::passage_text of{
      "The harbour was calm. A tide gauge reads the sea, said Mr. Elm of example.org! "
      "The gauge is old.\nThe boat is old. Nobody came?",
      ""};
  CHECK(found("tide gauge", of) ==
        texts{"A tide gauge reads the sea, said Mr.", "The gauge is old."});
  CHECK(found("old", of) == texts{"The gauge is old.", "The boat is old."});
  CHECK(found("example.org", of) == texts{"Elm of example.org!"});
  CHECK(found("whale", of).empty());
  CHECK(found("old -boat", of) == texts{"The gauge is old."});
  CHECK(found("old", {"", ""}).empty());
}

TEST_CASE("a score is BM25 of the sentences of this one text") {
  const query::passage_text of{"Tide tide gauge. The gauge. One more line here. Tide.", ""};
  const auto got = best_passages(asked("tide"), of, 1000, bytes);
  REQUIRE(got.size() == 2);
  const double rarity = std::log(1 + (4 - 2 + 0.5) / (2 + 0.5)), usual = (3 + 2 + 4 + 1) / 4.0;
  const auto score = [&](double times, double length) {
    return rarity * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / usual));
  };
  CHECK(got[0].score == Approx(score(1, 1)));
  CHECK(got[1].score == Approx(score(2, 3)));
  CHECK(got[0].where.begin == of.text.rfind("Tide."));
}

TEST_CASE("a phrase counts for those that have it as it is") {
  const query::passage_text of{"The gauge of the tide. A tide gauge stands. Both the sea.", ""};
  CHECK(found("\"tide gauge\"", of).front() == "A tide gauge stands.");
  CHECK(found("\"tide gauge\"", of).size() == 2);
  CHECK(found("\xE6\xB4\xA5\xE6\xB3\xA2", {"\xE6\xB3\xA2\xE6\xB4\xA5\xE3\x80\x82"
                                           "\xE6\xB4\xA5\xE6\xB3\xA2\xE3\x80\x82",
                                           ""})
            .front() == "\xE6\xB4\xA5\xE6\xB3\xA2\xE3\x80\x82");
}

TEST_CASE("a heading's words count for the sentences below it, less than their own") {
  const std::string page =
      "# Skerry Bay\n\nIt is far away.\n\n## Tides\n\nThey come twice.\n\n- The tide is high. "
      "Fish swim.\n\n## Food\n\n1. Bread is baked.\n\n> A quoted tide.\n\n"
      "```\ntide = gauge(1)\n```\n";
  CHECK(found("tides", {page, "", true}) ==
        texts{"Fish swim.", "They come twice.", "The tide is high."});
  const auto both = found("tide", {page, "Of the tide", true});
  REQUIRE(both.size() == 7);
  CHECK(std::set<std::string>(both.begin(), both.begin() + 3) ==
        std::set<std::string>{"A quoted tide.", "The tide is high.", "tide = gauge(1)"});
  // A heading is no passage itself, nor is a mark of the markdown a part of one.
  CHECK(found("skerry food", {page, "", true}).size() == 7);
  CHECK(found("bread", {page, "", true}) == texts{"Bread is baked."});
}

TEST_CASE(
    "what a title asks for is where its words stand together, not where sentences are short") {
  const std::string page =
      "# Harbour quay rebuilt\n\nNobody came.\n\nThe harbour has waited for years until its old "
      "quay "
      "was rebuilt.\n\nRebuilt.\n\nIt rained.\n";
  CHECK(found("harbour quay rebuilt", {page, "Harbour quay rebuilt", true}).front() ==
        "The harbour has waited for years until its old quay was rebuilt.");
}

TEST_CASE("an address behind a link's text is not read") {
  const query::passage_text of{"See [the map](https://a.example/tide?b=C) of the coast.", "", true};
  CHECK(found("tide", of).empty());
  CHECK(found("map", of) == texts{std::string(of.text)});
}

TEST_CASE("the budget is kept, what does not fit is passed over, and nothing is there twice") {
  const query::passage_text of{"Tide one two three four. Tide one. TIDE ONE. Tide two.", ""};
  CHECK(found("tide", of) == texts{"Tide one.", "Tide two.", "Tide one two three four."});
  CHECK(found("tide", of, 18) == texts{"Tide one.", "Tide two."});
  CHECK(found("tide four", of, 12) == texts{"Tide one."});
  CHECK(found("tide", of, 8).empty());
}

TEST_CASE("a long sentence is divided, in every script") {
  std::string words, thai;
  for (int i = 0; i < 400; ++i) words += "tide ";
  for (int i = 0; i < 800; ++i) thai += "\xE0\xB8\x99\xE0\xB9\x89\xE0\xB8\xB3";
  for (const auto& text : {words, thai}) {
    const auto got =
        best_passages(asked(text == words ? "tide" : "\xE0\xB8\x99\xE0\xB9\x89\xE0\xB8\xB3"),
                      {text, ""}, 100'000, bytes);
    REQUIRE(!got.empty());
    for (const auto& one : got) {
      CHECK(one.where.end - one.where.begin <= base::max_sentence_bytes);
      CHECK((static_cast<unsigned char>(text[one.where.begin]) & 0xC0) != 0x80);
      CHECK((one.where.end == text.size() ||
             (static_cast<unsigned char>(text[one.where.end]) & 0xC0) != 0x80));
    }
  }
}

TEST_CASE("passages of any text are ranges of it, apart, and the same each time") {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {
      "tide", " ", ". ",           "\n", "# ", "- ", "gauge", "\xC3\xA9",        "```\n",
      "](x)", "[", "\xE6\xB4\xA5", "? ", "| ", "\t", "1. ",   "\xF0\x9F\x8C\x8A"};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const auto size = random() % 200;
    for (std::size_t i = 0; i < size; ++i) text += parts[random() % parts.size()];
    const query::passage_text of{text, "The tide", round % 2 == 0};
    const auto got =
        best_passages(asked("\"tide gauge\" \xE6\xB4\xA5 -\"gauge tide\""), of, 90, bytes);
    const auto again =
        best_passages(asked("\"tide gauge\" \xE6\xB4\xA5 -\"gauge tide\""), of, 90, bytes);
    REQUIRE(got.size() == again.size());
    std::set<std::pair<std::size_t, std::size_t>> ranges;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const auto& one = got[i];
      CHECK(one.where.begin == again[i].where.begin);
      REQUIRE(one.where.begin < one.where.end);
      REQUIRE(one.where.end <= text.size());
      CHECK((i == 0 || one.score <= got[i - 1].score));
      ranges.emplace(one.where.begin, one.where.end);
      sum += static_cast<std::int64_t>(one.where.end - one.where.begin);
    }
    CHECK(sum <= 90);
    std::size_t last = 0;
    for (const auto& [begin, end] : ranges) {
      CHECK(begin >= last);
      last = end;
    }
  }
}

TEST_CASE("the work on the largest page grows with it, and ends when nobody wants it") {
  const auto work_of = [](std::size_t size) {
    std::string page;
    while (page.size() < size) page += "## a b c d e f\nThe tide g h. A gauge i. ";
    std::string q;
    for (char c = 'a'; c <= 'z'; ++c) q += std::string(1, c) + " \"" + std::string(1, c) + " x\" ";
    base::meter counted;
    const auto got = best_passages(asked(q), {page, q, true}, 10'000, bytes, &counted);
    CHECK(got.size() <= query::max_passages);
    return static_cast<double>(counted.spent());
  };
  const auto small = work_of(1 << 18), large = work_of(1 << 20);
  CHECK(large < 5 * small);
  const auto wanted = std::make_shared<base::stop_token>();
  wanted->stop();
  base::meter counted(wanted);
  const std::string page(1 << 20, 'a');
  CHECK_THROWS_AS(best_passages(asked("a"), {page, ""}, 100, bytes, &counted), base::work_ended);
}
