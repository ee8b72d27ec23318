// Words hashed once, each with all that it means, and the rules with what stands where.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/safety/folding.hpp>
#include <markdown/safety/instruction_table.hpp>
#include <markdown/safety/word_hash.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

struct word_row {
  std::string_view words;
};
constexpr word_row word_rows[] = {
#define FRESHET_WORDS(name, words) {words},
#include <markdown/safety/instruction_rules.def>
};
constexpr std::string_view meaning_names[] = {
#define FRESHET_WORDS(name, words) #name,
#include <markdown/safety/instruction_rules.def>
};

/// Calls `action` for each part between spaces.
template <class With>
void each_part(std::string_view text, With action) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) action(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

instruction_table::instruction_table() {
  for (std::size_t one = 0; one < std::size(word_rows); ++one) {
    each_part(word_rows[one].words, [&](std::string_view word) { add(word, meanings(one)); });
  }
  for (std::size_t number = 0; number < instruction_rule_count; ++number) add_rule(number);
  // A word may end one rule and go on in the same: the later slot is looked at first.
  for (auto& all : uses_) {
    std::ranges::sort(all, [](const rule_use& a, const rule_use& b) { return a.at > b.at; });
  }
}

void instruction_table::add(std::string_view word, meanings means) {
  auto hash = word_hash_begin;
  scrambled_word letters;
  for (std::size_t at = 0; at < word.size();) {
    const bool first = at == 0;
    const auto point = folded_point(base::next_point(word, at));
    if (first && is_unspaced_script(point)) run_beginnings_.set(point & 0xFFFF);
    if (point != 0) hash = hash_with(hash, point);
    if (point != 0) letters.add(point);
  }
  add(hash, means);
  if (letters.hash() != 0) add(letters.hash(), means);
}

void instruction_table::add(std::uint64_t hash, meanings means) {
  auto at = hash % width;
  while (!words_[at].means.empty() && words_[at].hash != hash) at = (at + 1) % width;
  words_[at].hash = hash;
  words_[at].means = words_[at].means | means;
}

void instruction_table::add_rule(std::size_t number) {
  std::uint32_t gap = 0;
  each_part(instruction_rule_rows[number].pattern, [&](std::string_view part) {
    if (part.front() == '<') {
      gap = part[1] == '*' ? any_distance : static_cast<std::uint32_t>(part[1] - '0') * word_length;
      return;
    }
    const auto* const name = std::ranges::find(meaning_names, part);
    const auto one = static_cast<std::uint8_t>(name - std::begin(meaning_names));
    auto& slots = slots_[number];
    uses_[one].push_back(
        {static_cast<std::uint16_t>(number), static_cast<std::uint8_t>(slots.size())});
    slots.push_back({one, gap});
    gap = 0;
  });
}

const instruction_table& known_instructions() {
  static const instruction_table made;
  return made;
}

}  // namespace freshet::markdown
