// Many threads on one client, in process and to a server: run under ThreadSanitizer, too.
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "capi/handles.hpp"
#include "capi/scripted_server.hpp"
#include "support/sanitized.hpp"

using namespace freshet::test;

namespace {

constexpr int thread_count = 8;
const int rounds = cases(12, 12, 4);

/// Every way of using a client, once; how many answers were not what they have to be.
int use(const client_handle& client, int seed) {
  int wrong = 0;
  const std::string body = R"({"q":"climate","limit":2})";
  if (const auto one = call(client, "news/search", body);
      freshet_result_error(one.get()) != 0 || data_of(one).size() < 2) {
    ++wrong;
  }
  const auto started = start(client, "news/search", body);
  if (seed % 3 == 0) freshet_call_cancel(started.get());
  const auto told = error_of(wait(started, seed % 2 == 0 ? -1 : 60'000));
  if (!told.empty() && told != "cancelled") ++wrong;
  const auto dropped = start(client, "news/search", body);  // freed while it runs
  const auto over = pages(client, "news/search", body, {}, 2, 0);
  std::thread other([&] {
    if (seed % 4 == 0) freshet_pages_cancel(over.get());
  });
  while (const auto page = next(over)) {
    const auto name = error_of(page);
    if (!name.empty() && name != "cancelled") ++wrong;
  }
  other.join();
  const result_handle converted(freshet_markdown("<p>High <em>water</em></p>", FRESHET_NTS,
                                                 R"({"mode":"page"})", FRESHET_NTS));
  if (body_of(converted).find("High *water*") == std::string::npos) ++wrong;
  if (error_of(call(client, "nowhere")) != "unknown_endpoint") ++wrong;
  return wrong;
}

int use_from_many_threads(const client_handle& client) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < rounds; ++k) wrong += use(client, i + k);
    });
  }
  for (auto& each : threads) each.join();
  return wrong;
}

}  // namespace

TEST_CASE("many threads use one engine at once") {
  std::atomic<int> lines = 0;
  auto client = open_sandbox(
      [](void* count, const char*, const char*) { ++*static_cast<std::atomic<int>*>(count); },
      &lines);
  CHECK(use_from_many_threads(client) == 0);
  client.reset();
  CHECK(lines > 0);
}

TEST_CASE("many threads use one server at once") {
  loopback_server server;
  server.reply("/v1/news/search", 200, envelope(1, 2, "c1.a"),
               {{"Content-Type", "application/json"}});
  server.reply("*", 404, problem("unknown_endpoint", 404), {{"Content-Type", "application/json"}});
  const auto client = connect_to(server.url(""));
  CHECK(use_from_many_threads(client) == 0);
}

TEST_CASE("many threads open and free clients of their own, with calls under way") {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 3; ++k) {
        auto client = open_sandbox();
        const auto begun = start(client, "news/search", R"({"q":"climate"})");
        client.reset();
        const auto told = error_of(wait(begun));
        if (!told.empty() && told != "cancelled") ++wrong;
      }
    });
  }
  for (auto& each : threads) each.join();
  CHECK(wrong == 0);
}
