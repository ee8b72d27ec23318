// The C ABI as tests in C++ say it: handles that free themselves, and what a result holds.
#pragma once

#include <freshet.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace freshet::test {

template <class Handle, void (*Free)(Handle**)>
struct freeing {
  void operator()(Handle* one) const noexcept { Free(&one); }
};
using client_handle = std::unique_ptr<freshet_client, freeing<freshet_client, freshet_client_free>>;
using call_handle = std::unique_ptr<freshet_call, freeing<freshet_call, freshet_call_free>>;
using pages_handle = std::unique_ptr<freshet_pages, freeing<freshet_pages, freshet_pages_free>>;
using result_handle = std::unique_ptr<freshet_result, freeing<freshet_result, freshet_result_free>>;

/// The name of the error; "" for a success.
inline std::string error_of(const result_handle& of) {
  return freshet_error_name(freshet_result_error(of.get()));
}

inline std::string body_of(const result_handle& of) {
  std::size_t size = 0;
  const char* text = freshet_result_body(of.get(), &size);
  return {text, size};
}

inline std::string data_of(const result_handle& of) {
  std::size_t size = 0;
  const char* text = freshet_result_data(of.get(), &size);
  return {text, size};
}

inline client_handle open_sandbox(freshet_log log = nullptr, void* user_data = nullptr) {
  freshet_client* client = nullptr;
  const result_handle opened(
      freshet_open(FRESHET_ABI, "network.sandbox = true", FRESHET_NTS, log, user_data, &client));
  return client_handle(client);
}

inline client_handle connect_to(const std::string& url, freshet_log log = nullptr,
                                void* user_data = nullptr) {
  freshet_client* client = nullptr;
  const result_handle opened(freshet_connect(FRESHET_ABI, url.data(), url.size(), "frs_test_x",
                                             FRESHET_NTS, log, user_data, &client));
  return client_handle(client);
}

inline result_handle call(const client_handle& client, std::string_view endpoint,
                          std::string_view body = {}, std::string_view options = {}) {
  return result_handle(freshet_client_call(client.get(), endpoint.data(), endpoint.size(),
                                           body.data(), body.size(), options.data(),
                                           options.size()));
}

inline call_handle start(const client_handle& client, std::string_view endpoint,
                         std::string_view body = {}) {
  return call_handle(freshet_client_start(client.get(), endpoint.data(), endpoint.size(),
                                          body.data(), body.size(), nullptr, 0));
}

inline result_handle wait(const call_handle& handle, std::int64_t timeout_ms = -1) {
  return result_handle(freshet_call_wait(handle.get(), timeout_ms));
}

inline pages_handle pages(const client_handle& client, std::string_view endpoint,
                          std::string_view body = {}, std::string_view options = {},
                          std::int64_t max_pages = 0, std::int64_t max_items = 0) {
  return pages_handle(freshet_client_pages(client.get(), endpoint.data(), endpoint.size(),
                                           body.data(), body.size(), options.data(), options.size(),
                                           max_pages, max_items));
}

inline result_handle next(const pages_handle& of) {
  return result_handle(freshet_pages_next(of.get()));
}

}  // namespace freshet::test
