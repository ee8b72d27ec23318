// Which part of a page is its content, by type of page: a table of pages, each with what must be
// there of it and what must not.
#include <catch2/catch.hpp>
#include <markdown/blocks/model.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/visibility/visibility.hpp>
#include <markdown/words.hpp>
#include <markdown/writing/writer.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::markdown {

using test::has;
using test::times;

namespace {

struct choice {
  page_type type;
  std::string text;
};

choice choose(const std::string& page, std::string_view url) {
  const auto parsed = html::parse(page);
  page_tree tree(parsed);
  const auto about = read_metadata(tree, base_of(parsed, url));
  drop_invisible(tree);
  const auto chosen = choose_content(tree, about);
  return {chosen.type, write_text(tree, chosen.roots)};
}

/// A page, and what its content is.
struct content_row {
  std::string name;
  std::string page;
  std::optional<page_type> type;
  std::vector<std::string> kept, dropped;
  std::string_view url = "https://example.org/x";
};

void check_rows(const std::vector<content_row>& rows) {
  for (const auto& row : rows) {
    DYNAMIC_SECTION(row.name) {
      const auto made = choose(row.page, row.url);
      INFO(made.text);
      if (row.type) CHECK(made.type == *row.type);
      for (const auto& part : row.kept) {
        INFO("must be there: " << part);
        CHECK(has(made.text, part));
      }
      for (const auto& part : row.dropped) {
        INFO("must not be there: " << part);
        CHECK_FALSE(has(made.text, part));
      }
    }
  }
}

/// `count` copies with the number of each between `before` and `after`.
std::string numbered(const std::string& before, const std::string& after, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += before + std::to_string(i) + after;
  return out;
}

const std::string prose =
    "<p>The sea rises, the sea falls, and every harbour keeps its own table of when it does so, "
    "printed once a year and pinned to the door of the office.</p>";

std::string section_named(const std::string& name) {
  return "<section class=band><div><h2>" + name + "</h2>" + times(prose, 2) + "</div></section>";
}

/// What a table of one tree says of blocks with a few words and with many, in ten-thousandths.
struct word_odds {
  std::int64_t few, many;
};

/// The content of a page by such a table.
std::string choose_by_words(word_odds odds, const std::string& body) {
  constexpr auto words = static_cast<std::int64_t>(feature::words);
  const std::int64_t numbers[] = {0, 1, 1, words, 16, 1, odds.few, odds.many, 0, 2, 0, 1000};
  const auto model = block_model::read(numbers);
  REQUIRE(model.has_value());
  const auto parsed = html::parse("<body>" + body);
  page_tree tree(parsed);
  drop_invisible(tree);
  choice_means means;
  means.model = &*model;
  const auto chosen = choose_content(tree, read_metadata(tree, {}), means);
  return write_markdown(tree, chosen.roots, {}).markdown;
}

constexpr std::string_view jugs_url = "https://example.org/collections/j";

}  // namespace

TEST_CASE("the content of a page with prose") {
  check_rows({
      {"prose with a list of other articles is an article",
       "<body><h1>Tides</h1><article>" + times(prose, 10) + "</article><div>" +
           times("<div class=teaser><a href=/b>Another thing to read</a></div>", 12) + "</div>",
       page_type::article,
       {},
       {"Another thing"}},
      {"an article stays one whatever is said below it",
       "<head><meta property=og:type content=article></head><body><article>" + times(prose, 10) +
           "</article><section class=comments>" +
           times("<div class=comment-body>" + prose + "</div>", 40) + "</section>",
       page_type::article,
       {},
       {}},
      {"many short sections are kept, all of them",
       "<body><header><a href=/>Home</a></header><main>" + section_named("Plan") +
           section_named("Build") + section_named("Ship") + section_named("Watch") +
           "</main><footer>About us</footer>",
       {},
       {"Plan", "Build", "Ship", "Watch"},
       {"About us"}},
      {"links that only styles part stand apart in the text, too",
       "<body><p>" + std::string(90, 'x') +
           " <a href=/a>Tides</a><a href=/b>Towers</a><a href=/b>2</a></p>",
       {},
       {"Tides Towers2"},
       {}},
  });
}

TEST_CASE("the list of all pages of a manual is no content of one of them") {
  std::string list;
  for (int i = 0; i < 400; ++i) {
    const auto name = std::to_string(i);
    list += "<li><a href=p" + name + ".html>1." + name + " Another word of tides</a>";
  }
  check_rows({{"a page of a glossary",
               "<body><div id=main><h2>1.7 Ebb</h2><p>What flows back to the sea after it was high "
               "water, some six hours long.</div><div id=toc><ul>" +
                   list + "<li><a href=p7.html>1.7 Ebb</a></ul></div>",
               {},
               {"flows back to the sea"},
               {"Another word"}}});
}

TEST_CASE("the content of a page of links") {
  check_rows({
      {"a page of nothing but links is still answered",
       "<body>" + times("<a href=/x>Somewhere</a> ", 30),
       {},
       {"Somewhere"},
       {}},
      // Found by fuzzing: where all parts score alike, nothing above <html> is the article.
      {"a page that is one link is its own content",
       "<s><i><h3><a>" + times("Harbours and towers. ", 30),
       {},
       {"Harbours and towers."},
       {}},
  });
  CHECK(choose("<body></body>", "https://example.org/x").text.empty());
}

TEST_CASE("the content of a page of items") {
  check_rows({
      {"a list of items keeps its items and loses what it is operated with",
       "<body><nav>Shop</nav><main><h1>Jugs</h1><div class=filter-bar>Colour Size</div>"
       "<div class=grid>" +
           numbered("<div class=card><a href=/i><img src=i.png><h3>Jug ",
                    "</h3></a><span class=price>9.50</span><button>Add to cart</button></div>",
                    12) +
           "</div><div class=pagination>1 2 3</div></main>",
       page_type::collection,
       {"Jug 0", "Jug 11", "9.50"},
       {"Add to cart", "Colour Size", "1 2 3"},
       jugs_url},
  });
}

TEST_CASE("the content of a page of one product") {
  check_rows({
      {"what holds the name of a product stays, although it is named after how it is sent",
       "<body class=single-product><main><div class='product shipping-taxable'><h1>Jug</h1>"
       "<p>It holds a litre.</p></div><div class=shipping>By ship, on Fridays</div>" +
           times(prose, 3) + "</main>",
       page_type::product,
       {"It holds a litre."},
       {"on Fridays"}},
  });
}

TEST_CASE("what remarks are about stands before them") {
  const std::string remark =
      "<li><b class=author>Keeper</b><div class=comment-body>I have read the gauge for years, and "
      "it has never stood as high as it did on that morning in March, number ";
  for (const auto* box : {"<ul>", "</div><ul>"}) {
    INFO(box);
    const auto page = "<body><nav>Harbours Towers</nav><div class=story>" + times(prose, 3) + box +
                      numbered(remark, ".</div></li>", 25) + "</ul></div><footer>Imprint</footer>";
    check_rows({{box, page, page_type::forum, {"number 24.", "Keeper"}, {"Imprint"}}});
    CHECK(choose(page, "https://example.org/x").text.starts_with("The sea rises"));
  }
}

TEST_CASE("what asks for something is not what a page is about, however much of it there is") {
  const std::string card =
      "<div class='newsletter subscribe-card'><h3>Never miss a tide</h3><p>Sign up for our letter "
      "and read every Friday what the sea has done, what it will do, and what people say.</p>"
      "<form><input type=email><button>Sign up</button></form></div>";
  const std::string remarks =
      "<section id=comments class=comments><h3>Comments</h3>" +
      numbered(
          "<div class=comment><p>I have read the gauge for years, and it has never stood as "
          "high as it did on that morning, number ",
          ".</p><a href=#>Reply</a></div>", 12) +
      "</section>";
  const std::string teasers =
      "<div class=related-posts><h3>Related</h3>" +
      numbered("<div class=teaser><a href=/t><h4>Another tide, number ",
               "</h4></a><p>What the sea did on the day before...</p></div>", 9) +
      "</div>";
  check_rows({
      {"a short article beside a card, teasers and remarks",
       "<head><meta property=og:type content=article></head><body><nav><a href=/>Home</a></nav>"
       "<article class=post><h1>Tides</h1>" +
           times(prose, 4) + "</article>" + card + teasers + remarks,
       {},
       {"every harbour keeps"},
       {"Sign up for our letter", "Another tide"}},
  });
}

TEST_CASE("tables and code stay whole, pictures stay with their text") {
  const auto parsed = html::parse(
      "<body><nav><a href=/>Home</a><img src=logo.png></nav><article><h1>Tides</h1>" +
      times(prose, 3) + "<table><tr><th>Day<th>High<tr><td>1<td>2.5 m<tr><td>2<td>2.7 m</table>" +
      "<pre>read(gauge)\n\nwrite(book)</pre><img src=gauge.png>" + times(prose, 3) +
      "</article><footer><img src=badge.png>Imprint</footer>");
  page_tree tree(parsed);
  drop_invisible(tree);
  const auto chosen = choose_content(tree, read_metadata(tree, {}));
  const auto made = write_markdown(tree, chosen.roots, {});
  CHECK(has(made.markdown, "| 2 | 2.7 m |"));
  CHECK(has(made.markdown, "write(book)"));
  CHECK(has(made.markdown, "gauge.png"));
  CHECK_FALSE(has(made.markdown, "logo.png"));
  CHECK_FALSE(has(made.markdown, "badge.png"));
}

TEST_CASE("a caption that goes does not take its picture along") {
  const auto made =
      choose_by_words({.few = -60'000, .many = 60'000},
                      times(prose, 3) +
                          "<table><tr><td><img src=gauge.png></td></tr><tr><td>A gauge</td></tr>"
                          "</table>" +
                          times(prose, 3) +
                          "<p><img src=menu.png></p><p>Menu</p><p>Search</p>"
                          "<p><img src=badge.png></p>");
  CHECK(has(made, "gauge.png"));
  CHECK_FALSE(has(made, "A gauge"));
  CHECK_FALSE(has(made, "badge.png"));
}

TEST_CASE("headings and code between text stay, several of them, too") {
  const auto page = [](const std::string& between) {
    return times(prose, 3) + between + times(prose, 3);
  };
  const word_odds unlikely = {.few = -10'000, .many = 60'000};
  const word_odds hopeless = {.few = -60'000, .many = 60'000};
  const std::string part = "<h3>Example</h3><pre>read()</pre><pre>tide 3</pre><h3>Meaning</h3>";
  const auto whole = choose_by_words(unlikely, page(part));
  CHECK(has(whole, "### Example"));
  CHECK(has(whole, "read()"));
  CHECK(has(whole, "tide 3"));
  CHECK(has(whole, "### Meaning"));
  CHECK(has(choose_by_words(hopeless, page("<pre>read()</pre><pre>tide 3</pre>")), "tide 3"));
  CHECK(has(choose_by_words(hopeless, page("<script type='math/tex; mode=display'>h=3</script>")),
            "h=3"));
  CHECK_FALSE(has(choose_by_words(hopeless, page("<h3>Share</h3>")), "Share"));
  CHECK_FALSE(has(choose_by_words(unlikely, page("<h3>More</h3><p>Read on</p>")), "More"));
  const auto apart = page("<div><pre>nav()</pre><p>Menu</p></div>");
  CHECK_FALSE(has(choose_by_words(hopeless, apart), "nav()"));
}

TEST_CASE("code stays with the heading right above it, however the page ends") {
  const word_odds odds = {.few = -10'000, .many = 60'000};
  const auto heading = "<h2>" + times("Examples of gauges ", 12) + "</h2>";
  const auto page = [&](const std::string& between) {
    return "<div>" + times(prose, 3) + heading + between +
           "<div class=wrap><pre>read()</pre></div></div>";
  };
  CHECK(has(choose_by_words(odds, page("")), "read()"));
  CHECK_FALSE(has(choose_by_words(odds, page("<p>Menu</p>")), "read()"));
  CHECK_FALSE(has(choose_by_words(odds, page("</div><div>")), "read()"));
}

TEST_CASE("code that the text before it announces stays with it, but in a thread") {
  const word_odds odds = {.few = -60'000, .many = 60'000};
  const auto page = [&](const std::string& end, const std::string& beside) {
    return "<div>" + times(prose, 3) + "<p>" + times("examples of gauges ", 12) + end +
           "</p><pre>read()</pre>" + beside + "<p>Menu</p></div>";
  };
  CHECK(has(choose_by_words(odds, page("are:", "")), "read()"));
  CHECK_FALSE(has(choose_by_words(odds, page("are.", "")), "read()"));
  CHECK_FALSE(
      has(choose_by_words(
              odds,
              page("are:", "<i itemtype=http://schema.org/DiscussionForumPosting itemscope></i>")),
          "read()"));
}

TEST_CASE("a text that stands in several listings side by side stays whole") {
  const word_odds odds = {.few = -60'000, .many = 60'000};
  const auto pages =
      "<pre>" + times("a tide that rises and falls\n", 8) + "</pre><hr><pre>Of gauges</pre>";
  CHECK(has(choose_by_words(odds, pages + "<hr><pre>Authors</pre>"), "Authors"));
  CHECK_FALSE(has(choose_by_words(odds, pages + "<div><pre>Menu</pre><p>Help</p></div>"), "Menu"));
}

TEST_CASE("a paragraph between others that are hardly more likely stays") {
  const auto page = times(prose, 3) + "<p>The gauge at the pier was read by a boy each hour</p>" +
                    times(prose, 3);
  CHECK(has(choose_by_words({.few = -16'400, .many = -13'900}, page), "read by a boy"));
  CHECK_FALSE(has(choose_by_words({.few = -20'000, .many = -13'900}, page), "read by a boy"));
}

TEST_CASE("a term goes with what is said of it, and the rest of a list with most of it") {
  const word_odds odds = {.few = -60'000, .many = 60'000};
  const std::string said = "<dd>" + times("tides rise and fall ", 8);
  const auto list = choose_by_words(
      odds, times(prose, 3) + "<dl><dt>-q" + said + "<dt>-r<dd>Read it<dt>-s" + said + "</dl>");
  for (const auto* part : {"-q", "-r", "Read it", "-s"}) CHECK(has(list, part));
  const auto menu =
      choose_by_words(odds, times(prose, 3) + "<dl><dt>-q<dd>Menu<dt>-r<dd>Help</dl>");
  CHECK_FALSE(has(menu, "Menu"));
}

TEST_CASE("a row keeps all of its cells where it keeps half of them, but links") {
  const word_odds odds = {.few = -60'000, .many = 60'000};
  const auto text = times("tides rise and fall ", 8);
  const auto row = choose_by_words(
      odds, times(prose, 3) + "<table><tr><td>" + text + "<td>12.5<tr><td>Low<td>Sunday</table>");
  CHECK(has(row, "12.5"));
  CHECK_FALSE(has(row, "Sunday"));
  const auto link = choose_by_words(
      odds, times(prose, 3) + "<table><tr><td>" + text + "<td><a href=/x>Edit</a></table>");
  CHECK_FALSE(has(link, "Edit"));
  const auto most =
      choose_by_words(odds, times(prose, 3) + "<table><tr><td>" + text + "<td>12.5<td>Low</table>");
  CHECK_FALSE(has(most, "12.5"));
}

TEST_CASE("a note is found by its anchor's name, but where something is sold") {
  const word_odds odds = {.few = -60'000, .many = 60'000};
  const auto page = [&](const std::string& anchor, const std::string& beside = {}) {
    return "<p>" + times("tides rise and fall ", 8) + "<a href='#_ftn1'>[1]</a></p>" +
           times(prose, 6) + "<div><p>" + anchor + " Of 1874</p></div>" + beside;
  };
  const std::string named = "<a name=_ftn1>[1]</a>";
  CHECK(has(choose_by_words(odds, page(named)), "Of 1874"));
  CHECK_FALSE(has(choose_by_words(odds, page("<a name=_ftn2>[1]</a>")), "Of 1874"));
  CHECK_FALSE(has(choose_by_words(odds, page(named, "<meta property=og:type content=product>")),
                  "Of 1874"));
}

TEST_CASE("a note without a name is found by its link back") {
  const word_odds odds = {.few = -60'000, .many = 60'000};
  const auto page = [&](const std::string& reference, const std::string& back) {
    return "<p>" + times("tides rise and fall ", 8) + "<a href='#" + reference + "'>[1]</a></p>" +
           times(prose, 6) + "<p><sup><a href='" + back + "'>[1]</a></sup> Of 1874</p>";
  };
  CHECK(has(choose_by_words(odds, page("_ftn1", "//6CB5-4A65#_ftnref1")), "Of 1874"));
  CHECK(has(choose_by_words(odds, page("_edn1", "#_ednref1")), "Of 1874"));
  CHECK(has(choose_by_words(odds, page("ftnt1", "#ftnt_ref1")), "Of 1874"));
  CHECK_FALSE(has(choose_by_words(odds, page("_ftn1", "#_ftnref2")), "Of 1874"));
  CHECK_FALSE(has(choose_by_words(odds, page("_ftn1", "/_ftnref1")), "Of 1874"));
}

TEST_CASE("a plain list is kept or dropped as one") {
  const word_odds odds = {.few = -10'000, .many = 60'000};
  const auto list = [](int items) {
    return times(prose, 2) + "<ul><li>" + times("a tide that rises and falls, ", 8) +
           numbered("<li>Tide ", "", items - 1) + "</ul><p>Menu</p>";
  };
  const auto whole = choose_by_words(odds, list(3));
  CHECK(has(whole, "Tide 0"));
  CHECK(has(whole, "Tide 1"));
  CHECK_FALSE(has(whole, "Menu"));
  CHECK_FALSE(has(choose_by_words(odds, list(2)), "Tide 0"));
}

TEST_CASE("what stands at one place of several cards stays or goes together") {
  const word_odds odds = {.few = -10'000, .many = 60'000};
  const auto cards = [](const std::string& first, const std::string& shape) {
    return times(prose, 2) + "<div><div class=card><p>" + first + "</p><p>Help</p></div>" +
           times("<div class=" + shape + "><p>Tide gauge</p><p>Help</p></div>", 2) + "</div>";
  };
  const auto text = times("a tide that rises and falls, ", 8);
  const auto alike = choose_by_words(odds, cards(text, "card"));
  CHECK(has(alike, "Tide gauge"));
  CHECK_FALSE(has(alike, "Help"));
  CHECK_FALSE(has(choose_by_words(odds, cards(text, "other")), "Tide gauge"));
}

TEST_CASE("of what a page says in two places the second goes, but not where every card says it") {
  const word_odds odds = {.few = 60'000, .many = 60'000};
  const std::string question = "<p>Who has read the gauge at the north pier this morning?</p>";
  const auto count = [&](const std::string& page) {
    const auto made = choose_by_words(odds, page);
    const auto first = made.find("Who has read");
    if (first == std::string::npos) return 0;
    return made.find("Who has read", first + 1) == std::string::npos ? 1 : 2;
  };
  const auto quoted = "<div class=post>" + question + "</div><div class=post><blockquote>" +
                      question + "</blockquote><p>It stood at two metres.</p></div>";
  CHECK(count(times(prose, 2) + quoted) == 1);
  CHECK(has(choose_by_words(odds, times(prose, 2) + quoted), "two metres"));
  const auto widths = "<div class=wide><h2>Tides</h2>" + question +
                      "</div><div class=narrow><h2>Tides</h2>" + question + "</div>";
  CHECK(count(times(prose, 2) + widths) == 1);
  const auto made = choose_by_words(odds, times(prose, 2) + widths);
  CHECK(made.find("## Tides") == made.rfind("## Tides"));
  const auto cards = numbered("<div class=card>" + question + "<p>Yes, ", "</p></div>", 2);
  CHECK(count(times(prose, 2) + cards) == 2);
  const auto slide = [&](const std::string& name) {
    return "<div class=slide>" + question + "<p>" + name + "</p></div>";
  };
  const auto row = "<tr><td>" + question + "<td>Yes";
  CHECK(count(times(prose, 2) + "<div>" + slide("Ada") + slide("Bo") + slide("Ada") + "</div>") ==
        2);
  CHECK(count("<table><tr><th>Asked<th>Known" + times(row, 2) + "</table>") == 2);
  // Short lines, code, and items of a list that says more.
  const std::string menu = "<div><p>Read it</p></div><section><p>Read it</p></section>";
  const auto lines = choose_by_words(odds, times(prose, 2) + menu);
  CHECK(lines.find("Read it") != lines.rfind("Read it"));
  const std::string words = "Who has read the gauge at the north pier this morning?";
  CHECK(count(question + "<pre>" + words + "</pre>") == 2);
  CHECK(count(question + "<ul><li>" + words + "<li>Two metres<li>Three</ul>") == 2);
  CHECK(count(question + "<ul><li>" + words + "</ul>") == 1);
}

TEST_CASE("the way from a site's first page to this one is no text of it, whatever it is called") {
  const auto list = [](const std::string& home) {
    return "<ul class=row><li><a href='" + home +
           "'>Start</a><li><a href=/log>Log</a><li>Of tides</ul>";
  };
  const word_odds odds = {.few = 60'000, .many = 60'000};
  for (const auto* home : {"/", "https://example.org", "https://example.org/"}) {
    CHECK_FALSE(has(choose_by_words(odds, list(home) + times(prose, 3)), "Of tides"));
  }
  for (const auto* other : {"/start", "", "https://example.org/a"}) {
    CHECK(has(choose_by_words(odds, list(other) + times(prose, 3)), "Of tides"));
  }
  CHECK(has(choose_by_words(odds, times(prose, 3) + list("/")), "Of tides"));
}

TEST_CASE("documentation says the same of every function") {
  const std::string said = "<p>The caller has to close the gauge that this returns.</p>";
  const std::string page = "<head><meta name=generator content='Docusaurus'></head><main>" +
                           times(prose, 3) + "<section>" + said + "</section><div>" + said +
                           "</div></main>";
  const auto made = choose_by_words({.few = 60'000, .many = 60'000}, page);
  CHECK(made.find("close the gauge") != made.rfind("close the gauge"));
}

TEST_CASE("the text of a manual that a generator made stays whole, without what leads through it") {
  const auto made_by = [&](const std::string& generator) {
    return choose_by_words({.few = -15'000, .many = 60'000},
                           "<head><meta name=generator content='" + generator +
                               "'></head><nav>Overview</nav><main>" + times(prose, 3) +
                               "<h2>Members</h2><div>int read()</div><button>All methods</button>"
                               "<aside>On this page</aside></main><div>By hand</div>");
  };
  const auto made = made_by("javadoc/ClassWriterImpl");
  for (const auto* part : {"Members", "int read()"}) CHECK(has(made, part));
  for (const auto* part : {"Overview", "All methods", "On this page", "By hand"}) {
    INFO(part);
    CHECK_FALSE(has(made, part));
  }
  for (const auto* generator : {"publican v4.3.2", "makeinfo", "texi2any", "LaTeX2HTML v2022.2"}) {
    INFO(generator);
    CHECK(has(made_by(generator), "int read()"));
  }
  CHECK_FALSE(has(made_by("WordPress 6"), "int read()"));
}

TEST_CASE("a manual's text is no single section, and begins at its title") {
  const auto made =
      choose_by_words({.few = -15'000, .many = 60'000},
                      "<head><meta name=generator content=AsciiDoc></head><div><h1>gauge(1)</h1>"
                      "<h2>Name</h2><p>gauge - reads tides</p></div><div><div>" +
                          times(prose, 3) + "</div><div>" +
                          numbered("<p>A word of option ", "</p>", 20) + "</div></div>");
  CHECK(has(made, "gauge - reads tides"));
  CHECK(has(made, "A word of option 19"));
}

TEST_CASE("where few words are kept, what is less likely is, too") {
  const word_odds odds = {.few = -15'000, .many = 60'000};
  const auto lead = "<h1>Prices</h1><p>" + times("a lead of few words ", 4) + "</p>";
  const std::string rest =
      "<p>$ 15 a month</p><form><p>Your name</p></form><p><a href=/x>Read on</a></p>";
  const auto made = choose_by_words(odds, lead + rest);
  CHECK(has(made, "$ 15 a month"));
  CHECK_FALSE(has(made, "Your name"));
  CHECK_FALSE(has(made, "Read on"));
  CHECK_FALSE(has(choose_by_words(odds, lead + times(prose, 3) + rest), "$ 15 a month"));
}

TEST_CASE("a link around a whole text leads away from none of it") {
  const word_odds odds = {.few = -15'000, .many = 60'000};
  const auto made = choose_by_words(
      odds, "<article><a href=/x><h2>Tides rise</h2><p>" + times("a lead of few words ", 4) +
                "</p><p>So they say.</p></a></article><a href=/y><p>Read on</p><p>Or not</p></a>");
  CHECK(has(made, "Tides rise"));
  CHECK(has(made, "So they say."));
  CHECK_FALSE(has(made, "Read on"));
}

TEST_CASE("next to nothing of a page that nobody is sure of is not its content") {
  const auto page = times("<p>Words</p>", 60) + "<div>" + times("gauge tide ", 2'000) + "</div>";
  CHECK(has(choose_by_words({.few = -20'000, .many = -60'000}, page), "gauge tide"));
  CHECK_FALSE(has(choose_by_words({.few = 20'000, .many = -60'000}, page), "gauge tide"));
}

}  // namespace freshet::markdown
