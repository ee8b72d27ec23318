// Writes one JSON object straight into a string, member by member, without a tree in between: the
// way every byte of an answer comes about. Names are our own and need no escapes.
#pragma once

#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::model {

/// Appends a number as the shortest text that reads back the same; a whole one as an integer; one
/// that JSON cannot say as null.
inline void append_number(std::string& out, double value) {
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  char digits[32];
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  const bool whole = std::trunc(value) == value && std::abs(value) < largest_exact;
  const auto end =
      whole ? std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(value))
            : std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end.ptr);
}

inline void append_integer(std::string& out, std::int64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

inline void append_time(std::string& out, time_point value) {
  out += '"';
  out += base::format_time(value);
  out += '"';
}

/// One object. Opens with the constructor; close() ends it. `mask`: the keys to write beside
/// `object` and `id`; empty means all. Must not outlive `out` or `mask`.
class object_writer {
 public:
  explicit object_writer(std::string& out, std::span<const std::string> mask = {})
      : out_(out), mask_(mask) {
    out_ += '{';
  }

  void close() { out_ += '}'; }

  /// Writes the name if the mask wants the member; the caller then writes the value.
  [[nodiscard]] bool begin(std::string_view name) {
    if (!mask_.empty() && !wanted(name)) return false;
    // Grown once, then filled: there are dozens of names in an item.
    constexpr std::string_view head = ",\"", tail = "\":";
    const auto begin = out_.size();
    const auto skipped = first_ ? std::size_t{1} : std::size_t{0};
    out_.resize(begin + head.size() - skipped + name.size() + tail.size());
    char* to = out_.data() + begin;
    to = std::copy(head.begin() + skipped, head.end(), to);
    to = std::copy(name.begin(), name.end(), to);
    std::copy(tail.begin(), tail.end(), to);
    first_ = false;
    return true;
  }

  /// The empty string is null: the source did not say.
  void text(std::string_view name, std::string_view value) {
    if (!begin(name)) return;
    if (value.empty()) {
      out_ += "null";
    } else {
      base::append_json_string(out_, value);
    }
  }

  /// The empty string is the empty string.
  void exact(std::string_view name, std::string_view value) {
    if (begin(name)) base::append_json_string(out_, value);
  }

  void integer(std::string_view name, std::optional<std::int64_t> value) {
    if (begin(name)) append_or_null(value, append_integer);
  }

  void number(std::string_view name, std::optional<double> value) {
    if (begin(name)) append_or_null(value, append_number);
  }

  void flag(std::string_view name, std::optional<bool> value) {
    if (begin(name)) out_ += !value ? "null" : *value ? "true" : "false";
  }

  void time(std::string_view name, std::optional<time_point> value) {
    if (begin(name)) append_or_null(value, append_time);
  }

  void strings(std::string_view name, std::span<const std::string> values) {
    if (begin(name))
      append_list(values, [this](const auto& one) { base::append_json_string(out_, one); });
  }

  // A value by its type in C++; an empty text is the empty string.
  void value(std::string_view name, const std::string& is) { exact(name, is); }
  void value(std::string_view name, const std::vector<std::string>& is) { strings(name, is); }
  void value(std::string_view name, bool is) { flag(name, is); }
  void value(std::string_view name, std::int64_t is) { integer(name, is); }
  void value(std::string_view name, double is) { number(name, is); }
  void value(std::string_view name, time_point is) { time(name, is); }
  void value(std::string_view name, const std::optional<bool>& is) { flag(name, is); }
  void value(std::string_view name, const std::optional<std::int64_t>& is) { integer(name, is); }
  void value(std::string_view name, const std::optional<double>& is) { number(name, is); }
  void value(std::string_view name, const std::optional<time_point>& is) { time(name, is); }

  /// JSON as it is; "" is null.
  void value(std::string_view name, const json_text& is) {
    if (begin(name)) out_ += is.text.empty() ? "null" : std::string_view(is.text);
  }

  /// An object inside: `write` is given its writer.
  template <class Write>
  void object(std::string_view name, Write write) {
    if (begin(name)) append_object(write);
  }

  /// A list of objects: `write` is given a writer and the element.
  template <class Element, class Write>
  void objects(std::string_view name, const std::vector<Element>& elements, Write write) {
    if (!begin(name)) return;
    append_list(elements, [&](const Element& one) {
      append_object([&](object_writer& to) { write(to, one); });
    });
  }

 private:
  template <class Value, class Append>
  void append_or_null(const std::optional<Value>& value, Append append) {
    if (value) {
      append(out_, *value);
    } else {
      out_ += "null";
    }
  }

  template <class Elements, class Append>
  void append_list(const Elements& elements, Append append) {
    out_ += '[';
    for (std::size_t at = 0; at < elements.size(); ++at) {
      if (at > 0) out_ += ',';
      append(elements[at]);
    }
    out_ += ']';
  }

  template <class Write>
  void append_object(Write write) {
    object_writer inside(out_);
    write(inside);
    inside.close();
  }

  [[nodiscard]] bool wanted(std::string_view name) const {
    return name == "object" || name == "id" || std::ranges::find(mask_, name) != mask_.end();
  }

  std::string& out_;
  std::span<const std::string> mask_;
  bool first_ = true;
};

}  // namespace freshet::model
