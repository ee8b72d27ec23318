// Cutting a document between blocks.
#include "engine/gather/budget.hpp"

#include <algorithm>
#include <base/json.hpp>
#include <markdown/blocks/long_blocks.hpp>
#include <markdown/page.hpp>
#include <string>
#include <string_view>

namespace freshet::detail {
namespace {

/// Tokens of a document's other keys and of the envelope, about.
constexpr std::int64_t frame_tokens = 400;
/// The longest form of one byte in JSON: "\u001f".
constexpr std::size_t most_json_per_byte = 6;
/// How the bytes of an answer are shared out, in sixteenths: the rest is for all other keys.
constexpr std::size_t markdown_part = 10, links_part = 2, media_part = 2, parts = 16;

std::size_t json_size(std::string_view text) {
  thread_local std::string written;  // one buffer a thread, for many texts
  written.clear();
  base::append_json_string(written, text);
  return written.size();
}

/// What of a document grows with its page, at most.
std::size_t most_json_size(const document& whole) {
  std::size_t size = whole.markdown.size() + whole.text.size();
  for (const auto& link : whole.links) size += link.size() + 1;
  for (const auto& one : whole.media) size += one.url.size() + one.alt.size() + 32;
  return size * most_json_per_byte;
}

template <class List, class Size>
bool shorten(List& list, std::size_t most, const Size& size_of) {
  std::size_t size = 0;
  const auto over = std::ranges::find_if(list, [&](const auto& one) {
    size += size_of(one);
    return size > most;
  });
  const bool is_cut = over != list.end();
  list.erase(over, list.end());
  return is_cut;
}

}  // namespace

document_cut cut_document(document& whole, std::vector<std::size_t> blocks,
                          std::int64_t first_block, document_bounds bounds) {
  document_cut cut;
  const auto sixteenth = bounds.bytes / parts;
  const bool is_large = bounds.bytes != 0 && most_json_size(whole) > bounds.bytes;
  if (is_large) {
    const auto of_links = shorten(whole.links, sixteenth * links_part,
                                  [](const std::string& link) { return json_size(link) + 1; });
    const auto of_media = shorten(whole.media, sixteenth * media_part, [](const media& one) {
      return json_size(one.url) + json_size(one.alt) + 128;
    });
    cut.shortened_lists = of_links || of_media;
    if (blocks.empty() && !whole.markdown.empty()) blocks.push_back(0);
  }
  // Whether it is large or not: what goes on was counted in the same pieces.
  if (bounds.bytes != 0)
    blocks =
        markdown::split_long_blocks(blocks, whole.markdown, std::max<std::size_t>(sixteenth, 4));
  const auto count = static_cast<std::int64_t>(blocks.size());
  if (count == 0 || (first_block == 0 && bounds.tokens == 0 && !is_large)) return cut;
  first_block = std::min(first_block, count - 1);
  const std::string_view text = whole.markdown;
  const auto begin_of = [&](std::int64_t block) {
    return block < count ? blocks[static_cast<std::size_t>(block)] : text.size();
  };
  const auto begin = begin_of(first_block);
  auto last = first_block;
  std::int64_t tokens = 0;
  std::size_t bytes = 0;
  while (last < count) {
    const auto piece = text.substr(begin_of(last), begin_of(last + 1) - begin_of(last));
    const auto cost = markdown::estimate_tokens(piece);
    const auto size = is_large ? json_size(piece) : 0;
    const bool over = (bounds.tokens != 0 && tokens + cost + frame_tokens > bounds.tokens) ||
                      (is_large && bytes + size > sixteenth * markdown_part);
    if (over && last > first_block) break;
    tokens += cost;
    bytes += size;
    ++last;
  }
  cut.truncated = last < count;
  cut.next_block = last;
  if (first_block == 0 && !cut.truncated) {
    // The blocks all fit; the plain text beside them may not.
    const bool over = (bounds.tokens != 0 && 2 * tokens + frame_tokens > bounds.tokens) ||
                      (is_large && bytes + json_size(whole.text) > sixteenth * markdown_part);
    if (over) whole.text.clear();
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
