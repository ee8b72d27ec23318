// What an agent does with errors: a wrong call is told to whoever wrote it, with the parameter and
// the fix; what may pass is tried again when it says; everything else is given up. No error is
// charged, so that trying again costs nothing but time.
#include <algorithm>
#include <freshet/engine.hpp>
#include <iostream>
#include <thread>

namespace {

constexpr int most_attempts = 3;
constexpr std::chrono::seconds first_wait{1};
constexpr std::chrono::seconds longest_wait{5};  // beyond it, better ask something else

/// Calls until it succeeds, until it makes no sense any more, or most_attempts times.
template <class Call>
auto with_patience(Call call) {
  auto wait = first_wait;
  for (int attempt = 1;; ++attempt, wait *= 2) {
    auto answer = call();
    if (answer || attempt == most_attempts) return answer;
    const freshet::error& why = answer.error();
    const auto needed = why.retry_after.value_or(wait);
    if (!freshet::describe(why.code()).retryable || needed > longest_wait) return answer;
    std::cerr << "again in " << needed.count() << " s: " << why.detail() << '\n';
    std::this_thread::sleep_for(needed);
  }
}

void tell(const freshet::error& why) {
  const auto& about = freshet::describe(why.code());
  std::cout << about.name << ": " << why.detail() << "\n  " << about.help << '\n';
  for (const auto& wrong : why.parameters) {
    std::cout << "  " << wrong.pointer << ": " << wrong.detail << '\n';
  }
}

}  // namespace

int main() {
  freshet::engine_options options;
  // Recorded answers, no network. Without this line the calls reach the internet.
  if (!options.config.set("network.sandbox", "true")) return 1;
  const auto opened = freshet::engine::open(std::move(options));
  if (!opened) return 1;
  freshet::engine& engine = **opened;

  // Wrong parameters, all at once.
  const auto wrong =
      engine.microblog().search({.q = "tides", .since = "24x", .list = {.limit = 500}});
  if (!wrong) tell(wrong.error());

  // Not there: final, whoever asks.
  const auto nobody = engine.microblog().lookup({.username = "nobody.test"});
  if (!nobody && nobody.error().code() == freshet::errc::not_found) std::cout << "nobody\n";

  // A source whose quota is used up for a second: tried again, then given up.
  const auto quota = with_patience([&engine] {
    return engine.web_serp().search({.q = "quota", .list = {.sources = {"brave"}}});
  });
  if (!quota) tell(quota.error());

  // Several sources, and one cannot give all, for X looks back seven days: a success that says so.
  const auto part = engine.microblog().search({.q = "climate", .since = "30d"});
  if (part && part->meta.completeness == "partial") {
    for (const auto& warning : part->meta.warnings) std::cout << "partial: " << warning << '\n';
  }
}
