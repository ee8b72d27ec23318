#include <catch2/catch.hpp>
#include <html/tag.hpp>

namespace freshet::html {

TEST_CASE("every name has its number and every number its name") {
  for (auto at = 1; at < static_cast<int>(tag_id::count); ++at) {
    const auto tag = static_cast<tag_id>(at);
    CHECK(tag_of(name_of(tag)) == tag);
  }
  CHECK(tag_of("p") == tag_id::p);
  CHECK(tag_of("annotation-xml") == tag_id::annotation_xml);
  for (const auto* unknown : {"", "P", "custom-element", "zzz"}) {
    CHECK(tag_of(unknown) == tag_id::other);
  }
}

}  // namespace freshet::html
