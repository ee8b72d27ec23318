// Who shares with whom (only what could come from a cache or be kept, and only if every header is
// equal, credentials included), and what happens when those who share have different deadlines.
#include <algorithm>
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <http/single_flight.hpp>
#include <utility>

namespace freshet::http {
namespace {

/// Time that a caller must have left for a second exchange to make sense.
constexpr std::chrono::milliseconds least_time{20};

/// "" if the request is not to be shared.
std::string flight_key(const request& what) {
  const bool is_read = what.method == "GET" && what.cacheable && what.body.empty();
  if (!is_read && what.keep_for.count() <= 0) return {};
  std::string text = what.method + ' ' + what.url;
  for (const header& each : what.headers) {
    text.append(1, '\n').append(base::to_lower_ascii(each.name)).append(1, ':').append(each.value);
  }
  text.append(1, '\n').append(std::to_string(what.body_limit));
  text.append(1, '\n').append(std::to_string(what.redirect_limit));
  text += what.obey_robots ? "\nr" : "\n";
  text += what.chosen_by == target_choice::configuration ? "o" : "";
  text += what.truncate_body ? "t" : "";
  text.append(1, '\n').append(what.pace_key).append(1, '\n').append(what.body);
  // Digested, so that no credential lies about in a key.
  return std::string(base::as_text(base::sha256(text)));
}

}  // namespace

std::uint64_t single_flight::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  requests_.add(ticket, std::move(done), {deadline, request.owner, 0, 0});
  std::string key = flight_key(request);
  const auto found = key.empty() ? by_key_.end() : by_key_.find(key);
  if (found != by_key_.end()) {
    join(found->second, ticket);
  } else {
    take_off(std::move(request), std::move(key), {ticket});
  }
  return ticket;
}

void single_flight::take_off(request request, std::string key, tickets members) {
  const std::uint64_t id = ++last_flight_;
  flight& fresh = flights_[id];
  fresh.by = requests_.at(members.front()).by;
  fresh.owner = request.owner = requests_.at(members.front()).owner;
  for (const std::uint64_t each : members) fresh.by = std::max(fresh.by, requests_.at(each).by);
  for (const std::uint64_t each : members) {
    pending_request& member = requests_.at(each);
    member.flight = id;
    if (member.by < fresh.by && member.timer == 0) watch(each);
    if (member.owner != fresh.owner) be_patient(each);
  }
  fresh.members = std::move(members);
  if (!key.empty()) {
    fresh.shared = by_key_.emplace(key, id).second;
    fresh.key = std::move(key);
    fresh.what = request;
  }
  const std::uint64_t inner =
      next_.submit(std::move(request), fresh.by,
                   [this, id](result<response>&& got) { land(id, std::move(got)); });
  if (const auto found = flights_.find(id); found != flights_.end()) found->second.inner = inner;
}

void single_flight::join(std::uint64_t id, std::uint64_t ticket) {
  flight& shared = flights_.at(id);
  pending_request& member = requests_.at(ticket);
  member.flight = id;
  if (member.by < shared.by) watch(ticket);
  if (member.owner != shared.owner) be_patient(ticket);
  shared.members.push_back(ticket);
}

void single_flight::be_patient(std::uint64_t ticket) {
  pending_request& member = requests_.at(ticket);
  loop_.drop(member.patience);
  member.patience = loop_.at(loop_.now() + patience_with_others, [this, ticket] {
    pending_request* const waiting = requests_.find(ticket);
    if (waiting == nullptr) return;
    waiting->patience = 0;
    part(ticket);
  });
}

/// An exchange in the caller's own name, and for all who wait for that of the same other: it may
/// stand behind much else that he has asked for.
void single_flight::part(std::uint64_t ticket) {
  const std::uint64_t id = requests_.at(ticket).flight;
  flight& slow = flights_.at(id);
  if (slow.owner == requests_.at(ticket).owner) return;
  tickets parting{ticket}, staying;
  for (const std::uint64_t each : slow.members) {
    if (each == ticket) continue;
    (requests_.at(each).owner == slow.owner ? staying : parting).push_back(each);
  }
  request what = slow.what;
  std::string key = slow.key;
  if (std::exchange(slow.shared, false)) by_key_.erase(key);
  slow.members = std::move(staying);
  const std::uint64_t unwanted = slow.members.empty() ? slow.inner : 0;
  if (slow.members.empty()) flights_.erase(id);
  if (unwanted != 0) next_.cancel(unwanted);
  take_off(std::move(what), std::move(key), std::move(parting));
}

/// Those who have begun another exchange for what has come.
single_flight::tickets single_flight::take_others(const flight& landed) {
  const auto found = by_key_.find(landed.key);
  if (landed.key.empty() || found == by_key_.end()) return {};
  const auto node = flights_.extract(found->second);
  by_key_.erase(found);
  next_.cancel(node.mapped().inner);
  return node.mapped().members;
}

void single_flight::watch(std::uint64_t ticket) {
  pending_request& member = requests_.at(ticket);
  member.timer = loop_.at(member.by, [this, ticket] {
    leave(ticket, errc::source_timeout, "the source did not answer in time");
  });
}

void single_flight::leave(std::uint64_t ticket, errc code, const char* detail) {
  auto gone = requests_.take(ticket);
  if (!gone) return;
  const std::uint64_t id = gone->flight;
  flight& left = flights_.at(id);
  std::erase(left.members, ticket);
  loop_.drop(gone->timer);
  loop_.drop(gone->patience);
  if (left.members.empty()) {
    const std::uint64_t inner = left.inner;
    if (left.shared) by_key_.erase(left.key);
    flights_.erase(id);
    next_.cancel(inner);
  }
  gone.answer(error(code, detail));
}

void single_flight::cancel(std::uint64_t ticket) {
  leave(ticket, errc::cancelled, "the request was cancelled");
}

void single_flight::land(std::uint64_t id, result<response>&& answer) {
  auto node = flights_.extract(id);
  if (node.empty()) return;
  flight& landed = node.mapped();
  if (landed.shared) by_key_.erase(landed.key);
  if (answer) {
    for (const std::uint64_t each : take_others(landed)) landed.members.push_back(each);
  }
  tickets late;
  std::vector<pending_requests<pending_request>::taken_request> served;
  const bool timed_out = !answer && answer.error().code() == errc::source_timeout;
  const bool was_too_much = !answer && answer.error().code() == errc::rate_limited;
  for (const std::uint64_t each : landed.members) {
    const pending_request& member = requests_.at(each);
    // The exchange ended at the deadline, or at the share, of the one who began it; those with time
    // left, or with shares of their own, go on.
    const bool has_more =
        (timed_out && member.by > landed.by) || (was_too_much && member.owner != landed.owner);
    const bool goes_on = has_more && member.by > loop_.now() + least_time && !landed.key.empty();
    if (goes_on) {
      late.push_back(each);
    } else {
      loop_.drop(member.timer);
      loop_.drop(member.patience);
      served.push_back(requests_.take(each));
    }
  }
  if (!late.empty()) take_off(std::move(landed.what), std::move(landed.key), std::move(late));
  for (std::size_t i = 0; i + 1 < served.size(); ++i) served[i].answer(result<response>(answer));
  if (!served.empty()) served.back().answer(std::move(answer));
}

}  // namespace freshet::http
