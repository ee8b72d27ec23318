// The way of a request: hold until its host may be asked, queue for a place in its lane, run, and
// then answer or hold again. Every state is left by one timer, one answer or one cancel.
#include <algorithm>
#include <base/text_hash.hpp>
#include <base/url.hpp>
#include <http/politeness.hpp>
#include <http/rate_headers.hpp>
#include <utility>

namespace freshet::http {
namespace {

/// Requests that wait in one lane, and those of one account; more are refused.
constexpr std::size_t max_queue = 1'000;
constexpr std::size_t max_queue_of_owner = 250;

bool is_failure(const response& got) noexcept { return got.status >= 500 && got.status != 501; }

/// What came of a request without an answer that may be the host's fault. A wait that is named is
/// for something of our own: a connection, a name server.
bool is_failure(const error& why) noexcept {
  const errc code = why.code();
  return (code == errc::source_unavailable || code == errc::source_timeout) && !why.retry_after;
}

}  // namespace

politeness::politeness(transport& next, scheduler& loop, politeness_options options)
    : next_(next),
      loop_(loop),
      options_(std::move(options)),
      retries_(options_.retrying, options_.random),
      quotas_(options_.quota_path, options_.log,
              options_.clock == nullptr ? base::system_clock() : *options_.clock, loop,
              options_.pool) {
  if (options_.clock == nullptr) options_.clock = &base::system_clock();
}

politeness::lane& politeness::lane_of(const std::string& key) {
  const auto [at, is_new] = lanes_.try_emplace(key);
  if (is_new) {
    if (const auto known = options_.paces.find(key); known != options_.paces.end()) {
      at->second.limits = known->second;
    }
    at->second.limits.max_concurrent = std::max(1, at->second.limits.max_concurrent);
  }
  return at->second;
}

std::uint64_t politeness::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  pending_request fresh;
  if (const std::optional<base::url> url = base::parse_url(request.url)) {
    const std::string_view scheme_port = url->scheme == "https" ? "443" : "80";
    fresh.host = url->host + ':' + (url->port.empty() ? std::string(scheme_port) : url->port);
  }
  fresh.witness = fresh.host;
  const bool has_share = options_.has_shares && options_.has_shares();
  if (request.pace_key.empty() || has_share) fresh.witness += '\n' + std::to_string(request.owner);
  fresh.pace = request.pace_key.empty() ? fresh.host : request.pace_key;
  const base::owner_id owner = request.owner;
  fresh.what = std::move(request);
  fresh.by = deadline;
  requests_.add(ticket, std::move(done), std::move(fresh));
  retries_.count_request(owner);
  if (remembered() > forget_beyond_) forget_idle();
  enter(ticket);
  return ticket;
}

/// Long ago where it may be asked.
scheduler::time politeness::blocked_until(const pending_request& entering) {
  scheduler::time latest = scheduler::time::min();
  for (const bool is_of_all : {true, false}) {
    const auto found = blocks_.find(block_key(entering, is_of_all));
    if (found == blocks_.end()) continue;
    if (found->second <= loop_.now()) {
      blocks_.erase(found);
    } else {
      latest = std::max(latest, found->second);
    }
  }
  return latest;
}

void politeness::enter(std::uint64_t ticket) {
  pending_request& entering = requests_.at(ticket);
  entering.timer = 0;
  const scheduler::time now = loop_.now();
  if (const auto found = breakers_.find(entering.witness); found != breakers_.end()) {
    if (const auto wait = found->second.refusal(now)) {
      return refuse(ticket, entering.host + " is suspended after failures", *wait);
    }
  }
  if (const auto block = blocked_until(entering); block > now) {
    if (block <= entering.by) return hold(ticket, block);
    return refuse(ticket, entering.host + " wants no request yet", block - now);
  }
  lane& into = lane_of(entering.pace);
  const base::owner_id owner = entering.what.owner;
  const auto ahead = static_cast<std::int64_t>(into.queue.ahead_of(owner));
  const scheduler::time start = std::max(now, into.next_start) + into.limits.min_interval * ahead;
  if (start > entering.by) {
    return refuse(ticket, "the pace of " + entering.pace + " leaves no room before the deadline",
                  start - now);
  }
  if (into.limits.max_wait.count() > 0 && start - now > into.limits.max_wait) {
    return refuse(ticket, "too many ask " + entering.pace + " for its pace", start - now);
  }
  const bool is_crowded = owner != 0 && into.queue.size_of(owner) >= max_queue_of_owner;
  if (into.queue.size() >= max_queue || is_crowded) {
    return refuse(ticket, "too many requests wait for " + entering.pace, std::chrono::seconds(1));
  }
  entering.at = stage::queued;
  into.queue.push(owner, ticket);
  const std::string key = entering.pace;
  pump(key);
  // Only one that has to wait needs to be woken at its deadline.
  pending_request* const waiting = requests_.find(ticket);
  if (waiting == nullptr || waiting->at != stage::queued) return;
  waiting->timer = loop_.at(waiting->by, [this, ticket] {
    pending_request& late = requests_.at(ticket);
    late.timer = 0;
    leave_queue(late, ticket);
    // A wait that is named: it was not asked, and this says nothing of it.
    error why(errc::source_timeout, "the deadline came while waiting for " + late.pace);
    why.retry_after = std::chrono::seconds(1);
    finish(ticket, std::move(why));
  });
}

void politeness::leave_queue(const pending_request& waiting, std::uint64_t ticket) {
  lanes_.at(waiting.pace).queue.remove(waiting.what.owner, [ticket](std::uint64_t each) {
    return each == ticket;
  });
}

void politeness::hold(std::uint64_t ticket, scheduler::time until) {
  pending_request& held = requests_.at(ticket);
  held.at = stage::held;
  held.timer = loop_.at(until, [this, ticket] { enter(ticket); });
}

/// One place of a lane is left to the others, or four pages that are slow to come would keep a host
/// from everybody else.
std::size_t politeness::running_of_owner(const pace_limits& limits) const {
  if (!options_.has_shares || !options_.has_shares()) return 0;
  return static_cast<std::size_t>(std::max(1, limits.max_concurrent - 1));
}

void politeness::pump(const std::string& key) {
  lane& from = lanes_.at(key);
  if (from.pumping) return;  // an answer came before submit returned: the loop below goes on
  from.pumping = true;
  while (!from.queue.empty() && from.running < from.limits.max_concurrent) {
    const scheduler::time now = loop_.now();
    if (from.next_start > now) {
      if (from.timer == 0) {
        from.timer = loop_.at(from.next_start, [this, key] {
          lanes_.at(key).timer = 0;
          pump(key);
        });
      }
      break;
    }
    const auto next = from.queue.pop(1, running_of_owner(from.limits));
    if (!next) break;
    ++from.running;
    from.next_start = now + from.limits.min_interval;
    run(next->entry);
  }
  from.pumping = false;
}

void politeness::run(std::uint64_t ticket) {
  pending_request& running = requests_.at(ticket);
  loop_.drop(std::exchange(running.timer, 0));
  running.at = stage::running;
  const scheduler::time now = loop_.now();
  breaker& gate = breakers_.try_emplace(running.witness, options_.breaking).first->second;
  running.pass = gate.try_pass(now);
  if (running.pass == breaker::pass::no) {
    const auto wait = gate.refusal(now).value_or(breaker::wait(0));
    running.at = stage::held;
    release(running.pace, running.what.owner);
    return refuse(ticket, running.host + " is suspended after failures", wait);
  }
  if (lanes_.at(running.pace).limits.daily.empty()) return send(ticket);
  ask_day(ticket);
}

void politeness::ask_day(std::uint64_t ticket) {
  pending_request& asking = requests_.at(ticket);
  asking.at = stage::asking;
  const bool has_share = options_.has_shares && options_.has_shares();
  quotas_.take(lanes_.at(asking.pace).limits.daily,
               {asking.what.url, has_share ? asking.what.owner : 0},
               [this, ticket](daily_quotas::wait wait) { hear_day(ticket, wait); });
  pending_request* const waiting = requests_.find(ticket);
  if (waiting == nullptr || waiting->at != stage::asking) return;
  waiting->timer = loop_.at(waiting->by, [this, ticket] {
    requests_.at(ticket).timer = 0;
    error why(errc::source_timeout, "the deadline came before it was asked");
    why.retry_after = std::chrono::seconds(1);
    end_asking(ticket, std::move(why));
  });
}

void politeness::end_asking(std::uint64_t ticket, error why) {
  pending_request& asking = requests_.at(ticket);
  breakers_.at(asking.witness).abandoned(asking.pass);
  asking.at = stage::held;
  release(asking.pace, asking.what.owner);
  finish(ticket, std::move(why));
}

/// A request that is gone has been counted, as one is that ends before its answer.
void politeness::hear_day(std::uint64_t ticket, daily_quotas::wait wait) {
  pending_request* const asked = requests_.find(ticket);
  if (asked == nullptr || asked->at != stage::asking) return;
  loop_.drop(std::exchange(asked->timer, 0));
  if (!wait) return send(ticket);
  breakers_.at(asked->witness).abandoned(asked->pass);
  const bool has_share = options_.has_shares && options_.has_shares();
  const std::string all = "the day's requests to " + asked->pace;
  asked->at = stage::held;
  release(asked->pace, asked->what.owner);
  refuse(ticket, has_share ? "the account's share of " + all + " is used up" : all + " are used up",
         *wait);
}

void politeness::send(std::uint64_t ticket) {
  pending_request& running = requests_.at(ticket);
  running.at = stage::running;
  const int attempt = ++running.attempts;
  running.inner = 0;
  running.sent_at = loop_.now();
  const std::uint64_t inner = next_.submit(request(running.what), running.by,
                                           [this, ticket, attempt](result<response>&& got) {
                                             answered(ticket, attempt, std::move(got));
                                           });
  pending_request* const found = requests_.find(ticket);
  if (found != nullptr && found->attempts == attempt) found->inner = inner;
}

/// Whether it was the caller's deadline that ended the request before the host had had a fair time:
/// else whoever leaves too little of it could have any source suspended for everybody.
bool politeness::was_hurried(const pending_request& asked) const {
  // Deadlines are kept to the millisecond, now and then early.
  constexpr std::chrono::milliseconds slack{50};
  const scheduler::time now = loop_.now();
  return now + slack >= asked.by && now - asked.sent_at < options_.breaking.fair_time;
}

void politeness::judge(const pending_request& asked, const result<response>& got) {
  breaker& gate = breakers_.at(asked.witness);
  if (got && !is_failure(*got)) return gate.succeeded(loop_.now(), asked.pass);
  if (!got && (!is_failure(got.error()) || was_hurried(asked))) return gate.abandoned(asked.pass);
  if (gate.failed(loop_.now(), asked.pass, options_.random()) && options_.log) {
    options_.log("warning", asked.host + " fails too often and is suspended");
  }
  const auto wait = gate.refusal(loop_.now());
  if (wait && options_.opened && !asked.what.pace_key.empty()) options_.opened(asked.what, *wait);
}

void politeness::learn(const pending_request& asked, const result<response>& got) {
  if (!got) return;
  const time_point wall = options_.clock->now();
  const auto block = [&](std::optional<std::chrono::milliseconds> wait, bool is_of_all) {
    if (!wait || wait->count() <= 0) return;
    scheduler::time& until = blocks_[block_key(asked, is_of_all)];
    until = std::max(until, loop_.now() + *wait);
  };
  std::optional<std::chrono::milliseconds> wait = quota_wait(got->headers, wall);
  if (got->status == 429 || got->status == 503) {
    // It may be meant for what was asked; of all it speaks where it says that our quota is used up.
    if (const auto said = retry_after(got->headers, wall)) {
      block(said, false);
      if (got->status == 429 && wait) wait = said;
    }
  }
  if (asked.what.wait_in_body != nullptr) {
    const auto said =
        std::min<std::chrono::milliseconds>(asked.what.wait_in_body(*got), longest_wait);
    wait = std::max(wait.value_or(said), said);
  }
  block(wait, true);
}

void politeness::answered(std::uint64_t ticket, int attempt, result<response>&& got) {
  pending_request* const asked = requests_.find(ticket);
  if (asked == nullptr || asked->attempts != attempt) return;
  judge(*asked, got);
  learn(*asked, got);
  asked->at = stage::held;
  const std::string key = asked->pace;
  const base::owner_id owner = asked->what.owner;
  const auto delay =
      retries_.next(asked->what, got, attempt, loop_.now(), asked->by, options_.clock->now());
  if (delay) {
    asked->last = std::move(got);
    hold(ticket, loop_.now() + *delay);
  } else {
    finish(ticket, std::move(got));
  }
  release(key, owner);
}

void politeness::release(const std::string& key, base::owner_id owner) {
  lane& left = lanes_.at(key);
  --left.running;
  left.queue.done(owner);
  pump(key);
}

void politeness::refuse(std::uint64_t ticket, std::string detail, scheduler::time::duration wait) {
  pending_request& refused = requests_.at(ticket);
  if (refused.last) {  // better what the source said than what we say
    result<response> said = std::move(*refused.last);
    return finish(ticket, std::move(said));
  }
  error out(errc::source_unavailable, std::move(detail));
  out.retry_after =
      std::max(std::chrono::seconds(1), std::chrono::ceil<std::chrono::seconds>(wait));
  finish(ticket, std::move(out));
}

void politeness::finish(std::uint64_t ticket, result<response>&& got) {
  auto ended = requests_.take(ticket);
  if (!ended) return;
  loop_.drop(ended->timer);
  ended.answer(std::move(got));
}

void politeness::cancel(std::uint64_t ticket) {
  const pending_request* unwanted = requests_.find(ticket);
  if (unwanted == nullptr) return;
  if (unwanted->at == stage::running) {
    next_.cancel(unwanted->inner);
    unwanted = requests_.find(ticket);
    if (unwanted != nullptr) answered(ticket, unwanted->attempts, error(errc::cancelled));
    return;
  }
  error why(errc::cancelled, "the request was cancelled");
  if (unwanted->at == stage::asking) return end_asking(ticket, std::move(why));
  if (unwanted->at == stage::queued) leave_queue(*unwanted, ticket);
  finish(ticket, std::move(why));
}

void politeness::forget() noexcept {
  requests_.for_each([this](const pending_request& each) {
    const auto gate = breakers_.find(each.witness);
    const bool has_pass = each.at == stage::running || each.at == stage::asking;
    if (has_pass && gate != breakers_.end()) gate->second.abandoned(each.pass);
  });
  requests_.clear();
  for (auto& [key, each] : lanes_) {  // their pace holds on
    each.queue.clear();
    each.running = 0;
    each.timer = 0;
    each.pumping = false;
  }
}

void politeness::forget_idle() {
  const scheduler::time now = loop_.now();
  std::erase_if(lanes_, [&](const auto& each) {
    const lane& of = each.second;
    return of.queue.empty() && of.running == 0 && of.timer == 0 && !of.pumping &&
           of.next_start <= now;
  });
  std::erase_if(blocks_, [&](const auto& each) { return each.second <= now; });
  // A breaker that a running request will report to has to stay.
  std::unordered_map<std::string, int, base::text_hash> in_use;
  requests_.for_each([&](const pending_request& each) { ++in_use[each.witness]; });
  std::erase_if(breakers_, [&](const auto& each) {
    return each.second.is_idle(now) && !in_use.contains(each.first);
  });
  // Where many have something to remember, not each request looks through all of them.
  forget_beyond_ = std::max(max_hosts, 2 * remembered());
}

}  // namespace freshet::http
