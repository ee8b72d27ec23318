#include <catch2/catch.hpp>
#include <markdown/about/site_name.hpp>

using freshet::markdown::comparable;
using freshet::markdown::site_name;

TEST_CASE("a site's name is what the page says, or what its host tells") {
  const site_name said({"The Harbour"}, "news.example.org");
  for (const auto* name : {"the harbour", "THE HARBOUR!", "News", "example.org", "Example", ""}) {
    INFO(name);
    CHECK(said.is(name));
  }
  for (const auto* name : {"Ada Byron", "Harbour pilots", "Org chart", "A"}) {
    INFO(name);
    CHECK_FALSE(said.is(name));
  }
  CHECK(site_name({}, "www.bushcompany.example").is("The Bush Company"));
  CHECK(site_name({}, "osha.example").is("Occupational Safety and Health Administration"));
  CHECK_FALSE(site_name({}, "").is("Anything"));
  CHECK(site_name({}, "harbour.example").is("Harbour Blog"));
  CHECK_FALSE(site_name({}, "harbour.example").is("Sailing Blog"));
  CHECK(said.is_named("THE HARBOUR!"));
  CHECK_FALSE(said.is_named("The Harbour Blog"));
  CHECK_FALSE(said.is_named(""));
}

TEST_CASE("names are compared without case, width and punctuation") {
  CHECK(comparable("  “Tides” – rise… ") == "tides rise");
  CHECK(comparable("Ｔｉｄｅｓ rise") == "tides rise");
  CHECK(comparable("潮位、上昇") == "潮位 上昇");
  CHECK(comparable("–").empty());
}
