// What the tests of rendering share: a layer over the real stack, and pages for it.
#pragma once

#include <browser/find.hpp>
#include <browser/render_layer.hpp>
#include <catch2/catch.hpp>
#include <future>
#include <http/stack.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>
#include <support/skips.hpp>

using namespace freshet;
using namespace std::chrono_literals;

inline const test::loopback_server::header_list as_html{
    {"Content-Type", "text/html; charset=utf-8"}};
inline const test::loopback_server::header_list as_script{{"Content-Type", "text/javascript"}};

/// A page whose body is made by a script.
inline std::string scripted(const std::string& script) {
  return "<!doctype html><title>t</title><body><div id=root></div><script>" + script + "</script>";
}

/// A layer over a stack that may reach 127.0.0.1 and no other private address.
inline std::unique_ptr<browser::render_layer> make_layer(browser::options with = {}) {
  http::stack_options below;
  below.user_agent = "Freshet/test";
  below.allow_private = {"127.0.0.1/32"};
  auto stack = http::make_stack(std::move(below));
  REQUIRE(stack);
  with.program = *browser::find_browser(with.program);
  return std::make_unique<browser::render_layer>(std::move(*stack), std::move(with));
}

inline std::future<result<http::response>> submit(browser::render_layer& layer,
                                                  const std::string& url,
                                                  std::chrono::milliseconds time = 30s,
                                                  std::int64_t owner = 0) {
  http::request what;
  what.url = url;
  what.owner = owner;
  what.render = http::rendering::always;
  auto promise = std::make_shared<std::promise<result<http::response>>>();
  layer.submit(std::move(what), std::chrono::steady_clock::now() + time,
               [promise](result<http::response> got) { promise->set_value(std::move(got)); });
  return promise->get_future();
}

inline result<http::response> render(browser::render_layer& layer, const std::string& url,
                                     std::chrono::milliseconds time = 30s) {
  return submit(layer, url, time).get();
}

inline bool holds(const http::response& page, std::string_view text) {
  return page.body.find(text) != std::string::npos;
}

#define NEED_BROWSER()                       \
  if (!browser::find_browser("")) {          \
    test::skip("Chromium is not installed"); \
    return;                                  \
  }
