#include <base/sentences.hpp>
#include <catch2/catch.hpp>
#include <string>

using namespace freshet::base;

namespace {

std::vector<std::string> sentences_of(std::string_view text) {
  sentence_divider by;
  std::vector<text_range> found;
  by.divide(text, {0, text.size()}, found);
  std::vector<std::string> out;
  for (const auto& one : found) out.emplace_back(text.substr(one.begin, one.end - one.begin));
  return out;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("sentences end as Unicode says, and not within a word") {
  CHECK(sentences_of(" High water!  Is it?\tYes. ") == texts{"High water!", "Is it?", "Yes."});
  CHECK(sentences_of("See example.org/?Q=1!B now. Then 3.5 m.") ==
        texts{"See example.org/?Q=1!B now.", "Then 3.5 m."});
  CHECK(sentences_of("潮が満ちる。船が出る！本当？") ==
        texts{"潮が満ちる。", "船が出る！", "本当？"});
  CHECK(sentences_of("").empty());
  CHECK(sentences_of(" \t ").empty());
}

TEST_CASE("a divider divides a part of a text, and one text after another") {
  sentence_divider by;
  std::vector<text_range> found;
  const std::string text = "One. Two. Three.";
  by.divide(text, {5, 9}, found);
  REQUIRE(found.size() == 1);
  CHECK(found[0].begin == 5);
  CHECK(found[0].end == 9);
  by.divide("Four. Five.", {0, 11}, found);
  CHECK(found.size() == 3);
}

TEST_CASE("what is long is divided between words, or between characters") {
  std::string words;
  while (words.size() < 3 * max_sentence_bytes) words += "tide ";
  for (const auto& one : sentences_of(words)) {
    CHECK(one.size() <= max_sentence_bytes);
    CHECK(one.starts_with("tide"));
    CHECK(one.ends_with("tide"));
  }
  std::string han;
  while (han.size() < 2 * max_sentence_bytes) han += "潮";
  std::string joined;
  for (const auto& one : sentences_of(han)) {
    CHECK(one.size() % 3 == 0);
    joined += one;
  }
  CHECK(joined == han);
}
