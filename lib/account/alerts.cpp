// What an owner wants to be told of, and that they were: rows of the store, which nobody keeps in
// memory, since they are asked for when something has happened.
#include <account/owners.hpp>
#include <base/digest.hpp>

namespace freshet::account {
namespace {

/// Each leaves a line in the audit log, which is kept for ever.
constexpr throttle_rule alert_changes_by_account{200, std::chrono::seconds(20)};

}  // namespace

result<std::optional<alert_settings>> accounts::alerts_of(std::int64_t account_id) const {
  return owners_->books->find_alerts(account_id);
}

result<changed_alerts> accounts::change_alerts(std::int64_t account_id, const alerts_change& change,
                                               const audit_note* line) {
  owners& in = *owners_;
  const auto passed = in.alert_changes.take(std::to_string(account_id), alert_changes_by_account,
                                            in.clock.steady());
  if (!passed) return passed.error();
  changed_alerts made;
  const auto write = [&](transaction& running) {
    const auto known = running.find_alerts(account_id);
    made.now = change(known);
    const bool is_same = known && known->webhook == made.now.webhook;
    made.has_new_webhook = !is_same && !made.now.webhook.empty();
    made.now.webhook_since = is_same ? known->webhook_since : in.now();
    running.put_alerts(account_id, made.now);
    if (line != nullptr) in.note(running, *line);
  };
  if (auto done = in.queue.run(write, nullptr); !done) return done.error();
  return made;
}

std::string accounts::alert_secret(const account_record& account,
                                   const alert_settings& chosen) const {
  const auto since = std::to_string(chosen.webhook_since.time_since_epoch().count());
  const auto made = base::hmac_sha256(
      owners_->books->pepper(), "alerts " + account.public_id + " " + since + " " + chosen.webhook);
  return "whsec_" + base::base64(base::as_text(made));
}

result<bool> accounts::take_alert(std::int64_t account_id, const alert_mark& mark) {
  owners& in = *owners_;
  bool is_first = false;
  const auto write = [&](transaction& running) {
    is_first = running.add_alert_mark(account_id, mark, in.now());
  };
  if (auto done = in.queue.run(write, nullptr); !done) return done.error();
  return is_first;
}

}  // namespace freshet::account
