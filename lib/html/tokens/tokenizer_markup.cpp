// Comments and doctypes, and what the standard makes a comment of.
#include <algorithm>
#include <base/unicode.hpp>
#include <html/tokens/tokenizer.hpp>

namespace freshet::html {

std::string_view tokenizer::lower_without_nul(std::string_view text) {
  return without_nul(arena_.keep(base::to_lower_ascii(text)));
}

void tokenizer::read_bogus_comment(token& into) {
  into.type = token_type::comment;
  const auto text = rest(at_);
  const auto size = std::min(text.find('>'), text.size());
  into.text = without_nul(text.substr(0, size));
  at_ += std::min(size + 1, text.size());
}

namespace {

/// A comment that the input ends in loses what may be the beginning of its own end.
std::string_view unfinished(std::string_view text) noexcept {
  for (const std::string_view ending : {"--!", "--", "-"}) {
    if (text.ends_with(ending)) return text.substr(0, text.size() - ending.size());
  }
  return text;
}

}  // namespace

void tokenizer::read_comment(token& into) {
  into.type = token_type::comment;
  const auto text = rest(at_);
  for (const std::string_view abrupt : {">", "->"}) {
    if (!text.starts_with(abrupt)) continue;
    into.text = {};
    at_ += abrupt.size();
    return;
  }
  for (std::size_t end = text.find('>'); end != std::string_view::npos;
       end = text.find('>', end + 1)) {
    const auto before = text.substr(0, end);
    for (const std::string_view ending : {"--", "--!"}) {
      if (!before.ends_with(ending)) continue;
      into.text = without_nul(before.substr(0, before.size() - ending.size()));
      at_ += end + 1;
      return;
    }
  }
  into.text = without_nul(unfinished(text));
  at_ = end_;
}

void tokenizer::read_doctype(token& into) {
  into.type = token_type::doctype;
  into.force_quirks = into.has_public_id = into.has_system_id = false;
  into.name = into.public_id = into.system_id = {};
  while (is_class(*at_, space_class)) ++at_;
  const char* const from = at_;
  while (at_ < end_ && !is_class(*at_, space_class) && *at_ != '>') ++at_;
  into.name = lower_without_nul({from, static_cast<std::size_t>(at_ - from)});
  if (into.name.empty()) into.force_quirks = true;
  while (is_class(*at_, space_class)) ++at_;
  if (at_ == end_) {
    into.force_quirks = true;
  } else if (*at_ == '>') {
    ++at_;
  } else {
    read_doctype_identifiers(into);
  }
}

/// A quoted identifier at the place; false if there is none or it does not end, and then the
/// doctype is finished.
bool tokenizer::read_quoted_identifier(std::string_view& out, bool& has, token& token) {
  while (is_class(*at_, space_class)) ++at_;
  const char quote = *at_;
  if (quote != '"' && quote != '\'') {
    token.force_quirks = true;
    read_bogus_doctype();
    return false;
  }
  const char* const from = ++at_;
  while (at_ < end_ && *at_ != quote && *at_ != '>') ++at_;
  out = without_nul({from, static_cast<std::size_t>(at_ - from)});
  has = true;
  const bool closed = *at_ == quote;
  if (at_ < end_) ++at_;
  if (!closed) token.force_quirks = true;
  return closed;
}

void tokenizer::read_bogus_doctype() {
  while (at_ < end_ && *at_ != '>') ++at_;
  if (at_ < end_) ++at_;
}

void tokenizer::read_doctype_identifiers(token& into) {
  const auto keyword = rest(at_).substr(0, 6);
  const bool is_public = base::equals_ignoring_ascii_case(keyword, "public");
  if (!is_public && !base::equals_ignoring_ascii_case(keyword, "system")) {
    into.force_quirks = true;
    return read_bogus_doctype();
  }
  at_ += keyword.size();
  if (is_public) {
    if (!read_quoted_identifier(into.public_id, into.has_public_id, into)) return;
    while (is_class(*at_, space_class)) ++at_;
    if (*at_ == '>') {
      ++at_;
      return;
    }
  }
  if (!read_quoted_identifier(into.system_id, into.has_system_id, into)) return;
  while (is_class(*at_, space_class)) ++at_;
  if (at_ == end_) into.force_quirks = true;
  read_bogus_doctype();
}

}  // namespace freshet::html
