// The table as an automaton: words are hashed as they are read and looked up once, and each rule
// remembers where its beginning was last seen, which is all that its next word has to know.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/hash_spread.hpp>
#include <base/unicode.hpp>
#include <bitset>
#include <cstdint>
#include <markdown/safety/folding.hpp>
#include <markdown/safety/instructions.hpp>
#include <optional>

namespace freshet::markdown {

namespace {

enum class meaning : std::uint8_t {
#define FRESHET_WORDS(name, words) name,
#include <markdown/safety/instruction_rules.def>
  count
};
static_assert(static_cast<std::size_t>(meaning::count) <= 64, "a mask of 64 bits has them all");
using meanings = std::uint64_t;

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

struct rule_row {
  std::string_view id, pattern;
};
constexpr rule_row rule_rows[] = {
#define FRESHET_RULE(id, version, pattern) {#id "." #version, pattern},
#include <markdown/safety/instruction_rules.def>
};
constexpr std::size_t rule_count = std::size(rule_rows), most_slots = 8;

/// Places are counted in quarters of a word: a character of a script without spaces is one.
constexpr std::uint32_t word_length = 4;
/// What ends a sentence is as far as nothing may reach; a line is as long as a word or two.
constexpr std::uint32_t sentence_end = 100 * word_length, line_end = 2 * word_length;
/// The longest run of a script without spaces in the table, in characters.
constexpr std::size_t longest_run = 8;

constexpr std::uint64_t hash_begin = 0xcbf29ce484222325u;
constexpr std::uint64_t hash_with(std::uint64_t hash, char32_t point) noexcept {
  return (hash ^ point) * 0x100000001b3u;
}

/// What a letter counts in any order: of letters whose numbers come to the same, these do not.
constexpr std::uint64_t sum_of_letter(char32_t point) noexcept {
  auto mixed = hash_with(hash_begin, point);
  mixed = (mixed ^ mixed >> 31u) * base::hash_spread;
  return mixed ^ mixed >> 29u;
}

constexpr std::size_t ascii_size = 0x80;
constexpr auto sums_of_ascii = [] {
  std::array<std::uint64_t, ascii_size> made{};
  for (std::size_t c = 0; c < ascii_size; ++c) made[c] = sum_of_letter(static_cast<char32_t>(c));
  return made;
}();

/// Letters of ASCII, small, and digits; 0 for what is neither.
constexpr auto ascii_letters = [] {
  std::array<unsigned char, 0x100> made{};
  for (std::size_t c = 0; c < ascii_size; ++c) {
    const char one = static_cast<char>(c);
    if (base::is_alphanumeric(one)) made[c] = static_cast<unsigned char>(base::lower(one));
  }
  return made;
}();

/// A word whose inner letters may stand in any order, which people read all the same: "ingore".
/// Known by its first letter, its last and the sum of all.
class scrambled_word {
 public:
  void add(char32_t point) noexcept {
    if (count_ == 0) first_ = point;
    last_ = point;
    sum_ += point < ascii_size ? sums_of_ascii[point] : sum_of_letter(point);
    ++count_;
  }
  /// 0 for one that is too short for that to be known.
  [[nodiscard]] std::uint64_t hash() const noexcept {
    constexpr std::uint32_t least = 6;
    return count_ < least ? 0 : hash_with(hash_with(sum_, first_), last_);
  }

 private:
  char32_t first_ = 0, last_ = 0;
  std::uint64_t sum_ = 0;
  std::uint32_t count_ = 0;
};

/// One word of a rule: what it means, and how far behind the one before it may stand.
struct rule_slot {
  std::uint8_t of = 0;
  std::uint32_t gap = 0;
};

/// Where a meaning stands in the rules.
struct rule_use {
  std::uint16_t rule = 0;
  std::uint8_t at = 0;
};

class rule_table {
 public:
  rule_table();

  [[nodiscard]] meanings of(std::uint64_t hash) const noexcept {
    for (auto at = hash % width;; at = (at + 1) % width) {
      if (words_[at].hash == hash) return words_[at].means;
      if (words_[at].means == 0) return 0;
    }
  }
  /// Whether a run of a script without spaces may begin so.
  [[nodiscard]] bool may_begin_run(char32_t point) const noexcept {
    return run_beginnings_[point & 0xFFFF];
  }
  [[nodiscard]] const std::vector<rule_use>& uses_of(std::size_t one) const noexcept {
    return uses_[one];
  }
  [[nodiscard]] const std::vector<rule_slot>& slots_of(std::size_t rule) const noexcept {
    return slots_[rule];
  }

 private:
  struct known_word {
    std::uint64_t hash = 0;
    meanings means = 0;
  };
  static constexpr std::size_t width =
      8192;  ///< some four times the words, in their order and in any

  void add(std::string_view word, meanings means);
  void add(std::uint64_t hash, meanings means);
  void add_rule(std::size_t number);

  std::vector<known_word> words_ = std::vector<known_word>(width);
  std::bitset<0x10000> run_beginnings_;
  std::array<std::vector<rule_use>, static_cast<std::size_t>(meaning::count)> uses_;
  std::array<std::vector<rule_slot>, rule_count> slots_;
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

rule_table::rule_table() {
  for (std::size_t one = 0; one < std::size(word_rows); ++one) {
    each_part(word_rows[one].words, [&](std::string_view word) { add(word, meanings{1} << one); });
  }
  for (std::size_t number = 0; number < rule_count; ++number) add_rule(number);
  // A word may end one rule and go on in the same: the later slot is looked at first.
  for (auto& all : uses_) {
    std::ranges::sort(all, [](const rule_use& a, const rule_use& b) { return a.at > b.at; });
  }
}

void rule_table::add(std::string_view word, meanings means) {
  auto hash = hash_begin;
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

void rule_table::add(std::uint64_t hash, meanings means) {
  auto at = hash % width;
  while (words_[at].means != 0 && words_[at].hash != hash) at = (at + 1) % width;
  words_[at].hash = hash;
  words_[at].means |= means;
}

void rule_table::add_rule(std::size_t number) {
  std::uint32_t gap = 0;
  each_part(rule_rows[number].pattern, [&](std::string_view part) {
    if (part.front() == '<') {
      gap = static_cast<std::uint32_t>(part[1] - '0') * word_length;
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

const rule_table& rules() {
  static const rule_table made;
  return made;
}

/// One pass over a text.
class instruction_reader {
 public:
  instruction_reader(std::string_view text, std::size_t most) : text_(text), most_(most) {}
  std::vector<instruction> read();

 private:
  /// How far a rule has come: where its words up to this one end, and where they begin.
  struct progress {
    std::uint32_t place = 0;
    std::size_t begin = 0;
    bool reached = false;
  };

  [[nodiscard]] std::size_t read_letters(std::size_t from);
  void read_sign(unsigned char byte, std::size_t position);
  void read_point(char32_t point, std::size_t begin, std::size_t next);
  void read_run(std::size_t from);
  void add_letter(char32_t point, std::size_t position);
  [[nodiscard]] meanings means_of_word();
  void end_word(std::size_t end);
  void take(meanings means, std::size_t begin, std::size_t end, std::uint32_t first,
            std::uint32_t last);
  void advance(const rule_use& one, std::size_t begin, std::size_t end, std::uint32_t low,
               std::uint32_t high);
  [[nodiscard]] bool is_marked(std::size_t begin) const noexcept;
  [[nodiscard]] bool is_contraction(std::size_t at) const noexcept;
  std::size_t skip_destination(std::size_t at);

  const rule_table& rules_ = rules();
  std::string_view text_;
  std::size_t most_;
  std::vector<instruction> found_;
  std::array<std::array<progress, most_slots>, rule_count> reached_{};
  std::uint64_t hash_ = hash_begin;
  std::uint64_t twin_hash_ = hash_begin;  ///< counts where `has_twins_`
  scrambled_word letters_;
  bool has_latin_ = false, has_twins_ = false;
  std::optional<std::size_t> word_;  ///< where the word that is being read begins
  std::uint32_t place_ = 0;
};

std::vector<instruction> instruction_reader::read() {
  std::size_t at = 0;
  while (at < text_.size() && found_.size() < most_) {
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte >= 0x80) {
      const auto from = at;
      const auto point = base::next_point(text_, at);
      if (at <= from) at = from + 1;
      read_point(folded_point(point), from, at);
      continue;
    }
    if (ascii_letters[byte] != 0) {
      at = read_letters(at);
      continue;
    }
    read_sign(byte, at);
    ++at;
    if (byte == ']' && at < text_.size() && text_[at] == '(') at = skip_destination(at + 1);
  }
  if (found_.size() < most_) end_word(text_.size());
  return std::move(found_);
}

/// All letters of ASCII that stand here; answers where they end.
std::size_t instruction_reader::read_letters(std::size_t from) {
  if (!word_) word_ = from;
  has_latin_ = true;
  auto hash = hash_;
  auto letters = letters_;
  auto at = from;
  for (; at < text_.size(); ++at) {
    const auto letter = ascii_letters[static_cast<unsigned char>(text_[at])];
    if (letter == 0) break;
    hash = hash_with(hash, letter);
    if (has_twins_) twin_hash_ = hash_with(twin_hash_, letter);
    letters.add(letter);
  }
  hash_ = hash;
  letters_ = letters;
  return at;
}

void instruction_reader::read_sign(unsigned char byte, std::size_t position) {
  // "don't" is a word, "you're" and "l'instruction" are two; what markdown escapes is one.
  if (byte == '\'' && is_contraction(position + 1)) return;
  end_word(position);
  const auto next = position + 1 < text_.size() ? text_[position + 1] : ' ';
  const bool ends = byte == '.' || byte == '!' || byte == '?';
  if (ends && (next == ' ' || next == '\n')) place_ += sentence_end;
  if (byte == '\n') place_ += next == '\n' ? sentence_end : line_end;
}

/// Whether the "t" of "don't" stands here, and the word ends with it.
bool instruction_reader::is_contraction(std::size_t at) const noexcept {
  return at < text_.size() && base::lower(text_[at]) == 't' &&
         (at + 1 >= text_.size() || !base::is_alphanumeric(text_[at + 1]));
}

void instruction_reader::read_point(char32_t point, std::size_t begin, std::size_t next) {
  constexpr char32_t apostrophe = 0x2019;
  if (point == 0) return;  // without a shape of its own
  if (is_divider(point)) {
    if (point == apostrophe && is_contraction(next)) return;
    end_word(begin);
    if (ends_sentence(point)) place_ += sentence_end;
    return;
  }
  if (!is_unspaced_script(point)) {
    add_letter(point, begin);
    return;
  }
  end_word(begin);
  if (rules_.may_begin_run(point)) read_run(begin);
  ++place_;
}

/// All words of a script without spaces that begin here.
void instruction_reader::read_run(std::size_t from) {
  auto hash = hash_begin;
  auto at = from;
  for (std::uint32_t length = 1; length <= longest_run && at < text_.size(); ++length) {
    const auto before = at;
    const auto point = folded_point(base::next_point(text_, at));
    if (at <= before || !is_unspaced_script(point)) return;
    hash = hash_with(hash, point);
    if (const auto means = rules_.of(hash); means != 0) {
      take(means, from, at, place_, place_ + length);
    }
  }
}

void instruction_reader::add_letter(char32_t point, std::size_t position) {
  if (!word_) word_ = position;
  const auto twin = latin_twin(point);
  if (twin != point && !has_twins_) {
    has_twins_ = true;
    twin_hash_ = hash_;
  }
  if (has_twins_) twin_hash_ = hash_with(twin_hash_, twin);
  hash_ = hash_with(hash_, point);
  has_latin_ |= point < ascii_size;
  letters_.add(point);
}

/// Of the word that ends: as it is written, as it looks where two scripts are mixed in it, and with
/// its letters in another order.
meanings instruction_reader::means_of_word() {
  auto means = rules_.of(hash_);
  if (means == 0 && has_twins_ && has_latin_) means = rules_.of(twin_hash_);
  if (const auto any_order = letters_.hash(); means == 0 && any_order != 0) {
    means = rules_.of(any_order);
  }
  hash_ = hash_begin;
  has_latin_ = has_twins_ = false;
  letters_ = {};
  return means;
}

void instruction_reader::end_word(std::size_t end) {
  if (!word_) return;
  const auto begin = *word_;
  word_.reset();
  auto means = means_of_word();
  constexpr auto markers = meanings{1} << static_cast<unsigned>(meaning::marked_im) |
                           meanings{1} << static_cast<unsigned>(meaning::marked_word);
  if ((means & markers) != 0 && !is_marked(begin)) means &= ~markers;
  if (means != 0) take(means, begin, end, place_, place_ + word_length);
  place_ += word_length;
}

/// Whether a word stands where chat templates have theirs: "<|im_start", "[INST", "<<SYS".
bool instruction_reader::is_marked(std::size_t begin) const noexcept {
  std::array<char, 2> before{' ', ' '};  // the nearest first
  std::size_t known = 0;
  for (auto at = begin; at > 0 && begin - at < 2 * before.size() && known < before.size(); --at) {
    const char c = text_[at - 1];
    if (c != '\\' && c != '/') before[known++] = c;  // markdown's own, and of closing tags
  }
  if (before[1] == '<' && (before[0] == '|' || before[0] == '<')) return true;
  return before[0] == '[' && text_.substr(begin).starts_with("INST");
}

/// The address of a link in markdown is one word, whatever it consists of.
std::size_t instruction_reader::skip_destination(std::size_t at) {
  const auto end = std::min(text_.find_first_of(") \n", at), text_.size());
  const auto target = text_.substr(at, end - at);
  const bool leads_out = target.starts_with("http") || target.starts_with("mailto");
  constexpr auto address = meanings{1} << static_cast<unsigned>(meaning::address);
  if (leads_out) take(address, at, end, place_, place_ + word_length);
  place_ += word_length;
  return end;
}

void instruction_reader::take(meanings means, std::size_t begin, std::size_t end,
                              std::uint32_t first, std::uint32_t last) {
  while (means != 0 && found_.size() < most_) {
    const auto one = static_cast<std::size_t>(__builtin_ctzll(means));
    means &= means - 1;
    for (const auto& place : rules_.uses_of(one)) advance(place, begin, end, first, last);
  }
}

void instruction_reader::advance(const rule_use& one, std::size_t begin, std::size_t end,
                                 std::uint32_t low, std::uint32_t high) {
  auto& all = reached_[one.rule];
  const auto& slots = rules_.slots_of(one.rule);
  auto first = begin;
  if (one.at > 0) {
    const auto& before = all[one.at - 1];
    const bool near =
        before.reached && low >= before.place && low - before.place <= slots[one.at].gap;
    if (!near) return;
    first = before.begin;
  }
  if (one.at + 1u < slots.size()) {
    all[one.at] = {high, first, true};
    return;
  }
  if (found_.size() >= most_) return;
  found_.push_back({rule_rows[one.rule].id, first, end});
  all = {};
}

}  // namespace

std::vector<instruction> find_instructions(std::string_view text, std::size_t most) {
  return instruction_reader(text, most).read();
}

const std::vector<std::string_view>& instruction_rules() {
  static const std::vector<std::string_view> made = [] {
    std::vector<std::string_view> all;
    for (const auto& row : rule_rows) {
      if (std::ranges::find(all, row.id) == all.end()) all.push_back(row.id);
    }
    return all;
  }();
  return made;
}

}  // namespace freshet::markdown
