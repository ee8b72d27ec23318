// What undoing the codings of answers costs the network thread, and whom.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <future>
#include <http/curl_engine.hpp>
#include <http/stack.hpp>
#include <map>
#include <mutex>
#include <support/loopback_server.hpp>

#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;

TEST_CASE("what decoding an answer takes is booked on whose it is, and small ones are free") {
  loopback_server server;
  const std::string large(8u << 20, ' ');
  server.reply("/large", 200, loopback_server::gzip(large), {{"Content-Encoding", "gzip"}});
  server.reply("/bomb", 200, loopback_server::gzip(std::string(64u << 20, ' ')),
               {{"Content-Encoding", "gzip"}});
  server.reply("/small", 200, loopback_server::gzip("hello"), {{"Content-Encoding", "gzip"}});
  server.reply("/plain", 200, large);
  std::mutex mutex;
  std::map<base::owner_id, std::chrono::nanoseconds> used;
  stack_options options;
  options.user_agent = "Freshet/1.0";
  options.allow_private = {"127.0.0.0/8"};
  options.used_processor = [&](base::owner_id owner, std::chrono::nanoseconds time) {
    const std::lock_guard lock(mutex);
    used[owner] += time;
  };
  const auto stack = make_stack(std::move(options)).value();
  base::owner_id owner = 0;
  for (const char* path : {"/large", "/bomb", "/small", "/plain"}) {
    request what;
    what.url = server.url(path);
    what.owner = ++owner;
    const auto got = fetch(*stack, what);
    CHECK(got.has_value() == (owner != 2));
    if (owner == 1) CHECK((got->body == large));
  }
  const std::lock_guard lock(mutex);
  CHECK(used[1].count() > 0);
  CHECK(used[2].count() > 0);  // also of what is given up
  CHECK(used.count(3) + used.count(4) == 0);
}

TEST_CASE("between two pieces of what is packed small, others have their turn") {
  loopback_server server;
  const std::string large(8u << 20, ' ');
  server.reply("/large", 200, loopback_server::gzip(large), {{"Content-Encoding", "gzip"}});
  engine_options options;
  options.guards.all = address_guard::make({"127.0.0.0/8"}, {}).value();
  curl_engine engine(options);
  std::size_t made = 0, most_made = 0;  // since others had a turn; of the engine's thread
  std::size_t left = 8;
  std::promise<void> all_came;
  const std::function<void()> others = [&] {
    most_made = std::max(most_made, std::exchange(made, 0));
    if (left > 0) engine.post(others);
  };
  engine.post([&] {
    for (base::owner_id owner = 1; owner <= 8; ++owner) {
      request what = get(server.url("/large"));
      what.owner = owner;
      what.on_body = [&](std::string_view piece) { made += piece.size(); };
      engine.submit(std::move(what), engine.now() + std::chrono::seconds(60), [&](const auto& got) {
        CHECK((got && got->body == large));
        if (--left == 0) all_came.set_value();
      });
    }
    others();
  });
  engine.start({});
  all_came.get_future().wait();
  engine.stop();
  // 64 KiB of each that has just come, and half a megabyte of those that wait.
  CHECK(most_made > 0);
  CHECK(most_made <= 2u << 20);
}
