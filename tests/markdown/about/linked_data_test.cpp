#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/about/linked_data.hpp>

using namespace freshet;

namespace {

markdown::linked_data linked_data_of(std::string_view script) {
  const auto page = html::parse("<p>x</p>");
  const markdown::page_tree tree(page);
  markdown::linked_data found;
  markdown::read_linked_data(script, tree, found);
  return found;
}

}  // namespace

TEST_CASE("an object of several types is read if one of them describes the page") {
  const auto found =
      linked_data_of(R"({"@type": ["Recipe", "NewsArticle"], "headline": "Tides", "author": "Ada",
               "datePublished": "2026-03-05", "dateModified": "2026-03-06"})");
  CHECK(found.headline == "Tides");
  CHECK(found.authors.size() == 1);
  CHECK(found.published.has_value());
  CHECK(found.edited.has_value());
  CHECK(found.is_article);
  const auto person = linked_data_of(R"({"@type": "Person", "headline": "Tides"})");
  CHECK(person.headline.empty());
  CHECK_FALSE(person.is_article);
}

TEST_CASE("a day in words, or of a thread's beginning, is that of publication") {
  const auto published = [](std::string_view keys) {
    return linked_data_of(R"({"@type": "Article", )" + std::string(keys) + "}").published;
  };
  const auto march_5 = base::parse_time("2026-03-05");
  CHECK(published(R"("datePublished": "Mar 5, 2026")") == march_5);
  CHECK(published(R"("dateCreated": "2026-03-05")") == march_5);
  CHECK(published(R"("dateCreated": "2026-03-01", "datePublished": "2026-03-05")") == march_5);
  CHECK_FALSE(published(R"("datePublished": "from 5 March 2026 to 7 March 2026")"));
  CHECK(published(R"("datePublished": ["2026-03-05"])") == march_5);
  CHECK(published(R"("datePublished": {"@type": "Date", "@value": "2026-03-05"})") == march_5);
  CHECK_FALSE(published(R"("datePublished": "soon")"));
}

TEST_CASE("the day of a video is not that of the article with it") {
  const auto found = linked_data_of(R"({"@type": "VideoObject", "uploadDate": "2026-03-05"})");
  CHECK(found.uploaded == base::parse_time("2026-03-05"));
  CHECK_FALSE(found.published);
}

TEST_CASE("line breaks in strings, which JSON forbids, hide nothing") {
  CHECK(linked_data_of("{\"@type\": \"Article\", \"headline\": \"Tides\nrise\"}").headline == "Tides rise");
  CHECK(linked_data_of("{\"@type\": \"Article\", \"headline\": ").headline.empty());
}

TEST_CASE("who is named by an id is the object that has it, before or behind") {
  for (
      const auto* graph :
      {R"({"@type": "Article", "headline": "T", "author": {"@id": "#a"}, "publisher": {"@id": "#o"}},
           {"@type": "Person", "@id": "#a", "name": ["Ada"], "url": "/ada"},
           {"@type": "Organization", "@id": "#o", "name": "The Harbour"})",
       R"({"@type": "Person", "@id": "#a", "name": "Ada", "url": "/ada"},
           {"@type": "Organization", "@id": "#o", "name": "The Harbour"},
           {"@type": "Article", "author": [{"@id": "#a"}], "publisher": {"@id": "#o"}})"}) {
    const auto found = linked_data_of(R"({"@graph": [)" + std::string(graph) + "]}");
    REQUIRE(found.authors.size() == 1);
    CHECK(found.authors[0] == std::pair<std::string, std::string>("Ada", "/ada"));
    CHECK_FALSE(found.by_organisation);
    CHECK(found.publisher == "The Harbour");
  }
  CHECK(linked_data_of(R"({"@type": "Article", "author": {"@id": "#nobody"}})").authors.empty());
}

TEST_CASE("a type may have its vocabulary before it") {
  for (const auto* type :
       {"http://schema.org/Article", "schema:Article", "https://x.example#Article"}) {
    const auto found = linked_data_of(R"({"@type": ")" + std::string(type) + R"(", "headline": "Tides"})");
    CHECK(found.headline == "Tides");
    CHECK(found.types == std::vector<std::string>{"Article"});
  }
}

TEST_CASE("an author's type and a product's may be one of several, with a vocabulary before it") {
  for (const auto* type : {R"("NewsMediaOrganization")", R"("schema:Corporation")",
                           R"("http://schema.org/Corporation")", R"(["Brand", "Organization"])"}) {
    CAPTURE(type);
    CHECK(linked_data_of(R"({"@type": "Article", "author": {"name": "The Harbour", "@type": )" +
               std::string(type) + "}}")
              .by_organisation);
  }
  CHECK_FALSE(linked_data_of(R"({"@type": "Article", "author": {"name": "Ada", "@type": ["Person"]}})")
                  .by_organisation);
  CHECK(linked_data_of(R"({"@type": ["Product", "Vehicle"], "description": "A boat"})").product == "A boat");
}

TEST_CASE("what is nearly JSON is read as what was meant") {
  CHECK(linked_data_of("<!--\n{\"@type\": \"Article\", \"headline\": \"Tides\",}\n-->").headline == "Tides");
}

TEST_CASE("authors, keywords and types have an end") {
  std::string people, words;
  for (int i = 0; i < 300; ++i) {
    people += (i ? ",\"a" : "\"a") + std::to_string(i) + '"';
    words += 'w' + std::to_string(i) + ',';
  }
  const auto found =
      linked_data_of(R"({"@type": "Article", "author": [)" + people + R"(], "keywords": ")" + words + "\"}");
  CHECK(found.authors.size() == 50);
  CHECK(found.keywords.size() == 50);
}
