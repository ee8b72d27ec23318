// A fragment of HTML to markdown, everything visible: what the tests of the writer ask.
#pragma once

#include <catch2/catch.hpp>
#include <markdown/page.hpp>
#include <string>
#include <string_view>

namespace freshet::test {

inline std::string markdown_of(const std::string& fragment,
                               std::string_view url = "https://example.org/dir/page.html") {
  markdown::page_options options;
  options.mode = markdown::page_mode::page;
  const auto made =
      markdown::convert({"<body>" + fragment, "text/html; charset=utf-8", url}, options);
  REQUIRE(made.has_value());
  auto text = made->document.markdown;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace freshet::test
