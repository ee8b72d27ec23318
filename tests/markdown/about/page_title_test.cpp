#include <catch2/catch.hpp>
#include <markdown/about/page_title.hpp>

using freshet::markdown::page_title;
using freshet::markdown::title_evidence;

namespace {

title_evidence evidence(std::vector<std::string> headings, std::string title,
                        std::vector<std::string> named = {}, std::string host = "") {
  return {
      std::move(headings), {}, std::move(named), std::move(title), {}, std::move(host), "/a", {}};
}

}  // namespace

TEST_CASE("the heading that other evidence says is the title") {
  CHECK(page_title(evidence({"Tides rise"}, "Tides rise - The Harbour")) == "Tides rise");
  CHECK(page_title(evidence({"The Harbour", "Tides rise"}, "Tides rise | The Harbour")) ==
        "Tides rise");
  CHECK(page_title(evidence({"Menu", "Tides Rise"}, "x", {"TIDES RISE"})) == "Tides Rise");
  // As people see it, with their own letters and without the mark of a link.
  CHECK(page_title(evidence({"Tides ‘rise’ ¶"}, "Tides 'rise'")) == "Tides ‘rise’");
}

TEST_CASE("the site's name goes from the end of a heading, too") {
  CHECK(page_title(evidence({"Tides rise – Harbour"}, "Tides rise – Harbour - Harbour", {},
                            "harbour.example")) == "Tides rise");
  CHECK(page_title(evidence({"Tides rise"}, "Harbour Blog: Tides rise",
                            {"Harbour Blog: Tides rise"}, "harbour.example")) == "Tides rise");
  CHECK(page_title(evidence({"Harbour – Tides rise"}, "Harbour – Tides rise", {},
                            "other.example")) == "Harbour – Tides rise");
}

TEST_CASE("a lower heading is the title where it is what is said, or a part of it") {
  const auto title = [](std::string said, std::vector<std::string> lower,
                        std::vector<std::string> headings = {},
                        std::vector<std::string> named = {}) {
    auto all = evidence(std::move(headings), std::move(said), std::move(named));
    all.lower_headings = std::move(lower);
    return page_title(all);
  };
  CHECK(title("View topic - The tides rise", {"Search", "The tides rise"}) == "The tides rise");
  CHECK(title("The tides rise – Harbour – Blog", {"Blog archive", "THE TIDES RISE"}) ==
        "THE TIDES RISE");
  // The longest: a chapter is named in the menu, too.
  CHECK(title("Harbours of Kent - The tides rise at night",
              {"Harbours of Kent", "The tides rise at night"},
              {"The Book"}) == "The tides rise at night");
  CHECK(title("The tides rise", {"At sea: The tides rise"}, {}, {"The tides rise"}) ==
        "The tides rise");
  // A heading that shares most words goes before a part.
  CHECK(title("Silver necklace Tide by Harbour & Sons - Shop", {"Harbour & Sons"},
              {"Silver necklace Tide"}) == "Silver necklace Tide");
  CHECK(title("News - Harbour", {"News"}) == "News - Harbour");
}

TEST_CASE("a heading that names the site or a section is no title") {
  CHECK(page_title(evidence({"The Harbour Blog"}, "The Harbour Blog: Tides rise",
                            {"Tides rise"})) == "Tides rise");
  CHECK(page_title(evidence({"Open data"}, "Tides rise | Open data")) == "Tides rise");
  CHECK(page_title(evidence({"Harbour"}, "Tides rise", {}, "www.harbour.example")) == "Tides rise");
}

TEST_CASE("a heading that is one of several numbered ones is no title") {
  CHECK(page_title(evidence({"1. Overview", "2. Simple gauge rules"}, "Gauge")) == "Gauge");
  CHECK(page_title(evidence({"2. Simple gauge rules", "More"}, "Gauge")) ==
        "2. Simple gauge rules");
  CHECK(page_title(evidence({"1. Tides", "2. Gauges"}, "2. Gauges - Harbour")) == "2. Gauges");
}

TEST_CASE("the name of the site is cut from either end, and from a home page it is not") {
  for (const auto* title :
       {"Tides rise - The Harbour", "Tides rise – The Harbour", "Tides rise » The Harbour",
        "The Harbour: Tides rise", "Tides rise · The Harbour", "Tides rise | News | The Harbour"}) {
    INFO(title);
    CHECK(page_title(evidence({}, title, {}, "theharbour.example")) == "Tides rise");
  }
  auto home = evidence({}, "The Harbour: news of the tide", {}, "theharbour.example");
  home.path = "/";
  CHECK(page_title(home) == "The Harbour: news of the tide");
  CHECK(page_title(evidence({}, "C# - how it was made")) == "C# - how it was made");
}

TEST_CASE("a heading without the label that it begins with, or its tagline, is the title") {
  auto thread =
      evidence({"News Tides rise"}, "News - Tides rise", {"News - Tides rise", "Tides rise"});
  thread.cores = {"Tides rise"};
  CHECK(page_title(thread) == "Tides rise");
  auto product = evidence({"Tide clockTells when to sail"}, "Tide clock | Clocks | The Harbour");
  product.cores = {"Tide clock"};
  CHECK(page_title(product) == "Tide clock");
  // Nobody else says it without.
  auto harbour = evidence({"Tides and harbours"}, "x", {"Of tides and harbours, a history"});
  harbour.cores = {"and harbours"};
  CHECK(page_title(harbour) == "Tides and harbours");
}

TEST_CASE("a later heading of a word or two is no title that has them among many") {
  CHECK(
      page_title(evidence({"ada / notes", "Brest"}, "How tides rose in London, Brest and Kiel")) ==
      "How tides rose in London, Brest and Kiel");
  CHECK(page_title(evidence({"Headlamps"}, "Headlamps for camping, hiking and running")) ==
        "Headlamps");
}

TEST_CASE("dividers without a side, sources and counts go") {
  CHECK(page_title(evidence({"Tides"}, "| The Harbour Magazine")) == "Tides");
  CHECK(page_title(evidence({"/ Tides rise"}, "Tides rise - Harbour")) == "Tides rise");
  CHECK(page_title(evidence({"Tides rise |"}, "Tides rise")) == "Tides rise");
  CHECK(page_title(evidence({"Tides rise (sea.example) 139"}, "Tides rise - Harbour")) ==
        "Tides rise");
  CHECK(page_title(evidence({"Tides rise (2025)"}, "Tides rise (2025)")) == "Tides rise (2025)");
  CHECK(page_title(evidence({"Tides rise (e.g. here)"}, "Tides rise (e.g. here)")) ==
        "Tides rise (e.g. here)");
  // Two of them part a thread, its forum and the site.
  CHECK(page_title(evidence({"Menu"}, "Tides rise / Sea talk / The Harbour Forums")) ==
        "Tides rise");
  CHECK(page_title(evidence({}, "Tides / ebb")) == "Tides / ebb");
}

TEST_CASE("a kicker before the named title goes") {
  CHECK(page_title(evidence({"Sea levels: Tides rise"}, "Sea levels: Tides rise",
                            {"Tides rise"})) == "Tides rise");
}

TEST_CASE("an article's heading is its title, though <title> is worded otherwise") {
  auto article = evidence({"Seven tide tables for a beginner"},
                          "Beginner tide tables: check out my favourites");
  CHECK(page_title(article) == "Beginner tide tables: check out my favourites");
  article.is_article = true;
  CHECK(page_title(article) == "Seven tide tables for a beginner");
  // Its first one alone, and not of quite other words.
  article.headings.insert(article.headings.begin(), "Subscribe");
  CHECK(page_title(article) == "Beginner tide tables: check out my favourites");
  article.headings = {"Sign up for more", "Tide news"};
  CHECK(page_title(article) == "Beginner tide tables: check out my favourites");
}

TEST_CASE("a heading that the address says is the title") {
  const auto title = [](std::string path, std::string heading) {
    auto all = evidence({std::move(heading)}, "Lamps for every boat | Soft and bright");
    all.path = std::move(path);
    return page_title(all);
  };
  CHECK(title("/a", "All lanterns") == "Lamps for every boat");
  CHECK(title("/shop/all-lanterns", "All lanterns") == "All lanterns");
  CHECK(title("/shop/all_lanterns.html/", "All lanterns") == "All lanterns");
  CHECK(title("/%D0%B2%D1%81%D0%B5-%D0%BB%D0%B0%D0%BC%D0%BF%D1%8B", "Все лампы") == "Все лампы");
  // One word says little, and <title> may be named as well.
  CHECK(title("/shop/lanterns", "Lanterns") == "Lamps for every boat");
  CHECK(title("/lamps-for-every-boat", "All boat lanterns") == "Lamps for every boat");
  CHECK(title("/all-lanterns-of-the-harbour-of-kiel", "All ships") == "Lamps for every boat");
}

TEST_CASE("the site's name is no title where another one is said") {
  CHECK(page_title(evidence({}, "Outdoor gear – The Bush Company", {"The Bush Company"},
                            "thebushcompany.example")) == "Outdoor gear");
  CHECK(page_title(evidence({}, "All socks", {"Bombas"}, "shop.bombas.example")) == "All socks");
  CHECK(page_title(evidence({}, "Bombas", {"Bombas"}, "shop.bombas.example")) == "Bombas");
  auto home = evidence({}, "Socks for all", {"Bombas"}, "bombas.example");
  home.path = "/";
  CHECK(page_title(home) == "Bombas");
}

TEST_CASE("a second heading that has the first one up to a divider is the title") {
  CHECK(page_title(evidence({"Tides rise - Sea Talk", "Tides rise"},
                            "Tides rise - Sea Talk - Harbour", {}, "harbour.example")) ==
        "Tides rise");
}

TEST_CASE("a heading of other words gives way to what is said") {
  CHECK(page_title(evidence({"Sign up today"}, "Tides rise")) == "Tides rise");
  CHECK(page_title(evidence({"How the tides rise"}, "Tides rise fast")) == "How the tides rise");
  CHECK(page_title(evidence({"Only a heading"}, "")) == "Only a heading");
  CHECK(page_title(evidence({}, "")).empty());
}
