#include <algorithm>
#include <catch2/catch.hpp>
#include <html/tokens/entities.hpp>
#include <string>
#include <vector>

using namespace freshet;

namespace {

std::string in_attribute(std::string_view text) {
  std::string out;
  html::append_decoded(out, text, true);
  return out;
}

}  // namespace

TEST_CASE("an attribute keeps bare names that a URL may hold") {
  CHECK(in_attribute("?a=1&copy=2") == "?a=1&copy=2");
  CHECK(in_attribute("?a=1&copyx") == "?a=1&copyx");
  CHECK(in_attribute("?a=1&amp;b=2") == "?a=1&b=2");
  CHECK(in_attribute("&copy;=2") == "\xC2\xA9=2");
  CHECK(in_attribute("&copy") == "\xC2\xA9");
}

TEST_CASE("the table of names is sorted and complete") {
  const std::vector<std::string_view> names = {
#define FRESHET_ENTITY(name, utf8) name ";",
#define FRESHET_BARE_ENTITY(name, utf8) name, name ";",
#include <html/tokens/entities.def>
#undef FRESHET_BARE_ENTITY
#undef FRESHET_ENTITY
  };
  CHECK(names.size() == 2231);
  CHECK(std::is_sorted(names.begin(), names.end()));
}

TEST_CASE("the longest name wins") {
  std::string out;
  CHECK(html::append_reference(out, "&notin;x", false) == 7);
  CHECK(out == "\xE2\x88\x89");
  out.clear();
  CHECK(html::append_reference(out, "&notix", false) == 4);
  CHECK(out == "\xC2\xAC");
  CHECK(html::append_reference(out, "&", false) == 0);
}
