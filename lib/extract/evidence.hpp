// All that a page says for machines, in one form: objects with their types and members, by the
// place that they come from. Which of them a caller means is decided elsewhere.
#pragma once

#include <base/json.hpp>
#include <base/text_hash.hpp>
#include <base/url.hpp>
#include <deque>
#include <extract/microdata.hpp>
#include <html/document.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace freshet::extract {

/// Objects of one page that are looked at.
inline constexpr std::size_t max_things = 2000;
/// The longest name of a member in a path.
inline constexpr std::size_t max_name_bytes = 200;

/// One object. Lives as long as the evidence.
struct thing {
  const base::json::object* what = nullptr;
  std::string_view from;           ///< "json-ld", "microdata", "opengraph", "meta", "table", "page"
  std::string label;               ///< the beginning of a path: its type, or what else it is called
  std::vector<std::string> types;  ///< plain names
  bool is_top = false;             ///< it stands in no other object
};

/// A member of an object, found by its plain name.
struct thing_member {
  std::string_view key;  ///< as the page has it
  const base::json::value* value = nullptr;
};

class evidence {
 public:
  /// The page outlives it.
  evidence(const html::document& page, std::string_view address);
  evidence(const evidence&) = delete;
  evidence& operator=(const evidence&) = delete;

  [[nodiscard]] const html::document& page() const noexcept { return page_; }
  [[nodiscard]] const std::optional<base::url>& base() const noexcept { return base_; }
  /// Of JSON-LD and microdata, in the order of the page.
  [[nodiscard]] const std::vector<thing>& things() const noexcept { return things_; }
  /// What the page says of itself: OpenGraph, <meta>, tables of names and values, its elements.
  [[nodiscard]] const std::vector<thing>& about() const noexcept { return about_; }
  /// The rows of tables with a head, a list a table.
  [[nodiscard]] const std::vector<std::vector<thing>>& tables() const noexcept { return tables_; }
  /// The microdata item that an element is; null if none.
  [[nodiscard]] const thing* item_of(html::node_id element) const;

  /// The members of an object by that plain name.
  [[nodiscard]] const thing_member* member(const base::json::object& object,
                                           const std::string& plain) const;
  /// What a value refers to by its @id, where the page has that; else the value itself.
  [[nodiscard]] const base::json::value& settled(const base::json::value& value) const;

  /// Whether the page refers to so much of itself again and again that some was left out.
  [[nodiscard]] bool repeats_too_much() const noexcept { return room_.is_full(); }

  int broken_scripts = 0;

 private:
  void take_linked_data();
  void take_microdata();
  void take_meta();
  void take_elements(std::string_view address);
  void take_tables();
  void take_table(html::node_id table);
  void take_definitions(html::node_id list, base::json::object& object);
  void add_things(const base::json::value& root, std::string_view origin);
  void add_about(base::json::object&& object, std::string_view origin, std::string label);

  const html::document& page_;
  std::optional<base::url> base_;
  copy_room room_;
  std::deque<base::json::value> values_;  ///< what the things point into
  std::vector<thing> things_, about_;
  std::vector<std::vector<thing>> tables_;
  std::unordered_map<html::node_id, std::size_t> items_;  ///< places in things_
  std::unordered_map<std::string, const base::json::value*, base::text_hash> by_id_;
  mutable std::unordered_map<const base::json::object*,
                             std::unordered_map<std::string, thing_member, base::text_hash>>
      members_;
};

}  // namespace freshet::extract
