#include <algorithm>
#include <base/unicode.hpp>
#include <catalog/openapi.hpp>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

using namespace freshet;
using namespace freshet::catalog;

TEST_CASE("help names every parameter, its default and an example, within 100 columns") {
  for (const auto& one : endpoints()) {
    const auto text = help_text(one);
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
    std::istringstream lines(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("freshet call") == std::string::npos) {
        longest = std::max(longest, base::length(line));
      }
    }
    CHECK(longest <= 100);
  }
}

TEST_CASE("help tells what a call costs") {
  CHECK(help_text(find_endpoint(operation::scrape_markdown))
            .find("Price: 1 credit, 5 when a browser rendered it") != std::string::npos);
  CHECK(help_text(find_endpoint(operation::account_show)).find("Price: 0 credits") !=
        std::string::npos);
}
