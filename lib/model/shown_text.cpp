// Most texts are told by their bytes; the others are read code point by code point, once.
#include <base/unicode.hpp>
#include <cstdint>
#include <cstring>
#include <model/item_fields.hpp>
#include <model/shown_text.hpp>
#include <utility>
#include <vector>

namespace freshet::model {
namespace {

constexpr char32_t next_line = 0x85, line_separator = 0x2028, paragraph_separator = 0x2029,
                   end_of_embedding = 0x202C, left_override = 0x202D, right_override = 0x202E,
                   end_of_isolate = 0x2069;

bool is_control(char32_t point) noexcept {
  return point < 0x20 || (point >= 0x7F && point <= 0x9F);
}

/// A control that is white space, or what divides lines as one does.
bool breaks_line(char32_t point) noexcept {
  return (point >= '\t' && point <= '\r') || point == next_line || point == line_separator ||
         point == paragraph_separator;
}

bool is_embedding(char32_t point) noexcept {
  return point == 0x202A || point == 0x202B || point == left_override || point == right_override;
}
bool is_isolate(char32_t point) noexcept { return point >= 0x2066 && point <= 0x2068; }
bool turns_letters(char32_t point) noexcept {
  return is_embedding(point) || is_isolate(point) || point == end_of_embedding ||
         point == end_of_isolate;
}

/// Whether what begins a text is one of these, by its bytes; separators of lines begin as
/// directions do, and count in a line alone.
bool begins_sign(std::string_view rest, bool has_lines) noexcept {
  const auto byte = [&](std::size_t i) {
    return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0U;
  };
  switch (byte(0)) {
    case 0xC2:
      return byte(1) >= 0x80 && byte(1) <= 0x9F;
    case 0xE2:
      if (byte(1) == 0x81) return byte(2) >= 0xA6 && byte(2) <= 0xA9;
      return byte(1) == 0x80 && byte(2) >= (has_lines ? 0xAA : 0xA8) && byte(2) <= 0xAE;
    case '\t':
    case '\n':
      return !has_lines;
    default:
      return byte(0) < ' ' || byte(0) == 0x7F;
  }
}

bool holds_sign(std::string_view text, bool has_lines) noexcept {
  constexpr std::uint64_t high_bits = 0x8080808080808080U, spaces = 0x2020202020202020U,
                          ones = 0x0101010101010101U, deletes = 0x7F7F7F7F7F7F7F7FU;
  for (std::size_t at = 0; at < text.size();) {
    // ASCII, eight bytes at once, without one below a space and without a DEL.
    std::uint64_t eight = 0;
    if (at + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      const std::uint64_t no_delete = eight ^ deletes;
      if (((eight | (eight - spaces) | ((no_delete - ones) & ~no_delete)) & high_bits) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    if (begins_sign(text.substr(at), has_lines)) return true;
    ++at;
  }
  return false;
}

/// The signs of a paragraph that turn its letters, matched as UAX 9 does (BD9 to BD11).
class paragraph_directions {
 public:
  void add(std::size_t position, char32_t point) {
    if (is_embedding(point) || is_isolate(point)) {
      open_.push_back(signs_.size());
      isolates_ += is_isolate(point) ? 1 : 0;
    }
    signs_.push_back({position, point, false});
    if (point == end_of_embedding && !open_.empty()) {
      auto& opener = signs_[open_.back()];
      if (is_isolate(opener.point)) return;  // an isolate is closed by its own end alone
      const bool is_override = opener.point == left_override || opener.point == right_override;
      opener.stays = signs_.back().stays = !is_override;
      open_.pop_back();
    } else if (point == end_of_isolate && isolates_ > 0) {
      while (!is_isolate(signs_[open_.back()].point)) open_.pop_back();
      signs_[open_.back()].stays = signs_.back().stays = true;
      open_.pop_back();
      --isolates_;
    }
  }

  /// Appends the paragraph, which begins at `begin` of `text`, without those that do not stay.
  void write(std::string_view text, std::size_t begin, std::size_t end, std::string& out) {
    constexpr std::size_t sign_bytes = 3;
    for (const auto& one : signs_) {
      if (one.stays) continue;
      out.append(text.substr(begin, one.position - begin));
      begin = one.position + sign_bytes;
    }
    out.append(text.substr(begin, end - begin));
    signs_.clear();
    open_.clear();
    isolates_ = 0;
  }

 private:
  struct sign {
    std::size_t position;
    char32_t point;
    bool stays;
  };
  std::vector<sign> signs_;
  std::vector<std::size_t> open_;  ///< of signs_
  std::size_t isolates_ = 0;       ///< that are open
};

/// Valid UTF-8 with \n at the ends of its lines, and no other control than tabs.
std::string with_plain_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t point = base::next_point(text, at);
    if (point == '\r' && text.substr(at).starts_with('\n')) continue;
    if (point == '\r' || point == '\v' || point == '\f' || point == next_line) {
      out += '\n';
    } else if (!is_control(point) || point == '\n' || point == '\t') {
      out.append(text.substr(from, at - from));
    }
  }
  return out;
}

std::string with_closed_directions(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  paragraph_directions here;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t point = base::next_point(text, at);
    if (turns_letters(point)) {
      here.add(from, point);
    } else if (point == '\n' || point == paragraph_separator) {
      here.write(text, begin, at, out);
      begin = at;
    }
  }
  here.write(text, begin, text.size(), out);
  return out;
}

/// Composed and trimmed, as texts of items are.
std::string finished(const std::string& text) { return std::string(base::trim(base::nfc(text))); }

/// Visits every text of an item and its parts.
class text_visitor {
 public:
  void operator()(auto, std::string_view key, std::string& text) const {
    if (key == "markdown") return;
    if (key == "text" || key == "description" || key == "alt") {
      to_lines(text);
    } else {
      to_one_line(text);
    }
  }
  void operator()(auto, std::string_view, std::vector<std::string>& texts) const {
    bool is_changed = false;
    for (auto& one : texts) {
      if (is_one_line(one)) continue;
      to_one_line(one);
      is_changed = true;
    }
    if (is_changed) std::erase(texts, std::string());
  }
  void operator()(auto, std::string_view, std::vector<safety_mark>&) const {}
  void operator()(auto, std::string_view, std::vector<highlight>&) const {}
  template <class Part>
  void operator()(auto, std::string_view, std::vector<Part>& parts) const {
    for (auto& one : parts) each_field(one, *this);
  }
  template <class Value>
  void operator()(auto, std::string_view, Value& value) const {
    if constexpr (requires { each_field(value, *this); }) each_field(value, *this);
  }
  void object() const {}
  void metrics() const {}
};

}  // namespace

bool is_one_line(std::string_view text) noexcept { return !holds_sign(text, false); }

void to_one_line(std::string& text) {
  if (!holds_sign(text, false)) return;
  // Repaired first: what is left out must not make a sign of the bytes around it.
  auto line = base::repair_utf8(text);
  std::string kept;
  kept.reserve(line.size());
  bool is_broken = false;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t from = at;
    const char32_t point = base::next_point(line, at);
    is_broken = is_broken || breaks_line(point);
    if ((is_control(point) && !breaks_line(point)) || turns_letters(point)) continue;
    kept.append(line, from, at - from);
  }
  text = finished(is_broken ? base::collapse_spaces(kept) : kept);
}

void to_lines(std::string& text) {
  if (!holds_sign(text, true)) return;
  text = finished(with_closed_directions(with_plain_lines(base::repair_utf8(text))));
}

void to_shown(item& any) { visit_fields(any, text_visitor()); }

}  // namespace freshet::model
