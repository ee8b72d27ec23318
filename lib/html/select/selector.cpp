// Matching CSS selectors without recursion or backtracking: walking in document order, every
// element gets the set of compounds that it completes, computed from the sets of its parent, its
// ancestors and its elder siblings. The cost is elements times compounds, whatever the selector.
#include <algorithm>
#include <base/unicode.hpp>
#include <html/select/selector.hpp>
#include <html/select/selector_program.hpp>
#include <html/tokens/tag_scanner.hpp>
#include <unordered_map>

namespace freshet::html {

namespace {

bool is_element_node(const document& document, node_id id) noexcept {
  return document.at(id).type == node_type::element;
}

bool has_word(std::string_view list, std::string_view word, bool ignore_case) noexcept {
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

bool contains(std::string_view value, std::string_view wanted, bool ignore_case) {
  if (!ignore_case) return value.find(wanted) != std::string_view::npos;
  return base::to_lower_ascii(value).find(base::to_lower_ascii(wanted)) != std::string::npos;
}

bool attribute_matches(const document& document, node_id element, const simple& test) {
  if (!document.has_attribute(element, test.name)) return false;
  const std::string_view value = document.attribute_of(element, test.name);
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

bool is_empty(const document& document, node_id element) {
  for (node_id child = document.at(element).first_child; child != none;
       child = document.at(child).next) {
    const auto& one = document.at(child);
    if (one.type == node_type::element) return false;
    if (one.type == node_type::text && !one.text.empty()) return false;
  }
  return true;
}

bool lang_matches(const document& document, node_id element, std::string_view wanted) {
  for (node_id at = element; at != none; at = document.at(at).parent) {
    if (!is_element_node(document, at) || !document.has_attribute(at, "lang")) continue;
    const auto lang = document.attribute_of(at, "lang");
    return base::equals_ignoring_ascii_case(lang.substr(0, wanted.size()), wanted) &&
           (lang.size() == wanted.size() || lang[wanted.size()] == '-');
  }
  return false;
}

bool is_form_control(const node& one) noexcept {
  using enum tag_id;
  return one.space == element_space::html &&
         (one.tag == input || one.tag == button || one.tag == select || one.tag == textarea ||
          one.tag == option || one.tag == optgroup || one.tag == fieldset);
}

/// Where elements stand among their siblings; filled parent by parent, on demand, so that each
/// parent's children are counted once.
class places {
 public:
  struct place {
    std::uint32_t from_start = 0, from_end = 0, of_type_from_start = 0, of_type_from_end = 0;
  };

  const place& of(const document& document, node_id element) {
    const auto found = places_.find(element);
    if (found != places_.end()) return found->second;
    count(document, document.at(element).parent);
    return places_[element];
  }

 private:
  void count(const document& document, node_id parent) {
    std::unordered_map<std::string_view, std::uint32_t> by_type;
    std::uint32_t total = 0;
    for (node_id at = document.at(parent).first_child; at != none; at = document.at(at).next) {
      if (!is_element_node(document, at)) continue;
      auto& one = places_[at];
      one.from_start = ++total;
      one.of_type_from_start = ++by_type[document.at(at).name];
    }
    for (node_id at = document.at(parent).first_child; at != none; at = document.at(at).next) {
      if (!is_element_node(document, at)) continue;
      auto& one = places_[at];
      one.from_end = total + 1 - one.from_start;
      one.of_type_from_end = by_type[document.at(at).name] + 1 - one.of_type_from_start;
    }
  }

  std::unordered_map<node_id, place> places_;
};

bool nth_matches(const nth& formula, std::uint32_t place) noexcept {
  const std::int64_t distance = static_cast<std::int64_t>(place) - formula.b;
  if (formula.a == 0) return distance == 0;
  return distance % formula.a == 0 && distance / formula.a >= 0;
}

bool place_matches(const document& document, node_id element, const simple& test, places& known) {
  const auto& place = known.of(document, element);
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

bool state_matches(const document& in, node_id element, simple_type type) {
  const auto& one = in.at(element);
  switch (type) {
    case simple_type::root:
      return one.parent == document::root();
    case simple_type::empty:
      return is_empty(in, element);
    case simple_type::link:
      return (one.tag == tag_id::a || one.tag == tag_id::area) && in.has_attribute(element, "href");
    case simple_type::enabled:
      return is_form_control(one) && !in.has_attribute(element, "disabled");
    case simple_type::disabled:
      return is_form_control(one) && in.has_attribute(element, "disabled");
    case simple_type::checked:
      if (one.tag == tag_id::option) return in.has_attribute(element, "selected");
      return one.tag == tag_id::input && in.has_attribute(element, "checked");
    default:
      return false;  // :hover and the like: a page that nobody looks at
  }
}

bool simple_matches(const document& document, node_id element, const simple& test, places& known) {
  switch (test.type) {
    case simple_type::any:
      return true;
    case simple_type::element:
      if (test.tag != tag_id::other) return document.at(element).tag == test.tag;
      return base::equals_ignoring_ascii_case(document.at(element).name, test.name);
    case simple_type::id:
      return document.attribute_of(element, "id") == test.value;
    case simple_type::class_name:
      return has_word(document.attribute_of(element, "class"), test.value, false);
    case simple_type::attribute:
      return attribute_matches(document, element, test);
    case simple_type::lang:
      return lang_matches(document, element, test.value);
    case simple_type::nth_child:
    case simple_type::nth_last_child:
    case simple_type::nth_of_type:
    case simple_type::nth_last_of_type:
    case simple_type::only_child:
    case simple_type::only_of_type:
      return place_matches(document, element, test, known);
    default:
      return state_matches(document, element, test.type);
  }
}

bool compound_matches(const document& document, node_id element, const compound& all,
                      places& known) {
  return std::all_of(all.tests.begin(), all.tests.end(), [&](const simple& one) {
    return simple_matches(document, element, one, known) != one.negated;
  });
}

/// Which compounds, counted over the whole list, are completed.
using compound_set = std::uint64_t;

/// What an element inherits: the sets of those before and above it.
struct surroundings {
  compound_set parent = 0;
  compound_set ancestors = 0;
  compound_set previous = 0;
  compound_set elders = 0;
};

compound_set completed(const document& document, node_id element,
                       const std::vector<compound>& compounds, const surroundings& around,
                       places& known) {
  // By combinator; nothing stands before the first compound.
  const compound_set reached[] = {0, around.ancestors, around.parent, around.previous,
                                  around.elders};
  compound_set done = 0;
  for (std::size_t i = 0; i < compounds.size(); ++i) {
    const compound& one = compounds[i];
    const compound_set before = i == 0 ? 0 : compound_set{1} << (i - 1);
    const bool open = one.relation == combinator::first ||
                      (reached[static_cast<std::size_t>(one.relation)] & before) != 0;
    if (open && compound_matches(document, element, one, known)) done |= compound_set{1} << i;
  }
  return done;
}

compound_set last_ones(const std::vector<compound>& compounds) noexcept {
  compound_set last = 0;
  for (std::size_t i = 0; i < compounds.size(); ++i) {
    if (compounds[i].is_last) last |= compound_set{1} << i;
  }
  return last;
}

/// The sets of an element's elder siblings, first to last.
void walk_elders(const document& document, node_id element, const std::vector<compound>& compounds,
                 surroundings& around, places& known) {
  around.previous = around.elders = 0;
  for (node_id at = document.at(document.at(element).parent).first_child; at != element;
       at = document.at(at).next) {
    if (!is_element_node(document, at)) continue;
    around.previous = completed(document, at, compounds, around, known);
    around.elders |= around.previous;
  }
}

}  // namespace

std::vector<node_id> selector::select(const document& document, node_id within) const {
  const auto& compounds = program_->compounds;
  const compound_set last = last_ones(compounds);
  std::vector<node_id> found;
  places known;
  std::vector<surroundings> levels(1);
  // What stands above `within` counts too, as it does in browsers.
  std::vector<node_id> path;
  for (node_id at = within; at != none && is_element_node(document, at);
       at = document.at(at).parent) {
    path.push_back(at);
  }
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    auto& around = levels.back();
    if (program_->has_siblings) walk_elders(document, *at, compounds, around, known);
    around.parent = completed(document, *at, compounds, around, known);
    around.ancestors |= around.parent;
    around.previous = around.elders = 0;
  }
  node_id at = document.at(within).first_child;
  while (at != none) {
    if (is_element_node(document, at)) {
      auto& around = levels.back();
      const compound_set done = completed(document, at, compounds, around, known);
      if ((done & last) != 0) found.push_back(at);
      around.previous = done;
      around.elders |= done;
      if (document.at(at).first_child != none) {
        levels.push_back({done, around.ancestors | done, 0, 0});
        at = document.at(at).first_child;
        continue;
      }
    }
    while (document.at(at).next == none) {
      at = document.at(at).parent;
      levels.pop_back();
      if (at == within || at == none) return found;
    }
    at = document.at(at).next;
  }
  return found;
}

}  // namespace freshet::html
