// CSS selectors over a document: for `include` and `exclude`.
#pragma once

#include <base/work.hpp>
#include <freshet/result.hpp>
#include <html/document.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace freshet::html {

/// A compiled selector list. Copyable; matching is thread-safe.
class selector {
 public:
  /// Error: invalid_request whose detail says what is not understood and where.
  [[nodiscard]] static result<selector> compile(std::string_view text);
  /// All matches under `within`, in document order.
  [[nodiscard]] std::vector<node_id> select(const document& document, node_id within) const;
  /// The same; every test of an element is counted. Throws what the meter throws.
  [[nodiscard]] std::vector<node_id> select(const document& document, node_id within,
                                            base::meter& counted) const;

 private:
  struct program;
  std::shared_ptr<const program> program_;
};

}  // namespace freshet::html
