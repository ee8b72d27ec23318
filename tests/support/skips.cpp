// The skips of one test program: collected while it runs, told when it ends, on standard output and
// in the file that FRESHET_SKIPS names, from which tests/run makes one list of all programs' skips.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "skips.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>
#include <vector>

namespace freshet::test {
namespace {

struct skipped_case {
  std::string name, reason;
  bool operator==(const skipped_case&) const = default;
};

/// Written by the listener and by skip(), both on the thread that runs the cases.
struct run_record {
  std::string current_case;
  std::vector<skipped_case> skipped;
};

run_record& current_run() {
  static run_record record;
  return record;
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  const std::string_view text = value == nullptr ? "" : value;
  return !text.empty() && text != "0" && text != "false";
}

/// One line a case: the form is tests/conftest.py's too.
std::string skip_lines(const std::string& program) {
  std::string lines;
  for (const auto& one : current_run().skipped) {
    lines += "SKIPPED " + program + ": " + one.name + ": " + one.reason + "\n";
  }
  return lines;
}

struct skip_listener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseStarting(const Catch::TestCaseInfo& info) override {
    current_run().current_case = info.name;
  }

  void testRunEnded(const Catch::TestRunStats& stats) override {
    const auto lines = skip_lines(stats.runInfo.name);
    if (lines.empty()) return;
    std::cout << lines << std::flush;
    // In one write: several programs append to the file at the same time.
    if (const char* path = std::getenv("FRESHET_SKIPS"); path != nullptr && *path != '\0')
      std::ofstream(path, std::ios::app) << lines;
  }
};

CATCH_REGISTER_LISTENER(skip_listener)

}  // namespace

void skip(const std::string& reason, reach missing) {
  auto& run = current_run();
  const skipped_case one{run.current_case, reason};
  // A case runs once for each of its sections.
  if (std::find(run.skipped.begin(), run.skipped.end(), one) == run.skipped.end())
    run.skipped.push_back(one);
  if (is_set("FRESHET_NO_SKIPS") || (missing == reach::within && is_set("CI")))
    FAIL("skipped, which is an error here: " + reason);
}

}  // namespace freshet::test
