// The tables of adjusted names, from svg_names.def, searched by their lower case.
#include <algorithm>
#include <base/ascii.hpp>
#include <html/tree/foreign_names.hpp>
#include <iterator>

namespace freshet::html {

namespace {

constexpr std::string_view svg_tags[] = {
#define FRESHET_SVG_TAG(name) name,
#define FRESHET_SVG_ATTRIBUTE(name)
#include <html/tree/svg_names.def>
#undef FRESHET_SVG_TAG
#undef FRESHET_SVG_ATTRIBUTE
};

constexpr std::string_view svg_attributes[] = {
#define FRESHET_SVG_TAG(name)
#define FRESHET_SVG_ATTRIBUTE(name) name,
#include <html/tree/svg_names.def>
#undef FRESHET_SVG_TAG
#undef FRESHET_SVG_ATTRIBUTE
};

/// Whether `a` in lower case stands before `b` in lower case.
constexpr bool before(std::string_view a, std::string_view b) noexcept {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return base::lower(x) < base::lower(y);
  });
}
static_assert(std::is_sorted(std::begin(svg_tags), std::end(svg_tags), before));
static_assert(std::is_sorted(std::begin(svg_attributes), std::end(svg_attributes), before));

template <std::size_t N>
std::string_view adjusted(const std::string_view (&table)[N], std::string_view name) noexcept {
  const auto* const found = std::ranges::lower_bound(table, name, before);
  return found != std::end(table) && !before(name, *found) ? *found : name;
}

}  // namespace

std::string_view svg_element_name(std::string_view name) noexcept {
  return adjusted(svg_tags, name);
}

std::string_view svg_attribute_name(std::string_view name) noexcept {
  return adjusted(svg_attributes, name);
}

std::string_view math_attribute_name(std::string_view name) noexcept {
  return name == "definitionurl" ? "definitionURL" : name;
}

}  // namespace freshet::html
