// What the class and id names of an element say, as bits. Every page's names are read once, by one
// automaton made of the lists in signals.hpp; after that a question about names is an `&`. To ask
// for other names, add a mark here and its list to signals.hpp: nothing else.
#pragma once

#include <cstdint>
#include <string_view>

namespace freshet::markdown {

/// A set of marks.
using name_marks = std::uint64_t;

/// One bit a list of names; what each list is for, and why, stands in signals.hpp.
namespace mark {
inline constexpr name_marks unlikely = 1ull << 0;
inline constexpr name_marks maybe = 1ull << 1;
inline constexpr name_marks positive = 1ull << 2;
inline constexpr name_marks negative = 1ull << 3;
inline constexpr name_marks hidden = 1ull << 4;
inline constexpr name_marks related = 1ull << 5;
inline constexpr name_marks request = 1ull << 6;
inline constexpr name_marks sharing = 1ull << 7;
inline constexpr name_marks comment = 1ull << 8;
inline constexpr name_marks advert = 1ull << 9;
inline constexpr name_marks about = 1ull << 10;
inline constexpr name_marks passage = 1ull << 11;
inline constexpr name_marks caption = 1ull << 12;
inline constexpr name_marks opened = 1ull << 13;
inline constexpr name_marks gallery = 1ull << 14;
// Of pages that are no articles.
inline constexpr name_marks moving = 1ull << 16;
inline constexpr name_marks surroundings = 1ull << 17;
inline constexpr name_marks controls = 1ull << 18;
inline constexpr name_marks poster = 1ull << 19;
inline constexpr name_marks opinions = 1ull << 20;
inline constexpr name_marks post_body = 1ull << 22;
inline constexpr name_marks post_author = 1ull << 23;
inline constexpr name_marks post_date = 1ull << 24;
inline constexpr name_marks overlay = 1ull << 25;
inline constexpr name_marks post_text = 1ull << 26;
inline constexpr name_marks cart = 1ull << 27;
inline constexpr name_marks price = 1ull << 28;
inline constexpr name_marks purchase = 1ull << 29;
}  // namespace mark

/// The marks of names as they stand in a class or id attribute: case does not count, white space
/// is one space, and there is a space before and after ("text: " hid " matches a whole name).
[[nodiscard]] name_marks marks_in(std::string_view names) noexcept;

/// The marks of an element, by where its names stand.
struct element_marks {
  name_marks of_class = 0, of_id = 0;
  [[nodiscard]] constexpr name_marks any() const noexcept { return of_class | of_id; }
};

}  // namespace freshet::markdown
