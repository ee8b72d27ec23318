// CPU time of one fetch through the whole stack, relative to bare curl_multi in the same run,
// against a server in another process. Prints a table; it judges nothing.
#include <curl/curl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <base/shelf.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <http/stack.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <support/loopback_server.hpp>
#include <vector>

namespace {

using namespace freshet;

constexpr int fetches = 20'000;
constexpr int warm_up = 1'000;
constexpr int in_flight = 8;
constexpr std::size_t body_size = 4096;
constexpr std::size_t shelf_bytes = 64 << 20;

double cpu_us() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

std::size_t discard(char*, std::size_t size, std::size_t count, void*) { return size * count; }

/// Keeps `in_flight` transfers running until `total` have ended.
void run_bare(CURLM* multi, const std::vector<CURL*>& handles, int total) {
  int started = 0;
  int ended = 0;
  for (CURL* each : handles) {
    curl_multi_add_handle(multi, each);
    ++started;
  }
  while (ended < total) {
    int running = 0;
    curl_multi_perform(multi, &running);
    int left = 0;
    bool any = false;
    while (CURLMsg* message = curl_multi_info_read(multi, &left)) {
      CURL* each = message->easy_handle;
      curl_multi_remove_handle(multi, each);
      ++ended;
      any = true;
      if (started < total) {
        curl_multi_add_handle(multi, each);
        ++started;
      }
    }
    if (!any) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
  }
}

double measure_bare(const std::string& url) {
  CURLM* multi = curl_multi_init();
  std::vector<CURL*> handles;
  for (int i = 0; i < in_flight; ++i) {
    CURL* easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    handles.push_back(easy);
  }
  run_bare(multi, handles, warm_up);
  const double before = cpu_us();
  run_bare(multi, handles, fetches);
  const double spent = cpu_us() - before;
  for (CURL* each : handles) curl_easy_cleanup(each);
  curl_multi_cleanup(multi);
  return spent / fetches;
}

[[noreturn]] void fail(std::string_view why) {
  std::fprintf(stderr, "bench_fetch: %.*s\n", static_cast<int>(why.size()), why.data());
  std::abort();
}

std::unique_ptr<http::stack_transport> make_stack() {
  http::stack_options options;
  options.user_agent = "FreshetBench/1.0";
  options.allow_private = {"127.0.0.0/8"};
  options.paces["bench"] = {std::chrono::milliseconds(0), in_flight};
  options.shelf = std::make_shared<base::shelf>(shelf_bytes);
  auto made = http::make_stack(std::move(options));
  if (!made) fail(made.error().detail());
  return std::move(*made);
}

/// Each answer starts the next request, as a pipeline's fetches do.
struct chain {
  http::transport& over;
  std::string url;
  bool cacheable;
  std::atomic<int> to_start;
  std::atomic<int> to_end;
  std::shared_ptr<std::promise<void>> done = std::make_shared<std::promise<void>>();

  void start() {
    if (to_start.fetch_sub(1) <= 0) return;
    http::request what;
    what.url = url;
    what.cacheable = cacheable;
    what.pace_key = "bench";
    over.submit(std::move(what), std::chrono::steady_clock::now() + std::chrono::seconds(30),
                [this](result<http::response> got) {
                  if (!got) fail(got.error().detail());
                  if (got->body.size() != body_size) fail("an answer has another size");
                  start();
                  const auto last = done;  // the chain may go as soon as it is set
                  if (to_end.fetch_sub(1) == 1) last->set_value();
                });
  }
};

void run_stack(http::transport& transport, const std::string& url, bool cacheable, int total) {
  chain of{transport, url, cacheable, total, total};
  const std::future<void> finished = of.done->get_future();
  for (int i = 0; i < std::min(in_flight, total); ++i) of.start();
  finished.wait();
}

double measure_stack(const std::string& url, bool cacheable) {
  const auto stack = make_stack();
  run_stack(*stack, url, cacheable, warm_up);
  const double before = cpu_us();
  run_stack(*stack, url, cacheable, fetches);
  return (cpu_us() - before) / fetches;
}

/// Hits are answered before submit returns, so that a chain of them would only grow the stack.
double measure_hits(const std::string& url) {
  const auto stack = make_stack();
  run_stack(*stack, url, true, 1);
  const double before = cpu_us();
  for (int i = 0; i < fetches; ++i) {
    http::request what;
    what.url = url;
    stack->submit(std::move(what), std::chrono::steady_clock::now() + std::chrono::seconds(30),
                  [](result<http::response> got) {
                    if (!got) fail(got.error().detail());
                    if (got->cache != http::cache_state::hit) fail("a kept answer was not given");
                  });
  }
  return (cpu_us() - before) / fetches;
}

/// A server in a process of its own, so that its CPU time is not ours.
pid_t start_server(std::string& url) {
  int ends[2];
  if (pipe(ends) != 0) fail("there is no pipe");
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    test::loopback_server server;
    server.reply("/page", 200, std::string(body_size, 'x'));
    server.reply("/fresh", 200, std::string(body_size, 'x'), {{"Cache-Control", "max-age=600"}});
    const std::string text = server.url();
    if (write(ends[1], text.data(), text.size()) < 0) _exit(1);
    pause();
    _exit(0);
  }
  char buffer[256];
  const ssize_t got = read(ends[0], buffer, sizeof buffer);
  if (got <= 1) fail("its server did not start");
  url.assign(buffer, static_cast<std::size_t>(got) - 1);
  return child;
}

}  // namespace

int main() {
  std::string url;
  const pid_t server = start_server(url);
  const double bare = measure_bare(url + "/page");
  const double whole = measure_stack(url + "/page", false);
  const double shared = measure_stack(url + "/page?cacheable", true);
  const double hit = measure_hits(url + "/fresh");
  std::printf("%-44s %10s %8s\n", "fetch of 4 KB from loopback, 8 in flight", "CPU us", "ratio");
  std::printf("%-44s %10.1f %8.2f\n", "bare curl_multi", bare, 1.0);
  std::printf("%-44s %10.1f %8.2f\n", "whole stack, not cacheable", whole, whole / bare);
  std::printf("%-44s %10.1f %8.2f\n", "whole stack, one flight shared by eight", shared,
              shared / bare);
  std::printf("%-44s %10.1f %8.2f\n", "cache hit", hit, hit / bare);
  kill(server, SIGTERM);
  waitpid(server, nullptr, 0);
  return 0;
}
