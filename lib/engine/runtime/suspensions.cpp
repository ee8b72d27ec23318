// The times, and the bookkeeping. Times follow SearXNG's table, which has been tuned against real
// engines for years; what a source itself asks for goes before it.
#include "engine/runtime/suspensions.hpp"

#include <algorithm>
#include <base/digest.hpp>
#include <base/url.hpp>
#include <catalog/endpoint.hpp>
#include <http/credentials.hpp>
#include <limits>
#include <set>
#include <sources/read_answer.hpp>
#include <tuple>

namespace freshet::detail {
namespace {

using std::chrono::seconds;

constexpr suspension_rule rules[] = {
    {refusal_kind::failing, seconds{5}, "a failure",
     "most failures pass at once; a longer pause would make one hiccup everybody's"},
    {refusal_kind::denied, seconds{180}, "a refusal",
     "a 403 is often a limit that does not say so, and asking on lengthens it"},
    {refusal_kind::limited, seconds{180}, "a rate limit",
     "the common windows are one to five minutes; a reset that is named goes before it"},
    {refusal_kind::slow, seconds{180}, "an answer that did not come in its time",
     "a source with a time of its own is one that sheds load by letting requests wait"},
    {refusal_kind::captcha, seconds{3600}, "a captcha",
     "blocks by address fade within about an hour without requests, and each one renews them"},
};

/// Suspensions that are kept; federated hosts come from callers, so there must be a bound.
constexpr std::size_t max_suspensions = 4'096;
/// Those that hold for one account alone.
constexpr std::size_t max_suspensions_of_account = 256;

constexpr int any_operation = -1;

const suspension_rule& rule_of(refusal_kind kind) noexcept {
  for (const auto& one : rules) {
    if (one.kind == kind) return one;
  }
  return rules[0];
}

/// Whether a call is for a thing that others may not see either: its refusal is not everybody's.
bool is_for_one_thing(const sources::call& asked) noexcept {
  return catalog::find_endpoint(asked.op).asks != catalog::ask_mode::all ||
         (!asked.community.empty() && asked.community != "all");
}

/// A source whose address the call itself names stands for the whole web.
bool is_anywhere(const sources::descriptor& source) noexcept {
  return source.default_base_url.empty() && source.instances_key.empty();
}

/// What single accounts wait for of what a key names, whosever it is: they stand one after another.
template <class Entries, class Key>
auto of_accounts(Entries& entries, Key named) {
  base::owner_id& who = std::get<base::owner_id>(named);
  who = 1;
  const auto first = entries.lower_bound(named);
  who = std::numeric_limits<base::owner_id>::max();
  return std::pair(first, entries.upper_bound(named));
}

int number_of(catalog::operation op) noexcept { return static_cast<int>(op); }

/// "example.org", with the port where it is not the scheme's own.
std::string host_with_port(std::string_view url) {
  const auto parsed = base::parse_url(url);
  if (!parsed) return std::string(url);
  return parsed->port.empty() ? parsed->host : parsed->host + ":" + parsed->port;
}

/// Numbers of operations differ between versions, paths of endpoints do not.
std::string endpoint_of(int scope) {
  if (scope == any_operation) return {};
  return std::string(catalog::find_endpoint(static_cast<catalog::operation>(scope)).path);
}

}  // namespace

/// Of a source that is asked at the addresses that the operator lists, such as feeds, it is that
/// address alone. What of an address may be a secret is a digest, since other servers are told of
/// the place.
std::string suspension_place(const sources::descriptor& source, std::string_view url) {
  if (source.instances_key != "urls") return host_with_port(url);
  constexpr std::size_t digits = 12;
  std::string place = http::public_url(url);
  if (place == url) return place;
  return place + "#" + base::hex(base::as_text(base::sha256(url))).substr(0, digits);
}

std::span<const suspension_rule> suspension_rules() noexcept { return rules; }

std::optional<refusal_kind> kind_of_refusal(const error& why, const http::response* answer,
                                            const sources::call& asked) {
  const auto code = why.code();
  if (answer == nullptr) {
    // A wait that is named without an answer is our own: the pace, the breaker, a daily quota.
    if (why.retry_after) return std::nullopt;
    const bool down = code == errc::source_unavailable || code == errc::source_timeout;
    return down ? std::optional(refusal_kind::failing) : std::nullopt;
  }
  const bool broken = answer->status >= 500;
  switch (code) {
    case errc::source_blocked:
      if (answer->status == 451) return std::nullopt;  // the law forbids one thing
      if (answer->status != 403 || sources::sniff(*answer).block_page) return refusal_kind::captcha;
      break;
    case errc::source_auth_required:
      break;
    case errc::source_unavailable:
      return broken ? refusal_kind::failing : refusal_kind::limited;
    case errc::source_timeout:
    case errc::source_error:
      return broken ? std::optional(refusal_kind::failing) : std::nullopt;
    default:
      return std::nullopt;
  }
  return is_for_one_thing(asked) ? std::nullopt : std::optional(refusal_kind::denied);
}

std::optional<error> suspensions::refusal(const sources::descriptor& source, catalog::operation op,
                                          std::string_view url, source_witness who) const {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return std::nullopt;
  const auto place = suspension_place(source, url);
  const entry* longest = nullptr;
  for (const int scope : {any_operation, number_of(op)}) {
    for (const base::owner_id whose : {base::owner_id{0}, who.owner}) {
      const auto found = entries_.find(key(source.name, place, scope, whose));
      if (found == entries_.end() || found->second.until <= who.at) continue;
      if (longest == nullptr || found->second.until > longest->until) longest = &found->second;
    }
  }
  if (longest == nullptr) return std::nullopt;
  const auto left = std::chrono::ceil<seconds>(longest->until - who.at);
  error out(longest->code, http::public_url(place) + " is suspended after " +
                               std::string(rule_of(longest->kind).said) + "; asked again in " +
                               std::to_string(left.count()) + " s");
  out.retry_after = left;
  return out;
}

void suspensions::failed(const sources::descriptor& source, const sources::call& asked,
                         std::string_view url, const error& why, const http::response* answer,
                         source_witness who) {
  if (is_anywhere(source)) return;
  auto kind = kind_of_refusal(why, answer, asked);
  if (!kind) return;
  const bool has_time = source.pace.answer_time.count() > 0;
  if (has_time && answer == nullptr && why.code() == errc::source_timeout) {
    kind = refusal_kind::slow;
  }
  auto wait = why.retry_after.value_or(rule_of(*kind).time);
  // A block page that names a time does not know of the ones before it.
  if (*kind == refusal_kind::captcha) wait = std::max(wait, rule_of(*kind).time);
  wait = std::clamp(wait, seconds{0}, sources::max_retry_after);
  if (wait.count() == 0) return;
  const int scope = *kind == refusal_kind::denied ? number_of(asked.op) : any_operation;
  suspend(source, url, scope, asked.op, {*kind, why.code(), who.at + wait, who.is_at_source}, who);
}

void suspensions::opened(const sources::descriptor& source, std::string_view url,
                         std::chrono::milliseconds wait, source_witness who) {
  if (is_anywhere(source)) return;
  suspend(source, url, any_operation, std::nullopt,
          {refusal_kind::failing, errc::source_unavailable, who.at + wait}, who);
}

void suspensions::unreached(const sources::descriptor& source, std::string_view url, time now) {
  if (is_anywhere(source)) return;
  const auto wait = rule_of(refusal_kind::failing).time;
  suspend(source, url, any_operation, std::nullopt,
          {refusal_kind::failing, errc::source_unavailable, now + wait}, now);
}

void suspensions::suspend(const sources::descriptor& source, std::string_view url, int scope,
                          std::optional<catalog::operation> op, entry one, source_witness who) {
  const std::lock_guard lock(mutex_);
  if (!has_several_accounts_ || !has_several_accounts_()) who.owner = 0;
  key at(source.name, suspension_place(source, url), scope, who.owner);
  if (who.owner == 0) return hold_for_all(at, one, who.at);
  const auto other = find_other(at, who.at);
  bool is_found_out = false;
  // Most limits are of our address: one account's is enough to ask.
  if (doubted_ && (one.is_limit() || other)) {
    is_found_out = doubted_({&source, op, std::get<1>(at)});
  }
  put(at, one, who.at);
  if (is_found_out || !other || !other->is_limit() || !one.is_limit()) return;
  one.until = std::min<time>(one.until, who.at + rule_of(one.kind).time);
  std::get<base::owner_id>(at) = 0;
  hold_for_all(at, one, who.at);
}

void suspensions::hold_for_all(const key& name, const entry& one, time now) {
  if (!put(name, one, now) || !told_) return;
  const auto& [source, place, scope, who] = name;
  told_({source, place, endpoint_of(scope), one.kind, one.code,
         std::chrono::ceil<std::chrono::milliseconds>(one.until - now)});
}

void suspensions::on_doubt(std::function<bool(const source_doubt&)> told) {
  const std::lock_guard lock(mutex_);
  doubted_ = std::move(told);
}

/// What another account waits for, with nobody's answer since; a limit before all else.
std::optional<suspensions::entry> suspensions::find_other(const key& seen, time now) const {
  std::optional<entry> found;
  const auto [first, last] = of_accounts(entries_, seen);
  for (auto each = first; each != last; ++each) {
    const auto& [at, one] = *each;
    if (std::get<base::owner_id>(at) == std::get<base::owner_id>(seen)) continue;
    if (one.until <= now || one.is_refuted) continue;
    if (one.is_limit()) return one;
    found = one;
  }
  return found;
}

/// What holds for one account makes room for its own, and for what holds for all, the soonest to
/// end first.
bool suspensions::make_room(const key& fresh, time now) {
  if (entries_.size() < max_suspensions_of_account || entries_.contains(fresh)) return true;
  const auto who = std::get<base::owner_id>(fresh);
  auto soonest = entries_.end();
  std::size_t own = 0;
  for (auto each = entries_.begin(); each != entries_.end();) {
    if (each->second.until <= now) {
      each = entries_.erase(each);
      continue;
    }
    const auto whose = std::get<base::owner_id>(each->first);
    if (whose != 0 && (who == 0 || whose == who)) {
      ++own;
      if (soonest == entries_.end() || each->second.until < soonest->second.until) soonest = each;
    }
    ++each;
  }
  const bool is_full = entries_.size() >= max_suspensions;
  if (!is_full && (who == 0 || own < max_suspensions_of_account)) return true;
  if (soonest == entries_.end()) return false;
  entries_.erase(soonest);
  return true;
}

bool suspensions::put(const key& name, const entry& one, time now) {
  if (!make_room(name, now)) return false;
  entry& into = entries_[name];
  if (one.until <= into.until) return false;
  into = one;
  return true;
}

void suspensions::hear(const suspension_news& told, time now) {
  int scope = any_operation;
  if (!told.endpoint.empty()) {
    const auto* endpoint = catalog::find_endpoint(told.endpoint);
    if (endpoint == nullptr) return;  // of another version
    scope = number_of(endpoint->op);
  }
  const key at(told.source, told.place, scope, 0);
  const auto left = std::min<std::chrono::milliseconds>(told.left, sources::max_retry_after);
  const std::lock_guard lock(mutex_);
  if (left.count() <= 0) {
    entries_.erase(at);
  } else {
    put(at, {told.kind, told.code, now + left}, now);
  }
}

void suspensions::succeeded(const sources::descriptor& source, catalog::operation op,
                            std::string_view url, base::owner_id who) {
  const std::lock_guard lock(mutex_);
  if (entries_.empty()) return;
  const auto place = suspension_place(source, url);
  for (const int scope : {any_operation, number_of(op)}) {
    end(key(source.name, place, scope, 0));
    if (who != 0) entries_.erase(key(source.name, place, scope, who));
    const auto [first, last] = of_accounts(entries_, key(source.name, place, scope, who));
    for (auto each = first; each != last; ++each) each->second.is_refuted = true;
  }
}

void suspensions::end(const key& name) {
  if (entries_.erase(name) == 0 || !told_) return;
  suspension_news over;
  int scope = any_operation;
  std::tie(over.source, over.place, scope, std::ignore) = name;
  over.endpoint = endpoint_of(scope);
  told_(over);
}

std::vector<suspension> suspensions::list(time now) const {
  const std::lock_guard lock(mutex_);
  std::vector<suspension> out;
  const std::string* place_before = nullptr;
  std::set<base::owner_id> whose;  // of the latest in `out`
  for (const auto& [at, one] : entries_) {
    const auto& [source, place, scope, who] = at;
    if (one.until <= now || (who != 0 && !one.is_at_source)) continue;
    const auto left = std::chrono::ceil<seconds>(one.until - now);
    if (out.empty() || out.back().source != source || *place_before != place) {
      whose.clear();
      out.push_back({source, http::redact_url(place), one.code, left});
      place_before = &place;
    }
    suspension& last = out.back();
    // What holds for all is told in place of what holds for single ones as well.
    const bool is_first_for_all = who == 0 && !whose.contains(0);
    if (who != 0 && whose.contains(0)) continue;
    if (is_first_for_all) whose.clear();
    if (is_first_for_all || left > last.left)
      std::tie(last.code, last.left) = std::tie(one.code, left);
    whose.insert(who);
    last.accounts = who == 0 ? 0 : whose.size();
  }
  return out;
}

}  // namespace freshet::detail
