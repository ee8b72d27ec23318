// The whole service as an operator looks at it now: the last hour's calls, what waits, memory, the
// sources, and who calls the most.
#include <engine/admin/admin_command.hpp>
#include <engine/admin/list_page.hpp>
#include <engine/admin/service_answers.hpp>
#include <freshet/version.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail::admin {
namespace {

constexpr std::size_t most_accounts = 10;

void write_now(model::object_writer& object, const core& core) {
  object.object("now", [&](model::object_writer& now) {
    now.integer("calls_running", core.gate.running());
    now.integer("accounts_calling", static_cast<std::int64_t>(core.gate.callers()));
    now.integer("short_work_waiting", static_cast<std::int64_t>(core.pool->waiting()));
    now.integer("long_work_waiting", static_cast<std::int64_t>(core.readers->waiting()));
    now.integer("ledger_queue", static_cast<std::int64_t>(core.accounts->stats().queued));
    if (core.live.network != nullptr) {
      const auto network = core.live.network->figures();
      now.integer("requests_pending", static_cast<std::int64_t>(network.pending));
      now.integer("exchanges_running", static_cast<std::int64_t>(network.exchanges));
    }
    now.integer("memory_used_bytes", static_cast<std::int64_t>(core.memory->used()));
    now.integer("memory_bound_bytes", static_cast<std::int64_t>(core.memory->bound()));
  });
}

}  // namespace

admin_result show_service(const admin_call& call) {
  const auto& of = call.core;
  const auto hour = of.recent.show(most_accounts);
  std::string out;
  model::object_writer object(out);
  object.exact("version", version);
  write_hour(object, hour);
  write_now(object, of);
  if (object.begin("accounts")) {
    append_list(out, hour.accounts, [&](std::string& text, const auto& one) {
      model::object_writer row(text);
      row.exact("id", one.first);
      row.text("email", of.users->email_of(one.first));
      row.integer("calls", one.second);
      row.close();
    });
  }
  if (object.begin("sources")) append_sources(out, of, hour);
  write_checkup(object, of.checkup.get());
  object.close();
  return out;
}

}  // namespace freshet::detail::admin
