// The days that a page shows below its article.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/about/closing_days.hpp>
#include <string>

using namespace freshet;

namespace {

markdown::closing_days below(std::string_view foot) {
  const auto page =
      html::parse("<body><h1>T</h1><p>" + std::string(400, 'x') + "</p>" + std::string(foot));
  const markdown::page_tree tree(page);
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_element(id, html::tag_id::h1)) {
      return closing_days_of(tree, id, markdown::day_order::day_first);
    }
  }
  FAIL("no heading");
  return {};
}

const auto the_day = base::parse_time("2026-03-05");

}  // namespace

TEST_CASE("a labelled day below the article") {
  for (const auto* foot :
       {"<div><span>Posted on 5 March 2026</span></div>",
        "<p>Published</p><p class=date>Mar 5, 2026</p>", "<p>Veröffentlicht: 5.3.2026",
        "<b>Publié le</b> 5 mars 2026", "<p>发布时间:2026年3月5日"}) {
    INFO(foot);
    CHECK(below(foot).published == the_day);
    CHECK_FALSE(below(foot).edited);
  }
  for (const auto* foot :
       {"<p style='text-align:right'>Last updated: 5 March 2026</p>",
        "<b>Last Updated: </b>5 March 2026", "<i>Zuletzt aktualisiert:</i> 5.3.26",
        "<p>This page was last edited on 5 March 2026, at 09:14."}) {
    INFO(foot);
    CHECK(below(foot).edited == the_day);
    CHECK_FALSE(below(foot).published);
  }
}

TEST_CASE("a label may stand behind the day, and much before its label") {
  CHECK(
      below("<p>This entry, on Thursday, 5 March 2026 at noon, was published in Tides").published ==
      the_day);
  CHECK(below("<p>BeginnersGuide/Download (last edited 2026-03-05 by Ada").edited == the_day);
}

TEST_CASE("the one day in boxes that are named for days") {
  for (const auto* foot :
       {"<div class=asset-footer><div class=asset-meta>Von Ada am 05.03.2026, 11:51</div></div>",
        "<p class=postmetadata><small>am 5. März 2026</small>",
        "<span class=textbox__box-date>05.03.2026</span><span class=newsDate>5 March "
        "2026</span>"}) {
    INFO(foot);
    CHECK(below(foot).boxed == the_day);
    CHECK_FALSE(below(foot).published);
  }
  for (const auto* foot :
       {"<p>05.03.2026", "<b class=date>05.03.2026</b><b class=date>06.03.2026</b>",
        "<aside><b class=date>05.03.2026</b></aside>", "<a href=/b class=date>05.03.2026</a>",
        "<div id=comments><b class=date>05.03.2026</b></div>",
        "<div class=widget><b class=date>05.03.2026</b></div>",
        "<b class=event-date>05.03.2026</b>"}) {
    INFO(foot);
    CHECK_FALSE(below(foot).boxed);
  }
}

TEST_CASE("days below the article that say nothing of it") {
  for (const auto* foot :
       {"<p>5 March 2026", "<p>Joined: 5 March 2026", "<p>Event: 5 March 2026",
        "<ul><li>Posted on 5 March 2026<li>Posted on 6 March 2026</ul>",
        "<p>We have published a report on harbours, tides and all that on 5 March "
        "2026, and it will be read."}) {
    INFO(foot);
    CHECK_FALSE(below(foot).published);
    CHECK_FALSE(below(foot).edited);
  }
}
