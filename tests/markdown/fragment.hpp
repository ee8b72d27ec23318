// A fragment of HTML to markdown, everything visible: what the tests of the writer ask.
#pragma once

#include <catch2/catch.hpp>
#include <markdown/page.hpp>
#include <string>

namespace freshet::test {

inline std::string markdown_of(const std::string& fragment) {
  markdown::page_options options;
  options.mode = markdown::page_mode::page;
  const auto made = markdown::convert(
      {"<body>" + fragment, "text/html; charset=utf-8", "https://example.org/dir/page.html"},
      options);
  REQUIRE(made.has_value());
  auto text = made->document.markdown;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace freshet::test
