// Two to nine servers over one book in virtual time, with crashes, pauses, cuts and clocks that are
// wrong: the accounts, their leases and their store as they are, each seed against a reference; and
// mistakes that are planted, each of which has to be found.
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <simulation/cluster.hpp>
#include <sstream>
#include <support/temporary_folder.hpp>

#include "support/sanitized.hpp"

using namespace freshet::simulation;

namespace {

const unsigned seeds = freshet::test::cases(10'000U, 40U, 40U);

std::string text_of(const findings& of) {
  std::ostringstream out;
  out << "charged " << of.charged << ", refused " << of.refused << ", unknown " << of.unknown
      << ", servers " << of.servers << ", kills " << of.kills << ", restarts " << of.restarts
      << ", pauses " << of.pauses << ", cuts " << of.cuts << ", crashes " << of.crashes
      << ", hangs " << of.hangs << ", clocks " << of.clocks << ", fences " << of.fences
      << ", taken back " << of.taken_back << ", turns " << of.turns;
  return out.str();
}

constexpr hazards nothing{false, false, false, false, false, false};

/// With the pepper of all.
struct folders {
  folders() {
    for (int i = 0; i < 9; ++i) {
      const std::string folder = path + "/" + std::to_string(i);
      std::filesystem::create_directory(folder);
      std::ofstream(folder + "/pepper") << std::string(64, '7') << "\n";
    }
    REQUIRE(simulate(0, flaw::none, nothing, path).fault == "");
  }
  const freshet::test::temporary_folder of_all;
  const std::string& path = of_all.path();
};

/// The fault that a seed comes to in a process of its own: some mistakes end it.
std::string fault_of(unsigned seed, flaw planted, const hazards& dangers,
                     const std::string& folder) {
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(STDERR_FILENO);
    for (const int one : {SIGABRT, SIGSEGV}) std::signal(one, SIG_DFL);
    const std::string fault = simulate(seed, planted, dangers, folder).fault;
    ::_exit(::write(ends[1], fault.data(), fault.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string fault(200, '\0');
  fault.resize(
      static_cast<std::size_t>(std::max<ssize_t>(::read(ends[0], fault.data(), fault.size()), 0)));
  ::close(ends[0]);
  int ended = 0;
  REQUIRE(::waitpid(child, &ended, 0) == child);
  return ended == 0 ? fault : "it ends itself";
}

}  // namespace

TEST_CASE("servers in virtual time spend what there is, whatever befalls them", "[many]") {
  const folders here;
  findings all;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const auto found = simulate(seed, flaw::none, {}, here.path);
    INFO("seed " << seed);
    REQUIRE(found.fault == "");
    all += found;
  }
  UNSCOPED_INFO(text_of(all));
  CHECK(all.charged > 0);
  CHECK(all.fences > 0);
  CHECK(all.taken_back > 0);
  // Who is woken may come before who wakes, and stands still where that one has a lock of both.
  CHECK(all.woken_too_soon == 0);
}

TEST_CASE("one seed, or some, of FRESHET_SEED", "[.seed]") {
  const folders here;
  unsigned first = 0, last = 0;
  const char* const wanted = std::getenv("FRESHET_SEED");  // "17", or "17-99"
  REQUIRE(wanted != nullptr);
  const int given = std::sscanf(wanted, "%u-%u", &first, &last);
  REQUIRE(given > 0);
  for (unsigned seed = first; seed <= std::max(first, last); ++seed) {
    const auto found = simulate(seed, flaw::none, {}, here.path);
    INFO("seed " << seed << ", " << text_of(found));
    CHECK(found.fault == "");
  }
}

TEST_CASE("what the database is asked, for test_stand_in.py", "[.record]") {
  const char* const wanted = std::getenv("FRESHET_SEED");
  const char* const path = std::getenv("FRESHET_RECORD");
  REQUIRE((wanted != nullptr && path != nullptr));
  const folders here;
  std::ofstream out(path);
  // All but crashes: what those take is the disk's to say.
  constexpr hazards dangers{true, true, true, false, true, true};
  const auto found = simulate(std::stoul(wanted), flaw::none, dangers, here.path, &out);
  CHECK(found.fault == "");
}

TEST_CASE("each mistake that is planted is found", "[many]") {
  struct planted {
    flaw what;
    const char* name;
    hazards by;
  };
  // Each by the one thing that brings it to light.
  const planted all[] = {
      {flaw::no_lock, "no_lock", nothing},
      {flaw::leases_for_ever, "leases_for_ever", {true, false, false, false, false, false}},
      {flaw::no_fence, "no_fence", {false, true, false, false, false, false}},
      {flaw::counts_no_batches, "counts_no_batches", {false, false, true, false, false, false}},
      {flaw::told_too_early, "told_too_early", {false, false, false, true, false, false}},
      {flaw::own_clock, "own_clock", {false, false, false, false, true, false}},
      {flaw::forgets_months, "forgets_months", {false, false, false, false, true, false}},
  };
  constexpr unsigned most_seeds = 400;
  const folders here;
  for (const planted& one : all) {
    unsigned seed = 1;
    std::string fault;
    for (; seed <= most_seeds && fault.empty(); ++seed)
      fault = fault_of(seed, one.what, one.by, here.path);
    INFO(one.name << ", seed " << --seed << ": " << fault);
    CHECK(fault != "");
    // It is the mistake that is found: without it the same seed is right.
    CHECK(simulate(seed, flaw::none, one.by, here.path).fault == "");
  }
}
