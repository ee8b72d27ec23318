// What the class and id names of an element say, as bits. Every page's names are read once, by one
// automaton made of the lists in signals.hpp; after that a question about names is an `&`. To ask
// for other names, add a mark here and its list to signals.hpp: nothing else.
#pragma once

#include <cstdint>
#include <string_view>

namespace freshet::markdown {

/// A set of marks.
using name_marks = std::uint32_t;

/// One bit a list of names; what each list is for, and why, stands in signals.hpp.
namespace mark {
inline constexpr name_marks unlikely = 1u << 0;
inline constexpr name_marks maybe = 1u << 1;
inline constexpr name_marks positive = 1u << 2;
inline constexpr name_marks negative = 1u << 3;
inline constexpr name_marks hidden = 1u << 4;
inline constexpr name_marks related = 1u << 5;
inline constexpr name_marks request = 1u << 6;
inline constexpr name_marks sharing = 1u << 7;
inline constexpr name_marks comment = 1u << 8;
inline constexpr name_marks advert = 1u << 9;
inline constexpr name_marks about = 1u << 10;
inline constexpr name_marks passage = 1u << 11;
inline constexpr name_marks caption = 1u << 12;
inline constexpr name_marks opened = 1u << 13;
inline constexpr name_marks gallery = 1u << 14;
inline constexpr name_marks author = 1u << 15;
inline constexpr name_marks beside_author = 1u << 16;
// Of pages that are no articles.
inline constexpr name_marks surroundings = 1u << 17;
inline constexpr name_marks controls = 1u << 18;
inline constexpr name_marks poster = 1u << 19;
inline constexpr name_marks opinions = 1u << 20;
inline constexpr name_marks signature = 1u << 21;
inline constexpr name_marks post_body = 1u << 22;
inline constexpr name_marks overlay = 1u << 25;
inline constexpr name_marks post_text = 1u << 26;
inline constexpr name_marks cart = 1u << 27;
inline constexpr name_marks price = 1u << 28;
inline constexpr name_marks purchase = 1u << 29;
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
