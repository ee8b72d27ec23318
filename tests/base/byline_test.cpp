#include <base/byline.hpp>
#include <catch2/catch.hpp>

using freshet::base::byline_names;
using freshet::base::introduced_names;
using names = std::vector<std::string>;

TEST_CASE("several people in one byline are several names") {
  const names two = {"Ada Byron", "Bo Carr"};
  for (const auto* text :
       {"Ada Byron and Bo Carr", "Ada Byron, Bo Carr", "Ada Byron; Bo Carr", "Ada Byron & Bo Carr",
        "Von Ada Byron und Bo Carr", "Ada Byron y Bo Carr", "Ada Byron e Bo Carr",
        "Par Ada Byron et Bo Carr", "Ada Byron | Bo Carr", "Ada Byron,Bo Carr, Ada Byron",
        "By Ada Byron in Oslo and Bo Carr in New York", "Автор: Ada Byron и Bo Carr"}) {
    INFO(text);
    CHECK(byline_names(text) == two);
  }
  CHECK(byline_names("A. Byron, B. Carr, and C. Dunn") == names{"A. Byron", "B. Carr", "C. Dunn"});
  CHECK(byline_names("牛镛、岳弘彬") == names{"牛镛", "岳弘彬"});
}

TEST_CASE("what may be one name stays one") {
  for (const auto* text :
       {"José Ortega y Gasset", "Maria Costa e Silva", "Byron, Ada", "Byron, A. K.",
        "Ada Byron, PhD", "Ada Byron, M.D., FACP", "Procter & Gamble", "Ada Byron, Jr.",
        "Center for Drug Evaluation and Research", "Ada in den Bosch", "98 Buck Social"}) {
    INFO(text);
    CHECK(byline_names(text) == names{text});
  }
}

TEST_CASE("words around a name go, and what is none is none") {
  for (const auto* text :
       {"By Ada Byron", "BY: Ada Byron,", "Written by Ada Byron", "Von Ada Byron",
        "作者：Ada Byron", "Por  Ada Byron", "Ada Byron in London", "ada@example.org, Ada Byron",
        "Recipe by Ada Byron", "This article was written by Ada Byron", "Begonnen von Ada Byron",
        "Ada Byron - The Harbour Team"}) {
    INFO(text);
    CHECK(byline_names(text) == names{"Ada Byron"});
  }
  for (const auto* text :
       {"", " , ", "https://example.org/ada", "www.example.org", "12.03.2026", "ada@example.org",
        "BY", "Written by", "Author", "undefined", "page.head.extra.author"}) {
    INFO(text);
    CHECK(byline_names(text).empty());
  }
  CHECK(byline_names(std::string(5000, 'x')).empty());
}

TEST_CASE("what people are is no further name") {
  for (const auto* text :
       {"Ada Byron, CEO of Harbour", "Ada Byron, Head Winemaker, Co-Founder",
        "Ada Byron, Home and Digital Security Expert", "Ada Byron, Redakteurin",
        "Ada Byron, professor of all that the sea does", "Ada Byron, журналист"}) {
    INFO(text);
    CHECK(byline_names(text) == names{"Ada Byron"});
  }
  CHECK(byline_names("Ada Byron, Senior Editor, Bo Carr") == names{"Ada Byron", "Bo Carr"});
  // A feed has no better name than that of who keeps it.
  CHECK(byline_names("admin") == names{"admin"});
  CHECK(byline_names("Travel Editor") == names{"Travel Editor"});
}

TEST_CASE("what a word for \"by\" introduces") {
  CHECK(introduced_names("By Ada Byron | Editor") == "Ada Byron | Editor");
  CHECK(introduced_names("Written by: Ada Byron") == "Ada Byron");
  CHECK(introduced_names("作者：牛镛") == "牛镛");
  CHECK(introduced_names("ESCRITO POR Ada") == "Ada");
  CHECK(introduced_names("Authored by: Dr. Ada Byron") == "Dr. Ada Byron");
  CHECK(introduced_names("Thread starter Ada Byron") == "Ada Byron");
  for (const auto* text : {"", "Ada Byron", "Bypass is open", "The tide by Ada", "By"}) {
    INFO(text);
    CHECK(introduced_names(text).empty());
  }
}

TEST_CASE("a byline gives a bounded number of names") {
  std::string many;
  for (int i = 0; i < 150; ++i) many += "a" + std::to_string(i) + ";";
  CHECK(byline_names(many).size() == freshet::base::max_byline_names);
}
