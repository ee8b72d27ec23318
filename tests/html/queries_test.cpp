// Queries in the encoding of their page: what Chromium sends, of 720 links in 18 encodings.
#include <catch2/catch.hpp>
#include <html/charset.hpp>
#include <html/queries.hpp>
#include <string>

using namespace freshet;
using html::with_encoded_query;

TEST_CASE("what is beyond ASCII in a query has the bytes of the page's encoding") {
  CHECK(with_encoded_query("/s?q=мир&a=1", "windows-1251") == "/s?q=%EC%E8%F0&a=1");
  CHECK(with_encoded_query("?q=é#é", "windows-1252") == "?q=%E9#é");
  CHECK(with_encoded_query("https://a.example/é?é", "windows-1252") == "https://a.example/é?%E9");
  CHECK(with_encoded_query("?q=検索", "EUC-JP") == "?q=%B8%A1%BA%F7");
  // The second byte of one is a letter or a backslash of ASCII.
  CHECK(with_encoded_query("?q=表ア", "Shift_JIS") == "?q=%95\\%83A");
  CHECK(with_encoded_query("?q=검색", "EUC-KR") == "?q=%B0%CB%BB%F6");
  CHECK(with_encoded_query("?q=搜索", "GBK") == "?q=%CB%D1%CB%F7");
}

TEST_CASE("what an encoding has not is a reference to its number") {
  CHECK(with_encoded_query("?q=a→é", "windows-1252") == "?q=a%26%238594%3B%E9");
  CHECK(with_encoded_query("?q=😀", "windows-1251") == "?q=%26%23128512%3B");
  CHECK(with_encoded_query("?q=a\u200B", "windows-1251") == "?q=a%26%238203%3B");
  // Bytes that these encodings have for who reads them alone.
  CHECK(with_encoded_query("?q=Ö字", "EUC-JP") == "?q=%26%23214%3B%BB%FA");
  CHECK(with_encoded_query("?q=ž体", "GBK") == "?q=%26%23382%3B%CC%E5");
  CHECK(with_encoded_query("?q=ž", "gb18030") == "?q=%810%976");
  CHECK(with_encoded_query("?q=é字", "Big5") == "?q=%26%23233%3B%A6r");
}

TEST_CASE("the euro of GBK is the one of windows-1252") {
  CHECK(with_encoded_query("?q=€", "GBK") == "?q=%80");
  CHECK(with_encoded_query("?q=€", "gb18030") == "?q=%A2%E3");
}

TEST_CASE("other addresses stay as they are") {
  for (const auto* address : {"/s?q=%EC", "/é", "mailto:a@b.example?subject=é", "#é?é", ""}) {
    CHECK(with_encoded_query(address, "windows-1251") == address);
  }
  CHECK(with_encoded_query("?q=é", "UTF-8") == "?q=é");
  CHECK(with_encoded_query("?q=é", "UTF-16LE") == "?q=%C3%A9");
}

TEST_CASE("the addresses of a page, and no other attributes") {
  auto page = html::parse("<a title='?é' href='?q=é'>x</a><img alt='?é' src='/p?é'>");
  html::encode_queries(page, "windows-1252");
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (page.is_element(id, html::tag_id::a)) {
      CHECK(page.attribute_of(id, "href") == "?q=%E9");
      CHECK(page.attribute_of(id, "title") == "?é");
    } else if (page.is_element(id, html::tag_id::img)) {
      CHECK(page.attribute_of(id, "src") == "/p?%E9");
      CHECK(page.attribute_of(id, "alt") == "?é");
    }
  }
}

TEST_CASE("the addresses of a list of pictures, and not their sizes") {
  auto page = html::parse("<img srcset='/a?q=é 1x,\n/b?é,c=é 2x, /é 3x' data-src='?é'>");
  html::encode_queries(page, "windows-1252");
  html::node_id image = 1;
  while (!page.is_element(image, html::tag_id::img)) ++image;
  CHECK(page.attribute_of(image, "srcset") == "/a?q=%E9 1x,\n/b?%E9,c=%E9 2x, /é 3x");
  CHECK(page.attribute_of(image, "data-src") == "?%E9");
}
