// Marks in a text: found wherever they stand and whatever their case, and only whole.
#include <catch2/catch.hpp>
#include <sources/mark_set.hpp>
#include <string>

namespace freshet::sources {
namespace {

constexpr mark_set sample_marks{
    std::array<std::string_view, 4>{"px-captcha", "px-", "<title>wait", "aab"}};

TEST_CASE("marks are found at the beginning, in the middle and at the end, in either case") {
  for (const auto* text : {"px-captcha", "PX-Captcha", "a px-", "aaab", "x<TITLE>Wait</title>"}) {
    INFO(text);
    CHECK(sample_marks.is_in(text));
  }
  CHECK(sample_marks.is_in(std::string(100'000, 'a') + "b"));
}

TEST_CASE("what only begins like a mark is none") {
  for (const auto* text : {"", "p", "px", "<title>wai", "<title> wait", "aa", "aba", "p\xD8-"}) {
    INFO(text);
    CHECK_FALSE(sample_marks.is_in(text));
  }
  CHECK_FALSE(sample_marks.is_in(std::string_view("<title>wait").substr(0, 10)));
}

}  // namespace
}  // namespace freshet::sources
