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
  text += what.truncate_body ? "t" : "";
  text.append(1, '\n').append(what.pace_key).append(1, '\n').append(what.body);
  // Digested, so that no credential lies about in a key.
  return std::string(base::as_text(base::sha256(text)));
}

}  // namespace

std::uint64_t single_flight::submit(request what, deadline by, handler done) {
  const std::uint64_t ticket = ++last_;
  std::string key = flight_key(what);
  const auto found = key.empty() ? by_key_.end() : by_key_.find(key);
  member who{ticket, by, std::move(done), 0};
  if (found != by_key_.end()) {
    join(found->second, std::move(who));
    return ticket;
  }
  std::vector<member> members;
  members.push_back(std::move(who));
  take_off(std::move(what), std::move(key), std::move(members));
  return ticket;
}

std::uint64_t single_flight::take_off(request what, std::string key, std::vector<member> members) {
  const std::uint64_t id = ++last_;
  flight& fresh = flights_[id];
  fresh.by = members.front().by;
  for (const member& each : members) fresh.by = std::max(fresh.by, each.by);
  for (member& each : members) {
    flight_of_[each.ticket] = id;
    if (each.by < fresh.by && each.timer == 0) watch(each);
  }
  fresh.members = std::move(members);
  if (!key.empty() && by_key_.emplace(key, id).second) {
    fresh.shared = true;
    fresh.key = std::move(key);
    fresh.what = what;
  }
  const std::uint64_t inner = next_.submit(
      std::move(what), fresh.by, [this, id](result<response> got) { land(id, std::move(got)); });
  if (const auto found = flights_.find(id); found != flights_.end()) found->second.inner = inner;
  return id;
}

void single_flight::join(std::uint64_t id, member who) {
  flight& shared = flights_.at(id);
  flight_of_[who.ticket] = id;
  if (who.by < shared.by) watch(who);
  shared.members.push_back(std::move(who));
}

void single_flight::watch(member& who) {
  who.timer = loop_.at(who.by, [this, ticket = who.ticket] {
    leave(ticket, errc::source_timeout, "the source did not answer in time");
  });
}

void single_flight::leave(std::uint64_t ticket, errc code, const char* detail) {
  const auto found = flight_of_.find(ticket);
  if (found == flight_of_.end()) return;
  const std::uint64_t id = found->second;
  flight_of_.erase(found);
  flight& from = flights_.at(id);
  const auto at = std::find_if(from.members.begin(), from.members.end(),
                               [&](const member& each) { return each.ticket == ticket; });
  member gone = std::move(*at);
  from.members.erase(at);
  loop_.drop(gone.timer);
  if (from.members.empty()) {
    const std::uint64_t inner = from.inner;
    if (from.shared) by_key_.erase(from.key);
    flights_.erase(id);
    next_.cancel(inner);
  }
  gone.done(error(code, detail));
}

void single_flight::cancel(std::uint64_t ticket) {
  leave(ticket, errc::cancelled, "the request was cancelled");
}

void single_flight::land(std::uint64_t id, result<response> answer) {
  auto node = flights_.extract(id);
  if (node.empty()) return;
  flight& landed = node.mapped();
  if (landed.shared) by_key_.erase(landed.key);
  std::vector<member> late;
  std::vector<member> served;
  const bool timed_out = !answer && answer.error().code() == errc::source_timeout;
  for (member& each : landed.members) {
    // The exchange ended at the deadline of the one who began it; those with time left go on.
    const bool goes_on =
        timed_out && each.by > landed.by && each.by > loop_.now() + least_time && landed.shared;
    if (!goes_on) {
      loop_.drop(each.timer);
      flight_of_.erase(each.ticket);
    }
    (goes_on ? late : served).push_back(std::move(each));
  }
  if (!late.empty()) take_off(std::move(landed.what), std::move(landed.key), std::move(late));
  for (std::size_t i = 0; i + 1 < served.size(); ++i) served[i].done(answer);
  if (!served.empty()) served.back().done(std::move(answer));
}

}  // namespace freshet::http
