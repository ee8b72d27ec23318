// Matching CSS selectors without recursion or backtracking: walking in document order, every
// element gets the set of compounds that it completes, computed from the sets of its parent, its
// ancestors and its elder siblings, as its language is. The cost is elements times tests, whatever
// the selector; every test is counted.
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

/// Where elements stand among their siblings; filled parent by parent, on demand, so that each
/// parent's children are counted once.
class places {
 public:
  struct place {
    std::uint32_t from_start = 0, from_end = 0, of_type_from_start = 0, of_type_from_end = 0;
  };

  const place& of(const document& document, node_id element, base::meter& counted) {
    const auto found = places_.find(element);
    if (found != places_.end()) return found->second;
    count(document, document.at(element).parent, counted);
    return places_[element];
  }

 private:
  void count(const document& document, node_id parent, base::meter& counted) {
    constexpr std::uint64_t steps_to_keep = 16;
    std::unordered_map<std::string_view, std::uint32_t> by_type;
    std::uint32_t total = 0;
    for (node_id at = document.at(parent).first_child; at != none; at = document.at(at).next) {
      counted.spend();
      if (!is_element_node(document, at)) continue;
      counted.spend(steps_to_keep);
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

/// What a test is told beside its element, and where its work is counted.
struct circumstances {
  base::meter& counted;
  places known;
  std::string_view language;  ///< of the element, its own or one from above
};

/// The value of an attribute, counted by the attributes and the bytes that are looked at.
std::string_view read_attribute(const document& document, node_id element, std::string_view name,
                                base::meter& counted) {
  constexpr std::size_t attributes_per_step = 4, bytes_per_step = 8;
  const auto value = document.attribute_of(element, name);
  counted.spend(document.at(element).attribute_count / attributes_per_step +
                value.size() / bytes_per_step);
  return value;
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

bool place_matches(const document& document, node_id element, const simple& test,
                   circumstances& circumstances) {
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
      return is_form_control(one) && !tree.has_attribute(element, "disabled");
    case simple_type::disabled:
      return is_form_control(one) && tree.has_attribute(element, "disabled");
    case simple_type::checked:
      if (one.tag == tag_id::option) return tree.has_attribute(element, "selected");
      return one.tag == tag_id::input && tree.has_attribute(element, "checked");
    default:
      return false;  // :hover and the like: a page that nobody looks at
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
    case simple_type::lang:
      return lang_matches(circumstances.language, test.value);
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

bool compound_matches(const document& document, node_id element, const compound& all,
                      circumstances& circumstances) {
  return std::ranges::all_of(all.tests, [&](const simple& one) {
    return simple_matches(document, element, one, circumstances) != one.negated;
  });
}

/// Which compounds, counted over the whole list, are completed.
using compound_set = std::uint64_t;

/// What an element inherits: the sets of those before and above it, and their language.
struct surroundings {
  compound_set parent = 0;
  compound_set ancestors = 0;
  compound_set previous = 0;
  compound_set elders = 0;
  std::string_view language;
};

/// The language of an element inside `above`; "" where nobody asks.
std::string_view language_of(const document& document, node_id element, const surroundings& above,
                             bool asked, base::meter& counted) {
  if (!asked || document.at(element).attribute_count == 0) return above.language;
  const auto own = read_attribute(document, element, "lang", counted);
  return own.empty() && !document.has_attribute(element, "lang") ? above.language : own;
}

compound_set completed(const document& document, node_id element,
                       const std::vector<compound>& compounds, const surroundings& around,
                       circumstances& circumstances) {
  circumstances.counted.spend(compounds.size());
  // By combinator; nothing stands before the first compound.
  const compound_set reached[] = {0, around.ancestors, around.parent, around.previous,
                                  around.elders};
  compound_set done = 0;
  for (std::size_t i = 0; i < compounds.size(); ++i) {
    const compound& one = compounds[i];
    const compound_set before = i == 0 ? 0 : compound_set{1} << (i - 1);
    const bool open = one.relation == combinator::first ||
                      (reached[static_cast<std::size_t>(one.relation)] & before) != 0;
    if (open && compound_matches(document, element, one, circumstances))
      done |= compound_set{1} << i;
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

/// One walk down a page: what is above an element is given to it. `Program` is private to the
/// selector.
template <class Program>
class walk {
 public:
  walk(const Program& program, const document& page, base::meter& counted)
      : compounds_(program.compounds),
        has_siblings_(program.has_siblings),
        has_languages_(program.has_languages),
        page_(page),
        with_{counted, {}, {}} {}

  /// The set of an element, and its language in with_.
  compound_set enter(node_id element, const surroundings& around) {
    with_.language = language_of(page_, element, around, has_languages_, with_.counted);
    return completed(page_, element, compounds_, around, with_);
  }
  /// What stands around the children of an element, by what stands around itself.
  [[nodiscard]] surroundings below(compound_set done, const surroundings& around) const {
    return {done, around.ancestors | done, 0, 0, with_.language};
  }
  /// Goes down from the root to an element; answers its set and what stands around its children.
  compound_set descend_to(node_id element, surroundings& around) {
    std::vector<node_id> path;
    for (node_id at = element; at != none && is_element_node(page_, at); at = page_.at(at).parent) {
      path.push_back(at);
    }
    compound_set done = 0;
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      if (has_siblings_) enter_elders(*at, around);
      done = enter(*at, around);
      around = below(done, around);
    }
    return done;
  }

 private:
  /// The sets of an element's elder siblings, first to last.
  void enter_elders(node_id element, surroundings& around) {
    around.previous = around.elders = 0;
    for (node_id at = page_.at(page_.at(element).parent).first_child; at != element;
         at = page_.at(at).next) {
      if (!is_element_node(page_, at)) continue;
      around.previous = enter(at, around);
      around.elders |= around.previous;
    }
  }

  const std::vector<compound>& compounds_;
  bool has_siblings_, has_languages_;
  const document& page_;
  circumstances with_;
};

/// Whether what the alternative asks for stands above an element, in its order: which is all that
/// descendants ask for, and the least that children do. Siblings are not looked at.
bool has_ancestors(const document& document, node_id element,
                   const std::vector<compound>& compounds, circumstances& circumstances) {
  node_id at = document.at(element).parent;
  auto relation = compounds.back().relation;
  for (auto wanted = compounds.size() - 1; wanted-- > 0; relation = compounds[wanted].relation) {
    if (relation == combinator::next_sibling || relation == combinator::later_sibling) continue;
    while (at != none && (!is_element_node(document, at) ||
                          !compound_matches(document, at, compounds[wanted], circumstances))) {
      circumstances.counted.spend();
      at = document.at(at).parent;
    }
    if (at == none) return false;
    at = document.at(at).parent;
  }
  return true;
}

}  // namespace

selector::subject selector::subject_of() const noexcept {
  subject of;
  for (const compound& one : program_->compounds) {
    of = {};
    for (const simple& test : one.tests) {
      if (test.negated) continue;
      if (test.type == simple_type::id) of.id = test.value;
      if (test.type == simple_type::class_name) of.class_name = test.value;
      if (test.type == simple_type::element) of.element = test.name;
    }
    if (one.is_last) break;
  }
  return of;
}

std::vector<std::string> selector::names_above() const {
  std::vector<std::string> names;
  const auto& compounds = program_->compounds;
  for (std::size_t i = 0; i + 1 < compounds.size() && !compounds[i].is_last; ++i) {
    const auto relation = compounds[i + 1].relation;
    // A sibling stands beside what it leads to, which may be the element itself.
    if (relation != combinator::descendant && relation != combinator::child) continue;
    for (const simple& test : compounds[i].tests) {
      if (test.negated) continue;
      if (test.type == simple_type::id) names.push_back("#" + test.value);
      if (test.type == simple_type::class_name) names.push_back("." + test.value);
    }
  }
  return names;
}

std::uint32_t selector::specificity() const noexcept {
  constexpr std::uint32_t most = 1023, bits = 10;
  std::uint32_t ids = 0, classes = 0, elements = 0;
  for (const compound& one : program_->compounds) {
    for (const simple& test : one.tests) {
      if (test.type == simple_type::id) {
        ++ids;
      } else if (test.type == simple_type::element) {
        ++elements;
      } else if (test.type != simple_type::any) {
        ++classes;
      }
    }
    if (one.is_last) break;
  }
  return std::min(ids, most) << (2 * bits) | std::min(classes, most) << bits |
         std::min(elements, most);
}

bool selector::matches(const document& document, node_id element, base::meter& counted) const {
  const auto& compounds = program_->compounds;
  if (!program_->has_languages && last_ones(compounds) == compound_set{1}
                                                              << (compounds.size() - 1)) {
    circumstances with{counted, {}, {}};
    if (!compound_matches(document, element, compounds.back(), with)) return false;
    if (compounds.size() == 1) return true;
    if (!has_ancestors(document, element, compounds, with)) return false;
    const bool only_descendants =
        std::all_of(compounds.begin() + 1, compounds.end(),
                    [](const compound& one) { return one.relation == combinator::descendant; });
    if (only_descendants) return true;
  }
  walk down(*program_, document, counted);
  surroundings around;
  return (down.descend_to(element, around) & last_ones(compounds)) != 0;
}

std::vector<node_id> selector::select(const document& document, node_id within) const {
  base::meter counted;
  return select(document, within, counted);
}

std::vector<node_id> selector::select(const document& document, node_id within,
                                      base::meter& counted) const {
  const compound_set last = last_ones(program_->compounds);
  std::vector<node_id> found;
  walk down(*program_, document, counted);
  std::vector<surroundings> levels(1);
  // What stands above `within` counts too, as it does in browsers.
  down.descend_to(within, levels.back());
  node_id at = document.at(within).first_child;
  while (at != none) {
    counted.spend();
    if (is_element_node(document, at)) {
      auto& around = levels.back();
      const compound_set done = down.enter(at, around);
      if ((done & last) != 0) found.push_back(at);
      around.previous = done;
      around.elders |= done;
      if (document.at(at).first_child != none) {
        levels.push_back(down.below(done, around));
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
