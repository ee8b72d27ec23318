#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <markdown/about/written_date.hpp>

using namespace freshet;
using markdown::day_order;

namespace {

std::string first_day(std::string_view text, day_order order = day_order::day_first) {
  const auto found = markdown::written_dates(base::fold(text), order);
  return found.empty() ? "" : base::format_time(found.front().day).substr(0, 10);
}

}  // namespace

TEST_CASE("a day is read in the languages in which pages are written") {
  for (const auto* text : {"2026-03-05",
                           "2026/03/05 10:00",
                           "05.03.2026",
                           "5. 3. 2026",
                           "5/3/2026",
                           "05-03-2026",
                           "5.3.26",
                           "March 5, 2026",
                           "Mar. 5th 2026",
                           "Posted on 5 March 2026 by Ada",
                           "Thursday, March 05, 2026",
                           "5. März 2026",
                           "am 05. Mrz. 2026",
                           "5 de marzo de 2026",
                           "5 mars 2026",
                           "5 marzo 2026",
                           "5 de março de 2026",
                           "5 maart 2026",
                           "5. maaliskuuta 2026",
                           "5 marca 2026",
                           "5. března 2026",
                           "2026. március 5.",
                           "5 martie 2026",
                           "5 Mart 2026",
                           "5 Μαρτίου 2026",
                           "5 марта 2026 г.",
                           "5 березня 2026",
                           "5 Maret 2026",
                           "ngày 5 tháng 3 năm 2026",
                           "2026年3月5日",
                           "2026년 3월 5일",
                           "5 مارس 2026",
                           "5 मार्च 2026",
                           "5 מרץ 2026",
                           "5 במרץ 2026",
                           "5 tháng 3, 2026",
                           "5 มีนาคม พ.ศ. 2569",
                           "5 มี.ค. 2569",
                           "٥ مارس ٢٠٢٦",
                           "5 آذار 2026",
                           "5 آذار/مارس 2026",
                           "5 مارس/ آذار 2026",
                           "৫ মার্চ ২০২৬",
                           "५ मार्च २०२६",
                           "๕ มีนาคม ๒๕๖๙",
                           "05.03.2026",
                           "5 martie 2026"}) {
    INFO(text);
    CHECK(first_day(text) == "2026-03-05");
  }
  CHECK(first_day("5 تشرين الثاني 2026") == "2026-11-05");
  CHECK(first_day("5 كانون الأول 2026") == "2026-12-05");
  CHECK(first_day("5 كانون 2026").empty());
  CHECK(first_day("2019 में 12 लोग").empty());
  // These share their beginnings.
  CHECK(first_day("5 juin 2026") == "2026-06-05");
  CHECK(first_day("5 juillet 2026") == "2026-07-05");
  CHECK(first_day("5. června 2026") == "2026-06-05");
  CHECK(first_day("5. července 2026") == "2026-07-05");
}

TEST_CASE("America writes the month first, where that can be") {
  CHECK(first_day("3/5/2026", day_order::month_first) == "2026-03-05");
  CHECK(first_day("25/3/2026", day_order::month_first) == "2026-03-25");
  CHECK(first_day("3/25/2026", day_order::day_first) == "2026-03-25");
  CHECK(first_day("05-03-2026", day_order::month_first) == "2026-03-05");
  CHECK(first_day("11-29-2024,\u00A009:03 AM", day_order::day_first) == "2024-11-29");
  CHECK(first_day("05.03.2026", day_order::month_first) == "2026-03-05");
}

TEST_CASE("what is no day is none") {
  for (const auto* text :
       {"", "2026", "March 2026", "30 February 2026", "5 of 10 pages", "1.2.3.4", "v2.10.2026.1x",
        "March 5, 1066", "12345-67-89", "0123456789", "page 5, March", "99/99/2026"}) {
    INFO(text);
    CHECK(first_day(text) != "2026-03-05");
  }
  CHECK(first_day("30 February 2026").empty());
  CHECK(first_day("March 5, 1066").empty());
  CHECK(first_day("99/99/2026").empty());
}

TEST_CASE("the days of a line come with their places, a few at most") {
  const auto two =
      markdown::written_dates("5 march 2026, updated 7 march 2026", day_order::day_first);
  REQUIRE(two.size() == 2);
  CHECK(two[0].begin == 0);
  CHECK(two[1].begin == 22);
  std::string many;
  for (int i = 0; i < 50; ++i) many += "5 march 2026; ";
  CHECK(markdown::written_dates(many, day_order::day_first).size() == 4);
}

TEST_CASE("America alone writes the month first") {
  using markdown::day_order;
  for (const std::string_view lang : {"", "en", "en-US", "EN_us"}) {
    CHECK(markdown::day_order_of(lang) == day_order::month_first);
  }
  for (const std::string_view lang : {"en-GB", "de", "pt-BR", "engl"}) {
    CHECK(markdown::day_order_of(lang) == day_order::day_first);
  }
}

TEST_CASE("a place for one moment has it as machines write it, or a day as people do") {
  const auto said = [](std::string_view text, day_order order = day_order::day_first) {
    const auto found = markdown::moment_said(text, order);
    return found ? base::format_time(*found) : std::string();
  };
  CHECK(said("2026-03-05T10:00:00+01:00") == "2026-03-05T09:00:00Z");
  CHECK(said("05.03.2026 10:00") == "2026-03-05T00:00:00Z");
  CHECK(said("3/5/2026 9:29 PM", day_order::month_first) == "2026-03-05T00:00:00Z");
  CHECK(said("5 марта 2026") == "2026-03-05T00:00:00Z");
  CHECK(said("from 5 March 2026 to 7 March 2026").empty());
  CHECK(said("Thursday").empty());
}
