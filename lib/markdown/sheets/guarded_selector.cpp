// What a part of a selector asks of what stands above is written out for each of its choices; what
// the last part asks of the element itself becomes a guard.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/sheets/guarded_selector.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>
#include <unordered_map>
#include <utility>

namespace freshet::markdown {

namespace {

constexpr std::size_t most_alternatives = 32, most_guards = 8, longest = 4096;
/// Parts of a selector that each are asked of elements one by one.
constexpr int deepest = 4;

/// A pseudo-class with something in parentheses, in a selector.
struct choice {
  std::size_t begin = std::string_view::npos, end = 0;  ///< of all of it
  std::string_view name, inside;
};

bool is_choice(std::string_view name) noexcept {
  return is_one_of(name, {"is", "where", "matches", "-webkit-any", "-moz-any"});
}

/// The first from `position` on that is not inside of another parenthesis.
choice next_function(std::string_view text, std::size_t position) noexcept {
  choice found;
  for (; position < text.size(); ++position) {
    const char c = text[position];
    if (c == '"' || c == '\'') {
      position = end_of_string(text, position);
    } else if (c == ':') {
      auto end = position + 1;
      while (end < text.size() && is_name_byte(text[end])) ++end;
      if (end >= text.size() || text[end] != '(') continue;
      std::size_t depth = 0, close = end;
      for (; close < text.size(); ++close) {
        if (text[close] == '(') ++depth;
        if (text[close] == ')' && --depth == 0) break;
      }
      found.begin = position;
      found.end = std::min(close + 1, text.size());
      found.name = text.substr(position + 1, end - position - 1);
      found.inside = text.substr(end + 1, close - end - 1);
      return found;
    }
  }
  return found;
}

/// ":is(.a)" is ".a", however often.
std::string_view unwrapped(std::string_view text) noexcept {
  constexpr int most = 8;
  for (int i = 0; i < most; ++i) {
    const auto first = next_function(text, 0);
    if (first.begin != 0 || first.end != text.size() || !is_choice(first.name)) break;
    text = base::trim(first.inside);
  }
  return text;
}

}  // namespace

std::optional<guarded_selector::guard> guarded_selector::read_guard(std::string_view name,
                                                                    std::string_view inside,
                                                                    progress part) {
  guard made;
  const bool is_forgiving = is_choice(name);
  if (is_named(name, "not")) {
    made.what = guard::is_not;
  } else if (is_named(name, "has")) {
    made.what = guard::has;
  } else if (!is_forgiving) {
    return std::nullopt;
  }
  // ":not(:has(a))"
  inside = unwrapped(inside);
  if (const auto inner = next_function(inside, 0); made.what == guard::is_not && inner.begin == 0 &&
                                                   inner.end == inside.size() &&
                                                   is_named(inner.name, "has")) {
    made.what = guard::has;
    made.is_negated = true;
    inside = inner.inside;
  }
  bool understood = part.depth < deepest;
  each_selector(inside, [&](std::string_view one) {
    wanted each;
    const bool has_sign = !one.empty() && std::string_view(">+~").find(one[0]) != one.npos;
    if (made.what == guard::has && has_sign) {
      each.relation = one.front();
      one = base::trim(one.substr(1));
      // Whose child the first part is, is not looked at.
      if (each.relation == '>' && freshet::markdown::subject_of(one).size() < one.size())
        each.relation = ' ';
    }
    if (!understood || made.any_of.size() >= most_alternatives) return;
    if (auto compiled = compile(one, progress{part.depth + 1, part.parts})) {
      each.of = std::make_shared<const guarded_selector>(std::move(*compiled));
      made.any_of.push_back(std::move(each));
    } else {
      understood = is_forgiving;
    }
  });
  return understood ? std::optional(std::move(made)) : std::nullopt;
}

/// As of the weightiest in it.
std::uint32_t guarded_selector::weight_of(const guard& one) noexcept {
  std::uint32_t most = 0;
  for (const auto& each : one.any_of) most = std::max(most, each.of->specificity());
  return most;
}

/// Asked again and again of the same few elements, which may hold much of the page.
struct guarded_selector::part_above {
  guarded_selector asked;
  std::unordered_map<html::node_id, bool> known;

  bool holds(const html::document& page, html::node_id element, base::meter& counted) {
    const auto found = known.find(element);
    if (found != known.end()) return found->second;
    return known[element] = asked.matches(page, element, counted);
  }
};

/// Of what stands in front of a subject, with the sign between the two.
bool guarded_selector::read_above(std::string_view text, progress part, alternative& made) {
  text = base::trim(text);
  if (const char sign = text.empty() ? ' ' : text.back();
      sign == '>' || sign == '+' || sign == '~') {
    made.relation = sign;
    text.remove_suffix(1);
  }
  if (part.depth >= deepest) return false;
  auto above = compile(base::trim(text), progress{part.depth + 1, part.parts});
  if (!above) return false;
  made.above = std::make_shared<part_above>(part_above{std::move(*above), {}});
  return true;
}

bool guarded_selector::add(std::string_view text, progress part, std::vector<alternative>& found) {
  if (auto plain = html::selector::compile(text)) {
    found.push_back({*plain, {}, plain->specificity(), {}, ' '});
    return true;
  }
  auto subject = text.size() - freshet::markdown::subject_of(text).size();
  alternative made;
  if (subject > 0 && !html::selector::compile(std::string(text.substr(0, subject)) + '*')) {
    if (!read_above(text.substr(0, subject), part, made)) return false;
    text.remove_prefix(std::exchange(subject, 0));
  }
  std::string rest(text.substr(0, subject));
  auto position = subject;
  std::uint32_t guarded = 0;
  while (made.guards.size() < most_guards) {
    const auto next = next_function(text, position);
    if (next.begin == text.npos) break;
    auto guard = read_guard(next.name, next.inside, part);
    rest += text.substr(position, guard ? next.begin - position : next.end - position);
    position = next.end;
    if (!guard) continue;
    if (!is_named(next.name, "where")) guarded += weight_of(*guard);
    made.guards.push_back(std::move(*guard));
  }
  rest += text.substr(position);
  if (made.guards.empty() && !made.above) return false;
  if (rest.size() == subject) rest += '*';
  auto plain = html::selector::compile(rest);
  if (!plain) return false;
  made.plain = std::move(*plain);
  made.specificity = made.plain.specificity() + guarded;
  if (made.above) made.specificity += made.above->asked.specificity();
  found.push_back(std::move(made));
  return true;
}

std::optional<guarded_selector> guarded_selector::compile(std::string_view text) {
  int parts = 0;
  return compile(text, progress{0, &parts});
}

std::optional<guarded_selector> guarded_selector::compile(std::string_view text, progress part) {
  // Parts that are written out again and again would have parts of their own each time.
  constexpr int most_parts = 256;
  if (++*part.parts > most_parts) return std::nullopt;
  guarded_selector made;
  if (auto plain = html::selector::compile(text)) {
    made.alternatives_.push_back({*plain, {}, plain->specificity(), {}, ' '});
    return made;
  }
  if (text.size() > longest) return std::nullopt;
  /// What is still to be taken apart, and what of it weighs nothing.
  struct piece {
    std::string text;
    std::uint32_t weightless = 0;
  };
  std::vector<piece> waiting{{std::string(text), 0}};
  std::size_t written = 1;
  while (!waiting.empty()) {
    const auto [one, weightless] = std::move(waiting.back());
    waiting.pop_back();
    const auto subject = one.size() - freshet::markdown::subject_of(one).size();
    auto found = next_function(one, 0);
    while (found.begin < subject && !is_choice(found.name)) found = next_function(one, found.end);
    if (found.begin >= subject) {
      if (++*part.parts > most_parts || !add(one, part, made.alternatives_)) return std::nullopt;
      made.alternatives_.back().specificity -=
          std::min(weightless, made.alternatives_.back().specificity);
      continue;
    }
    bool fits = true;
    each_selector(found.inside, [&](std::string_view each) {
      fits = fits && ++written <= most_alternatives && one.size() + each.size() <= longest;
      if (!fits) return;
      auto less = weightless;
      if (is_named(found.name, "where")) {
        if (const auto plain = html::selector::compile(each)) less += plain->specificity();
      }
      waiting.push_back(
          {one.substr(0, found.begin) + std::string(each) + one.substr(found.end), less});
    });
    if (!fits) return std::nullopt;
  }
  return made.alternatives_.empty() ? std::nullopt : std::optional(std::move(made));
}

/// The one selector that it is, if nothing else is asked.
const html::selector* guarded_selector::plain() const noexcept {
  const auto& first = alternatives_.front();
  return alternatives_.size() == 1 && first.guards.empty() && !first.above ? &first.plain : nullptr;
}

bool guarded_selector::has_wanted(const wanted& one, const html::document& page,
                                  html::node_id element, base::meter& counted) {
  if (one.relation == '+' || one.relation == '~') {
    for (auto at = page.at(element).next; at != html::none; at = page.at(at).next) {
      counted.spend();
      if (page.at(at).type != html::node_type::element) continue;
      if (one.of->matches(page, at, counted)) return true;
      if (one.relation == '+') return false;
    }
    return false;
  }
  const auto is_there = [&](html::node_id in) {
    return in != element && (one.relation != '>' || page.at(in).parent == element);
  };
  if (const auto* const plain = one.of->plain(); plain != nullptr) {
    return std::ranges::any_of(plain->select(page, element, counted), is_there);
  }
  for (auto at = element; at != html::none; at = page.next_in_order(at, element)) {
    counted.spend();
    if (page.at(at).type == html::node_type::element && is_there(at) &&
        one.of->matches(page, at, counted)) {
      return true;
    }
  }
  return false;
}

bool guarded_selector::holds(const guard& one, const html::document& page, html::node_id element,
                             base::meter& counted) {
  if (one.what == guard::has) {
    const bool has_any = std::ranges::any_of(
        one.any_of, [&](const wanted& each) { return has_wanted(each, page, element, counted); });
    return has_any != one.is_negated;
  }
  const bool is_any = std::ranges::any_of(
      one.any_of, [&](const wanted& each) { return each.of->matches(page, element, counted); });
  return is_any == (one.what == guard::is);
}

bool guarded_selector::is_below(const alternative& one, const html::document& page,
                                html::node_id element, base::meter& counted) {
  if (!one.above) return true;
  const bool is_beside = one.relation == '+' || one.relation == '~';
  const auto further = [&](html::node_id at) {
    return is_beside ? page.at(at).previous : page.at(at).parent;
  };
  for (auto at = further(element); at != html::none; at = further(at)) {
    counted.spend();
    if (page.at(at).type != html::node_type::element) continue;
    if (one.above->holds(page, at, counted)) return true;
    if (one.relation == '>' || one.relation == '+') return false;
  }
  return false;
}

bool guarded_selector::matches(const html::document& page, html::node_id element,
                               base::meter& counted) const {
  return std::ranges::any_of(alternatives_, [&](const alternative& each) {
    // What the element itself must be is asked first: it says no of most, and costs least.
    const auto all_hold = [&](bool first) {
      return std::ranges::all_of(each.guards, [&](const guard& one) {
        return (one.what == guard::is) != first || holds(one, page, element, counted);
      });
    };
    return all_hold(true) && each.plain.matches(page, element, counted) && all_hold(false) &&
           is_below(each, page, element, counted);
  });
}

std::uint32_t guarded_selector::specificity() const noexcept {
  return std::ranges::max(alternatives_, {}, &alternative::specificity).specificity;
}

html::selector::subject guarded_selector::subject_of() const noexcept {
  return alternatives_.size() == 1 ? alternatives_.front().plain.subject_of()
                                   : html::selector::subject{};
}

}  // namespace freshet::markdown
