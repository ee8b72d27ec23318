// What a call costs in C++, for tests/bench/python to set Python's beside: the bytes of an answer
// and its typed items, in process from the sandbox or from a server. Prints one row a case: its
// name and microseconds of CPU a call. Arguments: how many calls, then URL and key of a server, or
// settings (NAME=VALUE) of the engine in process, such as a collector's address.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <freshet/engine.hpp>
#include <functional>
#include <string>

namespace {

constexpr int warm_up_calls = 20;

double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

void must(bool holds) {
  if (holds) return;
  std::fputs("a call failed\n", stderr);
  std::exit(1);
}

void measure(const char* name, int calls, const std::function<void()>& call) {
  for (int i = 0; i < warm_up_calls; ++i) call();
  const auto before = cpu_us();
  for (int i = 0; i < calls; ++i) call();
  std::printf("%s %.2f\n", name, (cpu_us() - before) / calls);
}

}  // namespace

int main(int argc, char** argv) {
  const int calls = argc > 1 ? std::atoi(argv[1]) : 1000;
  freshet::result<std::unique_ptr<freshet::client>> opened = freshet::error();
  const bool is_remote = argc > 3 && std::string(argv[2]).find("://") < 6;
  if (is_remote) {
    opened = freshet::connect(argv[2], argv[3]);
  } else {
    freshet::engine_options options;
    must(options.config.set("network.sandbox", "true").has_value());
    for (int i = 2; i < argc; ++i) {
      const std::string setting = argv[i];
      const auto equals = std::min(setting.find('='), setting.size());
      must(options.config.set(setting.substr(0, equals), setting.substr(equals + 1)).has_value());
    }
    auto engine = freshet::engine::open(std::move(options));
    must(engine.has_value());
    opened = std::unique_ptr<freshet::client>(std::move(*engine));
  }
  must(opened.has_value());
  auto& client = **opened;
  const auto bytes = [&](const char* body) {
    freshet::request what;
    what.endpoint = "microblog/search";
    what.body = body;
    what.api_key = client.api_key;
    must(client.call(std::move(what)).ok());
  };
  measure("dry", calls, [&] { bytes(R"({"q":"climate","dry_run":true})"); });
  measure("bytes", calls, [&] { bytes(R"({"q":"climate","limit":20})"); });
  measure("typed", calls, [&] {
    freshet::search_parameters of;
    of.q = "climate";
    of.list.limit = 20;
    const auto page = client.microblog().search(of);
    must(page.has_value() && page->data.size() == 20);
  });
  return 0;
}
