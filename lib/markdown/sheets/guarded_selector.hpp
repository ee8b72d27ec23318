// Selectors of style sheets: those of html::selector, and :is(), :where(), :has() and :not() of
// anything, of the element itself and of those above it, taken apart into selectors that it knows.
#pragma once

#include <base/work.hpp>
#include <html/select/selector.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// One selector of a rule, compiled, for one page and one thread. Copyable.
class guarded_selector {
 public:
  /// Null for what is not understood.
  [[nodiscard]] static std::optional<guarded_selector> compile(std::string_view text);

  /// Whether it selects an element. Counted, and throws, as html::selector::matches() does.
  [[nodiscard]] bool matches(const html::document& page, html::node_id element,
                             base::meter& counted) const;
  /// Of the weightiest of what it was taken apart into.
  [[nodiscard]] std::uint32_t specificity() const noexcept;
  /// What it asks of an element itself; "" where that is not known.
  [[nodiscard]] html::selector::subject subject_of() const noexcept;

 private:
  /// What else an element must be.
  struct wanted {
    std::shared_ptr<const guarded_selector> of;
    char relation = ' ';  ///< of what an element has: '>', '+', '~', or anywhere in it
  };
  struct guard {
    enum { is, is_not, has } what = is;
    bool is_negated = false;  ///< of what has something
    std::vector<wanted> any_of;
  };
  struct part_above;
  struct alternative {
    html::selector plain;
    std::vector<guard> guards;
    std::uint32_t specificity = 0;
    std::shared_ptr<part_above> above;  ///< what some element above must be, if any
    char relation = ' ';                ///< '>': the parent; '+' and '~': one before it
  };

  /// How deep a part stands in the whole, and how many parts of it were compiled.
  struct progress {
    int depth = 0;
    int* parts = nullptr;
  };
  static std::optional<guarded_selector> compile(std::string_view text, progress part);
  static bool add(std::string_view text, progress part, std::vector<alternative>& found);
  static bool read_above(std::string_view text, progress part, alternative& made);
  static bool is_below(const alternative& one, const html::document& page, html::node_id element,
                       base::meter& counted);
  static std::optional<guard> read_guard(std::string_view name, std::string_view inside,
                                         progress part);
  static std::uint32_t weight_of(const guard& one) noexcept;
  static bool has_wanted(const wanted& one, const html::document& page, html::node_id element,
                         base::meter& counted);
  [[nodiscard]] const html::selector* plain() const noexcept;
  static bool holds(const guard& one, const html::document& page, html::node_id element,
                    base::meter& counted);

  std::vector<alternative> alternatives_;
};

}  // namespace freshet::markdown
