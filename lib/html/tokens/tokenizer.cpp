// The data state: text up to the next tag, and what a '<' opens. The other files of the tokenizer
// read tags, raw text, and comments and doctypes.
#include <base/unicode.hpp>
#include <html/tokens/entities.hpp>
#include <html/tokens/scan.hpp>
#include <html/tokens/tokenizer.hpp>

namespace freshet::html {

tokenizer::tokenizer(const input_stream& input, text_arena& arena, reached_limits& limits)
    : arena_(arena),
      limits_(limits),
      at_(input.text.data()),
      end_(input.text.data() + input.text.size()),
      has_nul_(input.has_nul) {}

void tokenizer::next(token& token, bool foreign) {
  while (true) {
    if (state_ == state::data) {
      if (next_in_data(token, foreign)) return;
    } else if (state_ == state::cdata) {
      if (next_in_cdata(token)) return;
    } else {
      return next_in_raw(token);
    }
  }
}

namespace {

/// Whether a '<' opens anything; otherwise it is text.
bool opens_markup(const char* position, const char* end) noexcept {
  const char c = position[1];
  if (is_class(c, letter_class) || c == '!' || c == '?') return true;
  return c == '/' && position + 2 < end;
}

}  // namespace

/// False if what was read makes no token.
bool tokenizer::next_in_data(token& token, bool foreign) {
  if (*at_ == '<' && opens_markup(at_, end_)) return read_markup(token, foreign);
  if (*at_ != '\0') {
    read_text(token);
    return true;
  }
  if (at_ == end_) {
    token.type = token_type::end_of_file;
    return true;
  }
  token.type = token_type::nul;
  const char* const from = at_;
  while (at_ < end_ && *at_ == '\0') ++at_;
  token.text = {from, static_cast<std::size_t>(at_ - from)};
  return true;
}

void tokenizer::read_text(token& into) {
  into.type = token_type::text;
  decoded_.clear();
  const char* from = at_;  // what is not in decoded_ yet
  const char* p = at_;
  while (true) {
    p = find_any<'<', '&'>(p);
    if (*p == '<') {
      if (opens_markup(p, end_)) break;
      ++p;
    } else if (*p == '&') {
      const auto reference = match_reference(rest(p), false);
      if (reference.length == 0) {
        ++p;
        continue;
      }
      decoded_.append(from, p);
      decoded_ += reference.text();
      from = p += reference.length;
    } else {
      break;
    }
  }
  finish_text(into, from, p);
  at_ = p;
}

/// The text is what was decoded and what stands from `begin` to `end`.
void tokenizer::finish_text(token& token, const char* begin, const char* end) {
  if (decoded_.empty()) {
    token.text = {begin, static_cast<std::size_t>(end - begin)};
    return;
  }
  decoded_.append(begin, end);
  token.text = arena_.keep(decoded_);
}

bool tokenizer::read_markup(token& token, bool foreign) {
  constexpr std::string_view doctype = "doctype";
  constexpr std::string_view cdata = "[CDATA[";
  const char c = at_[1];
  if (is_class(c, letter_class)) return read_tag(token, at_ + 1, token_type::start_tag);
  if (c == '/') {
    if (is_class(at_[2], letter_class)) return read_tag(token, at_ + 2, token_type::end_tag);
    at_ += 2;
    if (*at_ == '>') {
      ++at_;
      return false;
    }
    read_bogus_comment(token);
    return true;
  }
  if (c == '?') {
    ++at_;
    read_bogus_comment(token);
    return true;
  }
  at_ += 2;
  const auto text = rest(at_);
  if (text.starts_with("--")) {
    at_ += 2;
    read_comment(token);
  } else if (base::equals_ignoring_ascii_case(text.substr(0, doctype.size()), doctype)) {
    at_ += doctype.size();
    read_doctype(token);
  } else if (foreign && text.starts_with(cdata)) {
    at_ += cdata.size();
    state_ = state::cdata;
    return false;
  } else {
    read_bogus_comment(token);
  }
  return true;
}

}  // namespace freshet::html
