// The families of an engine, in the order of a call's way.
#include "engine/runtime/metrics.hpp"

#include <algorithm>
#include <archive/store.hpp>
#include <freshet/version.hpp>
#include <postgres/read_replica.hpp>

namespace freshet::detail {
namespace {

void write_queues(metrics_text& metrics, const core& core) {
  metrics.gauge("freshet_calls_running", "Calls inside the gates of their accounts.",
                static_cast<double>(core.gate.running()));
  metrics.family("freshet_work_waiting", metrics_text::kind::gauge,
                 "Pieces of work that wait for a thread, by pool.");
  metrics.sample(static_cast<double>(core.pool->waiting()), {{"pool", "short"}});
  metrics.sample(static_cast<double>(core.readers->waiting()), {{"pool", "long"}});
}

void write_network(metrics_text& metrics, const environment& environment) {
  if (environment.network != nullptr) {
    const auto now = environment.network->figures();
    metrics.gauge("freshet_requests_pending",
                  "Requests to sources and pages without an answer yet.",
                  static_cast<double>(now.pending));
    metrics.gauge("freshet_exchanges_running", "Requests that are on the network.",
                  static_cast<double>(now.exchanges));
    metrics.counter("freshet_cache_hits_total", "Requests that the HTTP cache answered.",
                    static_cast<double>(now.cache_hits));
    metrics.counter("freshet_cache_misses_total", "Requests that it might have answered.",
                    static_cast<double>(now.cache_misses));
    metrics.gauge("freshet_cache_bytes",
                  "Bytes of answers, and of what was made of them, in memory.",
                  static_cast<double>(environment.shelf->size()));
  }
  const auto pages = environment.pages->count();
  metrics.counter("freshet_kept_page_hits_total", "Calls that were answered from a kept page.",
                  static_cast<double>(pages.hits));
  metrics.counter("freshet_kept_page_misses_total", "Calls for which no page was kept.",
                  static_cast<double>(pages.misses));
  if (environment.suspended != nullptr) {
    const auto all = environment.suspended->list(environment.clock->steady());
    const auto of_all = std::ranges::count(all, std::size_t{0}, &suspension::accounts);
    metrics.gauge("freshet_suspensions", "Sources and instances that are left alone now.",
                  static_cast<double>(of_all));
    metrics.gauge("freshet_suspensions_of_accounts",
                  "Sources that are left alone now for some accounts alone, whose queries they "
                  "have refused or failed.",
                  static_cast<double>(std::ssize(all) - of_all));
  }
}

void write_sharing(metrics_text& metrics, const environment& environment) {
  const auto now = environment.sharing->count();
  metrics.gauge("freshet_sharing_up",
                "1 while what servers know of sources goes over Redis, else 0.",
                now.link.is_here ? 1 : 0);
  metrics.counter("freshet_sharing_losses_total", "Connections for that to Redis that were lost.",
                  static_cast<double>(now.link.losses));
  metrics.counter("freshet_suspensions_heard_total",
                  "What servers have told each other of sources that are left alone.",
                  static_cast<double>(now.suspensions_heard));
  const auto pooled = environment.network->figures();
  metrics.counter("freshet_shared_answers_kept_total",
                  "Answers that this server gave to Redis to keep.",
                  static_cast<double>(now.answers_kept));
  metrics.counter("freshet_shared_answers_hits_total",
                  "Requests that another server's answer answered.",
                  static_cast<double>(pooled.pool_hits));
  metrics.counter("freshet_shared_answers_misses_total", "Requests that one might have answered.",
                  static_cast<double>(pooled.pool_misses));
  metrics.counter("freshet_shared_answers_waits_total",
                  "Requests that waited for another server to fetch.",
                  static_cast<double>(pooled.pool_waits));
  metrics.counter("freshet_quotas_alone_total",
                  "Requests that were judged by this server's share of a day's, for want of Redis.",
                  static_cast<double>(pooled.quotas_alone));
}

void write_ledger(metrics_text& metrics, const account::accounts& accounts) {
  const auto now = accounts.stats();
  metrics.counter("freshet_ledger_batches_total", "Commits of the ledger.",
                  static_cast<double>(now.batches));
  metrics.family(
      "freshet_ledger_batch_sizes_total", metrics_text::kind::counter,
      "Commits of the ledger, by how many pieces of work they had: up to 1, 2, 4 and so on.");
  for (std::size_t step = 0; step < now.sizes.size(); ++step) {
    const bool last = step == account::batch_size_steps;
    const auto most = last ? "more" : std::to_string(std::size_t{1} << step);
    metrics.sample(static_cast<double>(now.sizes[step]), {{"up_to", most}});
  }
  metrics.counter("freshet_ledger_failed_batches_total", "Commits that were rolled back.",
                  static_cast<double>(now.failed_batches));
  metrics.counter("freshet_ledger_movements_total", "Movements in the book; the last one's number.",
                  static_cast<double>(now.movements));
  metrics.gauge("freshet_ledger_queue", "Work that waits for the ledger's thread.",
                static_cast<double>(now.queued));
  metrics.counter("freshet_key_lookups_total", "Keys that were looked up.",
                  static_cast<double>(now.key_lookups));
  metrics.gauge("freshet_accounts_in_memory", "Accounts that are kept in memory.",
                static_cast<double>(now.accounts));
  metrics.gauge("freshet_keys_in_memory", "Keys that are kept in memory.",
                static_cast<double>(now.keys));
  metrics.counter("freshet_account_reads_total", "Accounts and keys that were read from the disk.",
                  static_cast<double>(now.reads));
  if (now.redis) {
    metrics.gauge("freshet_redis_up", "1 while Redis answers, else 0.", now.redis->is_here ? 1 : 0);
    metrics.counter("freshet_redis_runs_total", "Questions that Redis has answered.",
                    static_cast<double>(now.redis->runs));
    metrics.counter("freshet_redis_losses_total", "Connections to Redis that were lost.",
                    static_cast<double>(now.redis->losses));
    metrics.counter("freshet_rates_alone_total",
                    "Calls that were judged by this server's part of a rate, for want of Redis.",
                    static_cast<double>(now.redis->alone));
  }
  metrics.gauge("freshet_ledger_writable", "1 where the accounts can be read and written, else 0.",
                accounts.healthy() ? 1 : 0);
}

void write_replica(metrics_text& metrics, const postgres::read_replica& replica) {
  const auto now = replica.count();
  metrics.gauge("freshet_replica_up", "1 while reports are read at the replica, else 0.",
                now.is_fit ? 1 : 0);
  metrics.gauge("freshet_replica_behind_seconds",
                "How far behind the database it was at most when it was last looked at.",
                std::chrono::duration<double>(now.behind).count());
  metrics.counter("freshet_replica_reads_total", "Reports that it has answered.",
                  static_cast<double>(now.reads));
  metrics.counter("freshet_replica_returns_total",
                  "Reports that it could not answer, and the database did.",
                  static_cast<double>(now.returns));
}

void write_requests(metrics_text& metrics, const requests::request_log& log) {
  const auto now = log.figures();
  metrics.counter("freshet_requests_logged_total", "Calls that the request log has taken.",
                  static_cast<double>(now.written));
  metrics.counter("freshet_requests_dropped_total", "Calls for which it had no room.",
                  static_cast<double>(now.dropped));
  metrics.counter("freshet_requests_failed_total", "Calls that it could not write.",
                  static_cast<double>(now.failed));
  metrics.gauge("freshet_requests_waiting_bytes", "Bytes of calls that wait for it.",
                static_cast<double>(now.waiting_bytes));
}

void write_telemetry(metrics_text& metrics, const telemetry::tracer& tracer) {
  const auto now = tracer.figures();
  metrics.counter("freshet_spans_exported_total", "Spans that the collector has taken.",
                  static_cast<double>(now.exported));
  metrics.counter("freshet_spans_failed_total",
                  "Spans that the collector refused, or that it was gone for too long for.",
                  static_cast<double>(now.failed));
  metrics.counter("freshet_spans_dropped_total", "Spans for which there was no room.",
                  static_cast<double>(now.dropped));
  metrics.gauge("freshet_spans_waiting", "Spans that wait for their batch.",
                static_cast<double>(now.waiting));
}

void write_archives(metrics_text& metrics, const archive::stores& archives) {
  metrics.family("freshet_archive_filler", metrics_text::kind::gauge,
                 "1 where this server fills the platform's archive, 0 where it only reads it.");
  for (const auto& [platform, kept] : archives) {
    metrics.sample(kept != nullptr && kept->tenure() != 0 ? 1 : 0, {{"platform", platform}});
  }
}

}  // namespace

void write_metrics(metrics_text& metrics, const core& core) {
  metrics.family("freshet_build_info", metrics_text::kind::gauge,
                 "1, with the version as a label.");
  metrics.sample(1, {{"version", version}});
  core.calls.write(metrics);
  write_queues(metrics, core);
  write_network(metrics, core.live);
  if (!core.live.archives.empty()) write_archives(metrics, core.live.archives);
  if (core.live.sharing != nullptr) write_sharing(metrics, core.live);
  if (core.accounts != nullptr) write_ledger(metrics, *core.accounts);
  if (core.replica != nullptr) write_replica(metrics, *core.replica);
  if (core.requests != nullptr) write_requests(metrics, *core.requests);
  if (core.tracer != nullptr) write_telemetry(metrics, *core.tracer);
  write_checkup(metrics, core.checkup.get());
  metrics.gauge("freshet_memory_bound_bytes", "The bound of server.max_memory_bytes.",
                static_cast<double>(core.memory->bound()));
  metrics.gauge("freshet_memory_level",
                "0 calm, 1 caches are dropped, 2 calls are refused, 3 connections are refused.",
                static_cast<double>(core.memory->level()));
}

}  // namespace freshet::detail
