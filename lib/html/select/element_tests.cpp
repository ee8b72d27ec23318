// The tests of one element. Each is counted; none of them looks above it.
#include <algorithm>
#include <base/unicode.hpp>
#include <functional>
#include <html/select/element_tests.hpp>
#include <html/select/form_states.hpp>
#include <html/tokens/tag_scanner.hpp>

namespace freshet::html {

std::string_view read_attribute(const document& document, node_id element, std::string_view name,
                                base::meter& counted) {
  constexpr std::size_t attributes_per_step = 4, bytes_per_step = 8;
  const auto value = document.attribute_of(element, name);
  counted.spend(document.at(element).attribute_count / attributes_per_step +
                value.size() / bytes_per_step);
  return value;
}

namespace {

/// Types of inputs that take no text.
constexpr std::string_view unwritten_inputs[] = {"button", "checkbox", "color", "file",  "hidden",
                                                 "image",  "radio",    "range", "reset", "submit"};

/// Whether a word without white space stands in a short list.
bool has_plain_word(std::string_view list, std::string_view word) noexcept {
  for (auto at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || is_html_space(list[at - 1])) &&
        (end == list.size() || is_html_space(list[end]))) {
      return true;
    }
  }
  return false;
}

bool has_word(std::string_view list, std::string_view word, bool ignore_case) noexcept {
  constexpr std::size_t longest_product = 1u << 14;
  if (!ignore_case && !word.empty() && list.size() * word.size() <= longest_product &&
      std::ranges::none_of(word, is_html_space)) {
    return has_plain_word(list, word);
  }
  std::size_t at = 0;
  while (at < list.size()) {
    while (at < list.size() && is_html_space(list[at])) ++at;
    const std::size_t from = at;
    while (at < list.size() && !is_html_space(list[at])) ++at;
    const auto one = list.substr(from, at - from);
    if (one.empty()) continue;
    if (ignore_case ? base::equals_ignoring_ascii_case(one, word) : one == word) return true;
  }
  return false;
}

bool equal(std::string_view a, std::string_view b, bool ignore_case) noexcept {
  return ignore_case ? base::equals_ignoring_ascii_case(a, b) : a == b;
}

/// The other ways to search cost the product of both in the worst case.
bool holds(std::string_view value, std::string_view wanted) {
  constexpr std::size_t longest_product = 1u << 14;
  if (value.size() * wanted.size() <= longest_product) {
    return value.find(wanted) != std::string_view::npos;
  }
  const std::boyer_moore_searcher searcher(wanted.begin(), wanted.end());
  return std::search(value.begin(), value.end(), searcher) != value.end();
}

bool contains(std::string_view value, std::string_view wanted, bool ignore_case) {
  if (!ignore_case) return holds(value, wanted);
  return holds(base::to_lower_ascii(value), base::to_lower_ascii(wanted));
}

bool attribute_matches(const document& document, node_id element, const simple& test,
                       base::meter& counted) {
  const std::string_view value = read_attribute(document, element, test.name, counted);
  if (value.empty() && !document.has_attribute(element, test.name)) return false;
  const std::string_view wanted = test.value;
  const auto begins = [&](std::string_view with) {
    return equal(value.substr(0, with.size()), with, test.ignore_case);
  };
  switch (test.operation) {
    case attribute_operation::present:
      return true;
    case attribute_operation::equals:
      return equal(value, wanted, test.ignore_case);
    case attribute_operation::word:
      return has_word(value, wanted, test.ignore_case);
    case attribute_operation::dash:
      return begins(wanted) && (value.size() == wanted.size() || value[wanted.size()] == '-');
    case attribute_operation::prefix:
      return !wanted.empty() && begins(wanted);
    case attribute_operation::suffix:
      return !wanted.empty() && value.size() >= wanted.size() &&
             equal(value.substr(value.size() - wanted.size()), wanted, test.ignore_case);
    case attribute_operation::substring:
      return !wanted.empty() && contains(value, wanted, test.ignore_case);
  }
  return false;
}

bool is_empty(const document& document, node_id element, base::meter& counted) {
  for (node_id child = document.at(element).first_child; child != none;
       child = document.at(child).next) {
    counted.spend();
    const auto& one = document.at(child);
    if (one.type == node_type::element) return false;
    if (one.type == node_type::text && !one.text.empty()) return false;
  }
  return true;
}

bool lang_matches(std::string_view language, std::string_view wanted) {
  return base::equals_ignoring_ascii_case(language.substr(0, wanted.size()), wanted) &&
         (language.size() == wanted.size() ||
          (language.size() > wanted.size() && language[wanted.size()] == '-'));
}

bool is_form_control(const node& one) noexcept {
  using enum tag_id;
  return one.space == element_space::html &&
         (one.tag == input || one.tag == button || one.tag == select || one.tag == textarea ||
          one.tag == option || one.tag == optgroup || one.tag == fieldset);
}

bool nth_matches(const nth& formula, std::uint32_t place) noexcept {
  const std::int64_t distance = static_cast<std::int64_t>(place) - formula.b;
  if (formula.a == 0) return distance == 0;
  return distance % formula.a == 0 && distance / formula.a >= 0;
}

/// Parent by parent, as places are.
void count_chosen(const document& document, node_id parent, const simple& test,
                  circumstances& circumstances, chosen_places& found) {
  constexpr std::uint64_t steps_to_keep = 16;
  std::vector<node_id> chosen;
  for (node_id at = document.at(parent).first_child; at != none; at = document.at(at).next) {
    circumstances.counted.spend();
    if (!is_element_node(document, at)) continue;
    const bool is_one = std::ranges::any_of(test.among, [&](const compound& each) {
      return compound_matches(document, at, each, circumstances);
    });
    circumstances.counted.spend(steps_to_keep);
    found[at] = {};
    if (is_one) chosen.push_back(at);
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    found[chosen[i]] = {static_cast<std::uint32_t>(i + 1),
                        static_cast<std::uint32_t>(chosen.size() - i)};
  }
}

bool chosen_place_matches(const document& document, node_id element, const simple& test,
                          circumstances& circumstances) {
  chosen_places& known = circumstances.chosen[&test];
  if (!known.contains(element)) {
    count_chosen(document, document.at(element).parent, test, circumstances, known);
  }
  const chosen_place place = known[element];
  if (place.from_start == 0) return false;
  const bool from_start = test.type == simple_type::nth_child;
  return nth_matches(test.formula, from_start ? place.from_start : place.from_end);
}

bool place_matches(const document& document, node_id element, const simple& test,
                   circumstances& circumstances) {
  if (!test.among.empty()) return chosen_place_matches(document, element, test, circumstances);
  const auto& place = circumstances.known.of(document, element, circumstances.counted);
  switch (test.type) {
    case simple_type::nth_child:
      return nth_matches(test.formula, place.from_start);
    case simple_type::nth_last_child:
      return nth_matches(test.formula, place.from_end);
    case simple_type::nth_of_type:
      return nth_matches(test.formula, place.of_type_from_start);
    case simple_type::only_child:
      return place.from_start == 1 && place.from_end == 1;
    case simple_type::only_of_type:
      return place.of_type_from_start == 1 && place.of_type_from_end == 1;
    default:
      return nth_matches(test.formula, place.of_type_from_end);
  }
}

/// Marks those to whom an element stands as it is asked for: each once, so that all of them take no
/// more steps than the page has elements.
void mark_related(const document& document, node_id element, combinator relation,
                  std::unordered_set<node_id>& owners, base::meter& counted) {
  constexpr std::uint64_t steps_to_keep = 16;
  const bool is_above = relation == combinator::descendant || relation == combinator::child;
  const bool is_many = relation == combinator::descendant || relation == combinator::later_sibling;
  auto at = element;
  while (true) {
    do {
      counted.spend();
      at = is_above ? document.at(at).parent : document.at(at).previous;
    } while (at != none && !is_element_node(document, at) && !is_above);
    if (at == none || !is_element_node(document, at)) return;
    counted.spend(steps_to_keep);
    if (!owners.insert(at).second || !is_many) return;
  }
}

/// All elements that have one of what is asked for, found once for a page.
const std::unordered_set<node_id>& all_having(const document& document, const simple& test,
                                              circumstances& circumstances) {
  const auto [found, is_new] = circumstances.having.try_emplace(&test);
  auto& all = found->second;
  if (!is_new) return all;
  std::unordered_map<combinator, std::unordered_set<node_id>> by_relation;
  for (node_id at = 0; at < document.size(); ++at) {
    circumstances.counted.spend();
    if (!is_element_node(document, at)) continue;
    for (const compound& one : test.among) {
      if (!compound_matches(document, at, one, circumstances)) continue;
      mark_related(document, at, one.relation, by_relation[one.relation], circumstances.counted);
    }
  }
  for (auto& [relation, some] : by_relation) all.merge(some);
  return all;
}

bool shows_placeholder(const document& tree, node_id element, base::meter& counted) {
  if (!tree.has_attribute(element, "placeholder")) return false;
  const auto tag = tree.at(element).tag;
  if (tag == tag_id::textarea) return is_empty(tree, element, counted);
  return tag == tag_id::input && tree.attribute_of(element, "value").empty();
}

/// Whether people may write into it.
bool is_editable(const document& tree, node_id element) {
  const auto& one = tree.at(element);
  if (tree.has_attribute(element, "contenteditable")) {
    return !base::equals_ignoring_ascii_case(tree.attribute_of(element, "contenteditable"),
                                             "false");
  }
  if (one.tag != tag_id::input && one.tag != tag_id::textarea) return false;
  if (tree.has_attribute(element, "readonly") || tree.has_attribute(element, "disabled"))
    return false;
  const auto type = tree.attribute_of(element, "type");
  return one.tag == tag_id::textarea ||
         std::ranges::none_of(unwritten_inputs, [&](std::string_view each) {
           return base::equals_ignoring_ascii_case(type, each);
         });
}

bool state_matches(const document& tree, node_id element, simple_type type, base::meter& counted) {
  const auto& one = tree.at(element);
  switch (type) {
    case simple_type::root:
      return one.parent == document::root();
    case simple_type::empty:
      return is_empty(tree, element, counted);
    case simple_type::link:
      return (one.tag == tag_id::a || one.tag == tag_id::area) &&
             tree.has_attribute(element, "href");
    case simple_type::enabled:
      return is_form_control(one) && !is_disabled(tree, element, counted);
    case simple_type::disabled:
      return is_form_control(one) && is_disabled(tree, element, counted);
    case simple_type::checked:
      if (one.tag == tag_id::option) return tree.has_attribute(element, "selected");
      return one.tag == tag_id::input && tree.has_attribute(element, "checked");
    case simple_type::defined:
      return one.space != element_space::html || one.name.find('-') == one.name.npos;
    case simple_type::open:
      return (one.tag == tag_id::details || one.tag == tag_id::dialog) &&
             tree.has_attribute(element, "open");
    case simple_type::placeholder_shown:
      return shows_placeholder(tree, element, counted);
    case simple_type::read_write:
      return is_editable(tree, element);
    default:
      // :hover and the like are none of a page that nobody looks at.
      return form_state_matches(tree, element, type, counted);
  }
}

bool simple_matches(const document& document, node_id element, const simple& test,
                    circumstances& circumstances) {
  circumstances.counted.spend();
  switch (test.type) {
    case simple_type::any:
      return true;
    case simple_type::element:
      if (test.tag != tag_id::other) return document.at(element).tag == test.tag;
      return base::equals_ignoring_ascii_case(document.at(element).name, test.name);
    case simple_type::id:
      return read_attribute(document, element, "id", circumstances.counted) == test.value;
    case simple_type::class_name:
      return has_word(read_attribute(document, element, "class", circumstances.counted), test.value,
                      false);
    case simple_type::attribute:
      return attribute_matches(document, element, test, circumstances.counted);
    case simple_type::one_of:
      return std::ranges::any_of(test.among, [&](const compound& each) {
        return compound_matches(document, element, each, circumstances);
      });
    case simple_type::has:
      return all_having(document, test, circumstances).contains(element);
    case simple_type::lang:
      return lang_matches(circumstances.language, test.value);
    case simple_type::direction:
      return base::equals_ignoring_ascii_case(circumstances.direction, test.value);
    case simple_type::nth_child:
    case simple_type::nth_last_child:
    case simple_type::nth_of_type:
    case simple_type::nth_last_of_type:
    case simple_type::only_child:
    case simple_type::only_of_type:
      return place_matches(document, element, test, circumstances);
    default:
      return state_matches(document, element, test.type, circumstances.counted);
  }
}

}  // namespace

bool compound_matches(const document& document, node_id element, const compound& all,
                      circumstances& circumstances) {
  return std::ranges::all_of(all.tests, [&](const simple& one) {
    return simple_matches(document, element, one, circumstances) != one.negated;
  });
}

}  // namespace freshet::html
