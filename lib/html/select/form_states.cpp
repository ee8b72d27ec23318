// Only what a browser judges without scripts and clicks: a pattern that is more than letters is not
// read, and a field with one is neither valid nor invalid.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <html/select/form_states.hpp>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace freshet::html {

namespace {

enum class judgement : std::uint8_t { none, valid, invalid };

std::string_view type_of(const document& tree, node_id element) noexcept {
  return tree.attribute_of(element, "type");
}

bool has_type(const document& tree, node_id element, std::initializer_list<std::string_view> some) {
  const auto type = type_of(tree, element);
  return std::ranges::any_of(
      some, [&](std::string_view one) { return base::equals_ignoring_ascii_case(type, one); });
}

/// An element with all of its attributes.
void look_at(const document& tree, node_id element, base::meter& counted) {
  counted.spend(1 + tree.at(element).attribute_count);
}

/// A field that people fill in: what may be wanted, and may be wrong.
bool is_field(const node& one) noexcept {
  using enum tag_id;
  return one.space == element_space::html &&
         (one.tag == input || one.tag == select || one.tag == textarea);
}

std::optional<double> number_in(std::string_view text) noexcept {
  auto rest = text;
  if (rest.starts_with('+')) return std::nullopt;
  const auto number = base::take_number<double>(rest);
  return number && rest.empty() && std::isfinite(*number) ? number : std::nullopt;
}

bool is_of_numbers(const document& tree, node_id element) {
  return has_type(tree, element, {"number", "range"});
}
/// Their values are written so that what is later is greater as a text.
bool is_of_times(const document& tree, node_id element) {
  return has_type(tree, element, {"date", "month", "week", "time", "datetime-local"});
}

/// What is not a number, or not a time, is no value of such a field.
std::string_view value_of(const document& tree, node_id element) {
  const auto value = tree.attribute_of(element, "value");
  if (is_of_numbers(tree, element)) return number_in(value) ? value : std::string_view();
  const bool is_time = !value.empty() && base::is_digit(value.front());
  return is_of_times(tree, element) && !is_time ? std::string_view() : value;
}

/// -1: before `min`; 1: after `max`; 0: between them; null where a field has no range.
std::optional<int> place_in_range(const document& tree, node_id element) {
  if (tree.at(element).tag != tag_id::input) return std::nullopt;
  const bool numbers = is_of_numbers(tree, element);
  if (!numbers && !is_of_times(tree, element)) return std::nullopt;
  // A slider stops at its ends, which it has whatever is said.
  if (has_type(tree, element, {"range"})) return 0;
  const auto least = tree.attribute_of(element, "min"), most = tree.attribute_of(element, "max");
  const auto value = value_of(tree, element);
  if (numbers) {
    const auto from = number_in(least), to = number_in(most), own = number_in(value);
    if (!from && !to) return std::nullopt;
    if (own && from && *own < *from) return -1;
    return own && to && *own > *to ? 1 : 0;
  }
  if (least.empty() && most.empty()) return std::nullopt;
  if (!value.empty() && !least.empty() && value < least) return -1;
  return !value.empty() && !most.empty() && value > most ? 1 : 0;
}

bool holds_text(const document& tree, node_id element, base::meter& counted) {
  for (auto at = tree.at(element).first_child; at != none; at = tree.at(at).next) {
    counted.spend();
    if (tree.at(at).type == node_type::text && !tree.at(at).text.empty()) return true;
  }
  return false;
}

/// Whether another one of a group is chosen.
bool is_group_decided(const document& tree, node_id element, base::meter& counted) {
  const auto name = tree.attribute_of(element, "name");
  for (auto at = document::root(); at != none; at = tree.next_in_order(at, document::root())) {
    look_at(tree, at, counted);
    if (tree.at(at).tag != tag_id::input || !tree.has_attribute(at, "checked")) continue;
    if (has_type(tree, at, {"radio"}) && tree.attribute_of(at, "name") == name &&
        (!name.empty() || at == element)) {
      return true;
    }
  }
  return false;
}

/// The value of what a list shows as chosen: the one that says so, or else the first.
std::string_view chosen_value(const document& tree, node_id list, base::meter& counted) {
  node_id chosen = none;
  for (auto at = list; at != none; at = tree.next_in_order(at, list)) {
    look_at(tree, at, counted);
    if (tree.at(at).tag != tag_id::option) continue;
    if (chosen == none || tree.has_attribute(at, "selected")) chosen = at;
  }
  if (chosen == none) return {};
  if (tree.has_attribute(chosen, "value")) return tree.attribute_of(chosen, "value");
  return holds_text(tree, chosen, counted) ? "some" : "";
}

bool is_missing(const document& tree, node_id element, base::meter& counted) {
  if (!tree.has_attribute(element, "required")) return false;
  const auto tag = tree.at(element).tag;
  if (tag == tag_id::textarea) return !holds_text(tree, element, counted);
  if (tag == tag_id::select) return chosen_value(tree, element, counted).empty();
  if (has_type(tree, element, {"checkbox"})) return !tree.has_attribute(element, "checked");
  if (has_type(tree, element, {"radio"})) return !is_group_decided(tree, element, counted);
  if (has_type(tree, element, {"range", "color", "button", "submit", "image"})) return false;
  return value_of(tree, element).empty();
}

/// One sign between parts of a name and a host.
bool is_mail_address(std::string_view value) noexcept {
  const auto at = value.find('@');
  return at != value.npos && at > 0 && at + 1 < value.size() &&
         value.find('@', at + 1) == value.npos && value.find_first_of(" ,") == value.npos &&
         !value.ends_with('.') && value[at + 1] != '.' && value[at + 1] != '-';
}

bool is_address(std::string_view value) noexcept {
  const auto colon = value.find(':');
  return colon != value.npos && colon > 0 && base::is_letter(value.front()) &&
         colon + 1 < value.size() && value.find_first_of(" <>") == value.npos;
}

/// Whether a value is one of a step of 1 from its beginning, where no other is said.
bool is_on_step(const document& tree, node_id element, std::string_view value) {
  if (!has_type(tree, element, {"number"})) return true;
  const auto step = tree.attribute_of(element, "step");
  if (base::equals_ignoring_ascii_case(step, "any")) return true;
  const auto said = number_in(step), own = number_in(value);
  const double size = said && *said > 0 ? *said : 1;
  const double from = number_in(tree.attribute_of(element, "min")).value_or(0);
  const double steps = own ? (*own - from) / size : 0;
  constexpr double little = 1e-6;
  return std::abs(steps - std::round(steps)) < little;
}

judgement judge_field(const document& tree, node_id element, base::meter& counted) {
  using enum judgement;
  if (is_missing(tree, element, counted)) return invalid;
  if (tree.at(element).tag != tag_id::input) return valid;
  const auto value = value_of(tree, element);
  constexpr std::size_t bytes_per_step = 8;
  counted.spend(value.size() / bytes_per_step);
  if (place_in_range(tree, element).value_or(0) != 0) return invalid;
  if (value.empty()) return valid;
  if (has_type(tree, element, {"email"}) && !is_mail_address(value)) return invalid;
  if (has_type(tree, element, {"url"}) && !is_address(value)) return invalid;
  if (!is_on_step(tree, element, value)) return invalid;
  const auto pattern = tree.attribute_of(element, "pattern");
  if (pattern.empty()) return valid;
  if (!std::ranges::all_of(pattern, base::is_alphanumeric)) return none;
  return pattern == value ? valid : invalid;
}

/// Whether a browser judges an element at all, and what it finds.
judgement judge(const document& tree, node_id element, base::meter& counted) {
  look_at(tree, element, counted);
  const auto& one = tree.at(element);
  const bool is_button = one.space == element_space::html && one.tag == tag_id::button &&
                         !has_type(tree, element, {"button", "reset"});
  if (!is_button && !is_field(one)) return judgement::none;
  if (one.tag == tag_id::input && has_type(tree, element, {"hidden", "reset", "button"})) {
    return judgement::none;
  }
  if (tree.has_attribute(element, "readonly") && one.tag != tag_id::select) return judgement::none;
  if (is_disabled(tree, element, counted)) return judgement::none;
  return is_button ? judgement::valid : judge_field(tree, element, counted);
}

/// A form and a part of one are as valid as all that is in them.
judgement judge_all(const document& tree, node_id element, base::meter& counted) {
  const auto& one = tree.at(element);
  const bool is_group =
      one.space == element_space::html && (one.tag == tag_id::form || one.tag == tag_id::fieldset);
  if (!is_group) return judge(tree, element, counted);
  auto all = judgement::valid;
  for (auto at = element; at != none; at = tree.next_in_order(at, element)) {
    look_at(tree, at, counted);
    if (tree.at(at).type != node_type::element || !is_field(tree.at(at))) continue;
    if (judge(tree, at, counted) == judgement::invalid) all = judgement::invalid;
  }
  return all;
}

bool is_undecided(const document& tree, node_id element, base::meter& counted) {
  const auto tag = tree.at(element).tag;
  if (tag == tag_id::progress) return !tree.has_attribute(element, "value");
  return tag == tag_id::input && has_type(tree, element, {"radio"}) &&
         !is_group_decided(tree, element, counted);
}

bool is_submitting(const document& tree, node_id element) {
  const auto tag = tree.at(element).tag;
  if (tag == tag_id::button) return !has_type(tree, element, {"button", "reset"});
  return tag == tag_id::input && has_type(tree, element, {"submit", "image"});
}

/// What a form is sent by at first, and what is chosen in it at first.
bool is_first_choice(const document& tree, node_id element, base::meter& counted) {
  const auto tag = tree.at(element).tag;
  if (tag == tag_id::option) return tree.has_attribute(element, "selected");
  if (tag == tag_id::input && has_type(tree, element, {"checkbox", "radio"})) {
    return tree.has_attribute(element, "checked");
  }
  if (!is_submitting(tree, element)) return false;
  auto form = tree.at(element).parent;
  while (form != none && tree.at(form).tag != tag_id::form) {
    counted.spend();
    form = tree.at(form).parent;
  }
  for (auto at = form; at != none; at = tree.next_in_order(at, form)) {
    look_at(tree, at, counted);
    if (tree.at(at).type == node_type::element && is_submitting(tree, at)) return at == element;
  }
  return false;
}

}  // namespace

bool is_disabled(const document& tree, node_id element, base::meter& counted) {
  if (tree.has_attribute(element, "disabled")) return true;
  for (auto at = tree.at(element).parent; at != none; at = tree.at(at).parent) {
    look_at(tree, at, counted);
    if (tree.at(at).tag == tag_id::fieldset && tree.has_attribute(at, "disabled")) return true;
  }
  return false;
}

bool form_state_matches(const document& tree, node_id element, simple_type state,
                        base::meter& counted) {
  look_at(tree, element, counted);
  switch (state) {
    case simple_type::valid:
      return judge_all(tree, element, counted) == judgement::valid;
    case simple_type::invalid:
      return judge_all(tree, element, counted) == judgement::invalid;
    case simple_type::in_range:
      return place_in_range(tree, element) == 0;
    case simple_type::out_of_range:
      return place_in_range(tree, element).value_or(0) != 0;
    case simple_type::required:
      return is_field(tree.at(element)) && tree.has_attribute(element, "required");
    case simple_type::optional:
      return is_field(tree.at(element)) && !tree.has_attribute(element, "required");
    case simple_type::indeterminate:
      return is_undecided(tree, element, counted);
    case simple_type::chosen_first:
      return is_first_choice(tree, element, counted);
    default:
      return false;
  }
}

}  // namespace freshet::html
