// Reading JSON that others wrote. One pass of Boost.JSON's parser with a handler of ours, because
// the ready-made one lets 1e999 through as infinity, keeps the last of two equal keys silently and
// rounds some long fractions wrongly. Nothing here is lenient about syntax or UTF-8.
#include <algorithm>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace freshet::base {
namespace {

/// Builds the value and refuses what Boost.JSON would let through.
class value_builder {
 public:
  // Boost.JSON asks for these four.
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  enum class refusal { none, not_finite, duplicate_key, too_many_objects, too_many_values };

  value_builder(bool strict, const json_bounds& within, json::storage_ptr storage)
      : strict_(strict), within_(within) {
    stack_.reset(std::move(storage));
  }

  [[nodiscard]] json::value release() { return stack_.release(); }
  [[nodiscard]] refusal refused() const noexcept { return refused_; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_array_end(std::size_t size, json::error_code& ec) {
    if (!take_value(1, ec)) return false;
    stack_.push_array(size);
    return true;
  }
  bool on_object_begin(json::error_code& ec) {
    if (++objects_ > within_.most_objects) return refuse(refusal::too_many_objects, ec);
    spend(steps_of_object);
    if (strict_) first_keys_.push_back(keys_.size());
    return true;
  }
  bool on_object_end(std::size_t size, json::error_code& ec) {
    if (strict_ && !keys_are_unique()) return refuse(refusal::duplicate_key, ec);
    stack_.push_object(size);
    return true;
  }
  bool on_key_part(json::string_view text, std::size_t, json::error_code&) {
    if (strict_) key_.append(text.data(), text.size());
    stack_.push_chars(text);
    return true;
  }
  bool on_key(json::string_view text, std::size_t size, json::error_code&) {
    spend(1 + size / bytes_of_step);
    if (strict_) {
      key_.append(text.data(), text.size());
      keys_.push_back(text_hash{}(key_));
      key_.clear();
    }
    stack_.push_key(text);
    return true;
  }
  bool on_string_part(json::string_view text, std::size_t, json::error_code&) {
    stack_.push_chars(text);
    return true;
  }
  bool on_string(json::string_view text, std::size_t size, json::error_code& ec) {
    if (!take_value(1 + size / bytes_of_step, ec)) return false;
    stack_.push_string(text);
    return true;
  }
  bool on_number_part(json::string_view text, json::error_code&) {
    number_.append(text.data(), text.size());
    return true;
  }
  bool on_int64(std::int64_t value, json::string_view, json::error_code& ec) {
    if (!take_value(1, ec)) return false;
    number_.clear();
    stack_.push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, json::string_view, json::error_code& ec) {
    if (!take_value(1, ec)) return false;
    number_.clear();
    stack_.push_uint64(value);
    return true;
  }
  bool on_double(double value, json::string_view text, json::error_code& ec) {
    if (!take_value(1 + (number_.size() + text.size()) / bytes_of_step, ec)) return false;
    number_.append(text.data(), text.size());
    value = parse_number<double>(number_).value_or(value);
    number_.clear();
    if (!std::isfinite(value)) return refuse(refusal::not_finite, ec);
    stack_.push_double(value);
    return true;
  }
  bool on_bool(bool value, json::error_code& ec) {
    if (!take_value(1, ec)) return false;
    stack_.push_bool(value);
    return true;
  }
  bool on_null(json::error_code& ec) {
    if (!take_value(1, ec)) return false;
    stack_.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  static constexpr std::size_t bytes_of_step = 16;
  /// With what is made of it: an item, mostly.
  static constexpr std::uint64_t steps_of_object = 100;
  /// That many other values there may be for each object: lists of nothing but numbers end, too.
  static constexpr std::size_t values_of_object = 20;

  bool take_value(std::uint64_t steps, json::error_code& ec) {
    spend(steps);
    if (++values_ / values_of_object < within_.most_objects) return true;
    return refuse(refusal::too_many_values, ec);
  }

  void spend(std::uint64_t steps) {
    if (within_.counted != nullptr) within_.counted->spend(steps);
  }

  bool refuse(refusal why, json::error_code& ec) {
    refused_ = why;
    ec = json::make_error_code(json::error::syntax);
    return false;
  }

  /// Sorts what stands for the keys of the innermost object, and forgets it. Nobody outside knows
  /// the hash, and by chance no two keys have the same one.
  bool keys_are_unique() {
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(first_keys_.back());
    std::sort(first, keys_.end());
    const bool unique = std::adjacent_find(first, keys_.end()) == keys_.end();
    keys_.erase(first, keys_.end());
    first_keys_.pop_back();
    return unique;
  }

  json::value_stack stack_;
  bool strict_;
  json_bounds within_;
  std::size_t objects_ = 0, values_ = 0;
  refusal refused_ = refusal::none;
  std::string number_;
  std::string key_;
  std::vector<std::uint64_t> keys_;      ///< hashes, of every open object, outermost first
  std::vector<std::size_t> first_keys_;  ///< where each open object's keys begin
};

/// basic_parser keeps its handler protected.
class tree_parser : public json::basic_parser<value_builder> {
 public:
  using json::basic_parser<value_builder>::basic_parser;
};

std::string reason(value_builder::refusal refused, const json::error_code& ec) {
  switch (refused) {
    case value_builder::refusal::not_finite:
      return "a number is too large";
    case value_builder::refusal::duplicate_key:
      return "an object has the same key twice";
    case value_builder::refusal::too_many_objects:
      return "there are more objects than are read";
    case value_builder::refusal::too_many_values:
      return "there are more values than are read";
    case value_builder::refusal::none:
      break;
  }
  if (ec == json::error::incomplete) return "the text ends too early";
  if (ec == json::error::extra_data) return "something follows the value";
  if (ec == json::error::too_deep) {
    return "nested deeper than " + std::to_string(max_json_depth) + " levels";
  }
  // What people send instead: a form, bare words, single quotes.
  if (ec == json::error::syntax) return "this is not JSON: names and texts stand in double quotes";
  return ec.message();
}

const json::value null_value;
const json::array no_elements;
const json::object no_members;

/// 2^63 is exact as a double; the largest int64 is not.
constexpr double int64_end = 9223372036854775808.0;

std::string_view std_view(const json::string& text) noexcept { return {text.data(), text.size()}; }

}  // namespace

namespace {

result<json::value> parse_with(tree_parser& parser, std::string_view text) {
  json::error_code ec;
  const std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
  if (!ec && used < text.size()) ec = json::make_error_code(json::error::extra_data);
  if (ec) {
    return error(errc::invalid_json,
                 "byte " + std::to_string(used) + ": " + reason(parser.handler().refused(), ec));
  }
  return parser.handler().release();
}

json::parse_options json_options() {
  json::parse_options options;
  options.max_depth = max_json_depth;
  return options;
}

}  // namespace

result<json::value> parse_json(std::string_view text, bool strict, json::storage_ptr storage) {
  tree_parser parser(json_options(), strict, json_bounds{}, std::move(storage));
  return parse_with(parser, text);
}

result<json::value> parse_json(std::string_view text, const json_bounds& within,
                               json::storage_ptr storage) {
  tree_parser parser(json_options(), false, within, std::move(storage));
  return parse_with(parser, text);
}

const json::value& member(const json::value& parent, std::string_view key) noexcept {
  const json::value* found = object_of(parent).if_contains(key);
  return found != nullptr ? *found : null_value;
}

std::string text_of(const json::value& value) {
  switch (value.kind()) {
    case json::kind::string:
      return std::string(view_of(value));
    case json::kind::int64:
      return std::to_string(value.get_int64());
    case json::kind::uint64:
      return std::to_string(value.get_uint64());
    case json::kind::bool_:
      return value.get_bool() ? "true" : "false";
    case json::kind::double_: {
      char digits[32];
      const auto [end, failure] =
          std::to_chars(std::begin(digits), std::end(digits), value.get_double());
      return failure == std::errc{} ? std::string(digits, end) : std::string();
    }
    default:
      return {};
  }
}

std::string_view view_of(const json::value& value) noexcept {
  const json::string* text = value.if_string();
  return text != nullptr ? std_view(*text) : std::string_view();
}

std::optional<std::int64_t> integer_of(const json::value& value) noexcept {
  switch (value.kind()) {
    case json::kind::int64:
      return value.get_int64();
    case json::kind::uint64: {
      const std::uint64_t number = value.get_uint64();
      if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return std::nullopt;
      }
      return static_cast<std::int64_t>(number);
    }
    case json::kind::double_: {
      const double number = value.get_double();
      const bool fits = number >= -int64_end && number < int64_end;
      if (!fits || std::trunc(number) != number) return std::nullopt;
      return static_cast<std::int64_t>(number);
    }
    case json::kind::string:
      return parse_number<std::int64_t>(view_of(value));
    default:
      return std::nullopt;
  }
}

std::optional<double> number_of(const json::value& value) noexcept {
  json::error_code ec;
  const auto number = value.is_number() ? std::optional(value.to_number<double>(ec))
                                        : parse_number<double>(view_of(value));
  // parse_number also reads "inf" and "nan".
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<bool> flag_of(const json::value& value) noexcept {
  const bool* flag = value.if_bool();
  return flag != nullptr ? std::optional<bool>(*flag) : std::nullopt;
}

const json::array& array_of(const json::value& value) noexcept {
  const json::array* array = value.if_array();
  return array != nullptr ? *array : no_elements;
}

const json::object& object_of(const json::value& value) noexcept {
  const json::object* object = value.if_object();
  return object != nullptr ? *object : no_members;
}

namespace {

constexpr std::uint64_t every(std::uint8_t byte) noexcept { return 0x0101010101010101U * byte; }

/// Where the first byte at or behind `index` stands that JSON's strings escape, or that is not
/// ASCII; the size of `text` if none does. Eight at a time.
std::size_t plain_end(std::string_view text, std::size_t index) noexcept {
  // In each byte's highest bit: whether it is below 0x20, or zero.
  constexpr auto is_low = [](std::uint64_t eight) { return eight - every(0x20); };
  constexpr auto is_zero = [](std::uint64_t eight) { return eight - every(1); };
  for (; index + 8 <= text.size(); index += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + index, 8);
    const auto quote = eight ^ every('"');
    const auto backslash = eight ^ every('\\');
    const auto found = eight | (is_low(eight) & ~eight) | (is_zero(quote) & ~quote) |
                       (is_zero(backslash) & ~backslash);
    if ((found & every(0x80)) != 0) break;  // it may tell of too many, but never of none
  }
  while (index < text.size()) {
    const auto c = static_cast<unsigned char>(text[index]);
    if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') break;
    ++index;
  }
  return index;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  // The characters that have an escape of their own, and its letters.
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  out += '"';
  std::size_t at = 0;
  std::size_t copied = 0;  // everything before it is in `out`
  const auto copy_until_here = [&] { out.append(text.substr(copied, at - copied)); };
  for (at = plain_end(text, at); at < text.size(); at = plain_end(text, at)) {
    const auto c = static_cast<unsigned char>(text[at]);
    std::size_t next = at;
    if (c >= 0x80) {
      if (next_point(text, next) == ill_formed) {
        copy_until_here();
        append_utf8(out, 0xFFFD);
        copied = next;
      }
      at = next;
      continue;
    }
    copy_until_here();
    copied = ++at;
    if (const auto known = escaped.find(static_cast<char>(c)); known != std::string_view::npos) {
      out += '\\';
      out += letters[known];
    } else {
      out += "\\u00";
      out += digits[c >> 4];
      out += digits[c & 15U];
    }
  }
  copy_until_here();
  out += '"';
}

}  // namespace freshet::base
