// What a client's handle, its calls and its walks share: the engine or the server behind them, for
// as long as the client is not freed. A handle that outlives its client finds it closed.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <freshet/engine.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

#include "log_thread.hpp"

namespace freshet::capi {

/// Where one call's answer arrives.
struct mailbox {
  std::mutex mutex;
  std::condition_variable arrived;
  std::optional<response> answer;

  void put(response made);
};

/// Thread-safe.
class client_state {
 public:
  /// `log` may be null.
  client_state(std::unique_ptr<log_thread> log, std::string api_key);
  client_state(const client_state&) = delete;
  client_state& operator=(const client_state&) = delete;
  ~client_state();

  /// Gives it what it works on; once, before anybody else has it.
  void start(std::unique_ptr<client> on) noexcept { inside_ = std::move(on); }
  /// Where that logs to; null without a log. Valid until close() returns.
  [[nodiscard]] log_sink sink();

  /// Starts a call, whose answer comes to `mailbox`. Errors: cancelled (closed),
  /// invalid_configuration (after a fork). Throws std::bad_alloc.
  [[nodiscard]] result<std::uint64_t> submit(request request,
                                             const std::shared_ptr<mailbox>& mailbox);
  /// Nothing happens when the client_state is closed.
  void cancel(std::uint64_t ticket) noexcept;
  /// Ends all calls and the log; nothing is called back after it. Once.
  void close() noexcept;

  [[nodiscard]] const std::string& api_key() const noexcept { return api_key_; }

 private:
  [[nodiscard]] bool is_forked() const noexcept;

  const pid_t opened_in_;
  const std::string api_key_;
  std::unique_ptr<log_thread> log_;
  std::shared_mutex gate_;  ///< shared by those inside, alone for who closes
  std::unique_ptr<client> inside_;
};

/// What a client of a server is told of it.
struct connect_options {
  std::string api_key;
  std::string ca_file;
};

/// Of a JSON object, or of nothing. Errors: invalid_request, invalid_json.
[[nodiscard]] result<connect_options> read_connect_options(std::string_view options);

/// The request of a call: its texts, its options. Errors: invalid_request, invalid_json.
[[nodiscard]] result<request> read_request(const client_state& client_state,
                                           std::string_view endpoint, std::string_view body,
                                           std::string_view options);

}  // namespace freshet::capi

/// What a freshet_client handle points to.
struct freshet_client {
  std::shared_ptr<freshet::capi::client_state> inside;
};
