// What the library does to the process around it: its log, its signals, its threads, forks.
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include "capi/handles.hpp"

using namespace freshet::test;

namespace {

/// Takes log lines; calls back into the library at each, as far as it is told to.
struct logbook {
  std::mutex mutex;
  std::vector<std::string> lines;
  freshet_client* client = nullptr;
  bool reenters = false;
  int reentered = 0;
  std::atomic<bool> closed = false;
  std::atomic<int> late = 0;

  static void take(void* self, const char* level, const char* line) {
    auto& me = *static_cast<logbook*>(self);
    if (me.closed) ++me.late;
    freshet_client* on = nullptr;
    {
      const std::lock_guard lock(me.mutex);
      me.lines.push_back(std::string(level) + ": " + line);
      if (!me.reenters || me.reentered >= 3) return;
      ++me.reentered;
      on = me.client;
    }
    me.reenter(on);
  }

  static void reenter(freshet_client* on) {
    const result_handle page(freshet_client_call(on, "news/search", FRESHET_NTS, R"({"q":"tides"})",
                                                 FRESHET_NTS, nullptr, 0));
    const call_handle started(
        freshet_client_start(on, "nowhere", FRESHET_NTS, nullptr, 0, nullptr, 0));
    const result_handle waited(freshet_call_wait(started.get(), -1));
    const pages_handle over(
        freshet_client_pages(on, "nowhere", FRESHET_NTS, nullptr, 0, nullptr, 0, 1, 0));
    const result_handle first(freshet_pages_next(over.get()));
    freshet_client_free(&on);  // does nothing here
  }
};

std::string status_line(const std::string& task, const std::string& name) {
  std::ifstream in("/proc/self/task/" + task + "/status");
  std::string line;
  while (std::getline(in, line)) {
    if (line.starts_with(name)) return line.substr(line.find_first_not_of(" \t", name.size()));
  }
  return {};
}

/// The signals that each thread of this process blocks, by its id.
std::vector<std::pair<std::string, unsigned long long>> blocked_signals() {
  std::vector<std::pair<std::string, unsigned long long>> found;
  DIR* tasks = opendir("/proc/self/task");
  while (const dirent* each = readdir(tasks)) {
    const std::string name = each->d_name;
    if (name[0] == '.') continue;
    found.emplace_back(name, std::stoull("0" + status_line(name, "SigBlk:"), nullptr, 16));
  }
  closedir(tasks);
  return found;
}

}  // namespace

TEST_CASE("each call that has ended is one line of the log, on a thread of its own") {
  logbook book;
  {
    const auto client = open_sandbox(logbook::take, &book);
    REQUIRE(call(client, "news/search", R"({"q":"climate"})") != nullptr);
    CHECK(error_of(call(client, "no\nwhere")) == "unknown_endpoint");
  }
  REQUIRE(book.lines.size() == 2);
  CHECK(book.lines[0].starts_with("info: news/search 200 in "));
  CHECK(book.lines[0].find(" 0 credits, req_") != std::string::npos);
  CHECK(book.lines[1].starts_with("warning: no?where 404 unknown_endpoint in "));
}

TEST_CASE("a callback may call everything, and is never called after the client is freed") {
  logbook book;
  auto client = open_sandbox(logbook::take, &book);
  book.client = client.get();
  book.reenters = true;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) call(client, "microblog/users/lookup", R"({"username":"x"})");
    });
  }
  for (auto& each : callers) each.join();
  client.reset();  // the callback's own calls may run just now
  book.closed = true;
  const std::lock_guard lock(book.mutex);
  CHECK(book.reentered == 3);
  CHECK(book.lines.size() >= 80);
  CHECK(book.late == 0);
}

TEST_CASE("a callback that does not keep up loses lines, which is told") {
  struct slow_book {
    std::atomic<bool> held = true;
    std::vector<std::string> lines;
  } book;
  {
    const auto client = open_sandbox(
        [](void* self, const char*, const char* line) {
          auto& me = *static_cast<slow_book*>(self);
          while (me.held) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          me.lines.emplace_back(line);
        },
        &book);
    for (int i = 0; i < 1100; ++i) call(client, "nowhere");
    book.held = false;
  }
  REQUIRE(book.lines.size() >= 1025);
  CHECK(book.lines.size() <= 1026);
  CHECK(book.lines.back().ends_with(" log lines were dropped"));
}

TEST_CASE("a callback in C++ that throws harms nobody") {
  const auto client =
      open_sandbox([](void*, const char*, const char*) { throw std::runtime_error("no"); });
  CHECK(error_of(call(client, "nowhere")) == "unknown_endpoint");
  CHECK(error_of(call(client, "nowhere")) == "unknown_endpoint");
}

TEST_CASE("the library's threads leave every signal to the program's, whose mask stays as it is") {
  const auto before = blocked_signals();
  const auto first = open_sandbox([](void*, const char*, const char*) {}, nullptr);
  const auto second = connect_to("http://127.0.0.1:1");
  CHECK(error_of(call(second, "news/search")) == "source_unavailable");
  const auto after = blocked_signals();
  CHECK(after.size() >= before.size() + 4);
  int blocking = 0;
  for (const auto& [task, mask] : after) {
    const auto old = std::find_if(before.begin(), before.end(),
                                  [&, id = task](const auto& one) { return one.first == id; });
    if (old != before.end()) {
      CHECK(mask == old->second);
      continue;
    }
    ++blocking;
    for (const int each : {SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGCHLD, SIGALRM}) {
      if (((mask >> (each - 1)) & 1u) == 0) FAIL("thread " << task << ", signal " << each);
    }
  }
  CHECK(blocking >= 4);
}

TEST_CASE("after a fork the child is told to open another client, and can free the old one") {
  auto client = open_sandbox();
  const auto begun = start(client, "news/search", R"({"q":"climate"})");
  const auto over = pages(client, "news/search", R"({"q":"climate"})");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const bool told = error_of(call(client, "news/search")) == "invalid_configuration" &&
                      error_of(next(over)) == "invalid_configuration";
    freshet_call_cancel(begun.get());
    auto* mine = client.release();
    freshet_client_free(&mine);
    _exit(told && mine == nullptr ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(error_of(wait(begun)).empty());
}
