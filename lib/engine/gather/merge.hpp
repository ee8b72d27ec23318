// Several sources' items as one list. Pure: queues in, the next items out, and what is still
// needed before the order is certain.
#pragma once

#include <cstdint>
#include <deque>
#include <engine/gather/shared_item.hpp>
#include <freshet/item.hpp>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace freshet::detail {

/// How the items of several branches become one list.
enum class merge_order {
  as_given,  ///< one branch: its own order
  by_time,   ///< newest first, across branches
  in_turn,   ///< one from each branch in turn: relevance of different scales cannot be compared
  by_rank,   ///< reciprocal-rank fusion; equal pages become one result
};

/// Reciprocal-rank fusion's constant: large enough that one engine's first place does not outweigh
/// two engines' agreement (Cormack, Clarke and Buettcher 2009).
inline constexpr double rank_fusion_k = 60.0;

/// An item that may be given, and where it was found.
struct candidate {
  shared_item what;
  std::string identity;    ///< under which two items are the same
  std::string position;    ///< of the page it came from
  std::int64_t rank = 0;   ///< within the branch, from 1; a web result's counts through the walk
  std::size_t branch = 0;  ///< that found it
  bool cached = false;     ///< what it was read from came from memory
};

/// A source's part of the list.
struct merge_queue {
  std::deque<candidate> waiting;
  bool ended = false;          ///< nothing comes after what is waiting
  std::int64_t last_rank = 0;  ///< of what was read so far: what comes after it has later ones
};

/// Under what an item equals another: the page for web results and articles, the origin's URL for
/// posts and videos, else the id.
[[nodiscard]] std::string identity_of(const item& what);

/// Whether the queues hold enough to give `wanted` items in certain order; otherwise `needed` says
/// which must be refilled first.
[[nodiscard]] bool can_give(merge_order order, std::span<const merge_queue* const> queues,
                            std::size_t wanted, std::vector<std::size_t>& needed);

/// Takes items from the queues, in order, while `accept` takes them and the order is certain; at
/// most `wanted`. Duplicates of what is in `given` are dropped on the way, and `given` grows.
/// `turn` says which branch begins for in_turn. An item that `accept` refuses stays.
void give(merge_order order, std::span<merge_queue* const> queues, std::size_t wanted,
          std::size_t turn, std::set<std::string>& given,
          const std::function<bool(candidate&)>& accept);

/// Branches whose items have one order among themselves.
struct merge_group {
  merge_order order = merge_order::in_turn;
  std::vector<merge_queue*> queues;
  std::size_t turn = 0;  ///< as of give()
};

/// One item of each group in turn, each group by its own order, as give(): ranks of different kinds
/// cannot be compared. A group that has nothing more is passed over, one that has to be refilled
/// first is waited for. `turn` says which group begins. Returns which comes next.
std::size_t give_of_groups(std::span<merge_group> groups, std::size_t wanted, std::size_t turn,
                           std::set<std::string>& given,
                           const std::function<bool(candidate&)>& accept);

}  // namespace freshet::detail
