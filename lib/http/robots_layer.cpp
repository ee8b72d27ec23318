// Fetching robots.txt as RFC 9309, 2.3 says: through at most five redirects; 4xx allows everything,
// 5xx nothing, and a host that does not answer at all is reported as just that.
#include <algorithm>
#include <base/url.hpp>
#include <http/redirects.hpp>
#include <http/robots_layer.hpp>
#include <http/single_flight.hpp>
#include <numeric>
#include <utility>

namespace freshet::http {
namespace {

constexpr std::chrono::seconds keep_rules{24 * 3600};
constexpr std::chrono::seconds keep_unreachable{300};
constexpr std::chrono::seconds keep_failed{30};
constexpr std::chrono::seconds robots_timeout{15};
constexpr std::size_t max_sites = 2'048;
request robots_request(const std::string& origin, base::owner_id owner) {
  request robots;  // chosen by nobody: what an operator configures is not crawled
  robots.owner = owner;
  robots.url = origin + "/robots.txt";
  robots.body_limit = max_robots_bytes;
  robots.truncate_body = true;
  robots.redirect_limit = 0;
  return robots;
}

}  // namespace

std::uint64_t robots_layer::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  const std::optional<base::url> url =
      request.obey_robots ? base::parse_url(request.url) : std::optional<base::url>();
  // What is no URL fails below, with a better error than ours.
  if (!url || !url->is_http()) {
    requests_.add(ticket, std::move(done), {});
    requests_.forward(ticket, next_, std::move(request), deadline);
    return ticket;
  }
  const std::string origin = url->origin();
  std::string path = url->path + (url->has_query ? "?" + url->query : "");
  pending_request& fresh =
      requests_.add(ticket, std::move(done),
                    {question{std::move(request), deadline, origin, std::move(path)}, 0, 0});
  const auto known = sites_.find(origin);
  const bool is_asking = known != sites_.end() && known->second.is == site::state::asking;
  const base::owner_id owner = fresh.asked->what.owner;
  if (known != sites_.end() && !is_asking && concerns(known->second, owner)) {
    std::size_t steps = robots_steps_at_once;
    proceed(ticket, steps);
    return ticket;
  }
  fresh.timer = loop_.at(deadline, [this, ticket] {
    leave(ticket, error(errc::source_timeout, "robots.txt did not come before the deadline"));
  });
  if (is_asking) {
    wait_for(origin, known->second, ticket);
  } else {
    begin_asking(origin, ticket);
  }
  return ticket;
}

/// Whether what is known holds for an account, too. An error with a time says of whoever has asked
/// that it was not their turn or not within their share, and nothing of the site.
bool robots_layer::concerns(const site& known, base::owner_id owner) const {
  const bool is_askers = known.is == site::state::failed && known.why.retry_after.has_value();
  return known.until > loop_.now() && (!is_askers || known.asker == owner);
}

void robots_layer::begin_asking(const std::string& origin, std::uint64_t ticket) {
  if (sites_.size() >= max_sites) forget_old();
  site fresh;
  fresh.waiting.push_back(ticket);
  fresh.asker = requests_.at(ticket).asked->what.owner;
  const base::owner_id asker = fresh.asker;
  sites_.insert_or_assign(origin, std::move(fresh));
  ask(origin, robots_request(origin, asker));
}

void robots_layer::wait_for(const std::string& origin, site& asked, std::uint64_t ticket) {
  asked.waiting.push_back(ticket);
  const bool is_others = requests_.at(ticket).asked->what.owner != asked.asker;
  if (!is_others || asked.asker == 0 || asked.patience != 0) return;
  asked.patience =
      loop_.at(loop_.now() + patience_with_others, [this, origin] { ask_for_all(origin); });
}

/// Anew, and in nobody's name: whoever asked may have much before it that is slow to come.
void robots_layer::ask_for_all(const std::string& origin) {
  const auto found = sites_.find(origin);
  if (found == sites_.end() || found->second.is != site::state::asking) return;
  site& of = found->second;
  of.patience = 0;
  if (of.reader) return;        // it has come
  of.is = site::state::failed;  // so that the end of the first one says nothing
  next_.cancel(std::exchange(of.inner, 0));
  of.is = site::state::asking;
  of.asker = 0;
  of.hops = 0;
  ask(origin, robots_request(origin, of.asker));
}

void robots_layer::ask(const std::string& origin, request wanted) {
  const int hop = sites_.at(origin).hops;
  request asked = wanted;
  const std::uint64_t inner =
      next_.submit(std::move(wanted), loop_.now() + robots_timeout,
                   [this, origin, hop, asked = std::move(asked)](result<response> got) {
                     answered(origin, hop, asked, std::move(got));
                   });
  const auto found = sites_.find(origin);
  if (found != sites_.end() && found->second.hops == hop) found->second.inner = inner;
}

void robots_layer::answered(const std::string& origin, int hop, const request& asked,
                            result<response> got) {
  const auto found = sites_.find(origin);
  if (found == sites_.end() || found->second.hops != hop) return;
  site& of = found->second;
  if (of.is != site::state::asking) return;
  if (!got) {
    of.why = error(got.error().code(),
                   "robots.txt of " + origin + " cannot be read: " + got.error().detail());
    of.why.retry_after = got.error().retry_after;
    return settle(origin, site::state::failed, keep_failed);
  }
  result<std::optional<request>> next = next_hop(asked, *got);
  if (next && next->has_value() && of.hops < max_redirects) {
    ++of.hops;
    of.inner = 0;
    return ask(origin, std::move(**next));
  }
  of.status = got->status;
  // Redirects beyond the limit, or to nowhere, count as "unavailable", like any 4xx.
  if (got->status >= 500) return settle(origin, site::state::unreachable, keep_unreachable);
  of.inner = 0;
  of.reading = ++readings_;
  of.reader = std::make_unique<robots_rules::reader>(got->status < 300 ? std::move(got->body)
                                                                       : std::string());
  read_on(origin, of.reading);
}

/// Nobody who waits for another site waits for a large file of this one.
void robots_layer::read_on(const std::string& origin, std::uint64_t reading) {
  const auto found = sites_.find(origin);
  // All who waited may have left, and others have asked anew.
  if (found == sites_.end() || found->second.reading != reading) return;
  site& of = found->second;
  if (of.reader->read_some(robots_bytes_at_once)) {
    return loop_.post([this, origin, reading] { read_on(origin, reading); });
  }
  of.rules = std::make_shared<const robots_rules>(of.reader->take());
  of.reader.reset();
  settle(origin, site::state::rules, keep_rules);
  forget_large();
}

void robots_layer::settle(const std::string& origin, site::state is, std::chrono::seconds keep) {
  site& of = sites_.at(origin);
  of.is = is;
  of.until = loop_.now() + keep;
  loop_.drop(std::exchange(of.patience, 0));
  std::size_t steps = robots_steps_at_once;
  std::vector<std::uint64_t>
      others;  // whom it does not concern ask after all whom it does are told
  for (const std::uint64_t ticket : std::exchange(of.waiting, {})) {
    if (!tell(ticket, steps)) others.push_back(ticket);
  }
  for (const std::uint64_t ticket : others) {
    if (!tell(ticket, steps)) begin_asking(origin, ticket);
  }
}

/// Each time that somebody is told, others may come or go. False if what is known does not concern
/// who waits.
bool robots_layer::tell(std::uint64_t ticket, std::size_t& steps) {
  const pending_request* const asking = requests_.find(ticket);
  if (asking == nullptr) return true;
  const auto known = sites_.find(asking->asked->origin);
  if (known != sites_.end() && known->second.is == site::state::asking) {
    wait_for(known->first, known->second, ticket);
    return true;
  }
  if (known != sites_.end() && !concerns(known->second, asking->asked->what.owner)) return false;
  proceed(ticket, steps);
  return true;
}

void robots_layer::proceed(std::uint64_t ticket, std::size_t& steps) {
  pending_request& asking = requests_.at(ticket);
  loop_.drop(std::exchange(asking.timer, 0));
  question& asked = *asking.asked;
  const auto known = sites_.find(asked.origin);
  if (known == sites_.end()) {  // forgotten in favour of newer ones while its callers were told
    return finish(ticket, error(errc::source_unavailable, "too many sites are asked at once"));
  }
  const site& of = known->second;
  if (of.is == site::state::failed) return finish(ticket, of.why);
  if (of.is == site::state::unreachable) {
    error why(errc::robots_disallowed, "robots.txt of " + asked.origin + " answers " +
                                           std::to_string(of.status) +
                                           ", which forbids everything for now");
    why.retry_after = keep_unreachable;
    return finish(ticket, std::move(why));
  }
  const std::string_view own = find_header(asked.what.headers, "User-Agent");
  asking.judged.reset(new judging{
      of.rules, {*of.rules, product_token(own.empty() ? user_agent_ : own), asked.path}});
  judge(ticket, steps);
}

/// Takes of `steps` what it needs. Where that is not enough, it goes on after the thread's other
/// work: nobody who asks for something else waits for a file and an address that take long.
void robots_layer::judge(std::uint64_t ticket, std::size_t& steps) {
  pending_request* const asking = requests_.find(ticket);
  if (asking == nullptr || !asking->judged) return;  // it has left
  auto& says = asking->judged->says;
  const std::size_t before = says.steps();
  const bool goes_on = says.go_on(steps);
  steps -= std::min(steps, says.steps() - before);
  if (!goes_on) return decide(ticket, says.take());
  loop_.post([this, ticket] {
    std::size_t more = robots_steps_at_once;
    judge(ticket, more);
  });
}

void robots_layer::decide(std::uint64_t ticket, const robots_rules::verdict& says) {
  pending_request& asking = requests_.at(ticket);
  asking.judged.reset();
  question& asked = *asking.asked;
  if (says.too_costly) {
    return finish(ticket, error(errc::robots_disallowed,
                                "robots.txt of " + asked.origin +
                                    " has more patterns than can be tried on so long an address"));
  }
  if (!says.allowed) {
    return finish(ticket, error(errc::robots_disallowed,
                                "robots.txt of " + asked.origin + " says '" + says.rule + "'"));
  }
  requests_.forward(ticket, next_, std::move(asked.what), asked.by);
}

void robots_layer::leave(std::uint64_t ticket, error why) {
  const pending_request* const leaving = requests_.find(ticket);
  if (leaving == nullptr) return;
  const std::uint64_t inner = leaving->inner;
  const std::string origin = leaving->asked ? leaving->asked->origin : "";
  if (inner != 0) next_.cancel(inner);
  finish(ticket, std::move(why));
  const auto at = sites_.find(origin);
  if (at == sites_.end() || at->second.is != site::state::asking) return;
  std::erase(at->second.waiting, ticket);
  if (!at->second.waiting.empty()) return;
  // Nobody waits any more: the fetch ends with the last who did.
  const std::uint64_t fetch = at->second.inner;
  loop_.drop(at->second.patience);
  sites_.erase(at);
  if (fetch != 0) next_.cancel(fetch);
}

void robots_layer::finish(std::uint64_t ticket, result<response>&& got) {
  auto ended = requests_.take(ticket);
  if (!ended) return;
  loop_.drop(ended->timer);
  ended.answer(std::move(got));
}

void robots_layer::cancel(std::uint64_t ticket) {
  leave(ticket, error(errc::cancelled, "the request was cancelled"));
}

void robots_layer::forget() noexcept {
  requests_.clear();
  std::erase_if(sites_, [](const auto& each) { return each.second.is == site::state::asking; });
}

void robots_layer::forget_old() {
  const scheduler::time now = loop_.now();
  std::erase_if(sites_, [&](const auto& each) {
    return each.second.is != site::state::asking && each.second.until <= now;
  });
  // All fresh: the next best is to ask some of them again.
  while (sites_.size() >= max_sites) {
    const auto any = std::find_if(sites_.begin(), sites_.end(), [](const auto& each) {
      return each.second.is != site::state::asking;
    });
    if (any == sites_.end()) return;
    sites_.erase(any);
  }
}

void robots_layer::forget_large() {
  while (rules_bytes() > max_robots_memory) {
    const auto largest =
        std::max_element(sites_.begin(), sites_.end(), [](const auto& one, const auto& other) {
          return bytes_of(one.second) < bytes_of(other.second);
        });
    sites_.erase(largest);  // it has rules, so nobody waits for it
  }
}

std::size_t robots_layer::rules_bytes() const noexcept {
  return std::accumulate(
      sites_.begin(), sites_.end(), std::size_t{0},
      [](std::size_t sum, const auto& each) { return sum + bytes_of(each.second); });
}

}  // namespace freshet::http
