#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/about/visible_claims.hpp>
#include <optional>
#include <string>

using namespace freshet;
using markdown::day_order;

namespace {

markdown::visible_claims look(std::string_view body) {
  const auto page = html::parse(std::string("<body>").append(body));
  const markdown::page_tree tree(page);
  html::node_id heading = html::none;
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_element(id, html::tag_id::h1)) heading = id;
  }
  return visible_claims_of(tree, heading, day_order::day_first, "www.example.org");
}

std::string names(std::string_view box) {
  const auto page = html::parse(std::string("<body><div id=b>").append(box));
  const markdown::page_tree tree(page);
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.attribute_of(id, "id") == "b") return names_in_box(tree, id);
  }
  return "no box";
}

std::string closing(std::string_view below) {
  const std::string prose = "<p>" + std::string(200, 'x') + " word.</p>";
  const auto page = html::parse("<body><h1>T</h1>" + prose + prose + std::string(below));
  const markdown::page_tree tree(page);
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_element(id, html::tag_id::h1)) return closing_byline(tree, id);
  }
  return "no heading";
}

const auto march_5 = base::parse_time("2026-03-05");

}  // namespace

TEST_CASE("of several days around the heading that of its own part is meant") {
  for (const auto* body :
       {// Teasers stand above and below.
        "<p>1 March 2026</p><p>2 March 2026</p><div><p>5.3.2026, 10:16</p><h1>T</h1></div>"
        "<p>4 March 2026",
        // Posts of a thread.
        "<div><h2>5 March 2026</h2><div><h1>T</h1></div></div><div><h2>6 March 2026</h2></div>",
        "<h1>T</h1><p>5 March 2026", "<h1><span>5.3.2026</span>T</h1><p>4 March 2026",
        "<p>(until 31.12.2025)</p><h1><b><i>5.3.2026</i></b> T</h1>"}) {
    INFO(body);
    CHECK(look(body).day == march_5);
  }
}

TEST_CASE("a message begins with its place and day") {
  const std::string prose(200, 'x');
  for (const auto* ahead :
       {"Kiel (5.3.2026). ", "Karlsruhe, (05.03.2026) ", "5 March 2026 – ", "05.03.2026 - "}) {
    INFO(ahead);
    CHECK(look("<h1>T</h1><p>" + (ahead + prose)).day == march_5);
    CHECK(look("<h1>T</h1><p>4 March 2026<p>" + (ahead + prose)).day != march_5);
  }
  for (const auto* ahead :
       {"On 5 March 2026 we saw ", "5 March 2026 was ", "Of 2 (in 5.3.2026 and) "}) {
    INFO(ahead);
    CHECK_FALSE(look("<h1>T</h1><p>" + (ahead + prose)).day);
  }
}

TEST_CASE("what readers say below an article dates nothing") {
  CHECK_FALSE(look("<h1>T</h1><p>Tides.</p><div id=comments><p>5 March 2026</div>").day);
}

TEST_CASE("a byline and a day below the heading") {
  for (const auto* below :
       {"<p>By Ada Byron | 5 March 2026</p>",
        "<div>Von <a>Ada Byron</a></div><div>05.03.2026</div>",
        "<p>By <b>Ada Byron</b> on March 5, 2026</p>", "<span>Par Ada Byron</span><br>5 mars 2026",
        "<ul><li>5 marzo 2026<li>di Ada Byron</ul>",
        "<p>By Ada Byron on Thursday, 5 March 2026</p>",
        "<div>By <a>Ada Byron</a> <span>Thursday, Mar. 5, 2026</span></div>",
        "<p>By Ada Byron • 5 min read • Mar 5, 2026</p>",
        "<div>By</div><div>Ada Byron</div><div>5 March 2026</div>",
        "<p>Written by</p><p>Ada Byron, Mar 5, 2026</p>",
        "<p>By Ada Byron for The Harbour, 5 March 2026</p>", "<p>5 March 2026 by Ada Byron</p>",
        "<p>5 March 2026</p><p>This post was written by Ada Byron, head of tides.</p>"}) {
    INFO(below);
    const auto found = look(std::string("<h1>Tides</h1>") + below);
    CHECK(found.byline == "Ada Byron");
    CHECK(found.day == march_5);
  }
  const auto above = look("<p>5 March 2026</p><p>By Ada Byron</p><h1>Tides</h1>");
  CHECK(above.byline == "Ada Byron");
  CHECK(above.day == march_5);
}

TEST_CASE("the day of a change is not that of publication") {
  const auto both = look("<h1>T</h1><p>Updated 7 March 2026, published 5 March 2026</p>");
  CHECK(both.day == march_5);
  CHECK(both.edit == base::parse_time("2026-03-07"));
  const auto beside = look("<h1>T</h1><div>Zuletzt aktualisiert</div><div>7. März 2026</div>");
  CHECK_FALSE(beside.day);
  CHECK(beside.edit == base::parse_time("2026-03-07"));
}

TEST_CASE("a label stands above one name, or above a list of them") {
  CHECK(look("<h1>T</h1><h6>Author(s)</h6><ul><li>Ada Byron<li>Bo Carr</ul><p>Cy Dunn").byline ==
        "Ada Byron; Bo Carr");
  CHECK(look("<h1>T</h1><p>By the Harbour Team</p>").byline == "the Harbour Team");
  CHECK(look("<h1>T</h1><p>By</p><p>the sea we stand</p>").byline.empty());
  CHECK(look("<h1>T</h1><p>ada7 on Friday</p>").byline.empty());
  CHECK(look("<h1>T</h1><p>By ada7 on Friday</p>").byline.empty());
  CHECK(look("<h1>T</h1><p>By Ada on Friday</p>").byline == "Ada");
  CHECK(look("<h1>T</h1><p>By 3i Harbour</p>").byline == "3i Harbour");
  CHECK(look("<h1>T</h1><p>By 3 authors</p>").byline.empty());
}

TEST_CASE("who begins a thread may be called as they sign in, where that leads to them") {
  CHECK(look("<h1>T</h1><li>Thread starter <a href='/members/ada_b.7/'>ada_b</a></li>").byline ==
        "ada_b");
  CHECK(look("<h1>T</h1><li>Thread starter ada_b</li>").byline.empty());
  CHECK(look("<h1>T</h1><li>By <a href='/ada'>ada_b</a></li>").byline.empty());
}

TEST_CASE("a name that stands alone beside a day") {
  for (const auto* line :
       {"5.3.2026 · Ada Byron", "Ada Byron | 5 March 2026", "5 March 2026 • Ada Byron in Tides",
        "<span>Ada Byron |</span><span>05.03.2026</span>",
        "<span>2026-03-05</span><span>·</span><a><div>Ada Byron</div></a>"}) {
    INFO(line);
    const auto found = look(std::string("<h1>T</h1><p>") + line);
    CHECK(found.beside_day == "Ada Byron");
    CHECK(found.byline.empty());
  }
  for (const auto* line : {"News · 5 March 2026", "5 March 2026 | 7 March 2026", "Ada Byron",
                           "5 March 2026 · seven comments", "5 March 2026 · 3 Min Read",
                           "<div>5 March 2026 ·</div><div>many comments</div><div>Ada Byron</div>",
                           "From the Sea of Many Tides · 5 March 2026", "Ada Byron 5 March 2026"}) {
    INFO(line);
    CHECK(look(std::string("<h1>T</h1><p>") + line).beside_day.empty());
  }
}

TEST_CASE("below the article more than \"by\" introduces a name") {
  for (const auto* below :
       {"<p>Written by Ada Byron</p>", "<h2>Article by</h2><div>Ada Byron</div>",
        "<p>This post was written by Ada Byron, head of tides.</p>", "<p>(Autorin: Ada Byron)</p>",
        "<h3>About the author</h3><p>Ada Byron</p>", "<h3>Author</h3><p>Ada Byron</p>",
        "<dl><dt>Autorin<dd>Ada Byron</dl>", "<p style='text-align: right'><b>Ada Byron</b></p>"}) {
    INFO(below);
    CHECK(closing(below) == "Ada Byron");
  }
  CHECK(closing("<div>(责编：牛镛、岳弘彬)</div>") == "牛镛; 岳弘彬");
  for (const auto* below :
       {"<p>By Ada Byron</p>", "<p>Posted by: </p><p>ada7</p>", "<p>Ada Byron</p>",
        "<p>Author</p><p>Ada Byron</p>", "<h3>Author</h3><p>of tides</p>",
        "<h2>About the author</h2><p>who wrote it</p>", "<td style='text-align:right'>Low Tide",
        "<nav>Written by Ada Byron</nav>"}) {
    INFO(below);
    CHECK(closing(below).empty());
  }
}

TEST_CASE("behind the first paragraphs nothing is a byline") {
  const std::string prose = "<p>" + std::string(200, 'x') + " word.</p>";
  const auto found =
      look("<h1>T</h1>" + prose + prose + prose + "<p>By Ada Byron, 5 March 2026</p>");
  CHECK(found.byline.empty());
  CHECK_FALSE(found.day);
  CHECK(look("<h1>T</h1><p>By clicking you accept all of it</p>").byline.empty());
  CHECK(look("<h1>T</h1><script>By Ada Byron</script><nav>By Bo Carr</nav>").byline.empty());
}

TEST_CASE("a link to somebody's page on the site") {
  CHECK(look("<h1>T</h1><a href='/author/ada'>Ada Byron</a>").linked == "Ada Byron");
  CHECK(look("<h1>T</h1><a href='https://example.org/users/7'>ada7</a>").linked == "ada7");
  CHECK(look("<h1>T</h1><a href='https://other.example/author/ada'>Ada</a>").linked.empty());
  CHECK(look("<h1>T</h1><a href='/user/a'>AB</a><a href='/user/a'>By Ada Byron</a>").linked ==
        "Ada Byron");
  CHECK(look("<h1>T</h1><a href='/profile.php?id=7'>ada7</a>").linked == "ada7");
  for (const auto* address :
       {"/member.php?action=login", "/member/", "/people/?page=2", "/dashboard/profile",
        "/profiles", "/users/sign_up?from=tides", "/profilecoinsandcollectibles?id=7"}) {
    INFO(address);
    CHECK(look(std::string("<h1>T</h1><a href='") + address + "'>Log in</a>").linked.empty());
  }
}

TEST_CASE("the name in a box that is named for an author") {
  for (const auto* box :
       {"Ada Byron", "By Ada Byron", "<p>Written by</p><p>Ada Byron</p><p>Editor</p>",
        "<style>.a{}</style>Ada Byron", "<a href=/ada>Ada Byron</a> Gardener &amp; Astrologer",
        "Ada Byron 5 March 2026", "Ada Byron | Editor", "5 March 2026 Ada Byron",
        "Thu, 5 March 2026 · Ada Byron", "<label>Your name</label>Ada Byron"}) {
    INFO(box);
    CHECK(names(box) == "Ada Byron");
  }
  CHECK(names("by ada_byron7") == "ada_byron7");
  CHECK(names("Ada has been writing about the sea and its tides for many years now").empty());
  CHECK(names("Read in browser »").empty());
  CHECK(names("on").empty());
  CHECK(names("Submitted on Thu, 2026-03-05 13:49").empty());
  CHECK(names("<p>Author</p>").empty());
  CHECK(names("Sat, 5 March 2026 - 06:36").empty());
}

TEST_CASE("the day on which somebody joined is no day of a page") {
  CHECK(look("<h1>T</h1><p>Joined: 1 July 2012</p><p>5 March 2026").day == march_5);
  CHECK(look("<h1>T</h1><p>Joined</p><p>1 July 2012</p><p>5 March 2026").day == march_5);
  CHECK(look("<h1>T</h1><p>Mitglied seit 1.7.2012, 5.3.2026").day == march_5);
  CHECK_FALSE(look("<h1>T</h1><p>Registered 1 July 2012").day);
}

TEST_CASE("a post has its day right before its text") {
  const auto day_in = [](std::string_view body) {
    const auto page = html::parse(std::string("<body>").append(body));
    const markdown::page_tree tree(page);
    for (html::node_id id = 1; id < page.size(); ++id) {
      if (tree.attribute_of(id, "id") == "p") return day_of_post(tree, id, day_order::day_first);
    }
    FAIL("no post");
    return std::optional<freshet::time_point>();
  };
  CHECK(day_in(
            "<div>Joined: Jul 2012<br>Posts: 3</div><span>5 March 2026, 09:14</span><div id=p>x") ==
        march_5);
  CHECK_FALSE(day_in("<div>ada7<div>Joined: 1 July 2012</div></div><div id=p>5 March 2026"));
}
