// CSS selectors over a document: for `include` and `exclude`, and for a page's own style sheets.
#pragma once

#include <base/work.hpp>
#include <cstdint>
#include <freshet/result.hpp>
#include <html/document.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::html {

/// Whether :is(), :where(), :has() and :not() of more than one test are understood, each of tests
/// of single elements. Style sheets have them taken apart before.
enum class selector_functions : std::uint8_t { none, all };

/// A compiled selector list. Copyable; matching is thread-safe.
class selector {
 public:
  /// Error: invalid_request whose detail says what is not understood and where.
  [[nodiscard]] static result<selector> compile(
      std::string_view text, selector_functions functions = selector_functions::none);
  /// All matches under `within`, in document order.
  [[nodiscard]] std::vector<node_id> select(const document& document, node_id within) const;
  /// The same; every test of an element is counted. Throws what the meter throws.
  [[nodiscard]] std::vector<node_id> select(const document& document, node_id within,
                                            base::meter& counted) const;

  /// What the last part of the first alternative asks of an element itself; "" where it does not.
  /// Lives as long as the selector.
  struct subject {
    std::string_view id, class_name, element;
  };
  [[nodiscard]] subject subject_of() const noexcept;
  /// The classes and ids, with their signs, that must stand above what the first alternative
  /// selects.
  [[nodiscard]] std::vector<std::string> names_above() const;
  /// Of the first alternative, as CSS weighs it; greater wins.
  [[nodiscard]] std::uint32_t specificity() const noexcept;
  /// Whether it selects an element. Goes down to it from the root where it asks for what is above:
  /// for the few elements that have the subject. Counted, and throws, as select() does.
  [[nodiscard]] bool matches(const document& document, node_id element, base::meter& counted) const;

 private:
  struct program;
  std::shared_ptr<const program> program_;
};

}  // namespace freshet::html
