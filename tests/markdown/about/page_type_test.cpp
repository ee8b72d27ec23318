#include <catch2/catch.hpp>
#include <markdown/about/page_type.hpp>
#include <markdown/visibility/visibility.hpp>
#include <string>

using namespace freshet;
using markdown::page_type;

namespace {

markdown::page_signs signs_of(const std::string& page, std::string_view url = "") {
  const auto parsed = html::parse(page);
  markdown::page_tree tree(parsed);
  const auto about = markdown::read_metadata(tree, markdown::base_of(parsed, url));
  markdown::drop_invisible(tree);
  return markdown::read_signs(tree, about);
}

std::string linked(const std::string& json) {
  return "<head><script type=application/ld+json>" + json + "</script></head><body><p>x";
}

}  // namespace

TEST_CASE("types have names") {
  CHECK(markdown::name_of(page_type::article) == "article");
  CHECK(markdown::name_of(page_type::documentation) == "documentation");
  CHECK(markdown::name_of(page_type::forum) == "forum");
  CHECK(markdown::name_of(page_type::product) == "product");
  CHECK(markdown::name_of(page_type::listing) == "listing");
  CHECK(markdown::name_of(page_type::collection) == "collection");
  CHECK(markdown::name_of(page_type::service) == "service");
}

TEST_CASE("structured data names the type of a page") {
  CHECK(signs_of(linked(R"({"@type":"NewsArticle"})")).article);
  CHECK(signs_of(linked(R"({"@graph":[{"@type":["Thing","BlogPosting"]}]})")).article);
  CHECK(signs_of(linked(R"({"@type":"https://schema.org/QAPage"})")).forum);
  CHECK(signs_of(linked(R"({"@type":"DiscussionForumPosting"})")).forum);
  CHECK(signs_of(linked(R"({"@type":"CollectionPage"})")).collection);
  CHECK(signs_of("<body><div itemscope itemtype='http://schema.org/QAPage'>x").forum);
  CHECK(signs_of("<body><article itemtype='http://schema.org/Article'>x").article);
}

TEST_CASE("a product is one only where it can be bought") {
  const std::string product = R"({"@type":"Product","name":"Cup"})";
  CHECK_FALSE(signs_of(linked(product)).product);
  CHECK(signs_of(linked(product) + "<p class=price>9").product);
  CHECK(signs_of(linked(product) + "<button class=add-to-cart>Buy</button>").product);
  CHECK(signs_of("<head><meta property=og:type content=product></head><body>x").product);
  CHECK_FALSE(
      signs_of("<head><meta property=og:type content=product.group></head><body>x").product);
  CHECK(signs_of("<body class='home single-product'>x").product);
  // A review carries the product it is about and its price.
  CHECK_FALSE(signs_of(linked(product) + "<p class=price>9<time datetime=2024-05-01>x").product);
}

TEST_CASE("software, themes and addresses speak, too") {
  CHECK(signs_of("<head><meta name=generator content='Discourse 3.4'></head><body>x").forum);
  CHECK(signs_of("<head><meta name=generator content='Sphinx 7'></head><body>x").documentation);
  CHECK_FALSE(signs_of("<head><meta name=generator content='Sphinx 7'></head><body>x").manual);
  const auto javadoc = signs_of("<head><meta name=generator content=javadoc/X></head><body>x");
  CHECK((javadoc.documentation && javadoc.manual));
  CHECK(signs_of("<body class=template-collection>x").collection);
  CHECK(signs_of("<body class='archive category'>x").listing);
  CHECK(signs_of("<body class=single-post>x").article);
  CHECK(signs_of("<body>x", "https://example.org/blog/tides").article_path);
  CHECK(signs_of("<body>x", "https://example.org/2024/05/tides").article_path);
  CHECK_FALSE(signs_of("<body>x", "https://example.org/room/2024").article_path);
  CHECK(signs_of("<body>x", "https://example.org/").home);
  CHECK_FALSE(signs_of("<body>x", "https://example.org/tides").home);
  // Some sites name their home page as the canonical address of every page.
  CHECK_FALSE(
      signs_of("<head><link rel=canonical href=/></head><body>x", "https://example.org/tides")
          .home);
}

TEST_CASE("posts by the names of forum software make a thread, remarks on an article do not") {
  CHECK(signs_of("<body><div class=bbWrapper>One.</div><div class=bbWrapper>Two.</div>").forum);
  CHECK_FALSE(signs_of("<body><div class=bbWrapper>One.</div>").forum);
  CHECK_FALSE(
      signs_of("<body><div class=comment-body>One.</div><div class=comment-body>Two.</div>").forum);
}

TEST_CASE("many remarks on a short occasion are a thread; on an article they are remarks") {
  std::string remarks;
  for (int i = 0; i < 25; ++i) {
    remarks +=
        "<div class=comment-body><p>I have read the gauge for years, and it has never stood "
        "as high as it did on that morning in March.</p></div>";
  }
  const std::string line =
      "<p>The harbour was flooded in the night, and nobody had been told of it "
      "before the water stood in the houses of the lower town.</p>";
  std::string story, article;
  for (int i = 0; i < 12; ++i) story += line;
  for (int i = 0; i < 30; ++i) article += line;
  const std::string said = "<head><meta property=og:type content=article></head>";
  CHECK(signs_of("<body><h1>Flood</h1>" + line + remarks).remarks);
  CHECK(signs_of("<body><h1>Flood</h1>" + story + remarks + remarks).remarks);
  CHECK_FALSE(signs_of(said + "<body><h1>Flood</h1>" + story + remarks + remarks).remarks);
  CHECK_FALSE(signs_of("<body><h1>Flood</h1>" + article + remarks + remarks).remarks);
}
