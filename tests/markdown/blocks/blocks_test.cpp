// How a page is cut into blocks, and what is counted in them.
#include <catch2/catch.hpp>
#include <markdown/blocks/blocks.hpp>
#include <string>
#include <vector>

#include "cut.hpp"

namespace freshet::markdown {

namespace {

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a block is what stands between the edges of block elements") {
  CHECK(cut("<p>One <b>and</b> more<p>Two").texts() == texts{"One and more", "Two"});
  CHECK(cut("<div>Before<p>inside</p>after</div>").texts() == texts{"Before", "inside", "after"});
  CHECK(cut("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>").texts() ==
        texts{"a", "b", "c", "d"});
  CHECK(cut("Name <button>Buy</button> <label>Size</label>").texts() ==
        texts{"Name ", "Buy", "Size"});
  CHECK(cut("One line<br>and the next<br><br>Another").texts() ==
        texts{"One lineand the next", "Another"});
  CHECK(cut("<p hidden>x</p><p>seen</p><p>  </p>").texts() == texts{"seen"});
  CHECK(cut("").list.blocks.empty());
}

TEST_CASE("words are counted in every script") {
  const auto words = [](const std::string& text) {
    return cut("<p>" + text).list.blocks.at(0).words();
  };
  CHECK(words("The tide isn\xE2\x80\x99t in, 12 m") == 7);
  CHECK(words("Wasserst\xC3\xA4nde an der K\xC3\xBCste") == 4);
  CHECK(words("\xD0\x9F\xD1\x80\xD0\xB8\xD0\xBB\xD0\xB8\xD0\xB2 \xD0\xB8 "
              "\xD0\xBE\xD1\x82\xD0\xBB\xD0\xB8\xD0\xB2") == 3);
  // Two Han characters are a word, and so are four of Thai; their punctuation is none.
  CHECK(words("\xE6\xBD\xAE\xE6\xB1\x90\xE8\xA1\xA8\xE3\x80\x82\xE6\xB8\xAF") == 2);
  CHECK(words("\xE0\xB8\x99\xE0\xB9\x89\xE0\xB8\xB3\xE0\xB8\x82\xE0\xB8\xB6\xE0\xB9\x89\xE0\xB8"
              "\x99\xE0\xB8\xA5") == 2);
}

TEST_CASE("boxes know their blocks, and what is wider around them") {
  const cut page("<main><div><div><p>One</p></div></div><p>Two</p></main><footer>Three</footer>");
  REQUIRE(page.list.blocks.size() == 3);
  const auto& boxes = page.list.boxes;
  const auto& first = boxes[page.list.blocks[0].box];
  CHECK(page.tree.tag_of(first.id) == html::tag_id::p);
  CHECK(page.tree.tag_of(boxes[first.up].id) == html::tag_id::main);
  CHECK(boxes[first.up].end - boxes[first.up].first == 2);
  CHECK((first.parts & part::main) != 0);
  CHECK((boxes[page.list.blocks[2].box].parts & part::footer) != 0);
  CHECK(boxes.front().end == 3);
}

TEST_CASE("a text has one hash, however it is marked up") {
  const cut page("<p>High water at <i>noon</i>, 3 m</p>");
  CHECK(page.list.blocks.at(0).text.hash == text_hash("HIGH WATER at noon 3 m"));
  CHECK(page.list.blocks.at(0).text.hash != text_hash("High water at noon, 4 m"));
}

TEST_CASE("links and prose are told apart") {
  const std::string words = "one two three four five six seven eight nine ten eleven twelve ";
  const cut page("<p>" + words + "<p><a href=/x>" + words + "</a><h2>" + words + "</h2><p>short");
  REQUIRE(page.list.blocks.size() == 4);
  CHECK(page.list.blocks[0].is_prose());
  CHECK_FALSE(page.list.blocks[1].is_prose());
  CHECK(page.list.blocks[1].link_half_words == 24);
  CHECK_FALSE(page.list.blocks[2].is_prose());
  CHECK_FALSE(page.list.blocks[3].is_prose());
}

}  // namespace freshet::markdown
