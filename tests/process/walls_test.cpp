// What a hostile program behind the walls can do: nothing that leaves its folder. Each kind of wall
// is tried alone, as a machine may have but one of them.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <process/landlock.hpp>
#include <process/private_folder.hpp>
#include <process/run.hpp>
#include <process/walls.hpp>
#include <support/print_result.hpp>
#include <support/skips.hpp>

using namespace freshet;
using namespace std::chrono_literals;

namespace {

/// A data folder as the server makes it, with a secret in it.
struct data_folder {
  data_folder() : folder(*process::private_folder::make("test")) {
    std::ofstream(folder.path() + "/pepper") << "secret";
  }
  process::private_folder folder;
};

/// What sees the machine's files has none of ours.
std::string run_behind(const process::walls& walls, const std::string& script, bool nests = false) {
  process::command_line what;
  what.program = "/bin/sh";
  what.arguments = {"-c", script};
  what.environment = {"PATH=/usr/bin:/bin"};
  what.behind = &walls;
  what.nests = nests;
  process::bounds within;
  within.by = std::chrono::steady_clock::now() + 20s;
  const auto done = process::run(what, "", within);
  if (!done) return "not started: " + done.error().detail();
  return done->output;
}

std::string python(const std::string& program) {
  return "python3 -c '" + program + "' 2>/dev/null || echo refused";
}

/// The walls of this machine, and each of the kinds that it would fall back to.
std::vector<process::walls> kinds(const std::string& hidden) {
  std::vector<process::walls> all = {process::wall_survey({hidden}).get()};
  if (!all.front().is_whole) return {};
  process::walls plain = all.front();
  plain.bubblewrap.clear();
  if (const int version = process::landlock_version(); version > 0) {
    all.push_back(plain);
    all.back().landlock = version;
    all.back().user.reset();
    if (plain.user) {
      all.push_back(plain);
      all.back().landlock = version;
    }
  }
  if (plain.user) all.push_back(plain);
  return all;
}

}  // namespace

TEST_CASE("a program behind walls reads and writes nothing of ours", "[process]") {
  const data_folder data;
  const std::string secret = data.folder.path() + "/pepper";
  const auto all = kinds(data.folder.path());
  if (all.empty()) return test::skip("this machine lets us raise no walls");
  for (const process::walls& walls : all) {
    CAPTURE(walls.description());
    CHECK(run_behind(walls, "echo works") == "works\n");
    CHECK(run_behind(walls, "cat " + secret + " || echo refused") == "refused\n");
    CHECK(run_behind(walls, "ls -A " + data.folder.path() + " || echo refused") == "refused\n");
    CHECK(run_behind(walls, "cat /proc/*/root" + secret + " || echo refused") == "refused\n");
    CHECK(run_behind(walls, "cat /proc/" + std::to_string(getpid()) + "/environ || echo refused") ==
          "refused\n");
    CHECK(run_behind(walls, "ls -A /root || echo refused") == "refused\n");
    CHECK(run_behind(walls, "cat /etc/shadow || echo refused") == "refused\n");
    CHECK(run_behind(walls, "(echo x >> " + secret + ") || echo refused") == "refused\n");
    CHECK(run_behind(walls, "(echo x > /usr/bin/mine) || echo refused") == "refused\n");
    // By its user alone a child has what is everybody's.
    const bool by_user_alone = walls.bubblewrap.empty() && walls.landlock == 0;
    if (by_user_alone) continue;
    CHECK(run_behind(walls, "(echo x > /var/tmp/mine) || echo refused") == "refused\n");
    CHECK(run_behind(walls, "cat /etc/hostname /etc/passwd || echo refused") == "refused\n");
    run_behind(walls, "echo x > /tmp/freshet-mine; echo x > /dev/shm/freshet-mine");
    CHECK_FALSE(std::filesystem::exists("/tmp/freshet-mine"));
  }
  std::ifstream in(secret);
  std::string kept;
  in >> kept;
  CHECK(kept == "secret");
}

TEST_CASE("a program behind walls reaches no network, no process and no kernel", "[process]") {
  const data_folder data;
  const auto all = kinds(data.folder.path());
  if (all.empty()) return test::skip("this machine lets us raise no walls");
  // A socket such as the server's for administration is a file that is connected to.
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  const std::string path = data.folder.path() + "/admin.sock";
  path.copy(place.sun_path, sizeof place.sun_path - 1);
  const process::file_descriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(bind(listener.number(), reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0);
  REQUIRE(listen(listener.number(), 8) == 0);
  const std::string call = "import ctypes, os; c = ctypes.CDLL(None, use_errno=True); r = ";
  const std::string told = "; print(\"done\" if r >= 0 else \"refused\")";
  const auto self = std::to_string(getpid());
  for (const process::walls& walls : all) {
    CAPTURE(walls.description());
    CHECK(run_behind(walls, python("import socket; socket.socket().connect((\"127.0.0.1\", 1))")) ==
          "refused\n");
    CHECK(run_behind(walls, python("import socket; socket.socket(socket.AF_UNIX).connect(\"" +
                                   path + "\")")) == "refused\n");
    CHECK(run_behind(walls, python("import socket; socket.socketpair()")).empty());
    CHECK(run_behind(walls, python(call + "c.ptrace(16, " + self + ", 0, 0)" + told)) ==
          "refused\n");
    CHECK(run_behind(walls, python(call + "c.ptrace(0, 0, 0, 0)" + told)) == "refused\n");
    CHECK(run_behind(walls, python(call + "c.mount(b\"none\", b\"/tmp\", b\"tmpfs\", 0, 0)" +
                                   told)) == "refused\n");
    CHECK(run_behind(walls, python(call + "c.unshare(0x10000000)" + told)) == "refused\n");
    CHECK(run_behind(walls, "grep -c '^NoNewPrivs:.1' /proc/self/status") == "1\n");
    CHECK(run_behind(walls, "grep -c '^Seccomp:.2' /proc/self/status") == "1\n");
    if (walls.nests) CHECK(run_behind(walls, "unshare -U echo nests", true) == "nests\n");
  }
}

TEST_CASE("walls say what they are, and hide a folder among what can be read", "[process]") {
  const data_folder data;
  const process::wall_survey survey({data.folder.path(), "/usr/share/doc"});
  const process::walls& walls = survey.get();
  if (walls.bubblewrap.empty()) return test::skip("bubblewrap does not work here");
  CHECK(walls.is_whole);
  CHECK(walls.refusal.empty());
  CHECK(walls.description().find("an empty root") != std::string::npos);
  CHECK(walls.description().find("seccomp") != std::string::npos);
  CHECK(run_behind(walls, "ls -A /usr/share/doc") == "");
  CHECK(run_behind(walls, "ls -d /usr/share/fonts") == "/usr/share/fonts\n");
  CHECK(run_behind(walls, "id -u") == std::to_string(walls.user.value_or(geteuid())) + "\n");
}

TEST_CASE("where no walls can be raised nothing is started, and the error says what to do",
          "[process]") {
  // What cannot be hidden: every program must be read to be run.
  const process::wall_survey survey({"/usr/bin"});
  CHECK_FALSE(survey.get().is_whole);
  const auto refused = survey.get().check();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::invalid_configuration);
  CHECK(refused.error().detail().find("bubblewrap") != std::string::npos);
  CHECK(refused.error().detail().find("process.allow_without_walls") != std::string::npos);
  CHECK(run_behind(survey.get(), "echo x").starts_with("not started"));
  const process::wall_survey allowed({"/usr/bin"}, true);
  CHECK_FALSE(allowed.get().is_whole);
  CHECK(run_behind(allowed.get(), "echo x") == "x\n");
}

TEST_CASE("a folder is beneath another only by whole names", "[process]") {
  CHECK(process::is_beneath("/usr", "/usr"));
  CHECK(process::is_beneath("/usr/share", "/usr"));
  CHECK(process::is_beneath("/usr", "/"));
  CHECK_FALSE(process::is_beneath("/usrx", "/usr"));
  CHECK_FALSE(process::is_beneath("/", "/usr"));
}
