// Where a walk goes on, as text: fields with a separator between them. A source declares the fields
// of its positions once, as a codec, which writes them and reads them back. Positions come from
// callers: what is not wholly one is refused, and nothing is guessed.
#pragma once

#include <base/number.hpp>
#include <cstdint>
#include <freshet/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace freshet::sources {

/// The error for a position that `source` ("Hacker News") has not given: invalid_cursor.
[[nodiscard]] error foreign_position(std::string_view source);

/// Takes the next field off `rest`, which is null behind the last one. Null where there is none.
[[nodiscard]] std::optional<std::string_view> take_field(std::optional<std::string_view>& rest,
                                                         char separator, bool is_last);

/// A number from `least` to `most`.
template <class Place, class Number>
struct number_field {
  using place = Place;
  Number Place::*member;
  Number least, most;

  [[nodiscard]] std::optional<std::string> text(const Place& one) const {
    return std::to_string(one.*member);
  }
  [[nodiscard]] bool read(std::optional<std::string_view> part, Place& place) const {
    const auto number = part ? base::parse_number(*part, least, most) : std::nullopt;
    if (number) place.*member = *number;
    return number.has_value();
  }
};

/// A number from `least` on that may be missing at the end.
template <class Place, class Number>
struct last_number_field {
  using place = Place;
  std::optional<Number> Place::*member;
  Number least;

  [[nodiscard]] std::optional<std::string> text(const Place& one) const {
    if (!(one.*member)) return std::nullopt;
    return std::to_string(*(one.*member));
  }
  [[nodiscard]] bool read(std::optional<std::string_view> part, Place& place) const {
    place.*member = part ? base::parse_number<Number>(*part) : std::nullopt;
    return !part || (place.*member && *(place.*member) >= least);
  }
};

/// A flag: `word` at the end, or nothing.
template <class Place>
struct last_word_field {
  using place = Place;
  bool Place::*member;
  std::string_view word;

  [[nodiscard]] std::optional<std::string> text(const Place& one) const {
    return one.*member ? std::optional<std::string>(word) : std::nullopt;
  }
  [[nodiscard]] bool read(std::optional<std::string_view> part, Place& place) const {
    place.*member = part.has_value();
    return !part || *part == word;
  }
};

/// A text that `is_sound` accepts. It may hold the separator if it is the last field.
template <class Place>
struct text_field {
  using place = Place;
  std::string Place::*member;
  bool (*is_sound)(std::string_view);

  [[nodiscard]] std::optional<std::string> text(const Place& one) const { return one.*member; }
  [[nodiscard]] bool read(std::optional<std::string_view> part, Place& place) const {
    if (!part || !is_sound(*part)) return false;
    place.*member = *part;
    return true;
  }
};

/// A value that has a text of its own, such as a day.
template <class Place, class Value>
struct value_field {
  using place = Place;
  Value Place::*member;
  std::string (*write)(const Value&);
  std::optional<Value> (*parse)(std::string_view);

  [[nodiscard]] std::optional<std::string> text(const Place& one) const {
    return write(one.*member);
  }
  [[nodiscard]] bool read(std::optional<std::string_view> part, Place& place) const {
    const auto value = part ? parse(*part) : std::nullopt;
    if (value) place.*member = *value;
    return value.has_value();
  }
};

// Some compilers (clang until 17) deduce nothing for an aggregate by themselves.
template <class Place, class Number>
number_field(Number Place::*, Number, Number) -> number_field<Place, Number>;
template <class Place, class Number>
last_number_field(std::optional<Number> Place::*, Number) -> last_number_field<Place, Number>;
template <class Place>
last_word_field(bool Place::*, std::string_view) -> last_word_field<Place>;
template <class Place>
text_field(std::string Place::*, bool (*)(std::string_view)) -> text_field<Place>;
template <class Place, class Value>
value_field(Value Place::*, std::string (*)(const Value&),
            std::optional<Value> (*)(std::string_view)) -> value_field<Place, Value>;

/// The positions of one source: their fields in order, and what stands between two of them.
template <class Field, class... Fields>
class position_codec {
 public:
  using place = typename Field::place;

  constexpr position_codec(std::string_view source, char separator, Field first, Fields... others)
      : source_(source), separator_(separator), fields_(first, others...) {}

  [[nodiscard]] std::string text(const place& one) const {
    std::string out;
    bool is_first = true;
    const auto add = [&](const std::optional<std::string>& part) {
      if (!part) return;
      if (!is_first) out += separator_;
      is_first = false;
      out += *part;
    };
    std::apply([&](const auto&... field) { (add(field.text(one)), ...); }, fields_);
    return out;
  }

  /// The place that `text` says; `first` for "". Error: invalid_cursor.
  [[nodiscard]] result<place> read(std::string_view text, place first = {}) const {
    if (text.empty()) return first;
    std::optional<std::string_view> rest = text;
    std::size_t left = sizeof...(Fields) + 1;
    const bool is_sound = std::apply(
        [&](const auto&... field) {
          return (field.read(take_field(rest, separator_, --left == 0), first) && ...);
        },
        fields_);
    if (!is_sound) return foreign_position(source_);
    return first;
  }

 private:
  std::string_view source_;
  char separator_;
  std::tuple<Field, Fields...> fields_;
};

/// Positions that are one number, from `least` to `most`.
template <class Number>
struct number_codec {
  std::string_view source;
  Number first;  ///< what "" says
  Number least, most;

  /// Error: invalid_cursor.
  [[nodiscard]] result<Number> read(std::string_view text) const {
    if (text.empty()) return first;
    if (const auto number = base::parse_number(text, least, most)) return *number;
    return foreign_position(source);
  }
};

/// A page of a list, and how many items every page of this walk has.
struct sized_page {
  int page = 1;
  int size = 20;

  [[nodiscard]] std::string text() const;  ///< "3:20"
};
/// What `source` allows.
struct page_bounds {
  int last_page;
  int max_size;
  std::string_view source;
};
/// "" is the first page, of `limit` items if the source allows as many. Error: invalid_cursor.
[[nodiscard]] result<sized_page> read_sized_page(std::string_view text, int limit,
                                                 const page_bounds& bounds);

/// Where a walk of numbered pages goes on that have no fixed size: ranks go on from the number of
/// results so far.
struct result_position {
  int page = 1;
  std::int64_t given = 0;

  [[nodiscard]] std::string text() const;  ///< "3:27"
};
/// How many results one walk may give by a source, whatever it claims to have.
inline constexpr std::int64_t max_results_of_walk = 1'000'000;
/// "" is the first page. Error: invalid_cursor.
[[nodiscard]] result<result_position> read_result_position(std::string_view text, int last_page,
                                                           std::string_view source);

/// Two names with a slash between them: a list, and the token of a page of it.
struct token_position {
  std::string list, token;

  [[nodiscard]] std::string text() const;  ///< "UU.../CAUQAA"
};
/// Error: invalid_cursor, for "" too: the first page needs no position.
[[nodiscard]] result<token_position> read_token_position(std::string_view text,
                                                         bool (*is_list)(std::string_view),
                                                         bool (*is_token)(std::string_view),
                                                         std::string_view source);

}  // namespace freshet::sources
