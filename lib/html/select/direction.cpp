// What is "auto" is as its first letter is; a part with a direction of its own says nothing of it.
#include <unicode/uchar.h>
#include <unicode/utf8.h>
#include <base/unicode.hpp>
#include <html/select/direction.hpp>
#include <html/select/element_tests.hpp>
#include <optional>

namespace freshet::html {

namespace {

constexpr std::string_view by_text = "auto";

bool is_said(std::string_view said, std::string_view direction) noexcept {
  return base::equals_ignoring_ascii_case(said, direction);
}

/// By the first letter that has one.
std::optional<std::string_view> direction_in(std::string_view text) noexcept {
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    UChar32 point = 0;
    U8_NEXT(text.data(), at, size, point);
    if (point < 0) continue;
    const auto kind = u_charDirection(point);
    if (kind == U_LEFT_TO_RIGHT) return left_to_right;
    if (kind == U_RIGHT_TO_LEFT || kind == U_RIGHT_TO_LEFT_ARABIC) return right_to_left;
  }
  return std::nullopt;
}

bool is_apart(const document& document, node_id element) {
  using enum tag_id;
  const auto tag = document.at(element).tag;
  return tag == bdi || tag == script || tag == style || tag == textarea || tag == input ||
         document.has_attribute(element, "dir");
}

std::string_view direction_of_text(const document& document, node_id element,
                                   base::meter& counted) {
  constexpr std::size_t bytes_per_step = 8;
  for (auto at = element; at != none;) {
    counted.spend(1 + document.at(at).attribute_count);
    const auto& one = document.at(at);
    if (one.type == node_type::text) {
      counted.spend(one.text.size() / bytes_per_step);
      if (const auto found = direction_in(one.text)) return *found;
    }
    const bool skips = at != element && is_element_node(document, at) && is_apart(document, at);
    at = skips ? document.next_skipping_children(at, element) : document.next_in_order(at, element);
  }
  return left_to_right;
}

}  // namespace

std::string_view direction_of(const document& document, node_id element, std::string_view above,
                              base::meter& counted) {
  const bool is_isolated = document.at(element).tag == tag_id::bdi;
  if (document.at(element).attribute_count == 0 && !is_isolated) return above;
  const auto own = read_attribute(document, element, "dir", counted);
  if (is_said(own, left_to_right)) return left_to_right;
  if (is_said(own, right_to_left)) return right_to_left;
  return is_isolated || is_said(own, by_text) ? direction_of_text(document, element, counted)
                                              : above;
}

}  // namespace freshet::html
