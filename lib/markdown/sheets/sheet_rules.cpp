// Between blocks and inside of them only a few bytes mean anything; the others are stepped over by
// a table.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/few_lines.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/plain_sheet.hpp>
#include <markdown/sheets/sheet_rules.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/sheets/ways_to_hide.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

constexpr std::size_t deepest_block = 16;
/// Bytes of selectors that are written out, of all sheets of a page.
constexpr std::size_t most_combined = 256 * 1024;

constexpr std::string_view import_rule = "@import", details_content = "::details-content";

/// Whether a value of a shorthand can be one that hides: "-9999px", "0/0 a" or "1px a".
bool may_hide_in_shorthand(std::string_view value) noexcept {
  return value.find_first_of("-0123.(") != value.npos;
}

/// The last that a browser takes.
void note_color(const declaration& one, std::string_view& last) {
  if (last.empty() || is_valid(one)) last = one.value;
}

/// What only some properties say.
void note_box(const declaration& one, block_summary& summary) {
  using enum property;
  switch (one.of) {
    case overflow:
      summary.is_cutting |= is_cutting_off(one.value);
      break;
    case line_clamp:
    case height:
    case max_height:
      summary.is_low |= is_of_few_lines(one);
      break;
    case width:
    case max_width:
      summary.is_narrow |= is_of_few_letters(one);
      break;
    case white_space:
      summary.is_unwrapped |= is_unwrapped(one.value);
      break;
    case top:
    case bottom:
    case margin_top:
    case transform:
    case translate:
      summary.is_pulled |= is_pulling_up(one);
      break;
    default:
      break;
  }
}

void add_to_summary(const declaration& one, block_summary& summary) {
  summary.declares |= bit_of(one.of);
  summary.is_placed |= one.of == property::position && is_named(one.value, "absolute");
  summary.takes_back |= begins_with(one.value, "revert-");
  note_box(one, summary);
  if (has_variable(one.value)) {
    summary.varies |= bit_of(one.of);
  } else if (one.of == property::color) {
    note_color(one, summary.color);
  } else if (one.of == property::text_fill) {
    note_color(one, summary.fill);
  } else if (one.of == property::background) {
    note_color(one, summary.ground);
  } else if (one.of == property::background_image) {
    summary.image = one.value;
  } else if (may_hide(one)) {
    summary.hides |= bit_of(one.of);
  }
  if (is_far_left(one)) summary.hides |= bit_of(property::far_left) | bit_of(one.of);
}

/// Takes a declaration by its name and value into a summary.
class summary_maker {
 public:
  explicit summary_maker(block_summary& into) noexcept : into_(into) {}

  void add(std::string_view name, std::string_view value) {
    static constexpr byte_set spaces(" \t\r\n\f");
    while (!name.empty() && spaces.has(name.front())) name.remove_prefix(1);
    if (name.empty() || !may_name_property(name.front())) return;
    while (spaces.has(name.back())) name.remove_suffix(1);
    if (name.front() == '-' && !custom_name(name).empty()) {
      into_.has_custom = true;
      return;
    }
    const auto known = property_named(name);
    if (!known) return;
    const auto mark = value.find('!');
    into_.important = into_.important || mark != value.npos;
    const auto said = base::trim(value.substr(0, mark));
    if (said.empty()) return;
    if (*known != property::count) return add_to_summary({*known, false, said}, into_);
    const auto all = properties_of_shorthand(name);
    into_.declares |= all;
    if (has_variable(said)) {
      into_.varies |= all;
    } else if ((all & bit_of(property::background_image)) != 0) {
      if (!is_background(said)) return;
      into_.ground = color_in_background(said);
      into_.image = image_in_background(said);
    } else if (may_hide_in_shorthand(said)) {
      parts_.clear();
      read_declarations({name.data(), static_cast<std::size_t>(value.end() - name.data())}, parts_);
      for (const auto& part : parts_) add_to_summary(part, into_);
    }
  }

 private:
  block_summary& into_;
  std::vector<declaration> parts_;
};

/// Reads the declarations from `position` up to the "}" that closes them, whose place is the
/// answer. A ";" in parentheses ends nothing; to end there finds too much at most. `on_block` is
/// told of what is nested: where what stands before it begins, and where its own "{" is.
template <class Told>
std::size_t summarize(std::string_view text, std::size_t position, const byte_set& marks,
                      block_summary& summary, Told on_block) {
  summary_maker made(summary);
  auto begin = position, colon = text.npos;
  const auto end_at = [&](std::size_t end) {
    if (colon != text.npos) {
      made.add(text.substr(begin, colon - begin), text.substr(colon + 1, end - colon - 1));
    }
    begin = end + 1;
    colon = text.npos;
  };
  for (; (position = marks.next_in(text, position)) < text.size(); ++position) {
    const char c = text[position];
    if (c == ':') {
      colon = std::min(colon, position);
    } else if (c == ';' || c == '}') {
      end_at(position);
      if (c == '}') return position;
    } else if (c == '{') {
      on_block(begin, position);
      position = std::min(end_of_block(text, position + 1), text.size());
      begin = position + 1;
      colon = text.npos;
    } else if (c == '\\') {
      ++position;
    } else {
      position = end_of_string(text, position);
    }
  }
  if (begin < text.size()) end_at(text.size());
  return text.size();
}

/// The address in "url(a)", "url('a')" and "'a'", and what stands behind it.
std::pair<std::string_view, std::string_view> address_in(std::string_view text) noexcept {
  const auto quote = text.find_first_of("\"'");
  const bool is_function = begins_with(text, "url(");
  if (quote != text.npos && (quote == 0 || (is_function && quote == 4))) {
    const auto end = end_of_string(text, quote);
    const auto rest = text.substr(std::min(end + 1, text.size()));
    return {text.substr(quote + 1, end - quote - 1), rest.substr(is_function && !rest.empty())};
  }
  if (!is_function) return {};
  const auto end = std::min(text.find(')'), text.size());
  return {base::trim(text.substr(4, end - 4)), text.substr(std::min(end + 1, text.size()))};
}

/// Where the address closes in which the brace at `position` stands; that position if in none.
std::size_t end_of_address(std::string_view sheet, std::size_t begin, std::size_t position) {
  const auto before = sheet.substr(begin, position - begin);
  if (!begins_with(base::trim(before), import_rule)) return position;
  const auto open = before.rfind("url(");
  if (open == before.npos || before.find(')', open) != before.npos) return position;
  return std::min(sheet.find(')', position), sheet.size() - 1);
}

}  // namespace

block_summary summary_of(std::string_view declarations) {
  // Braces close nothing here.
  static constexpr byte_set marks("\"':;\\");
  block_summary made;
  summarize(declarations, 0, marks, made, [](std::size_t, std::size_t) {});
  return made;
}

std::string_view sheet_rules::keep(std::string text) { return kept_.emplace_back(std::move(text)); }

void sheet_rules::read(std::string_view sheet, std::string_view media) {
  block whole;
  whole.on = screens_of(media);
  read(sheet, whole);
}

void sheet_rules::read(std::string_view sheet, const block& outer) {
  constexpr std::size_t deepest = 4;
  if (depth_ >= deepest) return;
  ++depth_;
  auto plain = plain_sheet(sheet);
  read_plain(plain ? keep(std::move(*plain)) : sheet, outer);
  --depth_;
}

void sheet_rules::read_plain(std::string_view sheet, const block& outer) {
  has_containers_ =
      has_containers_ ||
      (sheet.find("@container") != sheet.npos &&
       (sheet.find("container-type") != sheet.npos || sheet.find("container:") != sheet.npos));
  std::vector<block> open{outer};
  bool may_import = true;
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = next_of<'"', '\'', ';', '{', '}', '\\'>(sheet, at)) < sheet.size();
       ++at) {
    const char c = sheet[at];
    if (c == '\\') {
      ++at;
    } else if (c == '"' || c == '\'') {
      at = end_of_string(sheet, at);
    } else if (c == ';') {
      const auto statement = base::trim(sheet.substr(begin, at - begin));
      // Without an at-rule it is a part of the next rule's selectors, which are none then.
      if (statement.starts_with('@')) {
        if (may_import || !begins_with(statement, import_rule))
          read_statement(statement, open.back());
        begin = at + 1;
      }
    } else if (c == '}') {
      // One that closes nothing is a part of the next rule's selectors, which are none then.
      if (open.size() == 1) continue;
      open.pop_back();
      begin = at + 1;
    } else if (const auto closed = end_of_address(sheet, begin, at); closed != at) {
      at = closed;
    } else {
      const auto prelude = base::trim(sheet.substr(begin, at - begin));
      begin = at + 1;
      may_import = false;
      if (prelude.starts_with('@')) {
        const auto inside = inside_of(prelude, open.back());
        if (inside && open.size() < deepest_block) {
          open.push_back(*inside);
          continue;
        }
      }
      const bool is_rule = !prelude.starts_with('@');
      const auto end =
          is_rule ? read_rule(sheet, begin, prelude, open.back()) : end_of_block(sheet, begin);
      if (!is_rule && open.back().on != 0) note_block(prelude, sheet.substr(begin, end - begin));
      at = end;
      begin = end + 1;
      if (at >= sheet.size()) return;
    }
  }
  const auto last = base::trim(sheet.substr(std::min(begin, sheet.size())));
  if (may_import && last.starts_with('@')) read_statement(last, open.back());
}

void sheet_rules::read_statement(std::string_view statement, const block& outer) {
  constexpr std::string_view layer = "@layer";
  if (begins_with(statement, layer)) {
    for (const auto name : parts_of(statement.substr(layer.size()), ",")) {
      static_cast<void>(layers_.at(name, outer.layer));
    }
  } else if (begins_with(statement, import_rule)) {
    read_import(base::trim(statement.substr(import_rule.size())), outer);
  }
}

/// Only what stands in the address itself can be read.
void sheet_rules::read_import(std::string_view statement, const block& outer) {
  auto [address, rest] = address_in(statement);
  auto sheet = sheet_in_address(address);
  if (!sheet) {
    has_imports_ = true;
    return;
  }
  auto inside = outer;
  rest = base::trim(rest);
  if (begins_with(rest, "layer")) {
    constexpr std::size_t word = 5;
    const auto end = rest.substr(word).starts_with('(') ? end_of_parenthesis(rest) + 1 : word;
    const auto name = function_in(rest.substr(0, end)).inside;
    inside.layer = layers_.at(name, outer.layer);
    rest = base::trim(rest.substr(std::min(end, rest.size())));
  }
  if (begins_with(rest, "supports(")) {
    const auto end = std::min(end_of_parenthesis(rest) + 1, rest.size());
    const auto asked = function_in(rest.substr(0, end)).inside;
    const bool is_declaration = asked.find('(') > asked.find(':');
    std::string condition("@supports ");
    condition += is_declaration ? "(" + std::string(asked) + ")" : std::string(asked);
    if (screens_in(keep(std::move(condition))).value_or(0) == 0) return;
    rest = base::trim(rest.substr(end));
  }
  inside.on = static_cast<screen_set>(outer.on & screens_of(rest));
  read(keep(std::move(*sheet)), inside);
}

/// "(.a) to (.b)": what is in .a, but not what is in a .b of it.
std::optional<sheet_rules::block> sheet_rules::inside_scope(std::string_view prelude,
                                                            const block& outer) {
  auto inside = outer;
  prelude = base::trim(prelude);
  if (prelude.empty()) {
    inside.in_place = true;
    return inside;
  }
  if (!outer.beyond.empty()) return std::nullopt;
  if (prelude.starts_with('(')) {
    const auto close = end_of_parenthesis(prelude);
    if (close == prelude.size()) return std::nullopt;
    inside.outer = combined(outer.outer, base::trim(prelude.substr(1, close - 1)));
    if (inside.outer.empty()) return std::nullopt;
    prelude = base::trim(prelude.substr(close + 1));
  }
  if (prelude.empty()) return inside;
  if (!begins_with(prelude, "to") || inside.outer.empty()) return std::nullopt;
  prelude = base::trim(prelude.substr(2));
  if (!prelude.starts_with('(') || !prelude.ends_with(')')) return std::nullopt;
  const auto ends = combined(inside.outer, base::trim(prelude.substr(1, prelude.size() - 2)));
  if (ends.empty()) return std::nullopt;
  std::string beyond = ":not(";
  each_selector(ends, [&](std::string_view one) {
    if (beyond.back() != '(') beyond += ',';
    beyond.append(one).append(",").append(one).append(" *");
  });
  inside.beyond = keep(beyond + ")");
  return inside;
}

/// The selectors of a rule as they would stand outside of its scope.
std::string_view sheet_rules::in_scope(std::string_view selectors, const block& scope) {
  constexpr std::string_view root = ":scope";
  if (selectors.starts_with(root)) {
    const auto rest = base::trim(selectors.substr(root.size()));
    const bool is_plain = rest.empty() || std::string_view(">+~").find(rest[0]) != rest.npos;
    selectors = rest.empty() ? scope.outer
                : is_plain   ? combined(scope.outer, rest)
                             : combined(scope.outer, selectors);
  } else {
    selectors = combined(scope.outer, selectors);
  }
  if (scope.beyond.empty() || selectors.empty()) return selectors;
  std::string made;
  each_selector(selectors, [&](std::string_view one) {
    if (combined_bytes_ > most_combined) return;
    if (!made.empty()) made += ',';
    made.append(one).append(scope.beyond);
    combined_bytes_ += one.size() + scope.beyond.size();
  });
  return combined_bytes_ > most_combined ? std::string_view() : keep(std::move(made));
}

/// Null: what is inside are no rules of the page.
std::optional<sheet_rules::block> sheet_rules::inside_of(std::string_view prelude,
                                                         const block& outer) {
  constexpr std::string_view layer = "@layer", scope = "@scope", container = "@container";
  auto inside = outer;
  if (begins_with(prelude, layer)) {
    inside.layer = layers_.at(prelude.substr(layer.size()), outer.layer);
    return inside;
  }
  if (begins_with(prelude, scope)) return inside_scope(prelude.substr(scope.size()), outer);
  if (begins_with(prelude, container) && prelude.find("style(") != prelude.npos) {
    // One inside of another is not read.
    if (!outer.around.empty()) return std::nullopt;
    inside.around = base::trim(prelude.substr(container.size()));
    return inside;
  }
  if (begins_with(prelude, container) && !has_containers_) return std::nullopt;
  const auto on = screens_in(prelude);
  if (!on) return std::nullopt;
  inside.on = static_cast<screen_set>(*on & outer.on);
  return inside;
}

/// Sheets ask the same again and again.
std::optional<screen_set> sheet_rules::screens_in(std::string_view prelude) {
  const auto [found, added] = known_.try_emplace(prelude);
  if (added) found->second = screens_inside(prelude, all_screens);
  return found->second;
}

void sheet_rules::note_block(std::string_view prelude, std::string_view body) {
  constexpr std::size_t most = 256;
  const auto end = std::min(prelude.find_first_of(css_spaces), prelude.size());
  const auto name = base::trim(prelude.substr(end));
  const auto rule = prelude.substr(0, end);
  if (is_one_of(rule, {"@keyframes", "@-webkit-keyframes"})) {
    if (animations_.size() < most) animations_.push_back({name, body});
  } else if (is_named(rule, "@property") && custom_.size() < most) {
    custom_.push_back({name, body});
  } else if (is_named(rule, "@function") && functions_.size() < most) {
    functions_.push_back({name, body});
  }
}

std::string_view sheet_rules::combined(std::string_view outer, std::string_view inner) {
  if (outer.empty()) return inner;
  if (combined_bytes_ > most_combined) return {};
  auto made = nested_selectors(outer, inner);
  combined_bytes_ += made.size();
  return made.empty() ? std::string_view() : keep(std::move(made));
}

/// What stands in details, but for their summary.
std::string_view sheet_rules::of_details(std::string_view selectors) {
  std::string made;
  each_selector(selectors, [&](std::string_view one) {
    if (!made.empty()) made += ',';
    if (one.ends_with(details_content)) {
      const auto of = one.substr(0, one.size() - details_content.size());
      made.append(of.empty() ? "details" : of).append(">:not(summary)");
    } else {
      made += one;
    }
  });
  combined_bytes_ += made.size();
  return combined_bytes_ > most_combined ? std::string_view() : keep(std::move(made));
}

/// Answers where the rule's block ends.
std::size_t sheet_rules::read_rule(std::string_view sheet, std::size_t begin,
                                   std::string_view selectors, const block& outer) {
  if (!outer.outer.empty()) selectors = in_scope(selectors, outer);
  if (outer.outer.empty() && holds_byte(selectors, '&')) selectors = combined(":root", selectors);
  if (selectors.find(details_content) != selectors.npos) selectors = of_details(selectors);
  const auto end = read_body(sheet, begin, {selectors, {}, outer, 0});
  while (!waiting_.empty()) {
    const auto next = waiting_.back();
    waiting_.pop_back();
    static_cast<void>(read_body(next.body, 0, next));
  }
  return end;
}

/// The declarations of a rule; what is nested waits, the first in front.
std::size_t sheet_rules::read_body(std::string_view text, std::size_t begin, const waiting& rule) {
  sheet_rule made{rule.selectors,   {}, rule.in.on, rule.in.layer, rule.in.around,
                  rule.in.in_place, {}};
  static constexpr byte_set marks("\"'{}:;\\");
  nested_.clear();
  const auto end = summarize(text, begin, marks, made.says, [&](std::size_t from, std::size_t at) {
    nested_.push_back({base::trim(text.substr(from, at - from)), at + 1});
  });
  const bool says_something = made.says.declares != 0 || made.says.has_custom;
  if (!rule.selectors.empty() && rule.in.on != 0) {
    if (says_something && rules_.size() < most_rules) {
      made.body = text.substr(begin, end - begin);
      constexpr std::size_t usual_rules = 256;
      if (rules_.empty()) rules_.reserve(usual_rules);
      has_media_ = has_media_ || rule.in.on != all_screens;
      rules_.push_back(made);
    }
    if (rule.depth < deepest_block) {
      for (auto i = nested_.size(); i-- > 0;) {
        const auto from = nested_[i].begin;
        wait(nested_[i].prelude, text.substr(from, end_of_block(text, from) - from), rule);
      }
    }
  }
  return end;
}

void sheet_rules::wait(std::string_view prelude, std::string_view body, const waiting& rule) {
  constexpr std::size_t most = 4096;
  if (waiting_.size() >= most) return;
  waiting inner{rule.selectors, body, rule.in, rule.depth + 1};
  if (prelude.starts_with('@')) {
    const auto in = inside_of(prelude, rule.in);
    if (!in || in->on == 0 || begins_with(prelude, "@scope")) return;
    inner.in = *in;
  } else {
    inner.selectors = combined(rule.selectors, prelude);
    if (inner.selectors.empty()) return;
  }
  waiting_.push_back(inner);
}

}  // namespace freshet::markdown
