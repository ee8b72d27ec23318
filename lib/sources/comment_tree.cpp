// Ordering and paging of threads. It knows no source, fetches nothing and never recurses: a thread
// is as deep as its authors (or an attacker) made it.
#include <base/text_hash.hpp>
#include <sources/comment_tree.hpp>
#include <sources/thread_page.hpp>
#include <unordered_map>
#include <utility>

namespace freshet::sources {

namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// Who hangs below whom, by index; `below[entries]` are the roots.
struct tree {
  std::vector<std::vector<std::size_t>> below;
  std::vector<std::size_t> order, parent;
};

std::vector<std::vector<std::size_t>> link(const std::vector<thread_entry>& entries) {
  std::unordered_map<std::string_view, std::size_t, base::text_hash> by_key;
  for (std::size_t i = 0; i < entries.size(); ++i) by_key.emplace(entries[i].key, i);
  std::vector<std::vector<std::size_t>> below(entries.size() + 1);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto found = by_key.find(entries[i].parent_key);
    const bool root = entries[i].parent_key.empty() || found == by_key.end() || found->second == i;
    below[root ? entries.size() : found->second].push_back(i);
  }
  return below;
}

void walk_from(std::size_t start, tree& tree, std::vector<bool>& seen) {
  std::vector<std::pair<std::size_t, std::size_t>> waiting{{start, nowhere}};
  while (!waiting.empty()) {
    const auto [at, parent] = waiting.back();
    waiting.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    tree.order.push_back(at);
    tree.parent[at] = parent;
    const auto& children = tree.below[at];
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      waiting.emplace_back(*child, at);
    }
  }
}

}  // namespace

std::vector<comment> in_pre_order(std::vector<thread_entry> entries) {
  tree of;
  of.below = link(entries);
  of.parent.assign(entries.size(), nowhere);
  std::vector<bool> seen(entries.size(), false);
  for (const auto root : of.below[entries.size()]) walk_from(root, of, seen);
  // Whatever is left hangs in a ring; none of it may be lost.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!seen[i]) walk_from(i, of, seen);
  }
  std::vector<bool> kept(entries.size(), false);
  for (auto at = of.order.rbegin(); at != of.order.rend(); ++at) {
    if (!entries[*at].gone) kept[*at] = true;
    if (kept[*at] && of.parent[*at] != nowhere) kept[of.parent[*at]] = true;
  }
  std::vector<comment> out;
  for (const auto at : of.order) {
    if (kept[at]) out.push_back(std::move(entries[at].what));
  }
  return out;
}

result<listing> page_of_thread(std::vector<comment> all, std::string_view position, int limit) {
  return thread_page(std::move(all), position, limit, ':');
}

}  // namespace freshet::sources
