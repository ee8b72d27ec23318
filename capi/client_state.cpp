// The gate in front of an engine that may be closed while calls and walks are left.
#include "client_state.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "guard.hpp"

namespace freshet::capi {

void mailbox::put(response made) {
  const std::lock_guard lock(mutex);
  answer = std::move(made);
  arrived.notify_all();
}

client_state::client_state(std::unique_ptr<log_thread> log, std::string api_key)
    : opened_in_(getpid()), api_key_(std::move(api_key)), log_(std::move(log)) {}

client_state::~client_state() { close(); }

bool client_state::is_forked() const noexcept { return getpid() != opened_in_; }

log_sink client_state::sink() {
  if (log_ == nullptr) return nullptr;
  return
      [to = log_.get()](std::string_view level, std::string_view line) { to->push(level, line); };
}

namespace {

/// What became of a call, as a line of the log.
class call_line {
 public:
  explicit call_line(std::string endpoint) : endpoint_(std::move(endpoint)) {
    // The caller's text: it must stay one short line.
    constexpr std::size_t longest_name = 64;
    endpoint_.resize(std::min(endpoint_.size(), longest_name));
    std::replace_if(
        endpoint_.begin(), endpoint_.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  }

  void tell(log_thread& log, const response& made) const noexcept {
    try {
      const auto took = std::chrono::steady_clock::now() - began_;
      const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(took).count();
      std::string line = endpoint_ + ' ' + std::to_string(made.status);
      if (!made.ok()) line.append(" ").append(describe(made.code).name);
      line += " in " + std::to_string(ms) + " ms, " + std::to_string(made.credits_used) +
              " credits, " + made.request_id;
      log.push(made.ok() ? "info" : "warning", line);
    } catch (...) {
      log.lose_line();
    }
  }

 private:
  std::string endpoint_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

result<std::uint64_t> client_state::submit(request request,
                                           const std::shared_ptr<mailbox>& mailbox) {
  // Before the gate: in a child, threads that are not there any more may hold it.
  if (is_forked()) {
    return error(errc::invalid_configuration,
                 "this client was opened before a fork; open another one in this process");
  }
  const std::shared_lock inside(gate_);
  if (inside_ == nullptr) return error(errc::cancelled, "the client is closed");
  if (log_ == nullptr) {
    return inside_->submit(std::move(request),
                           [mailbox](response made) { mailbox->put(std::move(made)); });
  }
  call_line line(request.endpoint);
  return inside_->submit(std::move(request),
                         [mailbox, log = log_.get(), line = std::move(line)](response made) {
                           line.tell(*log, made);
                           mailbox->put(std::move(made));
                         });
}

void client_state::cancel(std::uint64_t ticket) noexcept {
  if (is_forked()) return;
  const std::shared_lock inside(gate_);
  if (inside_ == nullptr) return;
  try {
    inside_->cancel(ticket);
  } catch (...) {
    // Without memory it cannot be told: the call ends by itself.
  }
}

void client_state::close() noexcept {
  if (is_forked()) {
    // Their threads are the parent's: there is nobody to join here, so they are left alone.
    static_cast<void>(inside_.release());
    static_cast<void>(log_.release());
    return;
  }
  std::unique_ptr<client> ending;
  {
    const std::lock_guard alone(gate_);
    ending = std::move(inside_);
  }
  ending.reset();  // answers every call; what it still logs is delivered
  log_.reset();
}

namespace {

constexpr std::size_t max_idempotency_key_bytes = 255;

/// None is fine, too.
bool is_idempotency_key(std::string_view text) noexcept {
  return text.size() <= max_idempotency_key_bytes &&
         std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Puts an option where it belongs; false if there is none of this name and type.
bool set_option(request& request, std::string_view name, const boost::json::value& value) {
  if (!value.is_string()) return false;
  const std::string_view text = value.get_string();
  if (name == "api_key") {
    request.api_key = text;
  } else if (name == "idempotency_key") {
    request.idempotency_key = text;
  } else if (name == "request_id") {
    request.request_id = text;
  } else if (name == "traceparent") {
    request.traceparent = text;
  } else if (name == "tracestate") {
    request.tracestate = text;
  } else {
    return false;
  }
  return true;
}

}  // namespace

result<connect_options> read_connect_options(std::string_view options) {
  connect_options made;
  const auto read = options_in(options);
  if (!read) return read.error();
  for (const auto& [name, value] : *read) {
    std::string* const into = name == "api_key"   ? &made.api_key
                              : name == "ca_file" ? &made.ca_file
                                                  : nullptr;
    if (into == nullptr || !value.is_string()) {
      return error(errc::invalid_request, "options: '" + std::string(name) +
                                              "' is unknown or no text; api_key and ca_file are "
                                              "texts");
    }
    *into = value.get_string();
  }
  return made;
}

result<request> read_request(const client_state& client_state, std::string_view endpoint,
                             std::string_view body, std::string_view options) {
  request made;
  made.endpoint = endpoint;
  made.body = body;
  made.api_key = client_state.api_key();
  const auto read = options_in(options);
  if (!read) return read.error();
  for (const auto& [name, value] : *read) {
    if (set_option(made, name, value)) continue;
    return error(errc::invalid_request,
                 "options: '" + std::string(name) +
                     "' is unknown or no text; api_key, idempotency_key, request_id, traceparent "
                     "and tracestate are texts");
  }
  if (!made.request_id.empty() && !is_valid_request_id(made.request_id)) {
    return error(errc::invalid_request,
                 "options: request_id takes up to 128 letters, digits, '.', '_', ':' and '-'");
  }
  if (!is_idempotency_key(made.idempotency_key)) {
    return error(errc::invalid_request,
                 "options: idempotency_key takes 1 to 255 printable ASCII characters");
  }
  return made;
}

}  // namespace freshet::capi
