// Line by line what a line is, then paragraph by paragraph what is marked in it. Nothing recurses,
// and nothing looks twice for what is not there.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <map>
#include <sources/item_text.hpp>
#include <sources/marked_text.hpp>
#include <sources/rich_text.hpp>
#include <string>
#include <vector>

namespace freshet::sources {
namespace {

constexpr std::string_view blanks = " \t";
/// Where an address in a text ends, and what does not belong to it.
constexpr std::string_view address_ends = " \t\r\n<>\"`|\\";
constexpr std::string_view after_address = ".,;:!?'*_";
constexpr std::size_t longest_entity = 32;

bool is_mark(char c) { return c > ' ' && c < 0x7f && !base::is_alphanumeric(c); }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// One paragraph: writes what it says, and collects addresses and pictures.
class paragraph_reader {
 public:
  paragraph_reader(std::string_view text, std::string_view base_url, item_common& common)
      : text_(text), base_url_(base_url), common_(common) {
    std::vector<std::size_t> open;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\\') {
        ++at;
      } else if (text[at] == '[') {
        open.push_back(at);
      } else if (text[at] == ']' && !open.empty()) {
        closing_[open.back()] = at;
        open.pop_back();
      } else if (text[at] == '`') {
        const std::size_t size = run_at(at);
        ticks_.push_back({at, size});
        at += size - 1;
      }
    }
  }

  std::string read() {
    while (at_ < text_.size()) step();
    std::string out;
    std::size_t from = 0;
    for (const auto& one : runs_) {
      out.append(out_, from, one.at - from);
      from = one.at + one.used;
    }
    return out.append(out_, from);
  }

 private:
  struct tick_run {
    std::size_t at, size;
  };
  /// Signs of emphasis in out_; those that have found their partners are used.
  struct sign_run {
    std::size_t at, size, used;
    char sign;
  };

  [[nodiscard]] std::size_t run_at(std::size_t at) const {
    const auto end = text_.find_first_not_of(text_[at], at);
    return std::min(end, text_.size()) - at;
  }

  void take(std::size_t size) {
    out_.append(text_, at_, size);
    at_ += size;
  }

  void step() {
    const char c = text_[at_];
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (const auto end = label_ends_.find(at_); end != label_ends_.end()) {
      at_ = end->second;
    } else if (c == '\\' && is_mark(next)) {
      ++at_;
      take(1);
    } else if (c == '\\' && next == '\n') {
      ++at_;
    } else if (c == '`') {
      take_code();
    } else if (c == '*' || c == '_' || c == '~') {
      take_signs();
    } else {
      const bool is_taken = (c == '!' && next == '[' && take_picture()) ||
                            (c == '[' && enter_link()) || (c == '<' && take_bracketed_address()) ||
                            (c == 'h' && take_address()) || (c == '&' && take_entity());
      if (!is_taken) take(1);
    }
  }

  void take_code() {
    const std::size_t size = run_at(at_);
    while (tick_ < ticks_.size() && ticks_[tick_].at <= at_) ++tick_;
    const auto end = std::find_if(ticks_.begin() + static_cast<std::ptrdiff_t>(tick_), ticks_.end(),
                                  [&](const tick_run& one) { return one.size == size; });
    if (end == ticks_.end()) return take(size);
    out_.append(base::trim(text_.substr(at_ + size, end->at - at_ - size)));
    at_ = end->at + size;
  }

  struct target {
    std::string_view address;
    std::size_t label_end, end;
  };
  /// What "[label](address "title")" at `open` leads to; `end` 0: it is none.
  [[nodiscard]] target target_of(std::size_t open) const {
    constexpr target none{"", 0, 0};
    const auto close = closing_.find(open);
    if (close == closing_.end() || close->second + 1 >= text_.size() ||
        text_[close->second + 1] != '(') {
      return none;
    }
    const std::size_t start =
        std::min(text_.find_first_not_of(" \t\n", close->second + 2), text_.size());
    std::size_t at = start, open_brackets = 0;
    for (; at < text_.size() && !is_blank(text_[at]) && at - start <= address_limit; ++at) {
      if (text_[at] == '(') ++open_brackets;
      if (text_[at] == ')' && open_brackets-- == 0) break;
    }
    auto address = text_.substr(start, at - start);
    if (address.starts_with('<') && address.ends_with('>')) {
      address = address.substr(1, address.size() - 2);
    }
    at = std::min(text_.find_first_not_of(" \t\n", at), text_.size());
    if (at < text_.size() && (text_[at] == '"' || text_[at] == '\'')) {
      const auto end = text_.find(text_[at], at + 1);
      if (end == text_.npos || end - at > address_limit) return none;
      at = std::min(text_.find_first_not_of(" \t\n", end + 1), text_.size());
    }
    if (address.size() > address_limit || at == text_.size() || text_[at] != ')') return none;
    return {address, close->second, at + 1};
  }

  bool take_picture() {
    const auto found = target_of(at_ + 1);
    if (found.end == 0) return false;
    media shown;
    shown.alt = clean_text(text_.substr(at_ + 2, found.label_end - at_ - 2));
    add_picture(found.address, base_url_, std::move(shown), common_);
    at_ = found.end;
    return true;
  }

  bool enter_link() {
    const auto found = target_of(at_);
    if (found.end == 0) return false;
    add_link(found.address, base_url_, common_);
    label_ends_[found.label_end] = found.end;
    ++at_;
    return true;
  }

  bool take_bracketed_address() {
    const std::size_t end = text_.find_first_of(address_ends, at_ + 1);
    if (end == text_.npos || text_[end] != '>') return false;
    const auto address = text_.substr(at_ + 1, end - at_ - 1);
    if (!address.starts_with("http://") && !address.starts_with("https://")) return false;
    add_link(address, base_url_, common_);
    out_.append(address);
    at_ = end + 1;
    return true;
  }

  bool take_address() {
    auto rest = text_.substr(at_);
    if (!rest.starts_with("http://") && !rest.starts_with("https://")) return false;
    // "[https://a.example]" is no link, and its bracket none of the address.
    const auto around = at_ == 0 ? closing_.end() : closing_.find(at_ - 1);
    if (around != closing_.end()) rest = rest.substr(0, around->second - at_);
    std::size_t size = 0, open = 0;
    for (; size < rest.size() && address_ends.find(rest[size]) == rest.npos; ++size) {
      if (rest[size] == '(') ++open;
      if (rest[size] == ')' && open-- == 0) break;
      if (label_ends_.contains(at_ + size)) break;
    }
    while (after_address.find(rest[size - 1]) != rest.npos) --size;
    add_link(rest.substr(0, size), base_url_, common_);
    take(size);
    return true;
  }

  void take_signs() {
    const char sign = text_[at_];
    const std::size_t size = run_at(at_);
    const char before = at_ == 0 ? ' ' : text_[at_ - 1];
    const char after = at_ + size < text_.size() ? text_[at_ + size] : ' ';
    const bool is_word_sign = sign == '_';
    bool opens = !is_blank(after) && !(is_word_sign && is_word_letter(before));
    bool closes = !is_blank(before) && !(is_word_sign && is_word_letter(after));
    if (sign == '~' && size != 2) opens = closes = false;
    sign_run mine{out_.size(), size, 0, sign};
    auto& known = open_count_[static_cast<unsigned char>(sign)];
    while (closes && known > 0 && mine.used < size) {
      while (runs_[open_.back()].sign != sign) {
        --open_count_[static_cast<unsigned char>(runs_[open_.back()].sign)];
        open_.pop_back();
      }
      auto& partner = runs_[open_.back()];
      const auto shared = std::min(size - mine.used, partner.size - partner.used);
      mine.used += shared;
      partner.used += shared;
      if (partner.used < partner.size) break;
      open_.pop_back();
      --known;
    }
    if (opens && mine.used == 0) {
      open_.push_back(runs_.size());
      ++known;
    }
    runs_.push_back(mine);
    take(size);
  }

  bool take_entity() {
    const auto window = text_.substr(at_ + 1, longest_entity);
    std::size_t end = 0;
    while (end < window.size() && (base::is_alphanumeric(window[end]) || window[end] == '#')) ++end;
    if (end == window.size() || window[end++] != ';') return false;
    out_.append(html::decode_entities(text_.substr(at_, end + 1)));
    at_ += end + 1;
    return true;
  }

  static bool is_word_letter(char c) {
    return base::is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80;
  }

  static constexpr std::size_t address_limit = 2048;

  std::string_view text_, base_url_;
  item_common& common_;
  std::size_t at_ = 0, tick_ = 0;
  std::string out_;
  std::map<std::size_t, std::size_t> closing_;     ///< of brackets: where each is closed
  std::map<std::size_t, std::size_t> label_ends_;  ///< of links: where to go on behind each
  std::vector<tick_run> ticks_;
  std::vector<sign_run> runs_;
  std::vector<std::size_t> open_;  ///< of runs_
  std::array<std::size_t, 256> open_count_{};
};

bool consists_of(std::string_view line, std::string_view letters) {
  return line.find_first_not_of(letters) == line.npos;
}

/// A line between parts: of three hyphens or more, asterisks or low lines; what underlines a
/// heading, and what stands below a table's head.
bool is_rule(std::string_view line) {
  if (line.size() < 3) return false;
  for (const std::string_view letters : {"- \t", "* \t", "_ \t", "="}) {
    if (consists_of(line, letters)) {
      return std::ranges::count(line, letters[0]) >= 3 && line[0] == letters[0];
    }
  }
  return line[0] == '|' && line.find('-') != line.npos && consists_of(line, "|-: \t");
}

/// A line of a paragraph without what says that it is a heading, a quotation or a spoiler.
std::string_view without_block_signs(std::string_view line) {
  while (line.starts_with('>') && !line.starts_with(">!")) {
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  }
  const auto level = std::min(line.find_first_not_of('#'), line.size());
  if (level > 0 && level <= 6 && level < line.size() && line[level] == ' ') {
    line.remove_prefix(level);
    line = base::trim(line);
    const auto end = line.find_last_not_of('#');
    if (end != line.npos && end + 1 < line.size() && line[end] == ' ') line = line.substr(0, end);
  }
  if (line.starts_with(":::")) {
    line = base::trim(line.substr(3));
    if (line.starts_with("spoiler")) line.remove_prefix(7);
    line = base::trim(line);
  }
  return line;
}

/// How a block of code begins and ends; "": this line is no such.
std::string_view fence_of(std::string_view line) {
  for (const std::string_view sign : {"```", "~~~"}) {
    if (!line.starts_with(sign)) continue;
    const auto size = std::min(line.find_first_not_of(sign[0]), line.size());
    if (line.find('`', size) == line.npos) return line.substr(0, size);
  }
  return {};
}

}  // namespace

void read_marked_text(std::string_view markdown, std::string_view base_url, item_common& common) {
  const std::string clean = clean_text(markdown);
  std::string out, open_paragraph;
  std::string_view fence;
  const auto end_paragraph = [&] {
    if (!open_paragraph.empty()) {
      out += paragraph_reader(open_paragraph, base_url, common).read();
      out += '\n';
    }
    open_paragraph.clear();
  };
  for (std::string_view rest = clean; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    auto line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto bare = base::trim(line);
    const auto sign = fence_of(bare);
    if (!fence.empty()) {
      const bool is_end = sign.starts_with(fence) && sign == bare;
      if (is_end) fence = {};
      if (!is_end) out.append(line) += '\n';
    } else if (!sign.empty()) {
      end_paragraph();
      fence = sign;
    } else if (bare.empty()) {
      end_paragraph();
      if (!out.ends_with("\n\n")) out += '\n';
    } else if (!is_rule(bare)) {
      const auto said = without_block_signs(bare);
      const auto indent = said.data() == bare.data() ? line.find_first_not_of(blanks) : 0;
      if (said.empty()) {
        end_paragraph();
        continue;
      }
      if (!open_paragraph.empty()) open_paragraph += '\n';
      open_paragraph.append(line, 0, indent).append(said);
    }
  }
  end_paragraph();
  common.text = clean_text(out);
}

}  // namespace freshet::sources
