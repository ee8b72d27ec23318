// The C++ door of tests/doors: calls by lines, in process or to a server.
// Usage: call_lines open KEY=VALUE... | call_lines connect URL
// A line in: endpoint, key and body, with tabs between. Out: a line with the code ("ok"), where
// `data` begins in the body, its size and the body's, then the body.
#include <freshet/engine.hpp>
#include <iostream>
#include <string>

namespace {

freshet::result<std::unique_ptr<freshet::client>> open(int count, char** arguments) {
  freshet::engine_options options;
  options.with_accounts = true;
  for (int i = 2; i < count; ++i) {
    const std::string setting = arguments[i];
    const auto equals = setting.find('=');
    auto set = options.config.set(setting.substr(0, equals), setting.substr(equals + 1));
    if (!set) return set.error();
  }
  auto opened = freshet::engine::open(std::move(options));
  if (!opened) return opened.error();
  return std::unique_ptr<freshet::client>(std::move(*opened));
}

freshet::request read_request(const std::string& line) {
  const auto first = line.find('\t');
  const auto second = line.find('\t', first + 1);
  freshet::request what;
  what.endpoint = line.substr(0, first);
  what.api_key = line.substr(first + 1, second - first - 1);
  what.body = line.substr(second + 1);
  what.in_process = false;  // as a door that serves others: a key is wanted
  return what;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const bool remote = std::string(arguments[1]) == "connect";
  auto client = remote ? freshet::connect(arguments[2], "") : open(count, arguments);
  if (!client) {
    std::cerr << client.error().detail() << '\n';
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto answer = (*client)->call(read_request(line));
    std::cout << (answer.ok() ? "ok" : freshet::describe(answer.code).name) << ' '
              << answer.data_offset << ' ' << answer.data_size << ' ' << answer.body.size() << '\n'
              << answer.body << std::flush;
  }
}
