// The library itself and its clients: the ABI check, opening and freeing.
#include <freshet.h>
#include <pthread.h>
#include <signal.h>

#include <freshet/engine.hpp>
#include <freshet/version.hpp>

#include "client_state.hpp"
#include "guard.hpp"

using freshet::errc;
using freshet::error;
using freshet::capi::client_state;
using freshet::capi::connect_options;
using freshet::capi::failure;
using freshet::capi::guard;
using freshet::capi::log_thread;
using freshet::capi::opened;
using freshet::capi::read_connect_options;
using freshet::capi::text_in;

namespace {

/// Blocks all signals of this thread but those of its own faults, so that the threads that are
/// started meanwhile inherit that: the program's signals go to the program's threads.
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) {
      sigdelset(&all, fault);
    }
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

error wrong_abi(uint32_t abi) {
  return error(errc::invalid_configuration,
               "the program was compiled for ABI " + std::to_string(abi) +
                   " of libfreshet, the library that is loaded has " + std::to_string(FRESHET_ABI));
}

std::unique_ptr<log_thread> start_log(freshet_log log, void* user_data) {
  return log == nullptr ? nullptr : std::make_unique<log_thread>(log, user_data);
}

/// What opening has in common: the checks, and a client of what `open` makes of its client_state.
template <class Open>
freshet_result* open_with(uint32_t abi, freshet_client** out, const Open& open) {
  if (out != nullptr) *out = nullptr;
  return guard([&]() -> freshet_result* {
    if (abi != FRESHET_ABI) return failure(wrong_abi(abi));
    if (out == nullptr) return failure(error(errc::invalid_request, "out is NULL"));
    const signals_blocked while_threads_start;
    auto made = std::make_unique<freshet_client>();
    if (auto done = open(made->inside); !done) return failure(done.error());
    *out = made.release();
    return opened();
  });
}

/// A client of the server at `url`, into `client`.
freshet::result<void> reach(std::shared_ptr<client_state>& client, std::string_view url,
                            connect_options options, std::unique_ptr<log_thread> log) {
  client = std::make_shared<client_state>(std::move(log), options.api_key);
  auto server = freshet::connect(std::string(url), std::move(options.api_key), client->sink(),
                                 std::move(options.ca_file));
  if (!server) return server.error();
  client->start(std::move(*server));
  return {};
}

}  // namespace

extern "C" {

uint32_t freshet_abi(void) { return FRESHET_ABI; }

const char* freshet_version(void) { return freshet::version; }

const char* freshet_error_name(int32_t number) {
  if (number <= 0 || number > UINT16_MAX) return "";
  const auto code = static_cast<errc>(number);
  const auto& row = freshet::describe(code);
  return row.code == code ? row.name.data() : "";
}

freshet_result* freshet_open(uint32_t abi, const char* config, size_t config_size, freshet_log log,
                             void* user_data, freshet_client** out) {
  return open_with(abi, out, [&](std::shared_ptr<client_state>& into) -> freshet::result<void> {
    const auto text = text_in(config, config_size, "config");
    if (!text) return text.error();
    freshet::engine_options options;
    if (auto read = options.config.load_toml(*text, "config"); !read) return read.error();
    options.with_accounts = options.config.has("storage.data_dir");
    into = std::make_shared<client_state>(start_log(log, user_data), "");
    options.log = into->sink();
    auto engine = freshet::engine::open(std::move(options));
    if (!engine) return engine.error();
    into->start(std::move(*engine));
    return {};
  });
}

freshet_result* freshet_connect(uint32_t abi, const char* base_url, size_t base_url_size,
                                const char* api_key, size_t api_key_size, freshet_log log,
                                void* user_data, freshet_client** out) {
  return open_with(abi, out, [&](std::shared_ptr<client_state>& into) -> freshet::result<void> {
    const auto url = text_in(base_url, base_url_size, "base_url");
    if (!url) return url.error();
    const auto key = text_in(api_key, api_key_size, "api_key");
    if (!key) return key.error();
    return reach(into, *url, {std::string(*key), {}}, start_log(log, user_data));
  });
}

freshet_result* freshet_connect_with(uint32_t abi, const char* base_url, size_t base_url_size,
                                     const char* options, size_t options_size, freshet_log log,
                                     void* user_data, freshet_client** out) {
  return open_with(abi, out, [&](std::shared_ptr<client_state>& into) -> freshet::result<void> {
    const auto url = text_in(base_url, base_url_size, "base_url");
    if (!url) return url.error();
    const auto text = text_in(options, options_size, "options");
    if (!text) return text.error();
    auto read = read_connect_options(*text);
    if (!read) return read.error();
    return reach(into, *url, std::move(*read), start_log(log, user_data));
  });
}

void freshet_client_free(freshet_client** client) {
  if (client == nullptr || *client == nullptr || log_thread::is_in_callback()) return;
  (*client)->inside->close();
  delete *client;
  *client = nullptr;
}

}  // extern "C"
