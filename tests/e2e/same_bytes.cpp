// One call of the C++ interface against the sandbox; prints the bytes of `data` alone.
// Usage: same_bytes ENDPOINT BODY
#include <cstdio>
#include <freshet/engine.hpp>

int main(int count, char** arguments) {
  if (count != 3) return 2;
  freshet::engine_options options;
  if (!options.config.set("network.sandbox", "true")) return 1;
  const auto engine = freshet::engine::open(std::move(options));
  if (!engine) return 1;
  freshet::request what;
  what.endpoint = arguments[1];
  what.body = arguments[2];
  const auto answer = (*engine)->call(std::move(what));
  std::fwrite(answer.data().data(), 1, answer.data().size(), stdout);
  return answer.ok() ? 0 : 1;
}
