// Merging: by time (a k-way merge), in turn, or by reciprocal rank. Equal keys keep the branches'
// order, so that the same input gives the same list.
#include "engine/gather/merge.hpp"

#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <limits>
#include <map>

namespace freshet::detail {
namespace {

std::int64_t time_key(const candidate& of) {
  const auto& at = common(of.what).created_at;
  return at ? at->time_since_epoch().count() : std::numeric_limits<std::int64_t>::min();
}

bool must_wait(std::span<merge_queue* const> queues) {
  return std::ranges::any_of(
      queues, [](const merge_queue* queue) { return queue->waiting.empty() && !queue->ended; });
}

/// The branch whose head comes next; queues.size() if none has one.
std::size_t next_branch(merge_order order, std::span<merge_queue* const> queues, std::size_t turn) {
  std::size_t best = queues.size();
  for (std::size_t step = 0; step < queues.size(); ++step) {
    const auto i = order == merge_order::in_turn ? (turn + step) % queues.size() : step;
    if (queues[i]->waiting.empty()) continue;
    if (best == queues.size()) {
      best = i;
      if (order != merge_order::by_time) break;
    } else if (time_key(queues[i]->waiting.front()) > time_key(queues[best]->waiting.front())) {
      best = i;
    }
  }
  return best;
}

void give_heads(merge_order order, std::span<merge_queue* const> queues, std::size_t wanted,
                std::size_t turn, std::set<std::string>& given,
                const std::function<bool(candidate&)>& accept) {
  std::size_t count = 0;
  while (count < wanted && !must_wait(queues)) {
    const auto i = next_branch(order, queues, turn);
    if (i == queues.size()) return;
    auto& waiting = queues[i]->waiting;
    if (given.contains(waiting.front().identity)) {
      waiting.pop_front();
      continue;
    }
    if (!accept(waiting.front())) return;
    given.insert(waiting.front().identity);
    waiting.pop_front();
    turn = i + 1;
    ++count;
  }
}

double score_of(std::int64_t rank) noexcept {
  return 1.0 / (rank_fusion_k + static_cast<double>(rank));
}

/// One page as found by one or more branches.
struct fused_page {
  double score = 0;
  std::size_t first_branch = 0;
  std::int64_t first_rank = 0;
  candidate* best = nullptr;       ///< of the first branch that has it
  std::vector<candidate*> others;  ///< of the other branches
  std::vector<engine_rank> engines;
};

/// Each engine once, with its own rank if any branch tells it.
void add_engines(std::vector<engine_rank>& out, const item& item) {
  const auto* result = std::get_if<web_result>(&item);
  if (result == nullptr) return;
  for (const auto& engine : result->engines) {
    const auto same = std::ranges::find(out, engine.name, &engine_rank::name);
    if (same == out.end()) {
      out.push_back(engine);
    } else if (!same->rank) {
      same->rank = engine.rank;
    }
  }
}

/// Gives the result that stands for a page what it lacks and another engine knows.
void fill_gaps(item& target, const item& source) {
  auto* result = std::get_if<web_result>(&target);
  const auto* other = std::get_if<web_result>(&source);
  if (result == nullptr || other == nullptr) return;
  const auto fill = [](auto& into, const auto& with) {
    if (into.empty()) into = with;
  };
  fill(result->title, other->title);
  fill(result->text, other->text);
  fill(result->lang, other->lang);
  fill(result->media, other->media);
  fill(result->links, other->links);
  fill(result->safety, other->safety);
  if (!result->created_at) result->created_at = other->created_at;
}

std::vector<std::pair<std::string, fused_page>> fuse(std::span<merge_queue* const> queues,
                                                     const std::set<std::string>& given) {
  std::vector<std::pair<std::string, fused_page>> pages;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    std::set<std::string> seen_here;  // an engine that repeats a page does not vote twice
    for (auto& one : queues[i]->waiting) {
      if (given.contains(one.identity) || !seen_here.insert(one.identity).second) continue;
      const auto [place, fresh] = places.try_emplace(one.identity, pages.size());
      if (fresh) pages.emplace_back(one.identity, fused_page{});
      auto& page = pages[place->second].second;
      page.score += score_of(one.rank);
      add_engines(page.engines, one.what);
      if (page.best == nullptr) {
        page.best = &one;
        page.first_branch = i;
        page.first_rank = one.rank;
      } else {
        page.others.push_back(&one);
      }
    }
  }
  std::ranges::stable_sort(pages, [](const auto& a, const auto& b) {
    if (a.second.score != b.second.score) return a.second.score > b.second.score;
    if (a.second.first_rank != b.second.first_rank)
      return a.second.first_rank < b.second.first_rank;
    return a.second.first_branch < b.second.first_branch;
  });
  return pages;
}

/// The most that a page can score which no branch has given yet.
double unseen_score(std::span<merge_queue* const> queues) {
  double most = 0;
  for (const auto* queue : queues) {
    if (!queue->ended) most = std::max(most, score_of(queue->last_rank + 1));
  }
  return most;
}

void give_fused(std::span<merge_queue* const> queues, std::size_t wanted,
                std::set<std::string>& given, const std::function<bool(candidate&)>& accept) {
  std::size_t count = 0;
  const auto unseen = unseen_score(queues);
  for (auto& [identity, page] : fuse(queues, given)) {
    if (count == wanted || page.score < unseen) break;
    auto& best = page.best->what;
    if (std::holds_alternative<web_result>(best.get())) {
      std::get<web_result>(best.change()).engines = page.engines;
    }
    for (const auto* other : page.others) fill_gaps(best.change(), other->what);
    if (!accept(*page.best)) break;
    given.insert(identity);
    ++count;
  }
  for (auto* queue : queues) {
    std::erase_if(queue->waiting,
                  [&](const candidate& one) { return given.contains(one.identity); });
  }
}

}  // namespace

std::string identity_of(const item& what) {
  const auto& shared = common(what);
  if (const auto* picture = std::get_if<web_image>(&what)) return picture->image_url;
  if (std::holds_alternative<suggestion>(what)) return base::fold(shared.text);
  if (shared.url.empty()) return shared.id;
  if (std::holds_alternative<web_result>(what) || std::holds_alternative<article>(what)) {
    return base::same_page_key(shared.url);
  }
  // An id that is the origin's own URI stays when the handle, and the URL with it, changes.
  if (std::holds_alternative<post>(what) && shared.id.find(":at://") != std::string::npos) {
    return shared.id;
  }
  if (std::holds_alternative<post>(what) || std::holds_alternative<forum_post>(what) ||
      std::holds_alternative<video>(what)) {
    return shared.url;
  }
  return shared.id;
}

bool can_give(merge_order order, std::span<const merge_queue* const> queues, std::size_t wanted,
              std::vector<std::size_t>& needed) {
  needed.clear();
  if (order != merge_order::by_rank) {
    for (std::size_t i = 0; i < queues.size(); ++i) {
      if (queues[i]->waiting.empty() && !queues[i]->ended) needed.push_back(i);
    }
    return needed.empty();
  }
  std::set<std::string_view> distinct;
  for (const auto* queue : queues) {
    for (const auto& one : queue->waiting) distinct.insert(one.identity);
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const bool short_of = distinct.size() < wanted || queues[i]->waiting.empty();
    if (!queues[i]->ended && short_of) needed.push_back(i);
  }
  return needed.empty();
}

void give(merge_order order, std::span<merge_queue* const> queues, std::size_t wanted,
          std::size_t turn, std::set<std::string>& given,
          const std::function<bool(candidate&)>& accept) {
  if (queues.empty() || wanted == 0) return;
  if (order == merge_order::by_rank) {
    give_fused(queues, wanted, given, accept);
  } else {
    give_heads(order, queues, wanted, turn, given, accept);
  }
}

std::size_t give_of_groups(std::span<merge_group> groups, std::size_t wanted, std::size_t turn,
                           std::set<std::string>& given,
                           const std::function<bool(candidate&)>& accept) {
  const auto is_over = [](const merge_queue* queue) {
    return queue->ended && queue->waiting.empty();
  };
  std::size_t count = 0;
  std::size_t passed = 0;  // groups in a row that have nothing more
  while (count < wanted && passed < groups.size()) {
    merge_group& group = groups[turn % groups.size()];
    bool took = false;
    give(group.order, group.queues, 1, group.turn, given,
         [&](candidate& one) { return took = accept(one); });
    if (took) {
      ++count;
      ++group.turn;
    } else if (!std::ranges::all_of(group.queues, is_over)) {
      break;
    }
    passed = took ? 0 : passed + 1;
    ++turn;
  }
  return turn;
}

}  // namespace freshet::detail
