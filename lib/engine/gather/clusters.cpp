// Each new item is held against those that stand in the page, whose prints are kept.
#include "engine/gather/clusters.hpp"

namespace freshet::detail {

bool page_clusters::take(const item& what) {
  if (members_ == max_cluster_members || places_.empty()) return false;
  const auto print = query::print_of(what);
  for (auto& one : places_) {
    if (!query::is_same_story(one.print, print, steps_)) continue;
    const auto& shared = common(what);
    one.cluster.members.push_back(
        {object_name(what), shared.id, shared.source, shared.url, shared.title, shared.created_at});
    ++members_;
    return true;
  }
  return false;
}

void page_clusters::add(const item& what) {
  places_.push_back({query::print_of(what), {common(what).id, {}}});
}

std::vector<item_cluster> page_clusters::made() const {
  std::vector<item_cluster> out;
  for (const auto& one : places_) {
    if (!one.cluster.members.empty()) out.push_back(one.cluster);
  }
  return out;
}

}  // namespace freshet::detail
