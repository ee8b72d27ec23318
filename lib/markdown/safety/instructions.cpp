// One pass over a text: each word is looked up once as it ends, and each rule remembers where its
// beginning was last seen, which is all that its next word has to know.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <cstdint>
#include <markdown/safety/disguised_word.hpp>
#include <markdown/safety/folding.hpp>
#include <markdown/safety/instruction_table.hpp>
#include <markdown/safety/instructions.hpp>
#include <markdown/safety/spelled_run.hpp>
#include <markdown/safety/word_hash.hpp>
#include <optional>
#include <utility>

namespace freshet::markdown {

namespace {

constexpr std::size_t most_slots = 8;
/// What ends a sentence is as far as nothing may reach; a line is as long as a word.
constexpr std::uint32_t sentence_end = 100 * word_length, line_end = word_length;
/// The longest run of a script without spaces in the table, in characters.
constexpr std::size_t longest_run = 8;
/// The shortest text without spaces in which words are looked for that begin with a capital.
constexpr std::size_t least_humps = 12;

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
  [[nodiscard]] meanings means_of_word(std::size_t begin, std::size_t end);
  [[nodiscard]] meanings means_at(std::size_t begin, std::size_t end, meanings means) const;
  void read_humps(std::size_t begin, std::size_t end);
  void read_spelled();
  void end_word(std::size_t end);
  void take(meanings means, std::size_t begin, std::size_t end, std::uint32_t first,
            std::uint32_t last);
  void advance(const rule_use& one, std::size_t begin, std::size_t end, std::uint32_t low,
               std::uint32_t high);
  [[nodiscard]] bool is_letter(std::size_t at) const noexcept {
    return at < text_.size() && ascii_letters[static_cast<unsigned char>(text_[at])] != 0;
  }
  [[nodiscard]] bool is_marked(std::size_t begin) const noexcept;
  [[nodiscard]] bool is_turn(std::size_t begin, std::size_t end) const noexcept;
  [[nodiscard]] bool is_contraction(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t skip_stars(std::size_t at);
  std::size_t skip_destination(std::size_t at);

  const instruction_table& rules_ = known_instructions();
  std::string_view text_;
  std::size_t most_;
  std::vector<instruction> found_;
  std::array<std::array<progress, most_slots>, instruction_rule_count> reached_{};
  std::uint64_t hash_ = word_hash_begin;
  std::uint64_t twin_hash_ = word_hash_begin;  ///< counts where `has_twins_`
  scrambled_word letters_;
  bool has_latin_ = false, has_twins_ = false;
  std::optional<std::size_t> word_;  ///< where the word that is being read begins
  std::uint32_t place_ = 0;
  /// Of a word with a hyphen: where it begins, and its hash so far, as if it had none.
  std::optional<std::size_t> joined_;
  std::uint64_t joined_hash_ = word_hash_begin;
  spelled_run spelled_;
  std::uint32_t spelled_place_ = 0;  ///< where it begins
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
    if (byte == '*') {
      at = skip_stars(at);
      continue;
    }
    read_sign(byte, at);
    // What addresses have for signs stands between words, too: "ignore%20all".
    at += base::escape_at(text_, at) ? 3 : 1;
    if (byte == ']' && at < text_.size() && text_[at] == '(') at = skip_destination(at + 1);
  }
  if (found_.size() < most_) end_word(text_.size());
  read_spelled();
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
    if (joined_) joined_hash_ = hash_with(joined_hash_, letter);
    letters.add(letter);
  }
  hash_ = hash;
  letters_ = letters;
  return at;
}

void instruction_reader::read_sign(unsigned char byte, std::size_t position) {
  // "don't" is a word, "you're" and "l'instruction" are two; what markdown escapes is one.
  if (byte == '\'' && is_contraction(position + 1)) return;
  if (byte == '-' && word_ && is_letter(position + 1)) {
    const auto begin = joined_.value_or(*word_);
    const auto hash = joined_ ? joined_hash_ : hash_;
    end_word(position);
    joined_ = begin;
    joined_hash_ = hash;
    return;
  }
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

/// All stars that stand here, inside of a word as markdown has a part of it stand out
/// ("**ig**nore"), or behind it. Answers where they end.
std::size_t instruction_reader::skip_stars(std::size_t at) {
  const auto from = at;
  at = std::min(text_.find_first_not_of('*', at), text_.size());
  if (!word_ || !is_letter(at)) end_word(from);
  return at;
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
  auto hash = word_hash_begin;
  auto at = from;
  for (std::uint32_t length = 1; length <= longest_run && at < text_.size(); ++length) {
    const auto before = at;
    const auto point = folded_point(base::next_point(text_, at));
    if (at <= before || !is_unspaced_script(point)) return;
    hash = hash_with(hash, point);
    if (const auto means = rules_.of(hash); !means.empty()) {
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

/// Of the word that ends: as it is written, as it looks where two scripts are mixed in it, with its
/// letters in another order, and disguised.
meanings instruction_reader::means_of_word(std::size_t begin, std::size_t end) {
  auto means = rules_.of(hash_);
  if (means.empty() && has_twins_ && has_latin_) means = rules_.of(twin_hash_);
  if (const auto any_order = letters_.hash(); means.empty() && any_order != 0) {
    means = rules_.of(any_order);
  }
  if (means.empty() && has_latin_) means = means_of_disguised(text_.substr(begin, end - begin));
  hash_ = word_hash_begin;
  has_latin_ = has_twins_ = false;
  letters_ = {};
  return means;
}

void instruction_reader::end_word(std::size_t end) {
  if (!word_) return;
  auto begin = *word_;
  word_.reset();
  if (end - begin == 1) {
    if (spelled_.size() == 0) spelled_place_ = place_;
    spelled_.add({base::lower(text_[begin]), begin});
  } else {
    read_spelled();
  }
  auto means = means_of_word(begin, end);
  if (joined_ && means.empty()) {
    means = rules_.of(joined_hash_);
    if (!means.empty()) begin = *joined_;
  }
  joined_.reset();
  means = means_at(begin, end, means);
  if (!means.empty()) take(means, begin, end, place_, place_ + word_length);
  if (means.empty() && end - begin >= least_humps) read_humps(begin, end);
  place_ += word_length;
}

/// Without those that only count where chat templates and chats have them, where it is not there.
meanings instruction_reader::means_at(std::size_t begin, std::size_t end, meanings means) const {
  constexpr auto markers = meanings(meaning::marked_im) | meanings(meaning::marked_word);
  if (means.has_any(markers) && !is_marked(begin)) means.remove(markers);
  constexpr auto turns = meanings(meaning::turn_of_model) | meanings(meaning::turn_of_user);
  if (means.has_any(turns) && !is_turn(begin, end)) means.remove(turns);
  return means;
}

/// Words that are written as one: "IgnoreAllPrevious".
void instruction_reader::read_humps(std::size_t begin, std::size_t end) {
  for (auto at = begin; at < end;) {
    auto hash = word_hash_begin;
    const auto from = at;
    do {
      const auto letter = ascii_letters[static_cast<unsigned char>(text_[at])];
      if (letter == 0) return;
      hash = hash_with(hash, letter);
      ++at;
    } while (at < end && base::lower(text_[at]) == text_[at]);
    if (from == begin && at == end) return;
    const auto means = means_at(from, at, rules_.of(hash));
    if (!means.empty()) take(means, from, at, place_, place_ + word_length);
    place_ += word_length;
  }
}

/// All words that single letters spell, wherever one ends: nobody sees where. A letter counts as
/// one of a script without spaces does.
void instruction_reader::read_spelled() {
  constexpr std::size_t least = 8, longest = 14;
  for (std::size_t from = 0; spelled_.size() >= least && from < spelled_.size(); ++from) {
    auto hash = word_hash_begin;
    const auto place = spelled_place_ + static_cast<std::uint32_t>(from);
    const auto most = std::min(longest, spelled_.size() - from);
    for (std::size_t length = 1; length <= most; ++length) {
      const auto& last = spelled_[from + length - 1];
      hash = hash_with(hash, static_cast<unsigned char>(last.value));
      if (length == 1) continue;
      const auto begin = spelled_[from].position, end = last.position + 1;
      const auto means = means_at(begin, end, rules_.of(hash));
      if (!means.empty()) {
        take(means, begin, end, place, place + static_cast<std::uint32_t>(length));
      }
    }
  }
  spelled_.clear();
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

/// Whether a word begins a line and a colon ends it, as in what chats are written down as.
bool instruction_reader::is_turn(std::size_t begin, std::size_t end) const noexcept {
  constexpr std::string_view marks = "*_#>[ ";  // markdown's own
  while (begin > 0 && marks.find(text_[begin - 1]) != std::string_view::npos) --begin;
  while (end < text_.size() && marks.find(text_[end]) != std::string_view::npos) ++end;
  return (begin == 0 || text_[begin - 1] == '\n') && end < text_.size() && text_[end] == ':';
}

/// The address of a link in markdown is one word, whatever it consists of.
std::size_t instruction_reader::skip_destination(std::size_t at) {
  const auto end = std::min(text_.find_first_of(") \n", at), text_.size());
  const auto target = text_.substr(at, end - at);
  const bool leads_out = target.starts_with("http") || target.starts_with("mailto");
  if (leads_out) take(meanings(meaning::address), at, end, place_, place_ + word_length);
  place_ += word_length;
  return end;
}

void instruction_reader::take(meanings means, std::size_t begin, std::size_t end,
                              std::uint32_t first, std::uint32_t last) {
  while (!means.empty() && found_.size() < most_) {
    for (const auto& place : rules_.uses_of(means.take_first()))
      advance(place, begin, end, first, last);
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
  found_.push_back({instruction_rule_rows[one.rule].id, first, end});
  all = {};
}

}  // namespace

std::vector<instruction> find_instructions(std::string_view text, std::size_t most) {
  return instruction_reader(text, most).read();
}

const std::vector<std::string_view>& instruction_rules() {
  static const std::vector<std::string_view> made = [] {
    std::vector<std::string_view> all;
    for (const auto& row : instruction_rule_rows) {
      if (std::ranges::find(all, row.id) == all.end()) all.push_back(row.id);
    }
    return all;
  }();
  return made;
}

}  // namespace freshet::markdown
