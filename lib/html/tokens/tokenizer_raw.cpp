// What is text up to its own end tag: RCDATA, RAWTEXT, script data with its escapes, PLAINTEXT; and
// CDATA sections.
#include <algorithm>
#include <base/unicode.hpp>
#include <cstring>
#include <html/tokens/entities.hpp>
#include <html/tokens/scan.hpp>
#include <html/tokens/tokenizer.hpp>

namespace freshet::html {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

}  // namespace

std::string_view tokenizer::without_nul(std::string_view text) {
  if (!has_nul_ || text.find('\0') == std::string_view::npos) return text;
  decoded_.clear();
  for (const char c : text) {
    if (c == '\0') {
      decoded_ += replacement;
    } else {
      decoded_ += c;
    }
  }
  return arena_.keep(decoded_);
}

std::string_view tokenizer::decoded(std::string_view text, bool in_attribute) {
  if (text.find('&') == std::string_view::npos) return text;
  decoded_.clear();
  append_decoded(decoded_, text, in_attribute);
  return arena_.keep(decoded_);
}

/// `at` is a '<'.
bool tokenizer::is_appropriate_end_tag(const char* at) const noexcept {
  if (at[1] != '/') return false;
  const auto after = rest(at + 2);
  const auto is_of = [&](std::string_view tag) {
    if (tag.empty() || after.size() <= tag.size()) return false;
    const char next = after[tag.size()];
    return (is_class(next, space_class) || next == '/' || next == '>') &&
           base::equals_ignoring_ascii_case(after.substr(0, tag.size()), tag);
  };
  return is_of(last_start_tag_) || is_of(outer_tag_);
}

const char* tokenizer::end_of_raw_text(const char* at) const noexcept {
  while (true) {
    const auto* const found =
        static_cast<const char*>(std::memchr(at, '<', static_cast<std::size_t>(end_ - at)));
    if (found == nullptr) return end_;
    if (is_appropriate_end_tag(found)) return found;
    at = found + 1;
  }
}

namespace {

/// Whether a letter run at `at` is the word script before a space, '/' or '>'; moves behind the
/// run.
bool skip_word_is_script(const char*& at) noexcept {
  const char* const from = at;
  while (is_class(*at, letter_class)) ++at;
  const std::string_view word(from, static_cast<std::size_t>(at - from));
  return (is_class(*at, space_class) || *at == '/' || *at == '>') &&
         base::equals_ignoring_ascii_case(word, "script");
}

}  // namespace

/// The script data states: in a comment of a script <script> nests, once.
const char* tokenizer::end_of_script(const char* at) const noexcept {
  enum class depth { plain, escaped, double_escaped } in = depth::plain;
  while (at < end_) {
    if (in == depth::plain) {
      const auto* const found =
          static_cast<const char*>(std::memchr(at, '<', static_cast<std::size_t>(end_ - at)));
      if (found == nullptr) return end_;
      if (is_appropriate_end_tag(found)) return found;
      at = found + 1;
      if (!rest(at).starts_with("!--")) continue;
      in = depth::escaped;
      ++at;  // the dashes may be the end already
      continue;
    }
    at = find_any<'<', '-'>(at);
    if (*at == '\0') {
      ++at;
    } else if (*at == '-') {
      const char* const from = at;
      while (*at == '-') ++at;
      if (at - from >= 2 && *at == '>') in = depth::plain;
    } else if (in == depth::escaped) {
      if (is_appropriate_end_tag(at)) return at;
      ++at;
      if (is_class(*at, letter_class) && skip_word_is_script(at)) in = depth::double_escaped;
    } else {
      ++at;
      if (*at != '/') continue;
      ++at;
      if (skip_word_is_script(at)) in = depth::escaped;
    }
  }
  return end_;
}

void tokenizer::next_in_raw(token& into) {
  const char* to = end_;
  if (state_ == state::rcdata || state_ == state::rawtext) to = end_of_raw_text(at_);
  if (state_ == state::script_data) to = end_of_script(at_);
  if (to == at_ && to != end_) {
    state_ = state::data;
    if (read_tag(into, at_ + 2, token_type::end_tag)) return;
    to = at_;  // the input ended inside the tag
  }
  if (to == at_) {
    into.type = token_type::end_of_file;
    return;
  }
  into.type = token_type::text;
  into.text = without_nul({at_, static_cast<std::size_t>(to - at_)});
  if (state_ == state::rcdata) into.text = decoded(into.text, false);
  at_ = to;
}

/// False if the section ended without anything more in it.
bool tokenizer::next_in_cdata(token& into) {
  constexpr std::string_view close = "]]>";
  const char* p = at_;
  while (p < end_ && *p != '\0' && !(*p == ']' && rest(p).starts_with(close))) {
    p = find_any<']'>(*p == ']' ? p + 1 : p);
  }
  if (p == at_ && *p == ']') {
    at_ += close.size();
    state_ = state::data;
    return false;
  }
  into.type = token_type::text;
  if (p == at_) {
    into.type = p == end_ ? token_type::end_of_file : token_type::nul;
    p = std::min(p + 1, end_);
  }
  into.text = {at_, static_cast<std::size_t>(p - at_)};
  at_ = p;
  return true;
}

}  // namespace freshet::html
