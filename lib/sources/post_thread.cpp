// Ordering and cutting a thread of replies. It drops nothing but what hangs in a circle, which no
// honest source sends.
#include <algorithm>
#include <charconv>
#include <map>
#include <sources/post_thread.hpp>

namespace freshet::sources {
namespace {

bool is_earlier(const reply_entry& a, const reply_entry& b) {
  if (!a.what.created_at || !b.what.created_at) return a.what.created_at && !b.what.created_at;
  return *a.what.created_at < *b.what.created_at;
}

/// Positions longer than this are not ours: an id is at most a few hundred bytes.
constexpr std::size_t max_position = 512;

}  // namespace

std::vector<post> replies_in_pre_order(std::vector<reply_entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), is_earlier);
  std::map<std::string_view, std::size_t> by_key;
  for (std::size_t i = 0; i < entries.size(); ++i) by_key.emplace(entries[i].key, i);

  std::vector<std::vector<std::size_t>> children(entries.size());
  std::vector<std::size_t> open;  // what is still to be written, the next one last
  for (std::size_t i = entries.size(); i-- > 0;) {
    const auto& entry = entries[i];
    if (by_key.at(entry.key) != i) continue;  // a second copy
    const auto parent = by_key.find(entry.parent_key);
    if (parent == by_key.end()) {
      open.push_back(i);
    } else {
      children[parent->second].push_back(i);
    }
  }
  std::vector<post> ordered;
  ordered.reserve(entries.size());
  while (!open.empty()) {
    const auto i = open.back();
    open.pop_back();
    ordered.push_back(std::move(entries[i].what));
    open.insert(open.end(), children[i].begin(), children[i].end());
  }
  return ordered;
}

result<listing> page_of_replies(std::vector<post> all, std::string_view position, int limit) {
  std::size_t start = 0;
  if (!position.empty()) {
    const auto read = std::from_chars(position.data(), position.data() + position.size(), start);
    const auto* const end = position.data() + position.size();
    if (read.ec != std::errc{} || read.ptr == end || *read.ptr != ' ')
      return error(errc::invalid_cursor, "the position in the thread is malformed");
    const std::string_view before(read.ptr + 1, static_cast<std::size_t>(end - read.ptr - 1));
    const auto found = std::find_if(all.begin(), all.end(),
                                    [before](const post& one) { return one.id == before; });
    if (found != all.end()) start = static_cast<std::size_t>(found - all.begin()) + 1;
  }
  listing page;
  start = std::min(start, all.size());
  const auto count = std::min(all.size() - start, static_cast<std::size_t>(std::max(limit, 1)));
  for (std::size_t i = start; i < start + count; ++i) page.items.emplace_back(std::move(all[i]));
  if (count > 0 && start + count < all.size()) {
    page.next = std::to_string(start + count) + ' ' + common(page.items.back()).id;
    if (page.next.size() > max_position) page.next.resize(page.next.find(' ') + 1);
  }
  return page;
}

}  // namespace freshet::sources
