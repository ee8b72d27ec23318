#include <algorithm>
#include <base/unicode.hpp>
#include <catalog/openapi.hpp>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

using namespace freshet;
using namespace freshet::catalog;

namespace {

/// But for the example, which is to be copied, and for a word that is longer.
std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t word = line.find_first_not_of(' ');
    const bool is_word = word == std::string::npos || line.find(' ', word) == std::string::npos;
    if (!is_word && line.find("freshet call") == std::string::npos) {
      longest = std::max(longest, base::length(line));
    }
  }
  return longest;
}

}  // namespace

TEST_CASE("help names every parameter, its default and an example, within the screen") {
  for (const std::size_t columns : {40u, 80u, 120u}) {
    INFO(columns);
    CHECK(longest_line(help_text_of_all(columns)) <= columns);
    for (const auto& one : endpoints()) {
      CHECK(longest_line(help_text(one, columns)) <= columns);
    }
  }
  for (const auto& one : endpoints()) {
    const auto text = help_text(one, 80);
    INFO(text);
    for (const auto part : {one.own, one.common}) {
      for (const auto& parameter : part) {
        CHECK(text.find("\n  " + std::string(parameter.name) + " ") != std::string::npos);
        if (!parameter.fallback.empty()) {
          CHECK(text.find("default " + std::string(parameter.fallback)) != std::string::npos);
        }
      }
    }
    CHECK(text.find("freshet call " + std::string(one.path)) != std::string::npos);
  }
}

TEST_CASE("help tells what a call costs") {
  CHECK(help_text(find_endpoint(operation::scrape_markdown), 80)
            .find("Price: 1 credit, 5 when a browser rendered it") != std::string::npos);
  CHECK(help_text(find_endpoint(operation::account_show), 80).find("Price: 0 credits") !=
        std::string::npos);
}
