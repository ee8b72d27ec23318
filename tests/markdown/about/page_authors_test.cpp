#include <catch2/catch.hpp>
#include <markdown/about/page_authors.hpp>

using namespace freshet;
using markdown::author_evidence;

namespace {

using list = std::vector<std::string>;

list names(const author_evidence& said) {
  list out;
  const markdown::site_name site({"The Harbour"}, "harbour.example");
  for (const auto& one : page_authors(said, site)) out.push_back(one.display_name);
  return out;
}

}  // namespace

TEST_CASE("what machines are told of authors comes first, in its order") {
  author_evidence said;
  said.shown = "Cy Dunn";
  said.boxed = "Dee Elm";
  CHECK(names(said) == list{"Cy Dunn"});
  said.shown = "Cy";
  said.property = "Flo Gray";
  CHECK(names(said) == list{"Flo Gray"});
  said.labelled = {{"Lesedauer", "5 Minuten"}, {"Ort", "nobody"}, {"Written by", "Bo"}};
  CHECK(names(said) == list{"Bo"});
  said.named = {{"byl", "By Guy Hill"}, {"author", "Ida Jay"}, {"author", "Kay Lee"}};
  CHECK(names(said) == list{"Ida Jay", "Kay Lee"});
  said.linked = {{"Ada Byron", "https://harbour.example/ada"}, {"Bo Carr and Cy Dunn", "x"}};
  CHECK(names(said) == list{"Ada Byron", "Bo Carr", "Cy Dunn"});
  const auto people = page_authors(said, markdown::site_name({}, ""));
  CHECK(people.at(0).url == "https://harbour.example/ada");
  CHECK(people.at(1).url.empty());
}

TEST_CASE("a site as author gives way to a person whom the page shows") {
  author_evidence said;
  said.linked = {{"The Harbour", ""}};
  CHECK(names(said) == list{"The Harbour"});
  said.boxed = "Follow";
  CHECK(names(said) == list{"The Harbour"});
  said.boxed = "Ada Byron";
  CHECK(names(said) == list{"Ada Byron"});
}

TEST_CASE("so does an organisation, and a login to a name; a login to no box of a forum") {
  author_evidence said;
  said.linked = {{"Tide Watch Team", ""}};
  said.boxed = "Ada Byron";
  CHECK(names(said) == list{"Tide Watch Team"});
  said.by_organisation = true;
  CHECK(names(said) == list{"Ada Byron"});
  said = {};
  said.linked = {{"byron7", ""}};
  said.boxed = "Pictures & Albums";
  CHECK(names(said) == list{"byron7"});
  said.boxed_name = "Ada Byron";
  CHECK(names(said) == list{"Ada Byron"});
}

TEST_CASE("a byline of others is believed before whoever put the page in") {
  author_evidence said;
  said.linked = {{"Flo Gray", ""}};
  said.shown = "Ada Byron and Bo Carr";
  CHECK(names(said) == list{"Ada Byron", "Bo Carr"});
  // One word, the site or a form of the same name is no other.
  for (const auto* shown : {"ada7", "The Harbour", "F. Gray", ""}) {
    INFO(shown);
    said.shown = shown;
    CHECK(names(said) == list{"Flo Gray"});
  }
}

TEST_CASE("the site beside people is none of them, nor is who keeps it") {
  author_evidence said;
  said.linked = {{"Ada Byron, The Harbour", ""}};
  CHECK(names(said) == list{"Ada Byron"});
  for (const auto* keeper : {"admin", "Administrator", "Super User", "webmaster"}) {
    INFO(keeper);
    said = {};
    said.linked = {{keeper, ""}};
    CHECK(names(said).empty());
    said.named = {{"byline", "Ada Byron"}};
    CHECK(names(said) == list{"Ada Byron"});
  }
}

TEST_CASE("a link or a box says where a name ends") {
  author_evidence said;
  said.shown = "Ada Byron Gardener & Astrologer";
  said.boxed_name = "Ada Byron";
  CHECK(names(said) == list{"Ada Byron"});
  said = {};
  said.boxed_name = "Ada ByronHead of Tides";
  said.linked_to = "Ada Byron";
  CHECK(names(said) == list{"Ada Byron"});
  said = {};
  said.boxed = "Spotlight";
  CHECK(names(said) == list{"Spotlight"});
  said.linked_to = "Ada Byron";
  CHECK(names(said) == list{"Ada Byron"});
}

TEST_CASE("below the article counts where nothing else names a person") {
  author_evidence said;
  said.closing = "Ada Byron";
  CHECK(names(said) == list{"Ada Byron"});
  said.linked = {{"The Harbour", ""}};
  said.shown = "The Harbour";
  CHECK(names(said) == list{"Ada Byron"});
  said.linked_to = "Bo Carr";
  CHECK(names(said) == list{"Bo Carr"});
  said = {};
  said.linked = {{"The Harbour", ""}};
  said.boxed_name = "松岡大地";
  CHECK(names(said) == list{"松岡大地"});
}

TEST_CASE("who stands alone beside a day is who wrote it, where nothing else says who did") {
  author_evidence said;
  said.beside_day = "Ada Byron";
  CHECK(names(said) == list{"Ada Byron"});
  said.linked_to = "Bo Carr";
  CHECK(names(said) == list{"Bo Carr"});
}

TEST_CASE("scholars' names are put in order, and addresses are none") {
  author_evidence said;
  said.named = {{"citation_author", "Byron, Ada"},
                {"citation_author", "Carr, Bo"},
                {"article:author", "https://example.org/ada"}};
  CHECK(names(said) == list{"Ada Byron", "Bo Carr"});
  said.named = {{"article:author", "https://example.org/ada"}};
  CHECK(names(said).empty());
}
