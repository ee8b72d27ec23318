// Cutting a document between blocks, and going on exactly there.
#include <catch2/catch.hpp>
#include <engine/gather/budget.hpp>
#include <freshet/engine.hpp>
#include <string>

using namespace freshet;

namespace {

struct blocks_sample {
  document page;
  std::vector<std::size_t> blocks;
};

blocks_sample of_blocks(int count) {
  blocks_sample made;
  for (int i = 0; i < count; ++i) {
    made.blocks.push_back(made.page.markdown.size());
    std::string words;
    for (int k = 0; k < 60; ++k) words += "word" + std::to_string(i) + " ";
    made.page.markdown += "## Part " + std::to_string(i) + "\n" + words + "\n\n";
  }
  made.page.text = "the plain text";
  return made;
}

}  // namespace

TEST_CASE("without a budget nothing is cut") {
  auto [page, blocks] = of_blocks(5);
  const auto before = page.markdown;
  const auto cut = detail::cut_document(page, blocks, 0, {});
  CHECK_FALSE(cut.truncated);
  CHECK(page.markdown == before);
  CHECK(page.text == "the plain text");
}

TEST_CASE("the parts of a cut document are the whole, each block once") {
  const auto whole = of_blocks(20);
  std::string joined;
  std::int64_t block = 0;
  int pages = 0;
  while (true) {
    auto page = whole.page;
    const auto cut = detail::cut_document(page, whole.blocks, block, {900});
    CHECK(page.text.empty());
    joined += page.markdown;
    ++pages;
    REQUIRE(pages < 30);
    if (!cut.truncated) break;
    REQUIRE(cut.next_block > block);
    block = cut.next_block;
  }
  CHECK(pages > 2);
  for (int i = 0; i < 20; ++i) {
    const auto heading = "## Part " + std::to_string(i) + "\n";
    const auto first = joined.find(heading);
    REQUIRE(first != std::string::npos);
    CHECK(joined.find(heading, first + 1) == std::string::npos);
  }
}

TEST_CASE("a budget that no block fits still gives one") {
  auto [page, blocks] = of_blocks(3);
  const auto cut = detail::cut_document(page, blocks, 0, {1});
  CHECK(cut.truncated);
  CHECK(cut.next_block == 1);
  CHECK(page.markdown.starts_with("## Part 0"));
}

TEST_CASE("a document that is larger than an answer comes in parts, with nothing lost", "[alone]") {
  constexpr std::size_t most = 1 << 16;
  document whole;
  std::vector<std::size_t> blocks{0};
  for (int i = 0; i < 4'000; ++i) whole.markdown += "line \"" + std::to_string(i) + "\"\n";
  blocks.push_back(whole.markdown.size());
  for (int i = 0; i < 100'000; ++i) whole.markdown += "\xC3\xA9";  // one block without an end
  whole.text = whole.markdown;
  for (int i = 0; i < 50'000; ++i) whole.links.push_back("https://a.test/" + std::to_string(i));
  std::string joined;
  std::int64_t block = 0;
  for (int pages = 0; pages < 100; ++pages) {
    auto page = whole;
    const auto cut = detail::cut_document(page, blocks, block, {0, most});
    CHECK(cut.shortened_lists);
    CHECK(item_json(page).size() <= most);
    joined += page.markdown;
    if (!cut.truncated) break;
    REQUIRE(cut.next_block > block);
    block = cut.next_block;
  }
  // Pages end with a line's end of their own.
  std::erase(joined, '\n');
  std::erase(whole.markdown, '\n');
  CHECK(joined == whole.markdown);
}

TEST_CASE("bytes that JSON makes long count as long") {
  constexpr std::size_t most = 1 << 16;
  document page;
  page.markdown = std::string(30'000, '\x01');
  const auto cut = detail::cut_document(page, {0}, 0, {0, most});
  CHECK(cut.truncated);
  CHECK(item_json(page).size() <= most);
}

TEST_CASE("a document within the bound is left alone") {
  auto [page, blocks] = of_blocks(20);
  page.links = {"https://a.test/"};
  const auto before = item_json(page);
  CHECK_FALSE(detail::cut_document(page, blocks, 0, {0, 4 << 20}).truncated);
  CHECK(item_json(page) == before);
}
