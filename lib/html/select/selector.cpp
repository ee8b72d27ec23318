// Matching CSS selectors without recursion or backtracking: walking in document order, every
// element gets the set of compounds that it completes, computed from the sets of its parent, its
// ancestors and its elder siblings, as its language and its direction are. The cost is elements
// times tests, whatever the selector; every test is counted.
#include <algorithm>
#include <base/unicode.hpp>
#include <html/select/direction.hpp>
#include <html/select/element_tests.hpp>
#include <html/select/selector.hpp>
#include <html/select/selector_program.hpp>

namespace freshet::html {

namespace {

/// Which compounds, counted over the whole list, are completed.
using compound_set = std::uint64_t;

/// What an element inherits: the sets of those before and above it, and their language.
struct surroundings {
  compound_set parent = 0;
  compound_set ancestors = 0;
  compound_set previous = 0;
  compound_set elders = 0;
  std::string_view language;
  std::string_view direction = left_to_right;
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
        has_directions_(program.has_directions),
        page_(page),
        with_{counted} {}

  /// The set of an element, and its language in with_.
  compound_set enter(node_id element, const surroundings& around) {
    with_.language = language_of(page_, element, around, has_languages_, with_.counted);
    with_.direction = has_directions_
                          ? direction_of(page_, element, around.direction, with_.counted)
                          : around.direction;
    return completed(page_, element, compounds_, around, with_);
  }
  /// What stands around the children of an element, by what stands around itself.
  [[nodiscard]] surroundings below(compound_set done, const surroundings& around) const {
    return {done, around.ancestors | done, 0, 0, with_.language, with_.direction};
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
  bool has_siblings_, has_languages_, has_directions_;
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
  const bool asks_above = program_->has_languages || program_->has_directions;
  if (!asks_above && last_ones(compounds) == compound_set{1} << (compounds.size() - 1)) {
    circumstances with{counted};
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
