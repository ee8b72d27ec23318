// The exporter's thread. It holds the mutex but while it writes JSON and while it waits; what a
// collector answers comes on the thread of the transport.
#include "telemetry/exporter.hpp"

#include <algorithm>
#include <base/clock.hpp>
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <http/rate_headers.hpp>
#include <http/stack.hpp>
#include <system_error>
#include <utility>

namespace freshet::telemetry {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view traces_path = "v1/traces";
constexpr std::size_t max_answer_bytes = 64u << 10;
constexpr std::size_t max_told_bytes = 200;  ///< of what a collector says of its refusal
constexpr std::chrono::minutes between_warnings{1};
/// A collector that asks for a longer pause gets this one.
constexpr std::chrono::minutes longest_come_back{2};
/// Where there is no memory to write a batch.
constexpr milliseconds memory_pause{500};

/// A share of a pause, so that many programs do not come back as one.
milliseconds jittered(milliseconds pause) {
  const auto byte = static_cast<unsigned char>(base::random_bytes(1)[0]);
  return pause / 2 + pause * byte / 512;
}

result<std::unique_ptr<http::transport>> make_transport(const exporter_options& options) {
  http::stack_options stack;
  stack.user_agent = "Freshet/" + options.resource.version;
  stack.allow_private = {"0.0.0.0/0", "::/0"};  // the operator chose the collector
  stack.any_port = true;
  stack.polite = false;  // pauses are ours
  stack.clock = &base::system_clock();
  stack.ca_file = options.ca_file;
  auto made = http::make_stack(std::move(stack));
  if (!made && !options.ca_file.empty()) {
    return error(made.error().code(), "telemetry.ca_file: " + made.error().detail());
  }
  if (!made) return made.error();
  return std::unique_ptr<http::transport>(std::move(*made));
}

}  // namespace

result<std::unique_ptr<exporter>> exporter::open(exporter_options options) {
  const auto url = base::parse_url(options.endpoint);
  if (!url || !url->is_http() || url->has_query || url->has_fragment || !url->username.empty()) {
    return error(errc::invalid_configuration,
                 "telemetry.otlp_endpoint: give the collector's address, such as "
                 "http://127.0.0.1:4318; a login goes into telemetry.otlp_headers");
  }
  options.endpoint = base::join_path(options.endpoint, traces_path);
  if (!options.log) options.log = [](std::string_view, std::string_view) {};
  auto transport = make_transport(options);
  if (!transport) return transport.error();
  try {
    return std::unique_ptr<exporter>(new exporter(std::move(options), std::move(*transport)));
  } catch (const std::system_error& no_thread) {
    return error(errc::internal, std::string("telemetry does not start: ") + no_thread.what());
  }
}

exporter::exporter(exporter_options options, std::unique_ptr<http::transport> transport)
    : options_(std::move(options)), transport_(std::move(transport)) {
  thread_ = std::thread([this] {
    while (true) {
      try {
        return run();
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(memory_pause);
      }
    }
  });
}

exporter::~exporter() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    flush_by_ = steady_clock::now() + options_.flush_time;
    wake_.notify_all();
  }
  thread_.join();
  const auto lost = figures().waiting;
  if (lost != 0) {
    options_.log("warn", "telemetry: " + std::to_string(lost) +
                             " spans were not delivered: the server has ended");
  }
}

void exporter::add(span_group group) noexcept {
  const auto size = group.spans.size();
  if (size == 0) return;
  const std::lock_guard lock(mutex_);
  if (stopping_ || size > max_call_spans || figures_.waiting + size > max_waiting_spans) {
    figures_.dropped += size;
    return;
  }
  try {
    queue_.push_back(std::move(group));
  } catch (const std::bad_alloc&) {
    figures_.dropped += size;
    return;
  }
  const bool was_empty = figures_.waiting == 0;
  const bool was_short = figures_.waiting < max_batch_spans;
  figures_.waiting += size;
  if (was_empty || (was_short && figures_.waiting >= max_batch_spans)) wake_.notify_all();
}

void exporter::count_dropped(std::size_t spans) noexcept {
  const std::lock_guard lock(mutex_);
  figures_.dropped += spans;
}

span_figures exporter::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

void exporter::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    wake_.wait_for(lock, options_.batch_delay,
                   [this] { return stopping_ || figures_.waiting >= max_batch_spans; });
    if (stopping_ && (queue_.empty() || steady_clock::now() >= flush_by_)) return;
    deliver(lock, take_batch());
  }
}

/// The oldest calls that fit into a batch.
std::vector<span_group> exporter::take_batch() {
  std::vector<span_group> batch;
  std::size_t spans = 0;
  batch.reserve(std::min(queue_.size(), max_batch_spans));
  while (!queue_.empty() && spans + queue_.front().spans.size() <= max_batch_spans) {
    spans += queue_.front().spans.size();
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  figures_.waiting -= spans;
  return batch;
}

void exporter::deliver(std::unique_lock<std::mutex>& lock, const std::vector<span_group>& batch) {
  std::uint64_t size = 0;
  for (const auto& each : batch) size += each.spans.size();
  std::uint64_t lost = size;
  judgement said{fate::refused, "no memory is left", 0, {}};
  try {
    lock.unlock();
    const std::string body = otlp_json(options_.resource, batch);
    lock.lock();
    auto pause = options_.first_pause;
    for (int attempt = 1;; ++attempt) {
      said = judge(post(lock, body));
      if (said.what != fate::again || attempt >= options_.attempts) break;
      if (!wait_before_retry(lock, said, pause)) break;
    }
    if (said.what == fate::delivered) {
      lost = std::min(size, static_cast<std::uint64_t>(said.rejected));
    }
  } catch (const std::bad_alloc&) {
    if (!lock.owns_lock()) lock.lock();
  }
  figures_.exported += size - lost;
  figures_.failed += lost;
  if (lost != 0) warn(lost, said.why);
}

/// False where there is to be no further attempt: the end has come, and no time is left.
bool exporter::wait_before_retry(std::unique_lock<std::mutex>& lock, const judgement& said,
                                 milliseconds& pause) {
  const auto until = steady_clock::now() + (said.come_back ? *said.come_back : jittered(pause));
  pause = std::min(2 * pause, options_.longest_pause);
  while (steady_clock::now() < until) {
    if (stopping_ && until > flush_by_) return false;
    wake_.wait_until(lock, until);
  }
  return true;
}

/// One attempt, without the lock; at the end it is not waited for longer than the flush may take.
result<http::response> exporter::post(std::unique_lock<std::mutex>& lock, const std::string& body) {
  const auto number = ++attempt_;
  answer_.reset();
  http::request sent;
  sent.method = "POST";
  sent.url = options_.endpoint;
  sent.headers = options_.headers;
  sent.headers.push_back({"Content-Type", "application/json"});
  sent.body = body;
  sent.body_limit = max_answer_bytes;
  sent.truncate_body = true;
  sent.redirect_limit = 0;
  sent.cacheable = false;
  lock.unlock();
  const auto by = steady_clock::now() + options_.attempt_time;
  const auto ticket = transport_->submit(std::move(sent), by, [this, number](auto got) {
    const std::lock_guard taking(mutex_);
    if (number != attempt_) return;
    answer_ = std::move(got);
    wake_.notify_all();
  });
  lock.lock();
  while (!answer_) {
    if (!stopping_) {
      wake_.wait(lock);
    } else if (wake_.wait_until(lock, flush_by_) == std::cv_status::timeout && !answer_) {
      lock.unlock();
      transport_->cancel(ticket);
      lock.lock();
      ++attempt_;
      return error(errc::cancelled, "the server has ended");
    }
  }
  auto got = std::move(*answer_);
  answer_.reset();
  return got;
}

exporter::judgement exporter::judge(const result<http::response>& got) {
  if (!got) {
    const auto code = got.error().code();
    const bool may_pass = code == errc::source_unavailable || code == errc::source_timeout ||
                          code == errc::overloaded;
    return {may_pass ? fate::again : fate::refused, got.error().detail(), 0, {}};
  }
  const auto told = [](std::string_view text) {
    return text.empty() ? std::string() : ": " + base::repair_utf8(text.substr(0, max_told_bytes));
  };
  const int status = got->status;
  if (status >= 200 && status < 300) {
    const auto partly = read_partial_success(got->body);
    return {fate::delivered, "the collector rejected them" + told(partly.why), partly.rejected, {}};
  }
  judgement out{fate::refused, "the collector answered " + std::to_string(status), 0, {}};
  if (status != 429 && status != 502 && status != 503 && status != 504) {
    out.why += told(got->body);
    return out;
  }
  out.what = fate::again;
  out.come_back = http::retry_after(got->headers, base::system_clock().now());
  if (out.come_back) out.come_back = std::min<milliseconds>(*out.come_back, longest_come_back);
  return out;
}

/// Says what is lost, once in a while: a collector may be gone for days.
void exporter::warn(std::uint64_t lost, std::string_view why) {
  unsaid_ += lost;
  const auto now = steady_clock::now();
  if (warned_ && now - *warned_ < between_warnings && !stopping_) return;
  warned_ = now;
  options_.log("warn", "telemetry: " + std::to_string(std::exchange(unsaid_, 0)) +
                           " spans were not delivered: " + std::string(why));
}

}  // namespace freshet::telemetry
