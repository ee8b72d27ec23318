// The marks that class and id names get.
#include <catch2/catch.hpp>
#include <markdown/tree/name_marks.hpp>
#include <markdown/tree/tree.hpp>

using namespace freshet::markdown;
namespace html = freshet::html;

TEST_CASE("names give the marks of every list that has a part of them") {
  CHECK((marks_in("site-sidebar") & mark::unlikely) != 0);
  CHECK((marks_in("site-sidebar") & mark::negative) != 0);
  CHECK((marks_in("SideBar") & mark::unlikely) != 0);
  CHECK((marks_in("main-sidebar") & mark::maybe) != 0);
  CHECK((marks_in("entry") & mark::positive) != 0);
  CHECK(marks_in("") == 0);
  CHECK(marks_in("xyz\xC3\xA4") == 0);
}

TEST_CASE("a name that begins inside another one is found") {
  CHECK((marks_in("sidesidebar") & mark::unlikely) != 0);
  CHECK((marks_in("newsshare") & mark::sharing) != 0);
}

TEST_CASE("a space in a list is the edge of a whole name") {
  CHECK((marks_in("sr-only") & mark::hidden) != 0);
  CHECK((marks_in("a\tsr-only\nb") & mark::hidden) != 0);
  CHECK((marks_in("not-sr-only") & mark::hidden) == 0);
  CHECK((marks_in("sr-only-focusable") & mark::hidden) == 0);
}

TEST_CASE("a tree keeps the marks of class and id apart") {
  const auto page = html::parse("<div id=comment class='Post'><p>x</p></div>");
  const page_tree tree(page);
  for (html::node_id id = 0; id < page.size(); ++id) {
    if (page.is_element(id, html::tag_id::div)) {
      CHECK((tree.marks_by_attribute(id).of_class & mark::positive) != 0);
      CHECK((tree.marks_by_attribute(id).of_class & mark::unlikely) == 0);
      CHECK((tree.marks_by_attribute(id).of_id & mark::unlikely) != 0);
      CHECK((tree.marks_of(id) & mark::positive) != 0);
    } else {
      CHECK(tree.marks_of(id) == 0);
    }
  }
}
