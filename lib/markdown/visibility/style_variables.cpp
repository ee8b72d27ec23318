// What custom properties and animations make of declarations. Which values a page may give them is
// asked first, whatever selectors say; only of the elements that may be hidden so is the cascade of
// custom properties made, upwards.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/valid_selectors.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/stand_ins.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

constexpr property_set colors_of_texts = bit_of(property::color) | bit_of(property::text_fill);

constexpr std::size_t most_properties = 4096, most_possible = 8, most_values = 32,
                      most_substitutions = 32, longest_value = 1024;

template <class Reference>
std::string with(std::string_view value, const Reference& found, std::string_view in_its_place) {
  std::string made(value.substr(0, found.begin));
  made += in_its_place;
  return made += value.substr(found.end);
}

/// What stands where a browser can make nothing of a value.
constexpr std::string_view nothing_known = "unset";

/// A value without variables as its property takes it.
std::string_view as_of(property one, std::string_view value) {
  if (one == property::background) {
    return is_background(value) ? color_in_background(value) : nothing_known;
  }
  if (one == property::background_image) return image_in_background(value);
  return is_valid({one, false, value}) ? value : nothing_known;
}

}  // namespace

style_rules::reference style_rules::first_reference(std::string_view value) noexcept {
  reference found;
  const auto at = stand_in_of(value);
  if (at.kind == stand_in::none) return found;
  std::size_t depth = 0, close = at.open;
  for (; close < value.size(); ++close) {
    if (value[close] == '(') ++depth;
    if (value[close] == ')' && --depth == 0) break;
  }
  found.kind = at.kind;
  found.called = value.substr(at.begin, at.open - at.begin);
  found.inside = value.substr(at.open + 1, close - at.open - 1);
  const auto comma = found.inside.find(',');
  found.begin = at.begin;
  found.end = std::min(close + 1, value.size());
  found.name = base::trim(found.inside.substr(0, comma));
  found.has_otherwise = comma != found.inside.npos;
  if (found.has_otherwise) found.otherwise = base::trim(found.inside.substr(comma + 1));
  return found;
}

/// Once, and only where something asks for them.
void style_rules::read_custom() {
  if (custom_read_) return;
  custom_read_ = true;
  // Of equal names the last one counts.
  for (const auto& one : sheets_.functions()) {
    functions_[one.name.substr(0, one.name.find('('))] = &one;
  }
  for (const auto& one : sheets_.custom()) {
    auto text = one.body;
    std::string_view initial, syntax, inherits;
    while (const auto said = take_declaration(text)) {
      if (is_named(said->name, "initial-value")) initial = said->value;
      if (is_named(said->name, "syntax")) syntax = said->value;
      if (is_named(said->name, "inherits")) inherits = said->value;
    }
    if (syntax.size() < 3 || inherits.empty()) continue;
    syntax = syntax.substr(1, syntax.size() - 2);
    const bool is_any = syntax == "*";
    if (initial.empty() && !is_any) continue;
    auto& of = custom_[one.name];
    of.is_handed_down = is_named(inherits, "true");
    of.syntax = is_any ? std::string_view() : syntax;
    of.initial = initial;
    if (!initial.empty()) of.possible.push_back(initial);
  }
  for (std::uint32_t number = 0; number < sheets_.all().size(); ++number) {
    const auto& one = sheets_.all()[number];
    if (one.says.has_custom && is_valid_list(one.selectors)) note_custom(one.body, number);
  }
  tree_.spend_on(tree_.page().root());
  for (html::node_id id = 1; id < tree_.page().size(); ++id) {
    if (!tree_.has_attributes(id)) continue;
    const auto style = style_of(id);
    if (style.find("--") != style.npos) note_custom(style, no_selector);
  }
}

void style_rules::note_custom(std::string_view declarations, std::uint32_t rule) {
  constexpr std::size_t bytes_per_step = 8;
  tree_.spend(1 + declarations.size() / bytes_per_step);
  while (const auto one = take_declaration(declarations)) {
    if (custom_name(one->name).empty() || custom_.size() >= most_properties) continue;
    auto& of = custom_[one->name];
    if (std::ranges::find(of.possible, one->value) == of.possible.end()) {
      of.has_more |= of.possible.size() >= most_possible;
      if (!of.has_more) of.possible.push_back(one->value);
    }
    if (rule == no_selector) continue;
    each_selector(sheets_.all()[rule].selectors, [&](std::string_view selector) {
      note_said(of, {rule, selector, one->value, one->important, {}});
    });
  }
}

/// By what it asks of an element, if there can be one on the page that has it.
void style_rules::note_said(custom_property& named, const custom_value& one) {
  constexpr std::size_t most_said = 4096;
  tree_.spend(1);
  const auto subject = subject_of(one.selector);
  if (subject.empty() || is_never_at_rest(subject)) return;
  named.is_unknown |= named.said.size() >= most_said;
  if (named.is_unknown) return;
  const auto place = static_cast<std::uint32_t>(named.said.size());
  const auto dot = subject.find('.');
  const bool is_plain = dot != subject.npos && subject.find_first_of("([\"'") == subject.npos;
  auto name = is_plain ? first_class_of(subject.substr(dot)) : std::string();
  if (name.empty()) {
    const auto end = std::min(subject.find_first_of("#.[:"), subject.size());
    const auto element = base::to_lower_ascii(subject.substr(0, end));
    const bool is_root = subject.starts_with(":root");
    named.others.emplace_back(is_root ? html::tag_id::html : html::tag_of(element), place);
  } else if (name_place('.', name).is_in(page_names_)) {
    const auto written = subject.substr(dot + 1, name.size());
    named.by_class[written == name ? written : sheets_.keep(std::move(name))].push_back(place);
  } else {
    return;
  }
  named.said.push_back(one);
  if (subject.size() < one.selector.size()) named.said.back().above = names_above(one.selector);
}

/// The values that a page may mean by one with variables, a few of them.
style_rules::possibilities style_rules::possible_values(std::string_view value) {
  possibilities found;
  std::vector<std::string> waiting{std::string(value)};
  for (std::size_t step = 0; !waiting.empty(); ++step) {
    if (step == 4 * most_substitutions) {
      found.are_all = false;
      break;
    }
    tree_.spend(1);
    const auto one = std::move(waiting.back());
    waiting.pop_back();
    const auto at = first_reference(one);
    if (at.begin == std::string::npos) {
      found.values.emplace_back(base::trim(one));
      continue;
    }
    const auto add = [&](std::string_view text) {
      const bool fits = waiting.size() + found.values.size() < most_values &&
                        one.size() + text.size() <= longest_value;
      found.are_all &= fits;
      if (fits) waiting.push_back(with(one, at, text));
    };
    if (at.kind == stand_in::choice) {
      for (const auto branch : parts_of(at.inside, ";")) add(value_of_branch(branch));
      continue;
    }
    // What an element says itself, and where it stands, is asked of each.
    found.are_all &= at.kind == stand_in::variable || at.kind == stand_in::environment;
    if (at.kind == stand_in::environment) add("0px");
    if (at.has_otherwise) add(at.otherwise);
    if (const auto known = custom_.find(at.name); known != custom_.end()) {
      found.are_all &= !known->second.has_more;
      for (const auto each : known->second.possible) add(each);
    }
  }
  return found;
}

/// The properties of a block that custom properties may make hide; its grounds first.
property_set style_rules::possibly_hidden(std::string_view declarations) {
  read_custom();
  std::vector<declaration> all;
  read_declarations(declarations, all);
  const auto is_ground = [](const declaration& one) {
    return one.of == property::background || one.of == property::background_image;
  };
  std::stable_partition(all.begin(), all.end(), is_ground);
  property_set hides = 0;
  for (const auto& one : all) {
    if ((hides & bit_of(one.of)) != 0 || !has_variable(one.value)) continue;
    const auto possible = possible_values(one.value);
    // What cannot be told now is asked of each element.
    if (!possible.are_all && !is_ground(one)) hides |= bit_of(one.of);
    for (const auto& each : possible.values) {
      if (may_hide_by(one.of, as_of(one.of, each))) hides |= bit_of(one.of);
    }
  }
  return hides;
}

/// A value without variables; grounds are noted.
bool style_rules::may_hide_by(property named, std::string_view value) {
  using enum property;
  if (named == color || named == text_fill) {
    const auto ink = color_of(value);
    if (!ink) return false;
    return has_others_ ? ink->alpha == 0 : may_be_lost(*ink);
  }
  if (named != background && named != background_image) return may_hide({named, false, value});
  if (has_others_) return false;
  const auto ground = named == background ? color_of(value) : color_of_image(value);
  if (!ground) return false;
  note_ground(*ground);
  return std::ranges::any_of(inks_, [&](const rgb& each) { return is_same(each, *ground); });
}

/// After the grounds that stand there as they are; those of variables first.
void style_rules::judge_variables() {
  auto& rules = sheets_.all();
  const auto is_of_ground = [](const block_summary& says) {
    return (says.varies & (bit_of(property::background) | bit_of(property::background_image))) != 0;
  };
  for (const bool grounds : {true, false}) {
    for (auto& one : rules) {
      if (one.says.varies == 0 || (grounds && !is_of_ground(one.says))) continue;
      const auto hides = possibly_hidden(one.body);
      if (!grounds) one.says.hides |= hides;
    }
  }
  // What stands there as it is may be lost on a ground that a variable names.
  if (custom_read_ && !has_others_) {
    for (auto& one : rules) {
      if (hides_by_color(one.says)) one.says.hides |= one.says.declares & colors_of_texts;
    }
  }
  for (auto& one : rules) {
    if ((one.says.declares & bit_of(property::animation)) != 0) {
      one.says.hides |= hidden_by_animations(one.body);
    }
  }
}

/// Null for one that is not understood.
const std::optional<style_rules::compiled_selector>& style_rules::compiled(
    std::string_view selector) {
  const auto [found, added] = custom_selectors_.try_emplace(selector);
  if (added) {
    constexpr std::uint64_t steps_to_compile = 64;
    tree_.spend(steps_to_compile);
    if (auto made = guarded_selector::compile(selector)) {
      const auto specificity = made->specificity();
      found->second = compiled_selector{std::move(*made), specificity};
    }
  }
  return found->second;
}

/// What an element itself is told a custom property to be; "" where it is not.
std::string_view style_rules::custom_of_element(html::node_id id, std::size_t screen,
                                                std::string_view name,
                                                const custom_property& named) {
  constexpr std::uint64_t as_important = std::uint64_t{1} << 63, as_inline = std::uint64_t{1} << 62;
  std::string_view best;
  std::uint64_t weight = 0;
  auto style = style_of(id);
  if (style.find(name) != style.npos) {
    constexpr std::size_t bytes_per_step = 8;
    tree_.spend(1 + style.size() / bytes_per_step);
    while (const auto one = take_declaration(style)) {
      if (one->name != name) continue;
      const auto own = as_inline | (one->important ? as_important : 0);
      if (own < weight) continue;
      weight = own;
      best = one->value;
    }
  }
  const auto look = [&](std::uint32_t place) {
    tree_.spend(1);
    const auto& one = named.said[place];
    if ((sheets_.all()[one.rule].on >> screen & 1) == 0) return;
    if (is_of_host(one.selector, one.rule)) {
      // The page's own rules say more of an element than those of its tree, but for important ones.
      const auto strength = one.important ? as_important | as_inline : 0;
      if (strength < weight || !tells_host(one, id)) return;
      weight = strength;
      best = one.value;
      return;
    }
    // What a query for styles would take such a property for is not asked again.
    if (!sheets_.all()[one.rule].around.empty()) return;
    if (!speaks_of(one.rule, id) || !may_stand_below(one.above, id)) return;
    const auto& asked = compiled(one.selector);
    if (!asked) return;
    const auto strength = weight_of(one.rule, asked->specificity, one.important);
    if (strength < weight || !asked->of.matches(tree_.page(), id, meter())) return;
    weight = strength;
    best = one.value;
  };
  for (const auto& [tag, place] : named.others) {
    if (tag == html::tag_id::other || tag == tree_.tag_of(id)) look(place);
  }
  if (named.by_class.empty()) return best;
  each_class(tree_.attribute_of(id, "class"), [&](std::string_view own) {
    const auto found = named.by_class.find(own);
    if (found == named.by_class.end()) return;
    for (const auto place : found->second) look(place);
  });
  return best;
}

/// The same, from wherever it is handed down; "" where nobody says it.
std::string_view style_rules::custom_at(html::node_id id, std::size_t screen,
                                        std::string_view name) {
  const auto found = custom_.find(name);
  if (found == custom_.end()) return {};
  auto& of = found->second;
  if (of.is_unknown) return unknown_custom_value;
  std::vector<std::uint64_t> asked;
  std::string_view value = of.initial;
  for (auto at = id; tree_.is_element(at); at = tree_.parent_of(at)) {
    const auto key = std::uint64_t{at} * screens + screen;
    tree_.spend(1);
    if (const auto known = of.known.find(key); known != of.known.end()) {
      value = known->second;
      break;
    }
    asked.push_back(key);
    auto own = custom_of_element(at, screen, name, of);
    // What is not of its type says nothing.
    const bool is_other = !of.syntax.empty() && !has_variable(own) && !is_of_type(own, of.syntax);
    if (is_other && !is_one_of(own, {"inherit", "initial"})) own = {};
    if (!of.is_handed_down && !is_named(own, "inherit")) {
      if (!own.empty() && !is_one_of(own, {"initial", "unset"})) value = own;
      break;
    }
    if (own.empty() || is_one_of(own, {"inherit", "unset"})) continue;
    value = is_named(own, "initial") ? of.initial : own;
    break;
  }
  // Beyond it what is asked again is looked for again: the page's bound of work ends that.
  constexpr std::size_t most_known = 200'000;
  if (known_values_ + asked.size() > most_known) return value;
  known_values_ += asked.size();
  for (const auto key : asked) of.known.emplace(key, value);
  return value;
}

/// A value with its variables as they are on an element; `nothing_known` where there is none. What
/// would take too much stays as it is: it hides nothing.
std::string_view style_rules::resolved(std::string_view value, html::node_id id,
                                       std::size_t screen) {
  constexpr std::size_t most_bytes = 1024 * 1024;
  read_custom();
  std::string made(value);
  for (std::size_t step = 0; step < most_substitutions; ++step) {
    const auto at = first_reference(made);
    if (at.begin == std::string::npos) {
      resolved_bytes_ += made.size();
      if (resolved_bytes_ > most_bytes) return value;
      return base::trim(sheets_.keep(std::move(made)));
    }
    constexpr std::size_t bytes_per_step = 8;
    tree_.spend(1 + made.size() / bytes_per_step);
    const auto known = put_in(at, id, screen);
    if (!known) return value;
    const bool is_choice = at.kind == stand_in::choice || at.kind == stand_in::function;
    if (known->empty() && (is_choice || !at.has_otherwise)) return nothing_known;
    made = with(made, at, known->empty() ? std::string(at.otherwise) : *known);
    if (made.size() > longest_value) return value;
  }
  return value;
}

void style_rules::resolve(cascade& style, property_set asked, html::node_id id,
                          std::size_t screen) {
  each_property(style.known() & asked, [&](property one) {
    const auto value = style.of(one);
    if (value.empty() || !has_variable(value)) return;
    const auto made = resolved(value, id, screen);
    style.set(one, has_variable(made) ? made : as_of(one, made));
  });
}

}  // namespace freshet::markdown
