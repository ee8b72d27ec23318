// The JSON Schema of a caller, compiled: what kind of value is wanted at each place, under which
// names pages may have it, and where its own selector looks. It reads no page.
#pragma once

#include <base/json.hpp>
#include <cstdint>
#include <freshet/result.hpp>
#include <html/select/selector.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::extract {

/// Bounds of a schema: it comes from a caller, and is walked for every page.
inline constexpr std::size_t max_schema_nodes = 256;
inline constexpr std::size_t max_schema_depth = 8;
/// Bytes of a property's name: it stands in the pointer of every value below it.
inline constexpr std::size_t max_property_name = 256;
/// Elements of a list that are given where the schema says nothing less.
inline constexpr std::size_t max_list_items = 1000;

enum value_kind : unsigned {
  kind_none = 0,
  kind_string = 1u << 0,
  kind_number = 1u << 1,
  kind_integer = 1u << 2,
  kind_boolean = 1u << 3,
  kind_object = 1u << 4,
  kind_array = 1u << 5,
  kind_null = 1u << 6,
};

enum class text_format : std::uint8_t { none, date_time, date, uri, email };

/// Where a selector looks, and what it takes there.
struct selection {
  html::selector elements;
  bool is_scope = false;  ///< the element that is being read itself
  std::string attribute;  ///< "": what the element says
  std::string written;
};

/// What is wanted at one place.
struct wanted_value {
  unsigned kinds = kind_none;
  std::string name;   ///< of the property, or of the list that it is an element of
  std::string alias;  ///< x-name; ""
  std::string type;   ///< x-type: of schema.org; ""
  text_format format = text_format::none;
  std::optional<selection> where;
  std::span<const base::json::value> allowed{};  ///< enum or const; empty: any
  const base::json::value* fallback = nullptr;   ///< null: there is none
  bool is_required = false;                      ///< of the object whose property it is
  std::optional<double> least, most;
  std::size_t least_length = 0, most_length = static_cast<std::size_t>(-1);
  std::size_t least_items = 0, most_items = max_list_items;
  std::vector<std::size_t> properties;  ///< of an object, in the caller's order
  std::optional<std::size_t> items;     ///< of an array

  [[nodiscard]] bool is(value_kind one) const noexcept { return (kinds & one) != 0; }
};

class schema {
 public:
  /// Error: invalid_request with one parameter_error, its pointer below `pointer` ("/schema").
  [[nodiscard]] static result<schema> compile(std::string_view json, std::string_view pointer = "");

  [[nodiscard]] const wanted_value& root() const noexcept { return nodes_.front(); }
  [[nodiscard]] const wanted_value& at(std::size_t index) const noexcept { return nodes_[index]; }

 private:
  friend class schema_compiler;
  /// As the caller sent it. What may be long in it is not copied for each place that refers to it.
  std::shared_ptr<const base::json::value> text_;
  std::vector<wanted_value> nodes_;
};

}  // namespace freshet::extract
