// Where a page's text lives: blocks that are only given back all at once, so that a view into them
// holds as long as the page. It knows nothing of what the bytes mean.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace freshet::html {

/// Bytes that stay where they are. Move-only; views live as long as it does.
class text_arena {
 public:
  /// Room for `size` bytes, not initialised.
  [[nodiscard]] char* take(std::size_t size);
  /// A copy of `text`.
  [[nodiscard]] std::string_view keep(std::string_view text);

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace freshet::html
