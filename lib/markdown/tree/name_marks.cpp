// The automaton behind name_marks (Aho and Corasick, 1975): all lists of names at once, one step a
// byte. Built on first use from signals.hpp, then only read.
#include <array>
#include <markdown/tree/name_marks.hpp>
#include <markdown/tree/signals.hpp>
#include <string>
#include <vector>

namespace freshet::markdown {

namespace {

/// Stands in a list for the edge of a word: a space, a hyphen or an underscore.
constexpr char edge = '|';
constexpr std::string_view edges = " -_";

class automaton {
 public:
  automaton();
  [[nodiscard]] name_marks read(std::string_view names) const noexcept;

 private:
  using state = std::uint16_t;
  static constexpr std::size_t width = 64;  ///< more than the characters that names consist of

  void number_characters();
  void add(std::string_view name, name_marks mark);
  void add_with_edges(std::string_view name, name_marks mark);
  void link();
  state append_state();
  [[nodiscard]] state& next(state state, std::uint8_t character) {
    return next_[state * width + character];
  }

  std::array<std::uint8_t, 256> characters_{};  ///< 0: in no name
  std::vector<state> next_;
  std::vector<name_marks> marks_;
};

void automaton::number_characters() {
  std::uint8_t count = 0;
  for (const auto c : std::string_view("abcdefghijklmnopqrstuvwxyz0123456789-_ ")) {
    characters_[static_cast<unsigned char>(c)] = ++count;
  }
  for (char c = 'A'; c <= 'Z'; ++c) {
    characters_[static_cast<unsigned char>(c)] =
        characters_[static_cast<unsigned char>(c - 'A' + 'a')];
  }
  for (const char c : {'\t', '\n', '\f', '\r'}) {
    characters_[static_cast<unsigned char>(c)] = characters_[static_cast<unsigned char>(' ')];
  }
}

automaton::state automaton::append_state() {
  next_.resize(next_.size() + width, 0);
  marks_.push_back(0);
  return static_cast<state>(marks_.size() - 1);
}

void automaton::add(std::string_view name, name_marks mark) {
  state at = 0;
  for (const char c : name) {
    const auto character = characters_[static_cast<unsigned char>(c)];
    if (next(at, character) == 0) {
      const auto fresh = append_state();
      next(at, character) = fresh;
    }
    at = next(at, character);
  }
  marks_[at] |= mark;
}

void automaton::add_with_edges(std::string_view name, name_marks mark) {
  if (name.empty()) return;
  const bool before = name.front() == edge, after = name.back() == edge;
  std::string one(name);
  for (const char first : before ? edges : edges.substr(0, 1)) {
    if (before) one.front() = first;
    for (const char last : after ? edges : edges.substr(0, 1)) {
      if (after) one.back() = last;
      add(one, mark);
    }
  }
}

/// Breadth first: where no name goes on, the longest end of what was read that begins one does.
void automaton::link() {
  std::vector<state> fallback(marks_.size(), 0), order;
  order.reserve(marks_.size());
  for (std::uint8_t c = 0; c < width; ++c) {
    if (next(0, c) != 0) order.push_back(next(0, c));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at = order[i];
    marks_[at] |= marks_[fallback[at]];
    for (std::uint8_t c = 0; c < width; ++c) {
      const auto other = next(fallback[at], c);
      if (next(at, c) == 0) {
        next(at, c) = other;
      } else {
        fallback[next(at, c)] = other;
        order.push_back(next(at, c));
      }
    }
  }
}

automaton::automaton() {
  number_characters();
  append_state();
  for (const auto& group : signals::name_groups) {
    for (const auto name : group.names) add_with_edges(name, group.mark);
  }
  link();
}

name_marks automaton::read(std::string_view names) const noexcept {
  const auto space = characters_[static_cast<unsigned char>(' ')];
  std::size_t at = next_[space];
  name_marks found = marks_[at];
  for (const char c : names) {
    at = next_[at * width + characters_[static_cast<unsigned char>(c)]];
    found |= marks_[at];
  }
  return found | marks_[next_[at * width + space]];
}

}  // namespace

name_marks marks_in(std::string_view names) noexcept {
  static const automaton all;
  return all.read(names);
}

}  // namespace freshet::markdown
