// The table of element names, from tags.def.
#include <algorithm>
#include <array>
#include <html/tag.hpp>
#include <iterator>

namespace freshet::html {

namespace {

constexpr std::string_view names[] = {
    "",
#define FRESHET_TAG(identifier, name) name,
#include <html/tags.def>
#undef FRESHET_TAG
};

constexpr bool sorted() {
  for (std::size_t i = 1; i < std::size(names); ++i) {
    if (names[i - 1] >= names[i]) return false;
  }
  return true;
}
static_assert(sorted(), "tags.def is searched: keep it sorted");

}  // namespace

tag_id tag_of(std::string_view name) noexcept {
  const auto* const found = std::lower_bound(std::begin(names) + 1, std::end(names), name);
  if (found == std::end(names) || *found != name) return tag_id::other;
  return static_cast<tag_id>(found - std::begin(names));
}

std::string_view name_of(tag_id tag) noexcept { return names[static_cast<std::size_t>(tag)]; }

}  // namespace freshet::html
