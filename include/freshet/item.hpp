// The items every platform answers with: one shape, thirteen objects, a typed mirror of the
// contract's section 3. Their members stand in item_fields.def, one row each with its meaning, in
// this order; nothing here says what JSON they become, which lib/model writes. The values own their
// strings.
//
// An empty string means that the source did not say, and is null in JSON, except where the row says
// `required`; an empty vector is []; an empty optional is null.
#pragma once

#include <chrono>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace freshet {

/// A moment in UTC, to the millisecond. In JSON: RFC 3339 with `Z`.
using time_point = std::chrono::sys_time<std::chrono::milliseconds>;

/// A count that a source may not give.
using count = std::optional<std::int64_t>;

/// Any JSON value, as text; "" is none.
struct json_text {
  std::string text;  ///< one JSON value, without spaces around it
  /// Whether both are the same text.
  friend bool operator==(const json_text&, const json_text&) = default;
};

// The structures, made of the table: the parts, item_common, then the kinds of items.
// clang-format off
#define FRESHET_PART(name, doc) struct name {
#define FRESHET_ITEM(name, doc) struct name : item_common {
#define FRESHET_COUNTED_ITEM(name, counts, doc) struct name : item_common { counts metrics{};
#define FRESHET_FIELD(type, key, presence, json, doc) type key{};
#define FRESHET_OBJECT(part, key, presence, doc) struct part key{};
#define FRESHET_LIST(part, key, doc) std::vector<struct part> key{};
#define FRESHET_END() };
// clang-format on
#include <freshet/item_fields.def>

/// Any item: a std::variant, which `std::visit`, `std::get` and the like take as one. How it is
/// copied, moved and destroyed is compiled once, in the library, and not wherever items are held.
struct item : std::variant<post, user, video, forum_post, comment, trend, web_result, web_image,
                           suggestion, article, document, site_address, extraction, transcript> {
  using variant::variant;
  item() noexcept;                     ///< an empty post
  item(const item& other);             ///< a copy
  item(item&& other) noexcept;         ///< what `other` holds, whose values are then unspecified
  item& operator=(const item& other);  ///< a copy
  item& operator=(item&& other) noexcept;  ///< what `other` holds, as above
  ~item();
};

/// The keys that every item has, of `any`. The reference lives as long as `any`.
[[nodiscard]] inline const item_common& common(const item& any) noexcept {
  return std::visit([](const auto& one) -> const item_common& { return one; }, any);
}
/// The same, to be changed.
[[nodiscard]] inline item_common& common(item& any) noexcept {
  return std::visit([](auto& one) -> item_common& { return one; }, any);
}

/// The value of `object`: "post", "user", "video", "forum_post", "comment", "trend", "web_result",
/// "web_image", "suggestion", "article", "document", "site_address", "extraction" or "transcript".
[[nodiscard]] inline const char* object_name(const item& any) noexcept {
  constexpr const char* names[] = {
#define FRESHET_ITEM(name, doc) #name,
#include <freshet/item_fields.def>
  };
  static_assert(std::size(names) == std::variant_size_v<item::variant>);
  return names[any.index()];
}

}  // namespace freshet
