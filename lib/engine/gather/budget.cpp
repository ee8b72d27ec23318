// Cutting a document between blocks.
#include "engine/gather/budget.hpp"

#include <algorithm>
#include <markdown/page.hpp>
#include <string_view>

namespace freshet::detail {
namespace {

/// Tokens of a document's other keys and of the envelope, about.
constexpr std::int64_t frame_tokens = 400;

}  // namespace

document_cut cut_document(document& whole, const std::vector<std::size_t>& blocks,
                          std::int64_t first_block, std::int64_t max_tokens) {
  document_cut cut;
  const auto count = static_cast<std::int64_t>(blocks.size());
  if (count == 0 || (first_block == 0 && max_tokens == 0)) return cut;
  first_block = std::min(first_block, count - 1);
  const std::string_view text = whole.markdown;
  const auto begin_of = [&](std::int64_t block) {
    return block < count ? blocks[static_cast<std::size_t>(block)] : text.size();
  };
  const auto begin = begin_of(first_block);
  auto last = first_block;
  std::int64_t tokens = 0;
  while (last < count) {
    const auto piece = text.substr(begin_of(last), begin_of(last + 1) - begin_of(last));
    const auto cost = markdown::estimate_tokens(piece);
    const bool over = max_tokens != 0 && tokens + cost + frame_tokens > max_tokens;
    if (over && last > first_block) break;
    tokens += cost;
    ++last;
  }
  cut.truncated = last < count;
  cut.next_block = last;
  if (first_block == 0 && !cut.truncated) {
    // The blocks all fit; the plain text beside them may not.
    if (max_tokens != 0 && 2 * tokens + frame_tokens > max_tokens) whole.text.clear();
    return cut;
  }
  auto kept = std::string(text.substr(begin, begin_of(last) - begin));
  kept.erase(kept.find_last_not_of('\n') + 1);
  kept += '\n';
  whole.markdown = std::move(kept);
  whole.text.clear();
  whole.token_estimate = tokens;
  return cut;
}

}  // namespace freshet::detail
