// Between blocks and inside of them only a few bytes mean anything; the others are stepped over by
// a table.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/sheet_rules.hpp>
#include <markdown/tree/sheet_text.hpp>
#include <markdown/tree/ways_to_hide.hpp>

namespace freshet::markdown {

namespace {

constexpr std::size_t deepest_block = 16;

/// Where a comment ends that begins at `at`; npos if it does not end.
std::size_t end_of_comment(std::string_view text, std::size_t at) noexcept {
  const auto end = text.find("*/", at + 2);
  return end == text.npos ? end : end + 2;
}

/// The next byte that means something between blocks: most often the one that opens the next.
std::size_t next_mark(std::string_view sheet, std::size_t at) noexcept {
  static constexpr byte_set marks("/;{}");
  constexpr std::size_t longest = 256;
  const auto near = sheet.substr(at, longest);
  const auto opening = near.find('{');
  const auto before = near.substr(0, opening);
  const bool plain = opening != near.npos && !holds_byte(before, '/') && !holds_byte(before, ';') &&
                     !holds_byte(before, '}');
  return plain ? at + opening : marks.next_in(sheet, at);
}

/// Whether a value of a shorthand can be one that hides: "-9999px" or "0/0 a".
bool may_hide_in_shorthand(std::string_view value) noexcept {
  return value.find_first_of("-0.") != value.npos;
}

void add_to_summary(const declaration& one, block_summary& into) {
  into.declares |= bit_of(one.of);
  if (one.of == property::color || one.of == property::text_fill) {
    into.color = one.value;
  } else if (one.of == property::background) {
    into.ground = one.value;
  } else if (may_hide(one)) {
    into.hides |= bit_of(one.of);
  }
}

}  // namespace

/// A ";" in a string or in parentheses ends nothing; to end there finds too much at most.
block_summary summary_of(std::string_view text) {
  block_summary made;
  std::vector<declaration> parts;
  while (!text.empty()) {
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n\f;"), text.size()));
    if (text.starts_with("/*")) {
      text = text.substr(std::min(end_of_comment(text, 0), text.size()));
      continue;
    }
    const auto end = std::min(text.find(';'), text.size());
    const auto one = text.substr(0, end);
    text.remove_prefix(end);
    if (one.empty() || !may_name_property(one.front())) continue;
    const auto colon = one.find(':');
    if (colon == one.npos) continue;
    const auto name = base::trim(one.substr(0, colon));
    declaration made_of;
    made_of.value = base::trim(one.substr(colon + 1));
    const auto known = property_named(name);
    if (!known) continue;
    if (*known != property::count) {
      made_of.of = *known;
      const auto mark = made_of.value.find('!');
      if (mark != made_of.value.npos) {
        made.important = true;
        made_of.value = base::trim(made_of.value.substr(0, mark));
      }
      if (!made_of.value.empty()) add_to_summary(made_of, made);
      continue;
    }
    made.declares |= properties_of_shorthand(name);
    made.important = made.important || made_of.value.find('!') != made_of.value.npos;
    if (!may_hide_in_shorthand(made_of.value)) continue;
    parts.clear();
    read_declarations(one, parts);
    for (const auto& part : parts) add_to_summary(part, made);
  }
  return made;
}

void sheet_rules::read(std::string_view sheet, std::string_view media) {
  struct block {
    screen_set on;
  };
  std::vector<block> open{{screens_of(media)}};
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = next_mark(sheet, at)) < sheet.size(); ++at) {
    const char c = sheet[at];
    if (c == '/') {
      if (sheet.substr(at, 2) != "/*") continue;
      const auto end = end_of_comment(sheet, at);
      if (end == sheet.npos) return;
      // Never the same white space twice: a sheet may be nothing else but comments.
      begin = std::min(sheet.find_first_not_of(" \t\r\n\f", begin), at);
      if (begin == at) begin = end;
      at = end - 1;
    } else if (c == ';') {
      has_imports_ |= base::trim(sheet.substr(begin, at - begin)).starts_with("@import");
      begin = at + 1;
    } else if (c == '}') {
      if (open.size() > 1) open.pop_back();
      begin = at + 1;
    } else {
      const auto prelude = base::trim(sheet.substr(begin, at - begin));
      begin = at + 1;
      if (prelude.starts_with('@')) {
        const auto on = screens_in(prelude);
        if (on && open.size() < deepest_block) {
          open.push_back({static_cast<screen_set>(*on & open.back().on)});
          continue;
        }
      }
      const auto end = end_of_block(sheet, begin);
      if (!prelude.starts_with('@')) {
        read_rule(prelude, sheet.substr(begin, end - begin), open.back().on);
      }
      at = end;
      begin = end + 1;
      if (at >= sheet.size()) return;
    }
  }
}

/// Sheets ask the same again and again.
std::optional<screen_set> sheet_rules::screens_in(std::string_view prelude) {
  const auto [found, added] = known_.try_emplace(prelude);
  if (added) found->second = screens_inside(prelude, all_screens);
  return found->second;
}

void sheet_rules::read_rule(std::string_view selectors, std::string_view body, screen_set on) {
  if (on == 0 || rules_.size() >= most_rules) return;
  // What is nested is not read.
  body = body.substr(0, body.find('{'));
  const auto says = summary_of(body);
  if (says.declares == 0) return;
  constexpr std::size_t usual_rules = 256;
  if (rules_.empty()) rules_.reserve(usual_rules);
  has_media_ = has_media_ || on != all_screens;
  rules_.push_back({selectors, body, on, says});
}

}  // namespace freshet::markdown
