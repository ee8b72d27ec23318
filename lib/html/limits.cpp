// The words of the warnings.
#include <html/limits.hpp>
#include <iterator>

namespace freshet::html {

namespace {

/// In the order of `limit`.
constexpr const char* texts[] = {
    "the page is too large; its end was dropped",
    "the page nests too deeply; the deepest elements were flattened",
    "the page has too many elements; its end was dropped",
    "too many formatting elements are open; some do not reach beyond their block",
    "an element has too many attributes; the rest of them was dropped",
    "a name is too long; it was cut or dropped",
};

}  // namespace

void reached_limits::add_warnings(std::vector<std::string>& to) const {
  for (std::size_t i = 0; i < std::size(texts); ++i) {
    if ((bits_ >> i & 1u) != 0) to.emplace_back(texts[i]);
  }
}

}  // namespace freshet::html
