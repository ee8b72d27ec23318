// Selectors are filed by what they ask of an element itself, if there can be one on the page that
// has it; what takes more than reading their text for that is compiled.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/valid_selectors.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/style.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

/// As html::selector weighs them.
constexpr std::uint32_t weight_of_element = 1, weight_of_class = 1u << 10, weight_of_id = 1u << 20;

std::string_view name_at(std::string_view text, std::size_t position) noexcept {
  auto end = position;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  return text.substr(position, end - position);
}

/// "p::first-line" as "p".
std::string_view without_first_line(std::string_view selector) noexcept {
  constexpr std::string_view name = "first-line";
  if (selector.size() <= name.size() || !selector.ends_with('e')) return selector;
  auto rest = selector.substr(0, selector.size() - name.size());
  if (!is_named(selector.substr(rest.size()), name) || !rest.ends_with(':')) return selector;
  rest.remove_suffix(rest.ends_with("::") ? 2 : 1);
  return rest.empty() ? "*" : rest;
}

}  // namespace

/// The classes and ids that a selector wants above its subject; none where it speaks of siblings.
style_rules::name_filter style_rules::names_above(std::string_view selector) {
  static constexpr byte_set others("+~\\\"");
  name_filter above{};
  auto end = selector.size() - subject_of(selector).size();
  // What stands in front of a part with parentheses stands above it, whatever is behind.
  if (const auto open = selector.find('('); open < selector.size()) {
    const auto part = selector.substr(0, open).find_last_of(" >");
    end = part == selector.npos ? 0 : std::min(end, part);
  } else if (others.next_in(selector, 0) < selector.size()) {
    return above;
  }
  if (others.next_in(selector.substr(0, end), 0) < end) return above;
  each_name(selector.substr(0, end),
            [&](std::string_view name) { name_place(name.front(), name.substr(1)).set_in(above); });
  return above;
}

void style_rules::file(std::uint32_t rule) {
  if (filed_[rule]) return;
  filed_[rule] = true;
  const auto selectors = sheets_.all()[rule].selectors;
  constexpr std::size_t bytes_per_step = 8;
  tree_.spend(1 + selectors.size() / bytes_per_step);
  const bool escaped = holds_byte(selectors, '\\');
  each_selector(selectors, [&](std::string_view all) {
    const auto one = without_first_line(all);
    const auto before = selectors_.size();
    if (is_of_host(one, rule)) {
      if (is_valid_rule(rule)) file_of_host(one, rule);
    } else if (one.starts_with("::slotted(")) {
      if (is_valid_rule(rule)) file_of_slotted(one, rule);
    } else if (escaped && holds_byte(one, '\\')) {
      if (is_valid_rule(rule)) file_escaped(one, rule);
    } else {
      file_selector(one, rule);
    }
    if (one.data() == all.data() && one.size() == all.size()) return;
    for (auto at = before; at < selectors_.size(); ++at) selectors_[at].is_first_line = true;
  });
}

/// Asked where one of its selectors is met: most are for other pages.
bool style_rules::is_valid_rule(std::uint32_t rule) {
  auto& known = validity_[rule];
  if (known == validity::unknown) {
    known = is_valid_list(sheets_.all()[rule].selectors) ? validity::valid : validity::invalid;
  }
  return known == validity::valid;
}

void style_rules::file_selector(std::string_view selector, std::uint32_t rule) {
  if (selectors_.size() >= most_selectors || selector.empty()) return;
  tree_.spend(1);
  const auto subject = subject_of(selector);
  if (is_never_at_rest(subject)) return;
  const auto place = static_cast<std::uint32_t>(selectors_.size());
  static constexpr byte_set signs("#.[:");
  const auto at = signs.next_in(subject, 0);
  const char sign = at < subject.size() ? subject[at] : ':';
  const bool alone = subject.size() == selector.size();
  if (sign == ':') {
    const auto tag = html::tag_of(base::to_lower_ascii(subject.substr(0, at)));
    const auto& there = is_of_page(rule) ? page_tags_ : asked_tags_;
    if (tag != html::tag_id::other && !there[static_cast<std::size_t>(tag)]) return;
    if (!may_match(selector)) return;
    if (tag != html::tag_id::other) {
      selectors_.push_back({selector, {}, rule});
      if (!alone) selectors_.back().above = names_above(selector);
      if (alone && at == subject.size()) selectors_.back().set_plain(weight_of_element);
      return file_by_tag(place, tag);
    }
  } else if (const auto name = name_at(subject, at + 1); !name.empty()) {
    if (sign != '[') {
      if (!is_asked(rule, sign, name) || (!alone && !may_match(selector))) return;
      selectors_.push_back({selector, {}, rule});
      if (!alone) selectors_.back().above = names_above(selector);
      const bool plain = alone && at == 0 && name.size() + 1 == subject.size();
      if (plain) selectors_.back().set_plain(sign == '#' ? weight_of_id : weight_of_class);
      return file_by_name(place, sign, name);
    }
    selectors_.push_back({selector, {}, rule});
    if (base::to_lower_ascii(name) == name) selectors_.back().attribute = name;
    return filing_of(rule).for_all.push_back(place);
  }
  selectors_.push_back({selector, {}, rule});
  selectors_.back().above = names_above(selector);
  filing_of(rule).for_all.push_back(place);
}

/// A selector whose names are not as they are written: ".md\:block".
void style_rules::file_escaped(std::string_view selector, std::uint32_t rule) {
  if (const auto name = first_class_of(selector);
      !name.empty() && !name_place('.', name).is_in(page_names_)) {
    return;
  }
  rule_selector made{selector, {}, rule};
  if (selectors_.size() >= most_selectors || !compile(made)) return;
  const auto place = static_cast<std::uint32_t>(selectors_.size());
  selectors_.push_back(std::move(made));
  const auto asked = selectors_.back().of->subject_of();
  if (!asked.id.empty()) return file_by_name(place, '#', asked.id);
  if (!asked.class_name.empty()) return file_by_name(place, '.', asked.class_name);
  filing_of(rule).for_all.push_back(place);
}

void style_rules::file_by_name(std::uint32_t place, char sign, std::string_view name) {
  name_place(sign, name).set_in(filed_names_);
  auto& filed = filing_of(selectors_[place].rule);
  auto& first =
      (sign == '#' ? filed.by_id : filed.by_class).try_emplace(name, no_selector).first->second;
  selectors_[place].next = std::exchange(first, place);
}

void style_rules::file_by_tag(std::uint32_t place, html::tag_id tag) {
  auto& first = filing_of(selectors_[place].rule).by_tag[static_cast<std::size_t>(tag)];
  selectors_[place].next = std::exchange(first, place);
}

/// Whether any element may be asked for a rule. Later it is only those whose cascades are made; but
/// those of texts are made of all that stands above them.
bool style_rules::is_of_page(std::uint32_t rule) const {
  const auto asked = wanted_of_texts_ | wanted_of_any_;
  return !wanted_filed_ || (sheets_.all()[rule].says.declares & asked) != 0;
}

/// Whether such an element may have a name.
bool style_rules::is_asked(std::uint32_t rule, char sign, std::string_view name) const {
  return name_place(sign, name).is_in(is_of_page(rule) ? page_names_ : asked_names_);
}

/// Whether the page has all the names in a selector, as far as they are plain.
bool style_rules::may_match(std::string_view selector) const {
  static constexpr byte_set not_plain("(\\\"");
  if (not_plain.next_in(selector, 0) < selector.size()) return true;
  bool has_all = true;
  each_name(selector, [&](std::string_view name) {
    has_all = has_all && name_place(name.front(), name.substr(1)).is_in(page_names_);
  });
  return has_all;
}

bool style_rules::compile(rule_selector& one) const {
  if (one.state != rule_selector::unread) return one.state != rule_selector::impossible;
  constexpr std::uint64_t steps_to_compile = 64;
  one.state = rule_selector::impossible;
  tree_.spend(steps_to_compile);
  auto made = guarded_selector::compile(one.text);
  if (!made) return false;
  one.state = rule_selector::known;
  one.of = std::move(*made);
  one.specificity = one.of->specificity();
  return true;
}

/// The rules that only show: wanted where something is hidden.
void style_rules::file_wanted() {
  if (wanted_filed_) return;
  wanted_filed_ = true;
  for (std::uint32_t number = 0; number < sheets_.all().size(); ++number) {
    // What only elements say of themselves is overruled by what is important.
    const auto& says = sheets_.all()[number].says;
    const auto asked = says.important ? wanted_ : wanted_ & ~overruled_;
    if ((says.declares & asked) != 0) file(number);
  }
}

}  // namespace freshet::markdown
