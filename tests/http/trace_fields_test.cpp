// Whose trace a request belongs to: told to targets that the configuration has chosen, and no part
// of what makes requests equal.
#include <catch2/catch.hpp>
#include <condition_variable>
#include <http/stack.hpp>
#include <mutex>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace std::chrono_literals;
using test::loopback_server;

namespace {

const std::string parent = "00-12345678901234567890123456789012-1234567890123456-01";
const std::string other_parent = "00-12345678901234567890123456789012-6543210987654321-01";

/// Keeps the heads of requests.
struct target {
  explicit target(std::string answer) {
    server.on("*", [this, answer = std::move(answer)](const loopback_server::seen& seen,
                                                      loopback_server::connection& to) {
      {
        const std::lock_guard lock(mutex);
        asked.push_back(seen);
      }
      to.send(answer);
    });
  }
  std::vector<std::string> told(const std::string& field) {
    const std::lock_guard lock(mutex);
    std::vector<std::string> out;
    for (const auto& each : asked) out.push_back(each.header(field));
    return out;
  }
  std::mutex mutex;
  std::vector<loopback_server::seen> asked;
  loopback_server server;  ///< last, so that its threads end first
};

struct open_stack {
  open_stack() {
    http::stack_options options;
    options.shelf = std::make_shared<base::shelf>(1 << 20);
    options.user_agent = "test";
    options.allow_private = {"127.0.0.0/8"};
    transport = http::make_stack(options).value();
  }
  result<http::response> fetch(const http::request& what) {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<result<http::response>> got;
    transport->submit(http::request(what), std::chrono::steady_clock::now() + 20s,
                      [&](auto answer) {
                        const std::lock_guard lock(mutex);
                        got = std::move(answer);
                        arrived.notify_all();
                      });
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return got.has_value(); });
    return *got;
  }
  std::unique_ptr<http::stack_transport> transport;
};

http::request traced(std::string url,
                     http::target_choice choice = http::target_choice::configuration) {
  http::request out;
  out.url = std::move(url);
  out.chosen_by = choice;
  out.traceparent = parent;
  out.tracestate = "a=1";
  return out;
}

const std::string fine = loopback_server::answer(200, "fine");
using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a target that the configuration has chosen is told whose trace a request belongs to") {
  target at(fine);
  open_stack on;
  REQUIRE(on.fetch(traced(at.server.url("/1"))));
  auto without_state = traced(at.server.url("/2"));
  without_state.tracestate.clear();
  REQUIRE(on.fetch(without_state));
  CHECK(at.told("traceparent") == texts{parent, parent});
  CHECK(at.told("tracestate") == texts{"a=1", ""});
}

TEST_CASE("a target that a caller has named is not") {
  target at(fine);
  open_stack on;
  REQUIRE(on.fetch(traced(at.server.url(), http::target_choice::caller)));
  CHECK(at.told("traceparent") == texts{""});
  CHECK(at.told("tracestate") == texts{""});
}

TEST_CASE("a redirect takes the trace along within an origin, and no further") {
  target end(fine);
  target away(loopback_server::answer(302, "", {{"Location", end.server.url("/end")}}));
  open_stack on;
  REQUIRE(on.fetch(traced(away.server.url())));
  CHECK(away.told("traceparent") == texts{parent});
  CHECK(end.told("traceparent") == texts{""});
}

TEST_CASE("requests of two traces are equal to the cache") {
  target at(loopback_server::answer(200, "kept", {{"Cache-Control", "max-age=60"}}));
  open_stack on;
  REQUIRE(on.fetch(traced(at.server.url())));
  auto again = traced(at.server.url());
  again.traceparent = other_parent;
  const auto got = on.fetch(again);
  REQUIRE(got);
  CHECK(got->cache == http::cache_state::hit);
  CHECK(at.told("traceparent") == texts{parent});
}

TEST_CASE("requests of two traces are equal to what keeps tokens") {
  target at(loopback_server::answer(200, "token"));
  open_stack on;
  auto asked = traced(at.server.url());
  asked.method = "POST";
  asked.keep_for = 60s;
  REQUIRE(on.fetch(asked));
  asked.traceparent = other_parent;
  REQUIRE(on.fetch(asked));
  CHECK(at.told("traceparent") == texts{parent});
}
