// The statements by which servers know of each other: who is there, who is seen, who is retired.
#include <simulation/values.hpp>

namespace freshet::simulation {
namespace {

constexpr moment gone_after = 10 * second;

}  // namespace

/// Whether who judges was itself seen of late.
bool database::may_judge(const session& asker, const columns& given) const {
  const auto judge = seen_by(asker).beats.find(number(given[1]));
  return judge != seen_by(asker).beats.end() &&
         judge->second.seen_at >= clock() - number(given[2]) * second;
}

bool database::find_named(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  for (const auto& [id, node] : seen_by(asker).nodes)
    if (node.token == *given[0] && !node.is_retired) give(result, numbers({id}));
  return true;
}

bool database::lock_node(session& asker, const columns& given, answer& result) {
  const auto [held, is_new] = node_locks_.emplace(number(given[0]), asker.pid);
  give(result, numbers({is_new || held->second == asker.pid ? 1 : 0}));
  return true;
}

bool database::add_node(session& asker, const columns& given, answer& result) {
  const std::int64_t id = next_node_++;
  write(asker, [id, token = *given[1], at = clock(), pid = asker.pid](tables& in) {
    in.nodes[id].token = token;
    in.beats[id] = {at, pid};
  });
  give(result, numbers({id}));
  return true;
}

bool database::put_connection(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  const std::int64_t id = number(given[0]);
  if (!now_.beats.contains(id) && planted_ != flaw::no_fence) return true;
  write(asker, [id, at = clock(), pid = asker.pid](tables& in) { in.beats[id] = {at, pid}; });
  give(result, numbers({id}));
  return true;
}

moment database::beat_of(const session& asker) const {
  if (planted_ != flaw::own_clock || asker.client == nullptr) return clock();
  return world::current()->now() + world::current()->skew_of(asker.client->of);
}

bool database::put_beat(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  const std::int64_t id = number(given[0]);
  if (!now_.beats.contains(id) && planted_ != flaw::no_fence) return true;
  write(asker, [id, at = beat_of(asker)](tables& in) { in.beats[id].seen_at = at; });
  give(result, numbers({id}));
  return true;
}

bool database::count_others(session& asker, const columns& given, answer& result) {
  std::int64_t count = 0;
  for (const auto& [id, beat] : seen_by(asker).beats)
    count += id != number(given[0]) && beat.seen_at >= clock() - gone_after ? 1 : 0;
  give(result, numbers({count}));
  return true;
}

bool database::end_connection(session& asker, const columns& given, answer& result) {
  const auto found = seen_by(asker).beats.find(number(given[0]));
  if (found != seen_by(asker).beats.end() && found->second.backend != asker.pid)
    world::current()->after(0, [this, pid = found->second.backend] { end(pid); });
  give(result, numbers({1}));
  return true;
}

bool database::end_unseen(session& asker, const columns& given, answer& result) {
  std::int64_t gone = 0, ended = 0;
  const bool judges = may_judge(asker, given);
  for (const auto& [id, beat] : seen_by(asker).beats) {
    if (!judges || beat.seen_at >= clock() - gone_after) continue;
    ++gone;
    if (!sessions_.contains(beat.backend)) continue;
    ++ended;
    world::current()->after(0, [this, pid = beat.backend] { end(pid); });
  }
  give(result, numbers({gone, ended}));
  return true;
}

bool database::retire_one(session& asker, const columns& given, answer&) {
  write(asker, [id = number(given[0])](tables& in) {
    if (in.nodes.contains(id)) in.nodes[id].is_retired = true;
  });
  return true;
}

bool database::retire_unseen(session& asker, const columns& given, answer&) {
  if (!may_judge(asker, given)) return true;
  write(asker, [least = clock() - gone_after](tables& in) {
    for (const auto& [id, beat] : in.beats)
      if (beat.seen_at < least) in.nodes[id].is_retired = true;
  });
  return true;
}

bool database::remove_leases_of_gone(session& asker, const columns&, answer&) {
  if (planted_ != flaw::leases_for_ever)
    write(asker, [](tables& in) {
      std::erase_if(in.leases,
                    [&](const auto& one) { return in.nodes.at(one.first.second).is_retired; });
    });
  return true;
}

bool database::remove_beats_of_gone(session& asker, const columns&, answer&) {
  write(asker, [](tables& in) {
    std::erase_if(in.beats, [&](const auto& one) { return in.nodes.at(one.first).is_retired; });
  });
  return true;
}

bool database::is_in_service(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  const auto& nodes = seen_by(asker).nodes;
  const auto found = nodes.find(number(given[0]));
  const bool serves = found != nodes.end() && !found->second.is_retired;
  if (serves || planted_ == flaw::no_fence) give(result, numbers({1}));
  if (!serves) ++fences_;
  return true;
}

bool database::count_batch(session& asker, const columns& given, answer& result) {
  const std::int64_t id = number(given[1]);
  const tables& in = seen_by(asker);
  const auto found = in.nodes.find(id);
  const bool serves = found != in.nodes.end() && !found->second.is_retired;
  const bool is_let_in = serves || planted_ == flaw::no_fence;
  if (!serves) ++fences_;
  const std::int64_t last = ledger_.empty() ? 0 : ledger_.back().seq;
  columns row = numbers({is_let_in ? 1 : 0, std::max(last, in.top ? in.top->seq : 0)});
  row.push_back(in.top ? column(bytes_of(in.top->movement)) : std::nullopt);
  row.push_back(in.top ? column(in.top->hash) : std::nullopt);
  give(result, std::move(row));
  if (is_let_in && planted_ != flaw::counts_no_batches)
    write(asker, [id, batch = number(given[0])](tables& of) { of.nodes[id].batches = batch; });
  return true;
}

bool database::find_batches(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  const auto& nodes = seen_by(asker).nodes;
  const auto found = nodes.find(number(given[0]));
  if (found != nodes.end()) give(result, numbers({found->second.batches}));
  return true;
}

}  // namespace freshet::simulation
