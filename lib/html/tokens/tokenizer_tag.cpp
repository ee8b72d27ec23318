// Tags: the name, then attributes straight from the buffer. Names are views unless they have to be
// lower-cased, values unless they hold a reference.
#include <algorithm>
#include <functional>
#include <html/tokens/entities.hpp>
#include <html/tokens/scan.hpp>
#include <html/tokens/tokenizer.hpp>

namespace freshet::html {

void attribute_names::clear() noexcept { hashed_ = false; }

bool attribute_names::insert(const std::vector<attribute>& known, std::string_view name,
                             std::size_t index) {
  const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
  for (std::size_t at = hash % slots;; at = (at + 1) % slots) {
    entry& one = table_[at];
    if (one.round != round_) {
      one = {round_, hash, static_cast<std::uint32_t>(index)};
      return true;
    }
    if (one.hash == hash && known[one.index].name == name) return false;
  }
}

bool attribute_names::add(const std::vector<attribute>& known, std::string_view name) {
  if (known.size() < few) {
    return std::ranges::none_of(known, [&](const attribute& one) { return one.name == name; });
  }
  if (!hashed_) {
    hashed_ = true;
    table_.resize(slots);
    if (++round_ == 0) {
      table_.assign(slots, {});
      round_ = 1;
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
      static_cast<void>(insert(known, known[i].name, i));
    }
  }
  return insert(known, name, known.size());
}

/// False if the input ends inside the tag, which then is nothing.
bool tokenizer::read_tag(token& token, const char* name, token_type type) {
  token.type = type;
  token.self_closing = false;
  token.attributes.clear();
  names_.clear();
  read_tag_name(token, name);
  if (*at_ == '>') {
    ++at_;
  } else if (!read_attributes(token)) {
    at_ = end_;
    return false;
  }
  if (type == token_type::start_tag) last_start_tag_ = token.name;
  return true;
}

void tokenizer::read_tag_name(token& token, const char* name) {
  const char* p = name;
  unsigned seen = 0;
  while (true) {
    const unsigned now = char_classes[static_cast<unsigned char>(*p)];
    if ((now & tag_name_end) != 0 && (*p != '\0' || p == end_)) break;
    seen |= *p == '\0' ? static_cast<unsigned>(upper_class) : now;
    ++p;
  }
  at_ = p;
  auto size = static_cast<std::size_t>(p - name);
  token.tag = tag_of_padded(name, size);
  if (token.tag != tag_id::other) {
    token.name = name_of(token.tag);
    return;
  }
  if (size > max_name_bytes) {
    size = max_name_bytes;
    limits_.note(limit::names);
  }
  token.name = {name, size};
  if ((seen & upper_class) != 0) token.name = lower_without_nul(token.name);
}

bool tokenizer::read_attributes(token& into) {
  while (true) {
    while (is_class(*at_, space_class) || (*at_ == '/' && at_[1] != '>')) ++at_;
    if (*at_ == '>') {
      ++at_;
      return true;
    }
    if (*at_ == '/') {
      into.self_closing = true;
      at_ += 2;
      return true;
    }
    if (at_ == end_) return false;
    attribute one;
    one.name = read_attribute_name();
    while (is_class(*at_, space_class)) ++at_;
    if (*at_ == '=') {
      ++at_;
      if (!read_attribute_value(one.value)) return false;
    }
    if (into.type != token_type::start_tag) continue;
    if (into.attributes.size() >= max_attributes_per_element) {
      limits_.note(limit::attributes);
    } else if (one.name.size() > max_name_bytes) {
      limits_.note(limit::names);
    } else if (names_.add(into.attributes, one.name)) {
      into.attributes.push_back(one);
    }
  }
}

std::string_view tokenizer::read_attribute_name() {
  const char* const from = at_;
  const char* p = at_;
  unsigned seen = 0;
  // The first byte is part of the name whatever it is, '=' too.
  do {
    seen |= *p == '\0' ? static_cast<unsigned>(upper_class)
                       : char_classes[static_cast<unsigned char>(*p)];
    ++p;
  } while (!is_class(*p, attribute_name_end) || (*p == '\0' && p != end_));
  at_ = p;
  const std::string_view name(from, static_cast<std::size_t>(p - from));
  return (seen & upper_class) != 0 && name.size() <= max_name_bytes ? lower_without_nul(name)
                                                                    : name;
}

/// False if the input ends inside the value.
bool tokenizer::read_attribute_value(std::string_view& into) {
  while (is_class(*at_, space_class)) ++at_;
  const char quote = *at_;
  const char* from = at_;
  const char* to = nullptr;
  bool plain = true;
  if (quote == '"' || quote == '\'') {
    from = to = ++at_;
    while (true) {
      to = quote == '"' ? find_any<'"', '&'>(to) : find_any<'\'', '&'>(to);
      if (*to == quote) break;
      if (to == end_) return false;
      plain = false;
      ++to;
    }
    at_ = to + 1;
  } else {
    to = at_;
    while (!is_class(*to, unquoted_end) || *to == '&' || (*to == '\0' && to != end_)) {
      plain = plain && *to != '&' && *to != '\0';
      ++to;
    }
    at_ = to;
  }
  into =
      plain ? std::string_view(from, static_cast<std::size_t>(to - from)) : decode_value(from, to);
  return true;
}

std::string_view tokenizer::decode_value(const char* begin, const char* end) {
  const std::string_view value(begin, static_cast<std::size_t>(end - begin));
  return decoded(without_nul(value), true);
}

}  // namespace freshet::html
