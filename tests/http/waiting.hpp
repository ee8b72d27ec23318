// How the tests of lib/http call a transport and wait for its answer.
#pragma once

#include <chrono>
#include <future>
#include <http/transport.hpp>
#include <memory>
#include <string>
#include <utility>

namespace freshet::test {

inline http::request get(std::string url) {
  http::request out;
  out.url = std::move(url);
  return out;
}

/// Starts a request; the future is the answer. A second answer would throw in promise::set_value.
inline std::future<result<http::response>> start(
    http::transport& transport, http::request request,
    std::chrono::milliseconds within = std::chrono::seconds(10), std::uint64_t* ticket = nullptr) {
  auto promise = std::make_shared<std::promise<result<http::response>>>();
  auto out = promise->get_future();
  const std::uint64_t given = transport.submit(
      std::move(request), std::chrono::steady_clock::now() + within,
      [promise](result<http::response> got) { promise->set_value(std::move(got)); });
  if (ticket != nullptr) *ticket = given;
  return out;
}

inline result<http::response> fetch(http::transport& transport, http::request request,
                                    std::chrono::milliseconds within = std::chrono::seconds(10)) {
  return start(transport, std::move(request), within).get();
}

/// The name of the error, or "ok".
inline std::string code_of(const result<http::response>& got) {
  return got ? "ok" : std::string(describe(got.error().code()).name);
}

}  // namespace freshet::test
