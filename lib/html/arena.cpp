// The blocks behind a page's text.
#include <cstring>
#include <html/arena.hpp>

namespace freshet::html {

namespace {

/// Texts are copied into blocks of this size; one longer than a quarter gets a block of its own.
constexpr std::size_t block_bytes = 64 * 1024;

}  // namespace

char* text_arena::take(std::size_t size) {
  if (size > left_) {
    if (size > block_bytes / 4) {
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
      return blocks_.back().get();
    }
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_bytes));
    free_ = blocks_.back().get();
    left_ = block_bytes;
  }
  char* const taken = free_;
  free_ += size;
  left_ -= size;
  return taken;
}

std::string_view text_arena::keep(std::string_view text) {
  if (text.empty()) return {};
  char* const at = take(text.size());
  std::memcpy(at, text.data(), text.size());
  return {at, text.size()};
}

}  // namespace freshet::html
