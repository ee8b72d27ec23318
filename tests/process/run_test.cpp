#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <base/work.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <process/private_folder.hpp>
#include <process/run.hpp>
#include <process/tree.hpp>
#include <process/walls.hpp>
#include <support/eventually.hpp>
#include <support/print_result.hpp>
#include <support/skips.hpp>
#include <thread>

using namespace freshet;
using namespace std::chrono_literals;

namespace {

process::command_line shell(std::string script) {
  process::command_line made;
  made.program = "/bin/sh";
  made.arguments = {"-c", std::move(script)};
  made.environment = {"PATH=/usr/bin:/bin"};
  return made;
}

process::bounds within(std::chrono::milliseconds time) {
  process::bounds made;
  made.by = std::chrono::steady_clock::now() + time;
  return made;
}

/// Whether a process is there and no zombie.
bool is_alive(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(in, text);
  const auto end = text.rfind(')');
  return end != std::string::npos && text.at(end + 2) != 'Z';
}

bool has_children() {
  siginfo_t about{};
  return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

TEST_CASE("a program is given its input and its output is read", "[process]") {
  const std::string text(300'000, 'x');
  process::command_line cat;
  cat.program = "/bin/cat";
  const auto done = process::run(cat, text, within(10s));
  REQUIRE(done);
  CHECK(done->how == process::outcome::ended);
  CHECK(done->end.is_success());
  CHECK(done->output == text);
  CHECK_FALSE(has_children());
}

TEST_CASE("a program inherits nothing but what it is given", "[process]") {
  const auto done = process::run(shell("env; ls /proc/self/fd; exit 3"), "", within(10s));
  REQUIRE(done);
  CHECK(done->end.status == 3);
  CHECK(done->output.find("HOME=") == std::string::npos);
  // Its three, and the one that ls opens for the folder.
  CHECK(done->output.ends_with("0\n1\n2\n3\n"));
}

TEST_CASE("a program and what it starts yield to all others", "[process]") {
  const auto done = process::run(shell("nice; sh -c nice"), "", within(10s));
  REQUIRE(done);
  constexpr int greatest = 19;
  const auto niceness = std::min(getpriority(PRIO_PROCESS, 0) + base::yielding_niceness, greatest);
  const auto told = std::to_string(niceness) + "\n";
  CHECK(done->output == told + told);
}

TEST_CASE("a program that does not exist is an error that names it", "[process]") {
  process::command_line none;
  none.program = "/nowhere/program";
  const auto done = process::run(none, "", within(10s));
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::internal);
  CHECK(done.error().detail().find("/nowhere/program") != std::string::npos);
  CHECK_FALSE(has_children());
}

TEST_CASE("what a program says on its standard error is kept in part", "[process]") {
  const auto done = process::run(shell("echo wrong >&2; head -c 1000000 /dev/zero >&2; echo fine"),
                                 "", within(10s));
  REQUIRE(done);
  CHECK(done->errors.starts_with("wrong\n"));
  CHECK(done->errors.size() == process::max_error_text);
  CHECK(done->output == "fine\n");
}

TEST_CASE("a program is ended at its deadline", "[process]") {
  const auto done = process::run(shell("echo begun; sleep 600; echo over"), "", within(2s));
  REQUIRE(done);
  CHECK(done->how == process::outcome::out_of_time);
  CHECK(done->output == "begun\n");
  CHECK_FALSE(has_children());
}

TEST_CASE("a program that ignores signals is ended all the same", "[process]") {
  const auto done =
      process::run(shell("trap '' TERM INT HUP; while :; do sleep 1; done"), "", within(2s));
  REQUIRE(done);
  CHECK(done->how == process::outcome::out_of_time);
  CHECK_FALSE(has_children());
}

TEST_CASE("a program that writes without end is ended at its limit", "[process]") {
  auto limits = within(10s);
  limits.output_bytes = 100'000;
  const auto done = process::run(shell("cat /dev/zero"), "", limits);
  REQUIRE(done);
  CHECK(done->how == process::outcome::too_much_output);
  CHECK(done->output.size() == 100'000);
  limits.output_bytes = 5;
  const auto exact = process::run(shell("printf 12345"), "", limits);
  REQUIRE(exact);
  CHECK(exact->how == process::outcome::ended);
  CHECK(exact->output == "12345");
}

TEST_CASE("a program that takes memory without end is ended", "[process]") {
  auto limits = within(20s);
  limits.memory_bytes = 100u << 20;
  // The memory is that of a child of the program.
  const auto done = process::run(
      shell("(head -c 600000000 /dev/zero | tail -c 500000000 | sleep 20); echo x"), "", limits);
  REQUIRE(done);
  CHECK(done->how == process::outcome::too_much_memory);
  CHECK_FALSE(has_children());
}

TEST_CASE("the kernel keeps the bounds of a command", "[process]") {
  auto limited = shell("while :; do :; done");
  limited.cpu_seconds = 1;
  const auto spun = process::run(limited, "", within(120s));
  REQUIRE(spun);
  CHECK(spun->how == process::outcome::ended);
  CHECK(spun->end.signal != 0);
  auto small = shell("ulimit -c; ulimit -v");
  small.address_space = 1u << 30;
  const auto told = process::run(small, "", within(10s));
  REQUIRE(told);
  CHECK(told->output == "0\n1048576\n");
}

TEST_CASE("what a program has started ends with it", "[process]") {
  const auto folder = process::private_folder::make("test");
  REQUIRE(folder);
  // One in its group, one in a session of its own, whose parent has ended.
  const auto done =
      process::run(shell("sleep 61 & echo $! > " + folder->path() + "/a; " +
                         "setsid sleep 62 & echo $! > " + folder->path() + "/b; sleep 63"),
                   "", within(3s));
  REQUIRE(done);
  for (const char* name : {"/a", "/b"}) {
    pid_t number = 0;
    std::ifstream(folder->path() + name) >> number;
    REQUIRE(number > 0);
    CHECK(test::eventually([&] { return !is_alive(number); }));
  }
  CHECK_FALSE(has_children());
}

TEST_CASE("a program that leaves its input unread does not end us", "[process]") {
  process::command_line deaf;
  deaf.program = "/bin/true";
  const auto done = process::run(deaf, std::string(1u << 20, 'x'), within(10s));
  REQUIRE(done);
  CHECK(done->end.is_success());
}

TEST_CASE("programs run from many threads at once", "[process]") {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&right, i] {
      for (int k = 0; k < 5; ++k) {
        const auto done = process::run(shell("cat; exit " + std::to_string(i)),
                                       std::string(100'000, 'y'), within(20s));
        if (done && done->end.status == i && done->output.size() == 100'000) ++right;
      }
    });
  }
  for (auto& each : threads) each.join();
  CHECK(right == 40);
  CHECK_FALSE(has_children());
}

TEST_CASE("a child dies with the process that started it", "[process]") {
  auto told = process::make_pipe();
  REQUIRE(told);
  const pid_t parent = fork();
  if (parent == 0) {
    process::command_line sleeper;
    sleeper.program = "/bin/sleep";
    sleeper.arguments = {"60"};
    const auto started = process::child::start(sleeper, {});
    const pid_t number = started ? started->id() : 0;
    (void)!write(told->writing.number(), &number, sizeof number);
    ::kill(getpid(), SIGKILL);
  }
  pid_t number = 0;
  REQUIRE(read(told->reading.number(), &number, sizeof number) == sizeof number);
  REQUIRE(waitpid(parent, nullptr, 0) == parent);
  REQUIRE(number > 0);
  CHECK(test::eventually([&] { return !is_alive(number); }));
}

TEST_CASE("walls keep a program from the network and from our folder of passing files",
          "[process]") {
  const auto folder = process::private_folder::make("test");
  REQUIRE(folder);
  std::ofstream(folder->path() + "/ours") << "secret";
  auto what = shell("cat /proc/net/dev | grep -c :; ls /tmp | wc -l; echo x > /tmp/mine; id -u");
  const process::wall_survey survey;
  const process::walls& walls = survey.get();
  what.behind = &walls;
  if (!walls.own_network) {
    test::skip("this kernel lets us raise no walls");
    return;
  }
  const auto done = process::run(what, "", within(10s));
  REQUIRE(done);
  CHECK(done->output == "1\n0\n" + std::to_string(walls.user.value_or(geteuid())) + "\n");
  CHECK_FALSE(std::filesystem::exists("/tmp/mine"));
}

TEST_CASE("a private folder goes with its owner, and after one that was killed", "[process]") {
  std::string path;
  {
    const auto folder = process::private_folder::make("test");
    REQUIRE(folder);
    path = folder->path();
    std::filesystem::create_directories(path + "/a/b");
    std::ofstream(path + "/a/b/c") << "text";
    using std::filesystem::perms;
    CHECK(std::filesystem::status(path).permissions() == perms::owner_all);
    process::private_folder::sweep("test");
    CHECK(std::filesystem::exists(path + "/a/b/c"));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK_FALSE(std::filesystem::exists(path + ".lock"));

  auto told = process::make_pipe();
  REQUIRE(told);
  const pid_t owner = fork();
  if (owner == 0) {
    const auto folder = process::private_folder::make("test");
    (void)!write(told->writing.number(), folder->path().data(), folder->path().size());
    ::kill(getpid(), SIGKILL);
  }
  REQUIRE(waitpid(owner, nullptr, 0) == owner);
  char buffer[256] = {};
  REQUIRE(read(told->reading.number(), buffer, sizeof buffer - 1) > 0);
  REQUIRE(std::filesystem::exists(buffer));
  process::private_folder::sweep("test");
  CHECK_FALSE(std::filesystem::exists(buffer));
  CHECK_FALSE(std::filesystem::exists(std::string(buffer) + ".lock"));
}
