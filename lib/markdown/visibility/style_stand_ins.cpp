// What an element puts in the place of var(), env(), attr(), if() and the places among siblings,
// and what queries for styles ask of what is around it. Custom properties are compared as they are
// written: what would ask for others again is not read.
#include <algorithm>
#include <array>
#include <iterator>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/media_query.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/stand_ins.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

constexpr std::size_t longest_attribute = 1024;

}  // namespace

bool is_of_type(std::string_view value, std::string_view type) {
  const bool is_number = share_of(value).has_value();
  const bool has_unit = is_number && !base::is_digit(value.back()) && value.back() != ')';
  constexpr std::array<std::string_view, 7> known = {
      "<number>", "<integer>",           "<length>", "<percentage>",
      "<angle>",  "<length-percentage>", "<color>"};
  for (const auto one : parts_of(type, "|")) {
    // Of lists and of other kinds any value may be one.
    const bool is_kind = one.starts_with('<');
    if (one == "*" || (is_kind && std::find(known.begin(), known.end(), one) == known.end()))
      return true;
    if (is_one_of(one, {"<number>", "<integer>"}) && is_number && !has_unit) return true;
    if (is_one_of(one, {"<length>", "<percentage>", "<length-percentage>", "<angle>"}) &&
        is_length(value)) {
      return true;
    }
    if (is_named(one, "<color>") && color_of(value)) return true;
    if (is_named(one, value)) return true;
  }
  return false;
}

/// "" where the attribute is none of what is asked for.
std::string style_rules::attribute_value(const reference& asked, html::node_id id) const {
  const auto words = parts_of(asked.name, css_spaces);
  if (words.empty()) return {};
  const auto value = base::trim(tree_.attribute_of(id, base::to_lower_ascii(words[0])));
  constexpr std::size_t bytes_per_step = 8;
  tree_.spend(1 + value.size() / bytes_per_step);
  // A string is no value of what is read here.
  if (value.empty() || value.size() > longest_attribute || words.size() < 2) return {};
  const auto [function, type] = function_in(words[1]);
  if (is_named(function, "type")) return is_of_type(value, type) ? std::string(value) : "";
  const bool is_number = share_of(value).has_value() && base::is_digit(value.back());
  if (!is_number || is_named(words[1], "raw-string")) return {};
  if (is_named(words[1], "number")) return std::string(value);
  return std::string(value).append(words[1]);
}

/// The value of the first branch that holds; "" where none does.
std::string style_rules::chosen(std::string_view branches, html::node_id id, std::size_t screen) {
  constexpr std::size_t bytes_per_step = 8;
  for (const auto branch : parts_of(branches, ";")) {
    tree_.spend(1 + branch.size() / bytes_per_step);
    const auto condition = base::trim(branch.substr(0, end_of_condition(branch)));
    const bool holds = is_named(condition, "else") ||
                       holds_condition(condition, screen, [&](std::string_view asked) {
                         return holds_style(asked, id, screen);
                       });
    if (holds) return std::string(value_of_branch(branch));
  }
  return {};
}

/// The result of a function of the page's sheets, with what it is given in the place of its names;
/// "" where there is none.
std::string style_rules::result_of(const reference& asked) const {
  constexpr std::size_t longest = 1024, most_steps = 16;
  constexpr std::uint64_t steps_of_call = 64, bytes_per_step = 8;
  tree_.spend(steps_of_call);
  const auto named = functions_.find(asked.called);
  if (named == functions_.end()) return {};
  const auto* const found = named->second;
  tree_.spend((found->name.size() + found->body.size()) / bytes_per_step);
  std::vector<std::pair<std::string_view, std::string_view>> known;
  const auto given = parts_of(asked.inside, ",");
  std::size_t place = 0;
  for (const auto one : parts_of(function_in(found->name).inside, ",")) {
    const auto colon = one.find(':');
    const auto otherwise = colon == one.npos ? "" : base::trim(one.substr(colon + 1));
    const auto name = parts_of(one.substr(0, colon), css_spaces).first();
    known.emplace_back(name, place < given.size() ? given[place] : otherwise);
    ++place;
  }
  std::string result;
  auto text = found->body;
  while (const auto one = take_declaration(text)) {
    if (is_named(one->name, "result")) result = one->value;
    if (!custom_name(one->name).empty()) known.emplace_back(one->name, one->value);
  }
  std::size_t from = 0;
  for (std::size_t step = 0; step < most_steps && result.size() <= longest; ++step) {
    auto at = first_reference(std::string_view(result).substr(from));
    if (at.begin == std::string_view::npos) break;
    const auto one = std::find_if(known.rbegin(), known.rend(), [&](const auto& each) {
      return at.kind == stand_in::variable && each.first == at.name;
    });
    if (one == known.rend()) {
      from += at.begin + 1;
    } else {
      result.replace(from + at.begin, at.end - at.begin, one->second);
    }
  }
  return result;
}

std::optional<std::string> style_rules::put_in(const reference& asked, html::node_id id,
                                               std::size_t screen) {
  switch (asked.kind) {
    case stand_in::function:
      return result_of(asked);
    case stand_in::choice:
      return chosen(asked.inside, id, screen);
    case stand_in::attribute:
      return attribute_value(asked, id);
    case stand_in::environment:
      // No screen of most readers has edges that nothing may stand on.
      return begins_with(asked.name, "safe-area-inset") ? "0px" : "";
    case stand_in::sibling_index:
    case stand_in::sibling_count: {
      std::size_t count = 0;
      auto at =
          asked.kind == stand_in::sibling_count ? tree_.at(tree_.parent_of(id)).last_child : id;
      for (; at != html::none; at = tree_.at(at).previous) {
        tree_.spend(1);
        count += tree_.is_element(at) ? 1 : 0;
      }
      return std::to_string(count);
    }
    default:
      break;
  }
  const auto known = custom_at(id, screen, asked.name);
  if (known == unknown_custom_value) return std::nullopt;
  return std::string(known);
}

/// "--a: b", "--a" and "--a > 3" of what an element is told.
bool style_rules::holds_style(std::string_view asked, html::node_id id, std::size_t screen) {
  if (!tree_.is_element(id)) return false;
  read_custom();
  const auto number_of = [&](std::string_view side) {
    const auto value = custom_name(side).empty() ? side : custom_at(id, screen, side);
    return share_of(value);
  };
  if (const auto sign = asked.find_first_of("<>="); sign != asked.npos) {
    const auto end = std::min(asked.find_first_not_of("<>=", sign), asked.size());
    const auto left = number_of(base::trim(asked.substr(0, sign)));
    const auto right = number_of(base::trim(asked.substr(end)));
    if (!left || !right) return false;
    const auto how = asked.substr(sign, end - sign);
    if (how == "<") return *left < *right;
    if (how == "<=") return *left <= *right;
    if (how == ">") return *left > *right;
    return how == ">=" ? *left >= *right : *left == *right;
  }
  const auto colon = asked.find(':');
  const auto name = base::trim(asked.substr(0, colon));
  if (custom_name(name).empty()) return false;
  const auto value = custom_at(id, screen, name);
  if (colon == asked.npos) return !value.empty();
  return !value.empty() && value == base::trim(asked.substr(colon + 1));
}

/// Whether what is around an element is, and says, what a rule asks for.
bool style_rules::holds_around(std::uint32_t rule, html::node_id id, std::size_t screen) {
  const auto& asked_by = sheets_.all()[rule];
  if (asked_by.in_place) {
    const auto next = std::ranges::upper_bound(scopes_, rule, {},
                                               &std::pair<std::uint32_t, html::node_id>::first);
    if (next == scopes_.begin() || !tree_.contains(std::prev(next)->second, id)) return false;
  }
  const auto around = asked_by.around;
  if (around.empty()) return true;
  constexpr std::size_t bytes_per_step = 8;
  const auto steps = 1 + around.size() / bytes_per_step;
  const auto query = container_query_of(around);
  for (auto at = tree_.parent_of(id); tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(steps);
    const bool holds = holds_condition(query.condition, screen, [&](std::string_view asked) {
      return holds_style(asked, at, screen);
    });
    // One with a name may be any of those above.
    if (holds || query.name.empty()) return holds;
  }
  return false;
}

}  // namespace freshet::markdown
