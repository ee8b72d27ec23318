#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <markdown/about/page_moment.hpp>

using namespace freshet;
using markdown::meta_moment;
using markdown::meta_moment_of;
using markdown::moment_evidence;

TEST_CASE("publication goes before change, and machines before people") {
  const auto day = [](int number) {
    return base::parse_time((number < 10 ? "2026-03-0" : "2026-03-") + std::to_string(number));
  };
  moment_evidence said;
  CHECK_FALSE(page_moment(said));
  said.closing_edit = day(9);
  CHECK(page_moment(said) == day(9));
  said.named_edit = day(10);
  CHECK(page_moment(said) == day(10));
  said.linked_edit = day(11);
  CHECK(page_moment(said) == day(11));
  said.shown_edit = day(12);
  CHECK(page_moment(said) == day(12));
  said.in_remarks = day(22);
  CHECK(page_moment(said) == day(22));
  said.boxed = day(23);
  CHECK(page_moment(said) == day(23));
  said.closing = day(20);
  CHECK(page_moment(said) == day(20));
  said.uploaded = day(24);
  CHECK(page_moment(said) == day(24));
  CHECK_FALSE(is_declared(said));
  said.in_address = day(13);
  CHECK(page_moment(said) == day(13));
  CHECK(is_declared(said));
  said.in_time = day(14);
  CHECK(page_moment(said) == day(14));
  said.shown = day(15);
  CHECK(page_moment(said) == day(15));
  said.alike = day(16);
  CHECK(page_moment(said) == day(16));
  said.general = day(21);
  CHECK(page_moment(said) == day(21));
  said.property = day(17);
  CHECK(page_moment(said) == day(17));
  said.named = day(18);
  CHECK(page_moment(said) == day(18));
  said.linked = day(19);
  CHECK(page_moment(said) == day(19));
}

TEST_CASE("the moment of a page has the place where it was said") {
  moment_evidence said;
  CHECK(page_moment_place(said).empty());
  said.named_edit = base::parse_time("2026-03-10");
  CHECK(page_moment_place(said) == "meta");
  said.in_address = said.named_edit;
  CHECK(page_moment_place(said) == "address");
  said.shown = said.named_edit;
  CHECK(page_moment_place(said) == "page");
  said.property = said.named_edit;
  CHECK(page_moment_place(said) == "microdata");
  said.linked = said.named_edit;
  CHECK(page_moment_place(said) == "json-ld");
}

TEST_CASE("a page was edited when machines are told of a change after its publication") {
  const auto day = [](int number) {
    return base::parse_time((number < 10 ? "2026-03-0" : "2026-03-") + std::to_string(number));
  };
  moment_evidence said;
  said.linked_edit = day(12);
  CHECK_FALSE(page_edit(said));  // nothing says when it was published
  said.in_address = day(12);
  CHECK_FALSE(page_edit(said));
  said.in_address = day(11);
  CHECK(page_edit(said) == day(12));
  said.linked_edit.reset();
  said.shown_edit = day(13);
  CHECK_FALSE(page_edit(said));
  said.named_edit = day(14);
  CHECK(page_edit(said) == day(14));
}

TEST_CASE("names of meta elements that hold a moment") {
  for (const auto* name :
       {"date-pub", "cludo:date", "og:published_time", "published-date", "dc.date.issued",
        "release_date", "dc.issued", "dc:created", "created"}) {
    INFO(name);
    CHECK(meta_moment_of(name) == meta_moment::published);
  }
  for (const auto* name : {"article:modified_time", "og:updated_time", "last-modified-date",
                           "last-modified", "dcterms.modified", "revised"}) {
    INFO(name);
    CHECK(meta_moment_of(name) == meta_moment::edited);
  }
  for (const auto* name :
       {"viewport", "article:publisher", "article:expiration_time", "event:start_time", "timezone",
        "publisher", "valid-date", "sale_end_date"}) {
    INFO(name);
    CHECK(meta_moment_of(name) == meta_moment::none);
  }
}

TEST_CASE("a day in an address is one that begins a part of it, or three parts") {
  const auto day = [](std::string_view path) {
    const auto found = markdown::day_in_path(path);
    return found ? base::format_time(*found).substr(0, 10) : std::string();
  };
  for (const auto* path :
       {"/2019/06/02/tides", "/news/2019/6/2/tides", "/2019/6/02/", "/news/2019-06-02/tides",
        "/2019-06-02-tides.html", "/a/2019-06-02", "https://example.org/blog/2019-06-02_tides"}) {
    INFO(path);
    CHECK(day(path) == "2019-06-02");
  }
  for (const auto* path : {"/2019/6/2", "/2019/13/2/x", "/2019/6/222/x", "/2019-6-2-tides",
                           "/2019-06-021", "/tides-2019-06-02", "/2019/06-02/x", "/2019-06/02/x",
                           "/12019-06-02", "/2019-06-02:x", "/9999/99/99/x", "/2019/", "/"}) {
    INFO(path);
    CHECK(day(path).empty());
  }
}
