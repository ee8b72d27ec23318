// The markup scanner: the shape of the standard's tokenizer (where tags, attributes and comments
// begin and end) without its tree. Unterminated constructs reach to the end of the input.
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <html/tokens/tag_scanner.hpp>

namespace freshet::html {

namespace {

std::size_t skip_spaces(std::string_view text, std::size_t index) noexcept {
  while (index < text.size() && is_html_space(text[index])) ++index;
  return index;
}

/// The position of the '>' that ends the tag whose attributes begin at `index`, or the end.
std::size_t skip_attributes(std::string_view text, std::size_t index) noexcept {
  while (index < text.size() && text[index] != '>') {
    if (is_html_space(text[index]) || text[index] == '/') {
      ++index;
      continue;
    }
    // The first character is part of the name whatever it is, '=' and quotes too.
    ++index;
    while (index < text.size() && !is_html_space(text[index]) && text[index] != '/' &&
           text[index] != '>' && text[index] != '=') {
      ++index;
    }
    const std::size_t sign = skip_spaces(text, index);
    if (sign >= text.size() || text[sign] != '=') continue;
    index = skip_spaces(text, sign + 1);
    if (index < text.size() && (text[index] == '"' || text[index] == '\'')) {
      const auto close = text.find(text[index], index + 1);
      index = close == std::string_view::npos ? text.size() : close + 1;
    } else {
      while (index < text.size() && !is_html_space(text[index]) && text[index] != '>') ++index;
    }
  }
  return index;
}

}  // namespace

markup_piece tag_scanner::make(piece_type type, std::size_t end) {
  markup_piece made;
  made.type = type;
  made.raw = text_.substr(at_, end - at_);
  at_ = end;
  return made;
}

markup_piece tag_scanner::next() {
  if (at_ >= text_.size()) return {};
  if (text_[at_] == '<' && at_ + 1 < text_.size()) {
    const char c = text_[at_ + 1];
    if (base::is_letter(c)) return read_tag();
    if (c == '/' && at_ + 2 < text_.size()) {
      if (base::is_letter(text_[at_ + 2])) return read_tag();
      const auto end = text_.find('>', at_ + 2);
      return make(piece_type::other, end == std::string_view::npos ? text_.size() : end + 1);
    }
    if (c == '!' || c == '?') return read_markup_declaration();
  }
  std::size_t end = at_ + 1;
  // A '<' that opens nothing is text.
  while (true) {
    end = text_.find('<', end);
    if (end == std::string_view::npos) return make(piece_type::text, text_.size());
    const char c = end + 1 < text_.size() ? text_[end + 1] : ' ';
    if (base::is_letter(c) || c == '/' || c == '!' || c == '?') return make(piece_type::text, end);
    ++end;
  }
}

markup_piece tag_scanner::read_tag() {
  const bool is_end = text_[at_ + 1] == '/';
  const std::size_t name_from = at_ + (is_end ? 2 : 1);
  std::size_t at = name_from;
  while (at < text_.size() && !is_html_space(text_[at]) && text_[at] != '>' && text_[at] != '/') {
    ++at;
  }
  const std::size_t name_to = at;
  at = skip_attributes(text_, at);
  const auto name = text_.substr(name_from, name_to - name_from);
  const auto attributes = text_.substr(name_to, at - name_to);
  if (at >= text_.size()) return make(piece_type::other, text_.size());  // as the standard: dropped
  markup_piece made = make(is_end ? piece_type::end_tag : piece_type::start_tag, at + 1);
  made.name = name;
  made.attributes = attributes;
  return made;
}

markup_piece tag_scanner::read_markup_declaration() {
  const auto rest = text_.substr(at_);
  std::size_t end = std::string_view::npos;
  std::size_t extra = 1;
  if (rest.starts_with("<!--")) {
    if (rest.starts_with("<!-->")) return make(piece_type::other, at_ + 5);
    if (rest.starts_with("<!--->")) return make(piece_type::other, at_ + 6);
    end = rest.find("--", 4);
    while (end != std::string_view::npos) {
      if (end + 2 < rest.size() && rest[end + 2] == '>') break;
      if (end + 3 < rest.size() && rest[end + 2] == '!' && rest[end + 3] == '>') break;
      end = rest.find("--", end + 1);
    }
    if (end != std::string_view::npos) extra = rest[end + 2] == '>' ? 3 : 4;
  } else {
    end = rest.find('>', 2);
  }
  return make(piece_type::other, end == std::string_view::npos ? text_.size() : at_ + end + extra);
}

markup_piece tag_scanner::raw_text(std::string_view name) {
  std::size_t at = at_;
  while (true) {
    at = text_.find("</", at);
    if (at == std::string_view::npos) return make(piece_type::text, text_.size());
    const auto after = text_.substr(at + 2);
    if (after.size() >= name.size() &&
        base::equals_ignoring_ascii_case(after.substr(0, name.size()), name) &&
        (after.size() == name.size() || is_html_space(after[name.size()]) ||
         after[name.size()] == '>' || after[name.size()] == '/')) {
      return make(piece_type::text, at);
    }
    at += 2;
  }
}

bool next_attribute(std::string_view& attributes, raw_attribute& attribute) {
  std::size_t at = 0;
  while (at < attributes.size() && (is_html_space(attributes[at]) || attributes[at] == '/')) ++at;
  if (at >= attributes.size()) {
    attributes = {};
    return false;
  }
  const std::size_t name_from = at++;
  while (at < attributes.size() && !is_html_space(attributes[at]) && attributes[at] != '/' &&
         attributes[at] != '=') {
    ++at;
  }
  attribute.name = attributes.substr(name_from, at - name_from);
  attribute.value = {};
  std::size_t value = at;
  while (value < attributes.size() && is_html_space(attributes[value])) ++value;
  if (value < attributes.size() && attributes[value] == '=') {
    ++value;
    while (value < attributes.size() && is_html_space(attributes[value])) ++value;
    at = value;
    if (at < attributes.size() && (attributes[at] == '"' || attributes[at] == '\'')) {
      const auto close = std::min(attributes.find(attributes[at], at + 1), attributes.size());
      attribute.value = attributes.substr(at + 1, close - at - 1);
      at = std::min(close + 1, attributes.size());
    } else {
      while (at < attributes.size() && !is_html_space(attributes[at])) ++at;
      attribute.value = attributes.substr(value, at - value);
    }
  }
  attributes.remove_prefix(at);
  return true;
}

}  // namespace freshet::html
