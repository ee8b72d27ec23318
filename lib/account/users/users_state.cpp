// What signing up, signing in and setting passwords have in common: links, guesses and their
// limits, lines of the audit log.
#include <account/users/email.hpp>
#include <account/users/password.hpp>
#include <account/users/users_state.hpp>
#include <algorithm>
#include <vector>

namespace freshet::account {

error wrong_password() {
  return error(errc::invalid_credentials, "the address or the password is wrong");
}

error bad_link() {
  return error(errc::invalid_token, "the link was used, has expired or was mistyped");
}

result<void> users::state::open() {
  all.on_sessions([this](std::int64_t account_id) { sessions.reread(account_id); });
  return sessions.load();
}

users::state::~state() { all.on_sessions(nullptr); }

/// A hash that no password has. Made once, by the first who asks: it takes as long as a password.
const std::string& users::state::no_password() {
  std::call_once(no_password_made_, [this] {
    if (auto nobody = hash_password(base::random_bytes(token_bytes), password_memory_kib)) {
      no_password_ = std::move(*nobody);
    }
  });
  return no_password_;
}

result<void> users::state::run_noted(std::function<void(transaction&)> write,
                                     const audit_note& line, std::function<void()> commit) {
  audit_note written = line;
  const bool is_of_strangers = line.actor == stranger && line.subject.empty();
  bool is_written = true;
  if (is_of_strangers) {
    is_written =
        attempts_.take("lines of strangers", lines_of_strangers, all.clock.steady()).has_value();
    const auto before = is_written ? unwritten_.exchange(0) : 0;
    if (before != 0) {
      written.detail += (written.detail.empty() ? "" : "; ") + std::to_string(before) +
                        " such lines before it were left out";
    }
  }
  const auto both = [&](transaction& running) {
    if (write) write(running);
    is_written ? all.note(running, written) : add_dead_link(running);
  };
  if (!is_written) ++unwritten_;
  return all.queue.run(both, std::move(commit));
}

result<void> users::state::take_change(std::int64_t account_id) {
  return attempts_.take("change of " + std::to_string(account_id), changes_by_account,
                        all.clock.steady());
}

void users::state::add_link(transaction& running, std::string_view purpose, std::string_view token,
                            std::string_view email) const {
  const std::chrono::hours lifetime = purpose == "verify" ? verify_lifetime : reset_lifetime;
  const time_point now = all.now();
  running.add_link({purpose, sessions.digest(purpose, token), email, now + lifetime}, now);
}

void users::state::add_dead_link(transaction& running) const {
  const time_point now = all.now();
  const std::string token = base::random_bytes(token_bytes);
  running.add_link({"reset", sessions.digest("reset", token), {}, now}, now);
}

result<std::string> users::state::find_link(std::string_view purpose,
                                            std::string_view token) const {
  auto found = all.books->find_link(purpose, sessions.digest(purpose, token), all.now());
  if (!found) return found.error();
  if (!*found) return bad_link();
  return std::move(**found);
}

namespace {

/// Counts a try from an address: by its network and, of IPv6, by its site.
void count_address(std::vector<throttle_count>& counts, const std::string& action,
                   std::string_view address, const throttle_rule& rule) {
  const std::string network = network_of(address), site = site_of(address);
  counts.push_back({action + " " + network, rule});
  if (site == network) return;
  const auto interval = std::max(std::chrono::seconds(1), rule.interval / networks_of_site);
  counts.push_back({action + " " + site, {rule.burst * networks_of_site, interval}});
}

result<std::optional<account_record>> record_of(result<std::optional<stored_account>> found) {
  if (!found) return found.error();
  if (!*found) return std::optional<account_record>();
  return std::optional(std::move((*found)->record));
}

}  // namespace

result<std::optional<account_record>> users::state::find_account(const std::string& normal) const {
  return record_of(all.books->find_account_by_email(normal));
}

result<std::optional<account_record>> users::state::find_account_of_mailbox(
    const std::string& normal) const {
  return record_of(all.books->find_account_by_mailbox(mailbox_of(normal), normal));
}

result<std::optional<account_record>> users::state::find_account(std::int64_t id) const {
  {
    const auto guard = all.queue.lock();
    if (all.residents.has(id, 0)) {
      const account_record* const known = all.directory.find_living(id);
      return known == nullptr ? std::optional<account_record>() : *known;
    }
  }
  const auto kept = all.residents.admit(id);
  if (!kept && kept.error().code() == errc::not_found) return std::optional<account_record>();
  if (!kept) return kept.error();
  const auto guard = all.queue.lock();
  const account_record* const found = all.directory.find_living(id);
  return found == nullptr ? std::optional<account_record>() : *found;
}

result<users::state::guess> users::state::check_guess(std::string_view name,
                                                      const std::optional<account_record>& account,
                                                      std::string_view password,
                                                      const origin& asker,
                                                      std::string_view action) {
  const std::string network = network_of(asker.address);
  const bool at_home = account && sessions.knows_network(*account, network);
  const std::string of_account = "guess of " + std::string(name);
  std::vector<throttle_count> counts{{of_account + " from " + network, guesses_by_pair}};
  // What others of the site have tried, or of the account, does not hold for who is at home.
  if (at_home) {
    counts.push_back({"guess from " + network, guesses_by_address});
  } else {
    count_address(counts, "guess from", asker.address, guesses_by_address);
    counts.push_back({of_account, guesses_by_account});
  }
  if (auto passed = attempts_.take(counts, all.clock.steady()); !passed) return passed.error();
  // Read for an unknown address too: id 0 is nobody's.
  auto stored = all.books->find_password(account ? account->id : 0);
  const bool guessable = stored && !stored->empty();
  const auto verdict =
      verify_password(guessable ? *stored : no_password(), password, password_memory_kib);
  if (!stored || !verdict) {
    attempts_.give_back(counts);
    return stored ? verdict.error() : stored.error();
  }
  if (guessable && verdict->matches) {
    attempts_.give_back(counts);
    return guess{std::move(*stored), verdict->outdated};
  }
  const audit_note failed{std::string(stranger), std::string(action) + ".failed",
                          account ? account->public_id : "", account ? "" : "unknown address",
                          asker.address};
  if (auto done = run_noted(nullptr, failed, nullptr); !done) return done.error();
  return wrong_password();
}

result<void> users::state::take_mail_token(std::string_view purpose, std::string_view email,
                                           const origin& asker) {
  // Counted whether the address is known or not, so that the refusal tells nothing. Each purpose
  // for itself: whoever floods an owner with sign-ups does not keep them from a reset.
  const bool is_reset = purpose == "reset";
  std::vector<throttle_count> counts{{std::string(purpose) + " mail to " + mailbox_of(email),
                                      is_reset ? resets_by_mailbox : sign_ups_by_mailbox}};
  count_address(counts, "mail", asker.address, mails_by_address);
  if (!is_reset) count_address(counts, "sign-up from", asker.address, sign_ups_by_address);
  return attempts_.take(counts, all.clock.steady());
}

result<void> users::state::take_link_look(const origin& asker) {
  std::vector<throttle_count> counts;
  count_address(counts, "link from", asker.address, links_by_address);
  return attempts_.take(counts, all.clock.steady());
}

result<opened_session> users::state::set_password(const account_record& account,
                                                  std::string_view hash,
                                                  const std::optional<factor_use>& shown,
                                                  const origin& asker, std::string_view action) {
  const new_session session = sessions.make(account.id, asker);
  const audit_note line{actor_of(account), std::string(action), account.public_id, "",
                        asker.address};
  account_record after = account;
  if (!after.verified_at) after.verified_at = all.now();
  bool alive = false, proven = true;
  const auto write = [&](transaction& running) {
    if (shown) proven = running.take_factor(account.id, *shown);
    if (!proven) return;
    // The store is asked, not the memory: the same batch may have deleted the account before.
    alive = running.reset_password(account.id, hash, *after.verified_at);
    if (!alive) return;
    running.remove_sessions(account.id, {});
    running.remove_links(account.email);
    sessions.add(running, session);
    all.note(running, line);
  };
  const auto commit = [&] {
    if (!alive) return;
    all.directory.set_verified(account.id, *after.verified_at);
    sessions.forget_all(account, {});
    sessions.remember(session);
  };
  if (auto done = all.queue.run(write, commit); !done) return done.error();
  if (!proven) return wrong_code();
  if (!alive) return bad_link();
  attempts_.forget("code of " + account.email);
  attempts_.forget("guess of " + account.email);
  attempts_.forget("guess of " + account.email + " from " + network_of(asker.address));
  return opened_session{session.token, after};
}

}  // namespace freshet::account
