// The families of an engine, in the order of a call's way.
#include "engine/runtime/metrics.hpp"

#include <freshet/version.hpp>

namespace freshet::detail {
namespace {

void write_queues(metrics_text& to, const core& of) {
  to.gauge("freshet_calls_running", "Calls inside the gates of their accounts.",
           static_cast<double>(of.gate.running()));
  to.family("freshet_work_waiting", metrics_text::kind::gauge,
            "Pieces of work that wait for a thread, by pool.");
  to.sample(static_cast<double>(of.pool->waiting()), {{"pool", "short"}});
  to.sample(static_cast<double>(of.readers->waiting()), {{"pool", "long"}});
}

void write_network(metrics_text& to, const environment& of) {
  if (of.network != nullptr) {
    const auto now = of.network->figures();
    to.gauge("freshet_requests_pending", "Requests to sources and pages without an answer yet.",
             static_cast<double>(now.pending));
    to.gauge("freshet_exchanges_running", "Requests that are on the network.",
             static_cast<double>(now.exchanges));
    to.counter("freshet_cache_hits_total", "Requests that the HTTP cache answered.",
               static_cast<double>(now.cache_hits));
    to.counter("freshet_cache_misses_total", "Requests that it might have answered.",
               static_cast<double>(now.cache_misses));
    to.gauge("freshet_cache_bytes", "Bytes of answers, and of what was made of them, in memory.",
             static_cast<double>(of.shelf->size()));
  }
  const auto pages = of.pages->count();
  to.counter("freshet_kept_page_hits_total", "Calls that were answered from a kept page.",
             static_cast<double>(pages.hits));
  to.counter("freshet_kept_page_misses_total", "Calls for which no page was kept.",
             static_cast<double>(pages.misses));
  if (of.suspended != nullptr) {
    to.gauge("freshet_suspensions", "Sources and instances that are left alone now.",
             static_cast<double>(of.suspended->list(of.clock->steady()).size()));
  }
}

void write_ledger(metrics_text& to, const account::accounts& of) {
  const auto now = of.stats();
  to.counter("freshet_ledger_batches_total", "Commits of the ledger.",
             static_cast<double>(now.batches));
  to.family("freshet_ledger_batch_sizes_total", metrics_text::kind::counter,
            "Commits of the ledger, by how many pieces of work they had: up to 1, 2, 4 and so on.");
  for (std::size_t step = 0; step < now.sizes.size(); ++step) {
    const bool last = step == account::batch_size_steps;
    const auto most = last ? "more" : std::to_string(std::size_t{1} << step);
    to.sample(static_cast<double>(now.sizes[step]), {{"up_to", most}});
  }
  to.counter("freshet_ledger_failed_batches_total", "Commits that were rolled back.",
             static_cast<double>(now.failed_batches));
  to.counter("freshet_ledger_movements_total", "Movements in the book; the last one's number.",
             static_cast<double>(now.movements));
  to.gauge("freshet_ledger_queue", "Work that waits for the ledger's thread.",
           static_cast<double>(now.queued));
  to.counter("freshet_key_lookups_total", "Keys that were looked up.",
             static_cast<double>(now.key_lookups));
  to.gauge("freshet_accounts_in_memory", "Accounts that are kept in memory.",
           static_cast<double>(now.accounts));
  to.gauge("freshet_keys_in_memory", "Keys that are kept in memory.",
           static_cast<double>(now.keys));
  to.counter("freshet_account_reads_total", "Accounts and keys that were read from the disk.",
             static_cast<double>(now.reads));
  to.gauge("freshet_ledger_writable", "1 where the accounts can be read and written, else 0.",
           of.healthy() ? 1 : 0);
}

void write_requests(metrics_text& to, const requests::request_log& of) {
  const auto now = of.figures();
  to.counter("freshet_requests_logged_total", "Calls that the request log has taken.",
             static_cast<double>(now.written));
  to.counter("freshet_requests_dropped_total", "Calls for which it had no room.",
             static_cast<double>(now.dropped));
  to.counter("freshet_requests_failed_total", "Calls that it could not write.",
             static_cast<double>(now.failed));
  to.gauge("freshet_requests_waiting_bytes", "Bytes of calls that wait for it.",
           static_cast<double>(now.waiting_bytes));
}

void write_telemetry(metrics_text& to, const telemetry::tracer& of) {
  const auto now = of.figures();
  to.counter("freshet_spans_exported_total", "Spans that the collector has taken.",
             static_cast<double>(now.exported));
  to.counter("freshet_spans_failed_total",
             "Spans that the collector refused, or that it was gone for too long for.",
             static_cast<double>(now.failed));
  to.counter("freshet_spans_dropped_total", "Spans for which there was no room.",
             static_cast<double>(now.dropped));
  to.gauge("freshet_spans_waiting", "Spans that wait for their batch.",
           static_cast<double>(now.waiting));
}

}  // namespace

void write_metrics(metrics_text& to, const core& of) {
  to.family("freshet_build_info", metrics_text::kind::gauge, "1, with the version as a label.");
  to.sample(1, {{"version", version}});
  of.calls.write(to);
  write_queues(to, of);
  write_network(to, of.live);
  if (of.accounts != nullptr) write_ledger(to, *of.accounts);
  if (of.requests != nullptr) write_requests(to, *of.requests);
  if (of.tracer != nullptr) write_telemetry(to, *of.tracer);
  write_checkup(to, of.checkup.get());
  to.gauge("freshet_memory_bound_bytes", "The bound of server.max_memory_bytes.",
           static_cast<double>(of.memory->bound()));
  to.gauge("freshet_memory_level",
           "0 calm, 1 caches are dropped, 2 calls are refused, 3 connections are refused.",
           static_cast<double>(of.memory->level()));
}

}  // namespace freshet::detail
