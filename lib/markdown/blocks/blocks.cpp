// One pass down the page with the open elements on a stack; the bytes of every text are read once.
#include <algorithm>
#include <array>
#include <base/hash_spread.hpp>
#include <markdown/blocks/blocks.hpp>
#include <markdown/blocks/odds.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
using enum html::tag_id;

/// What a byte of text is.
enum class byte_class : std::uint8_t { other, digit, capital, letter, foreign, comma, space };

constexpr auto byte_classes = [] {
  std::array<byte_class, 256> made{};
  for (std::size_t c = 0x80; c < 0x100; ++c) made[c] = byte_class::foreign;
  for (std::size_t c = 'a'; c <= 'z'; ++c) made[c] = byte_class::letter;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) made[c] = byte_class::capital;
  for (std::size_t c = '0'; c <= '9'; ++c) made[c] = byte_class::digit;
  for (const char c : {' ', '\n', '\t', '\r', '\f'}) {
    made[static_cast<unsigned char>(c)] = byte_class::space;
  }
  made['_'] = byte_class::letter;
  made[','] = byte_class::comma;
  return made;
}();

/// Of a character beyond ASCII, by its first bytes.
enum class foreign_kind : std::uint8_t { letter, wide, mark };

foreign_kind kind_of(unsigned char lead, unsigned char second) noexcept {
  if (lead == 0xC2) return foreign_kind::mark;                    // signs and the hard space
  if (lead == 0xE2) return foreign_kind::mark;                    // dashes, quotes, symbols
  if (lead == 0xE3 && second == 0x80) return foreign_kind::mark;  // ideographic punctuation
  if (lead == 0xEF && (second == 0xBC || second == 0xBD)) return foreign_kind::mark;
  if (lead == 0xF0 && second == 0x9F) return foreign_kind::mark;  // pictures
  const bool cjk = lead >= 0xE3 && lead <= 0xE9;
  const bool thai = lead == 0xE0 && (second == 0xB8 || second == 0xB9);
  return cjk || thai ? foreign_kind::wide : foreign_kind::letter;
}

std::size_t length_of(unsigned char lead) noexcept {
  return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
}

/// The words of one block, as many of them as are kept.
class word_list {
 public:
  void add(std::uint32_t hash) noexcept {
    if (count_ < first_words) {
      first_[count_] = hash;
    } else {
      last_[count_ % last_words] = hash;
    }
    ++count_;
  }
  /// Appends them, and begins anew.
  void move_to(std::vector<std::uint32_t>& words) {
    const auto kept = std::min(count_, first_words);
    words.insert(words.end(), first_.begin(), first_.begin() + static_cast<std::ptrdiff_t>(kept));
    for (std::size_t i = first_words; i < std::min(count_, first_words + last_words); ++i) {
      words.push_back(last_[i % last_words]);
    }
    for (std::size_t i = 1; i < count_ && count_ <= short_block; ++i) {
      words.push_back(word_hash::pair(first_[i - 1], first_[i]));
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t first_words = 12, last_words = 4, short_block = 8;
  std::array<std::uint32_t, first_words> first_{};
  std::array<std::uint32_t, last_words> last_{};
  std::size_t count_ = 0;
};

/// Reads a text into sums; words go on over the edge of a text node.
class text_reader {
 public:
  /// Thai and its like write some four characters a word, Chinese and its like two.
  static constexpr std::uint32_t thai_characters = 4;

  void read(std::string_view text, text_sums& sums) noexcept {
    auto hash = sums.hash;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      switch (byte_classes[c]) {
        case byte_class::letter:
        case byte_class::capital:
          i = read_letters(text, i, sums, hash);
          continue;
        case byte_class::digit:
          ++sums.digits;
          break;
        case byte_class::foreign:
          i += read_foreign(text, i, sums, hash);
          continue;
        case byte_class::comma:
          ++sums.commas;
          [[fallthrough]];
        case byte_class::other:
          sums.last = c;
          [[fallthrough]];
        case byte_class::space:
          end_word();
          continue;
      }
      ++sums.letters;
      sums.last = c;
      hash = hash * base::hash_spread + (c | 0x20u);
      if (!in_word_) sums.half_words += 2;
      in_word_ = true;
    }
    sums.hash = hash;
  }
  void end_word() noexcept {
    in_word_ = false;
    if (spelled_) words_.add(word_.value());
    spelled_ = false;
    word_ = word_hash(word_hash::of_texts);
  }
  [[nodiscard]] word_list& words() noexcept { return words_; }

 private:
  void add_letter(std::uint32_t letter) noexcept {
    word_.add(static_cast<unsigned char>(letter));
    spelled_ = true;
  }

  /// All letters of ASCII that stand there; the place of the last one.
  std::size_t read_letters(std::string_view text, std::size_t position, text_sums& sums,
                           std::uint64_t& hash) noexcept {
    auto mixed = hash;
    auto word = word_;
    std::uint32_t capitals = 0;
    auto at = position;
    for (; at < text.size(); ++at) {
      const auto c = static_cast<unsigned char>(text[at]);
      const auto one = byte_classes[c];
      if (one != byte_class::letter && one != byte_class::capital) break;
      capitals += one == byte_class::capital ? 1 : 0;
      mixed = mixed * base::hash_spread + (c | 0x20u);
      word.add(c | 0x20u);
    }
    hash = mixed;
    word_ = word;
    spelled_ = true;
    sums.capitals += capitals;
    sums.letters += static_cast<std::uint32_t>(at - position);
    sums.last = static_cast<unsigned char>(text[at - 1]);
    if (!in_word_) sums.half_words += 2;
    in_word_ = true;
    return at - 1;
  }

  /// How many bytes more than one were read.
  std::size_t read_foreign(std::string_view text, std::size_t position, text_sums& sums,
                           std::uint64_t& hash) noexcept {
    const auto lead = static_cast<unsigned char>(text[position]);
    const auto size = std::min(length_of(lead), text.size() - position);
    const auto second = size > 1 ? static_cast<unsigned char>(text[position + 1]) : 0;
    sums.last = lead;
    const auto kind = kind_of(lead, static_cast<unsigned char>(second));
    if (kind == foreign_kind::mark) {
      if (lead == 0xE3 || lead == 0xEF) ++sums.commas;
      end_word();
      return size - 1;
    }
    ++sums.letters;
    if (kind == foreign_kind::wide) end_word();
    for (std::size_t i = 0; i < size; ++i) {
      hash = hash * base::hash_spread + static_cast<unsigned char>(text[position + i]);
      add_letter(static_cast<unsigned char>(text[position + i]));
    }
    if (kind == foreign_kind::wide) {
      const bool thai = lead == 0xE0;
      if (!thai || ++thai_ % (thai_characters / 2) == 0) ++sums.half_words;
      end_word();
    } else {
      if (!in_word_) sums.half_words += 2;
      in_word_ = true;
    }
    return size - 1;
  }

  bool in_word_ = false, spelled_ = false;
  word_hash word_{word_hash::of_texts};
  word_list words_;
  std::uint32_t thai_ = 0;
};

/// The first class says what an element is, the others how this one differs.
std::string_view first_class(std::string_view names) {
  const auto is_space = [](char c) {
    return byte_classes[static_cast<unsigned char>(c)] == byte_class::space;
  };
  const auto* const begin = std::ranges::find_if_not(names, is_space);
  const auto* const end = std::find_if(begin, names.end(), is_space);
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::uint64_t signature_of(const page_tree& tree, node_id id) {
  constexpr std::uint64_t prime = 0x100000001B3ull;
  constexpr std::size_t longest = 40;
  std::uint64_t hash = 0xCBF29CE484222325ull ^ static_cast<std::uint64_t>(tree.tag_of(id));
  const auto name = first_class(tree.attribute_of(id, "class")).substr(0, longest);
  for (const char c : name) {
    // "item-12" and "item-13" are the same.
    if (c < '0' || c > '9') hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  }
  return hash ^ (hash >> 29);
}

std::uint16_t part_of_role(std::string_view role) {
  if (role.empty()) return 0;
  if (role == "navigation" || role == "menu" || role == "menubar") return part::nav;
  if (role == "complementary") return part::aside;
  if (role == "contentinfo") return part::footer;
  if (role == "banner") return part::header;
  if (role == "main") return part::main;
  if (role == "article") return part::article;
  if (role == "search") return part::form;
  if (role == "button" || role == "tab" || role == "option") return part::control;
  if (role == "dialog" || role == "alertdialog" || role == "alert") return part::dialog;
  return 0;
}

std::uint16_t part_of(const page_tree& tree, node_id id) {
  const auto by_role = part_of_role(tree.attribute_of(id, "role"));
  switch (tree.tag_of(id)) {
    case nav:
      return by_role | part::nav;
    case aside:
      return by_role | part::aside;
    case footer:
      return by_role | part::footer;
    case header:
      return by_role | part::header;
    case main:
      return by_role | part::main;
    case article:
      return by_role | part::article;
    case form:
    case fieldset:
      return by_role | part::form;
    case figure:
    case figcaption:
      return by_role | part::figure;
    case button:
    case label:
    case option:
    case legend:
      return by_role | part::control;
    case ul:
    case ol:
      return by_role | part::list;
    case table:
      return by_role | part::table;
    case dialog:
      return by_role | part::dialog;
    default:
      return by_role;
  }
}

bool is_boundary(html::tag_id tag) noexcept {
  return is_block(tag) || tag == button || tag == label || tag == option;
}

class lister {
 public:
  explicit lister(const page_tree& tree) : tree_(tree) {}

  block_list run() {
    const auto body = tree_.body();
    tree_.spend_on(body);
    open(body);
    for (auto id = body + 1; id < tree_.end_of(body); ++id) {
      if (tree_.is_dropped(id)) {
        id = tree_.end_of(id) - 1;
        continue;
      }
      while (!tree_.contains(made_.boxes[stack_.back()].id, id)) close();
      if (tree_.is_text(id)) {
        if (tree_.text_in(id) > 0) add(id);
      } else if (tree_.is_element(id)) {
        enter(id);
      }
    }
    while (!stack_.empty()) close();
    end_block();
    link();
    return std::move(made_);
  }

 private:
  void enter(node_id id) {
    const auto tag = tree_.tag_of(id);
    if (is_boundary(tag)) {
      open(id);
    } else if (tag == br) {
      // Two of them part paragraphs.
      if (breaks_ > 0) in_block_ = false;
      ++breaks_;
      reader_.end_word();
    } else if (tag == img) {
      reader_.end_word();
    }
  }

  void open(node_id id) {
    text_box box;
    box.id = id;
    box.parent = stack_.empty() ? 0 : stack_.back();
    box.first = box.end = static_cast<std::uint32_t>(made_.blocks.size());
    stack_.push_back(static_cast<std::uint32_t>(made_.boxes.size()));
    made_.boxes.push_back(box);
    in_block_ = false;
  }

  /// A box without blocks goes; those inside it have gone before.
  void close() {
    auto& box = made_.boxes[stack_.back()];
    box.end = static_cast<std::uint32_t>(made_.blocks.size());
    if (box.first == box.end && stack_.size() > 1) made_.boxes.pop_back();
    stack_.pop_back();
    in_block_ = false;
  }

  /// Before another block begins, and at the end.
  void end_block() {
    reader_.end_word();
    if (made_.blocks.empty()) return;
    auto& block = made_.blocks.back();
    block.first_word = static_cast<std::uint32_t>(made_.words.size());
    reader_.words().move_to(made_.words);
    block.end_word = static_cast<std::uint32_t>(made_.words.size());
  }

  void add(node_id id) {
    if (!in_block_) {
      end_block();
      made_.blocks.emplace_back();
      made_.blocks.back().first = id;
      made_.blocks.back().box = stack_.back();
      made_.blocks.back().heading = is_heading(tree_.tag_of(made_.boxes[stack_.back()].id));
    }
    in_block_ = true;
    breaks_ = 0;
    auto& block = made_.blocks.back();
    block.last = id;
    const auto text = tree_.text_at(id);
    constexpr std::size_t bytes_per_step = 8;
    tree_.spend(text.size() / bytes_per_step);
    const auto before = block.text.half_words;
    reader_.read(text, block.text);
    if (tree_.is_inside(id, inside::link)) {
      block.link_half_words += block.text.half_words - before;
    }
  }

  /// What needs the ends of all boxes.
  void link() {
    for (std::uint32_t i = 0; i < made_.boxes.size(); ++i) {
      auto& box = made_.boxes[i];
      const auto& parent = made_.boxes[box.parent];
      const bool wider = parent.first < box.first || parent.end > box.end;
      box.up = wider ? box.parent : parent.up;
      box.signature = signature_of(tree_, box.id);
      box.parts = static_cast<std::uint16_t>(part_of(tree_, box.id) | (i > 0 ? parent.parts : 0));
    }
    made_.boxes.front().up = 0;
  }

  const page_tree& tree_;
  block_list made_;
  std::vector<std::uint32_t> stack_;
  text_reader reader_;
  bool in_block_ = false;
  int breaks_ = 0;
};

}  // namespace

bool page_block::is_prose() const noexcept {
  constexpr std::uint32_t least_half_words = 24;
  constexpr double most_links = 0.34;
  return !heading && text.half_words >= least_half_words &&
         link_half_words < most_links * text.half_words;
}

block_list list_blocks(const page_tree& tree) { return lister(tree).run(); }

std::uint64_t text_hash(std::string_view text) noexcept {
  text_sums sums;
  text_reader().read(text, sums);
  return sums.hash;
}

}  // namespace freshet::markdown
