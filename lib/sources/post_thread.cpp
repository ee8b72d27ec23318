// Ordering and cutting a thread of replies. It drops nothing but what hangs in a circle, which no
// honest source sends.
#include <algorithm>
#include <map>
#include <sources/post_thread.hpp>
#include <sources/thread_page.hpp>

namespace freshet::sources {
namespace {

bool is_earlier(const reply_entry& a, const reply_entry& b) {
  if (!a.what.created_at || !b.what.created_at) return a.what.created_at && !b.what.created_at;
  return *a.what.created_at < *b.what.created_at;
}

}  // namespace

std::vector<post> replies_in_pre_order(std::vector<reply_entry> entries) {
  std::ranges::stable_sort(entries, is_earlier);
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
  return thread_page(std::move(all), position, limit, ' ');
}

}  // namespace freshet::sources
