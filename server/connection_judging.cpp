// What a head says before its body is read: whose request it is, whether there is room for it and
// for how much, and how much of what has come waits unread. It answers who may not go on.
#include <server/connection.hpp>
#include <server/listener.hpp>

namespace freshet::server {
namespace {

/// The crowd counts what requests hold in steps of this.
constexpr std::size_t held_step_bytes = 4096;
/// What was found of a key holds for as long for a head that comes again: whose it is. Whether it
/// may call is asked of the engine each time.
constexpr std::chrono::milliseconds verdict_lifetime{1000};

}  // namespace

void connection::heed(const request_head& head) {
  began_ = clock::now();
  keep_alive_ = head.body().keep_alive && !guest_;
  if (head.is_same(heeded_)) {
    facts_.request_id = request_id_of(head);
    return;
  }
  facts_ = facts_of(head);
  facts_.peer = peer_;
  method_ = head.method();
  path_ = head.path();
  minor_version_ = head.minor_version();
}

void connection::judge_key(const request_head& head) {
  const bool holds =
      head.is_same(heeded_) && !verdict_.owner.empty() && began_ - judged_ < verdict_lifetime;
  if (holds) return;
  verdict_ = core_->routes->judge(head);
  heeded_ = reader_.keeps_head() ? head : request_head();
  judged_ = began_;
  crowd::leavers gone;
  core_->everybody->recognise(id_, verdict_.owner, gone);
  core_->dismiss(gone);
}

bool connection::judge() {
  const request_head& head = reader_.head();
  judge_key(head);
  const head_verdict& verdict = verdict_;
  facts_.owner = verdict.owner;
  refused_ = verdict.refused;
  waits_turn_ = verdict.owner.empty() && !verdict.health;
  crowd::leavers gone;
  bool room = !guest_ || verdict.health;
  const auto& proxies = core_->calls.dashboard_http.proxies;
  if (room && !guest_ && proxies.hold(address_)) {
    room = core_->everybody->rename(id_, proxies.caller_of(head, address_), gone) || verdict.health;
  }
  core_->dismiss(gone);
  if (!room) {
    error why(errc::overloaded, "the server has as many connections as it takes");
    why.retry_after = std::chrono::seconds(1);
    keep_alive_ = false;
    send(core_->routes->problem(why, facts_.request_id));
    return false;
  }
  if (!verdict.small_body) return true;
  const auto fits = reader_.limit_body(keyless_body_bytes);
  if (fits) return true;
  keep_alive_ = false;
  send(core_->routes->problem(fits.error(), facts_.request_id));
  return false;
}

bool connection::hold_input() {
  const std::size_t held = reader_.held() / held_step_bytes * held_step_bytes;
  if (held == held_) return true;
  held_ = held;
  crowd::leavers gone;
  const bool fits = core_->everybody->hold(id_, held, gone);
  core_->dismiss(gone);
  if (fits) return true;
  // During a call, or an answer, it is only read no further ahead.
  if (phase_ != phase::idle && phase_ != phase::head && phase_ != phase::body) return true;
  error why(errc::overloaded, "too much of unfinished requests waits in the server");
  why.retry_after = std::chrono::seconds(1);
  refuse(why);
  return false;
}

}  // namespace freshet::server
