// What every call of an engine shares. Built once, then only read; its parts are thread-safe.
#pragma once

#include <account/users.hpp>
#include <archive/collector.hpp>
#include <catalog/endpoint.hpp>
#include <engine/alerts/alert_deliveries.hpp>
#include <engine/alerts/alert_watch.hpp>
#include <engine/checkup/daily_check.hpp>
#include <engine/checkup/source_probes.hpp>
#include <engine/dashboard/picture_addresses.hpp>
#include <engine/runtime/call_metrics.hpp>
#include <engine/runtime/environment.hpp>
#include <engine/runtime/gate.hpp>
#include <engine/runtime/memory_watch.hpp>
#include <engine/runtime/recent_calls.hpp>
#include <engine/runtime/workers.hpp>
#include <freshet/config.hpp>
#include <mail/mail.hpp>
#include <memory>
#include <requests/request_log.hpp>
#include <string>
#include <telemetry/tracer.hpp>

namespace freshet::detail {

struct core {
  /// What servers share asks the accounts, which go before the environments.
  ~core() { live.speaking.reset(); }

  config settings;
  log_function log;
  bool is_sandbox_alone = false;  ///< `network.sandbox`: nobody reaches the network
  std::string cursor_secret;
  picture_addresses pictures{""};  ///< for those who are signed in; set with the accounts
  std::unique_ptr<telemetry::tracer> tracer;  ///< null: nobody is told; outlives every request
  /// They outlive the network, on which they wait. What the operator is told has places of its own:
  /// an owner can fill all of theirs by a webhook that does not answer.
  alert_deliveries owners_deliveries, operators_deliveries;
  gates gate;  ///< outlives the environments, which book there until they end
  environment live;
  environment sandbox;
  std::shared_ptr<postgres::read_replica> replica;  ///< null: reports are read in the database
  std::unique_ptr<account::accounts> accounts;      ///< null: only callers in process
  std::unique_ptr<account::users> users;            ///< there with the accounts
  std::unique_ptr<mail::mailer> mail;               ///< null: mails go to the log
  std::unique_ptr<alert_watch> watch;               ///< there with the accounts
  std::unique_ptr<requests::request_log> requests;  ///< null: no call is remembered
  std::unique_ptr<archive::collector> collecting;   ///< null: nothing is archived here
  std::unique_ptr<daily_check> checkup;             ///< null: doctor.daily is off
  call_metrics calls;
  recent_calls recent;
  std::unique_ptr<memory_watch> memory;
  /// Last, so that they go first: what they still run uses all of the above.
  std::unique_ptr<workers> pool;     ///< for what is short: stages, account calls
  std::unique_ptr<workers> readers;  ///< for what may be long: reading, merging and writing pages
  std::unique_ptr<source_probes> probes;

  /// The most bytes of `data` in an answer.
  [[nodiscard]] std::size_t max_answer_bytes() const {
    return static_cast<std::size_t>(settings.integer("server.max_answer_bytes").value_or(4 << 20));
  }
  /// The price of an endpoint, as configured; of one that joins others, with all of them.
  [[nodiscard]] std::int64_t price(const catalog::endpoint& of) const {
    std::int64_t sum = 0;
    for (const auto part : of.parts) sum += price(catalog::find_endpoint(part));
    if (!of.parts.empty()) return sum;
    const auto key = "credits." + std::string(of.path);
    return settings.has(key) ? settings.integer(key).value_or(of.credits) : of.credits;
  }
  /// What a call to it costs beside, if a browser renders the page.
  [[nodiscard]] std::int64_t render_surcharge(const catalog::endpoint& of) const {
    if (of.render_credits == 0) return 0;
    return settings.integer("render.credits").value_or(of.render_credits);
  }
};

}  // namespace freshet::detail
