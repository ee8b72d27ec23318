// The C ABI over the library: handles, lengths and JSON. No logic of its own.
#include <freshet.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <condition_variable>
#include <freshet/engine.hpp>
#include <freshet/version.hpp>
#include <mutex>
#include <optional>

#include "guard.hpp"

using freshet::errc;
using freshet::error;
using freshet::response;
using freshet::capi::failure;
using freshet::capi::guard;
using freshet::capi::success;

/// What a freshet_client handle points to.
struct freshet_client {
  std::unique_ptr<freshet::client> inside;
};

namespace {

/// Where a call's answer arrives; shared with the thread that brings it.
struct mailbox {
  std::mutex mutex;
  std::condition_variable arrived;
  std::optional<response> answer;
  bool taken = false;
};

std::string text_of(const char* text, size_t size) {
  return text == nullptr ? std::string() : std::string(text, size);
}

/// The last resort when there is no memory for a result: a static one, which is never freed.
freshet_result& no_memory() noexcept {
  static freshet_result one = [] {
    freshet_result made;
    made.answer.code = errc::overloaded;
    made.answer.status = 503;
    return made;
  }();
  return one;
}

error wrong_abi(uint32_t abi) {
  return error(errc::invalid_configuration, "the program was compiled for ABI " +
                                                std::to_string(abi) + ", the library has " +
                                                std::to_string(FRESHET_ABI));
}

std::vector<std::string> strings_of(const boost::json::value& from) {
  std::vector<std::string> made;
  if (!from.is_array()) return made;
  for (const auto& one : from.get_array()) {
    if (one.is_string()) made.emplace_back(one.get_string());
  }
  return made;
}

freshet::result<freshet::markdown_options> read_options(const std::string& text) {
  freshet::markdown_options options;
  if (text.empty()) return options;
  boost::system::error_code ec;
  const auto parsed = boost::json::parse(text, ec);
  if (ec || !parsed.is_object()) {
    return error(errc::invalid_json, "the options are one JSON object");
  }
  for (const auto& [key, value] : parsed.get_object()) {
    const bool is_text = value.is_string();
    if (key == "mode" && is_text) {
      options.mode = value.get_string();
    } else if (key == "url" && is_text) {
      options.url = value.get_string();
    } else if (key == "content_type" && is_text) {
      options.content_type = value.get_string();
    } else if (key == "links" && is_text) {
      options.links = value.get_string();
    } else if (key == "include" && value.is_array()) {
      options.include = strings_of(value);
    } else if (key == "exclude" && value.is_array()) {
      options.exclude = strings_of(value);
    } else if (key == "images" && value.is_bool()) {
      options.images = value.get_bool();
    } else {
      return error(errc::invalid_request, std::string(key) + ": unknown option or wrong type");
    }
  }
  return options;
}

freshet::request make_request(const char* endpoint, size_t endpoint_size, const char* body,
                              size_t body_size, const char* key, size_t key_size) {
  freshet::request what;
  what.endpoint = text_of(endpoint, endpoint_size);
  what.body = text_of(body, body_size);
  what.api_key = text_of(key, key_size);
  return what;
}

}  // namespace

/// What a freshet_call handle points to.
struct freshet_call {
  freshet::client* through = nullptr;
  std::uint64_t ticket = 0;
  std::shared_ptr<mailbox> box = std::make_shared<mailbox>();
};

namespace freshet::capi {

freshet_result* failure(const error& what) noexcept {
  try {
    auto made = std::make_unique<freshet_result>();
    made->answer = problem_document(what, make_request_id());
    return made.release();
  } catch (...) {
    return &no_memory();
  }
}

freshet_result* success(response answer) noexcept {
  try {
    auto made = std::make_unique<freshet_result>();
    made->answer = std::move(answer);
    return made.release();
  } catch (...) {
    return &no_memory();
  }
}

}  // namespace freshet::capi

extern "C" {

uint32_t freshet_abi(void) { return FRESHET_ABI; }

const char* freshet_version(void) { return freshet::version; }

const char* freshet_error_name(int32_t number) {
  if (number <= 0 || number > UINT16_MAX) return "";
  const auto code = static_cast<errc>(number);
  const auto& row = freshet::describe(code);
  return row.code == code ? row.name.data() : "";
}

freshet_result* freshet_open(uint32_t abi, const char* config, size_t config_size,
                             freshet_client** out) {
  return guard([&]() -> freshet_result* {
    if (out == nullptr) return failure(error(errc::invalid_request, "out is NULL"));
    *out = nullptr;
    if (abi != FRESHET_ABI) return failure(wrong_abi(abi));
    freshet::engine_options options;
    const auto text = text_of(config, config_size);
    if (auto read = options.config.load_toml(text, "config"); !read) return failure(read.error());
    options.with_accounts = options.config.has("storage.data_dir");
    auto opened = freshet::engine::open(std::move(options));
    if (!opened) return failure(opened.error());
    auto made = std::make_unique<freshet_client>();
    made->inside = std::move(*opened);
    *out = made.release();
    return success({});
  });
}

freshet_result* freshet_connect(uint32_t abi, const char* base_url, size_t base_url_size,
                                freshet_client** out) {
  return guard([&]() -> freshet_result* {
    if (out == nullptr) return failure(error(errc::invalid_request, "out is NULL"));
    *out = nullptr;
    if (abi != FRESHET_ABI) return failure(wrong_abi(abi));
    auto connected = freshet::connect(text_of(base_url, base_url_size), "");
    if (!connected) return failure(connected.error());
    auto made = std::make_unique<freshet_client>();
    made->inside = std::move(*connected);
    *out = made.release();
    return success({});
  });
}

void freshet_client_free(freshet_client** client) {
  if (client == nullptr || *client == nullptr) return;
  delete *client;
  *client = nullptr;
}

freshet_result* freshet_client_call(freshet_client* client, const char* endpoint,
                                    size_t endpoint_size, const char* body, size_t body_size,
                                    const char* key, size_t key_size) {
  return guard([&]() -> freshet_result* {
    if (client == nullptr) return failure(error(errc::invalid_request, "client is NULL"));
    return success(client->inside->call(
        make_request(endpoint, endpoint_size, body, body_size, key, key_size)));
  });
}

freshet_call* freshet_client_start(freshet_client* client, const char* endpoint,
                                   size_t endpoint_size, const char* body, size_t body_size,
                                   const char* key, size_t key_size) {
  try {
    auto made = std::make_unique<freshet_call>();
    if (client == nullptr) {
      made->box->answer = freshet::problem_document(error(errc::invalid_request, "client is NULL"),
                                                    freshet::make_request_id());
      return made.release();
    }
    made->through = client->inside.get();
    made->ticket =
        made->through->submit(make_request(endpoint, endpoint_size, body, body_size, key, key_size),
                              [box = made->box](response answer) {
                                const std::lock_guard lock(box->mutex);
                                box->answer = std::move(answer);
                                box->arrived.notify_all();
                              });
    return made.release();
  } catch (...) {
    return nullptr;
  }
}

freshet_result* freshet_call_wait(freshet_call* call, int64_t timeout_ms) {
  return guard([&]() -> freshet_result* {
    if (call == nullptr) return failure(error(errc::invalid_request, "call is NULL"));
    auto& box = *call->box;
    std::unique_lock lock(box.mutex);
    const auto ready = [&box] { return box.answer.has_value() || box.taken; };
    if (timeout_ms < 0) {
      box.arrived.wait(lock, ready);
    } else if (!box.arrived.wait_for(lock, std::chrono::milliseconds(timeout_ms), ready)) {
      return nullptr;
    }
    if (box.taken) return failure(error(errc::internal, "the result was taken already"));
    box.taken = true;
    return success(std::move(*box.answer));
  });
}

void freshet_call_cancel(freshet_call* call) {
  if (call != nullptr && call->through != nullptr) call->through->cancel(call->ticket);
}

void freshet_call_free(freshet_call** call) {
  if (call == nullptr || *call == nullptr) return;
  freshet_call_cancel(*call);
  delete *call;
  *call = nullptr;
}

freshet_result* freshet_markdown(const char* html, size_t html_size, const char* options,
                                 size_t options_size) {
  return guard([&]() -> freshet_result* {
    const auto chosen = read_options(text_of(options, options_size));
    if (!chosen) return failure(chosen.error());
    const auto page = freshet::to_markdown(
        std::string_view(html == nullptr ? "" : html, html == nullptr ? 0 : html_size), *chosen);
    if (!page) return failure(page.error());
    response answer;
    answer.body = freshet::item_json(*page);
    answer.data_size = answer.body.size();
    return success(std::move(answer));
  });
}

int32_t freshet_result_error(const freshet_result* result) {
  return result == nullptr ? static_cast<int32_t>(errc::internal)
                           : static_cast<int32_t>(result->answer.code);
}

int32_t freshet_result_status(const freshet_result* result) {
  return result == nullptr ? 500 : result->answer.status;
}

const char* freshet_result_body(const freshet_result* result, size_t* size) {
  if (size != nullptr) *size = result == nullptr ? 0 : result->answer.body.size();
  return result == nullptr ? "" : result->answer.body.c_str();
}

const char* freshet_result_data(const freshet_result* result, size_t* size) {
  if (size != nullptr) *size = result == nullptr ? 0 : result->answer.data_size;
  return result == nullptr ? "" : result->answer.body.c_str() + result->answer.data_offset;
}

int64_t freshet_result_credits(const freshet_result* result) {
  return result == nullptr ? 0 : result->answer.credits_used;
}

void freshet_result_free(freshet_result** result) {
  if (result == nullptr || *result == nullptr) return;
  if (*result != &no_memory()) delete *result;
  *result = nullptr;
}

}  // extern "C"
