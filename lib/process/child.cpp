// Between fork and exec only what is safe there: every text is made before, and failures are told
// through a pipe that a successful exec closes.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <base/work.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <process/child.hpp>
#include <process/raising.hpp>
#include <process/tree.hpp>
#include <thread>
#include <utility>

namespace freshet::process {
namespace {

using std::chrono::milliseconds;

constexpr int first_free_descriptor = 64;     ///< above any number that a child is given
constexpr milliseconds reap_patience{2'000};  ///< what was killed is gone long before
constexpr milliseconds reap_pause{2};
constexpr int exec_failed = 127;

/// All that the child needs, made before the fork: it must not allocate.
struct preparation {
  std::vector<char*> arguments, environment;
  const command_line* what = nullptr;
  std::span<const inherited_file> files;
  const raising* walls = nullptr;  ///< null: none
  int report = -1;
  int nowhere = -1;
  pid_t parent = -1;
};

char* text_of(const std::string& text) noexcept { return const_cast<char*>(text.c_str()); }

void limit(decltype(RLIMIT_CORE) which, std::uint64_t value) noexcept {
  const rlimit bound{value, value};
  setrlimit(which, &bound);
}

/// Puts the files where the program finds them, and closes all others but the report's, which a
/// successful exec closes. Returns where the report is now.
int place_files(const preparation& from) noexcept {
  // First out of the way: one's number may be another's place.
  int moved[first_free_descriptor];
  const std::size_t count = std::min<std::size_t>(from.files.size(), first_free_descriptor);
  for (std::size_t i = 0; i < count; ++i) {
    moved[i] = fcntl(from.files[i].ours, F_DUPFD, first_free_descriptor);
  }
  const int nowhere = fcntl(from.nowhere, F_DUPFD, first_free_descriptor);
  const int told = fcntl(from.report, F_DUPFD_CLOEXEC, first_free_descriptor);
  int last = 2;
  for (int standard = 0; standard <= 2; ++standard) dup2(nowhere, standard);
  for (std::size_t i = 0; i < count; ++i) {
    dup2(moved[i], from.files[i].theirs);
    last = std::max(last, from.files[i].theirs);
  }
  const auto before = static_cast<unsigned>(told) - 1, after = static_cast<unsigned>(told) + 1;
  if (close_range(static_cast<unsigned>(last) + 1, before, 0) == 0 &&
      close_range(after, ~0u, 0) == 0) {
    return told;
  }
  rlimit open_files{};
  getrlimit(RLIMIT_NOFILE, &open_files);
  constexpr rlim_t most_looked_at = 65'536;
  const auto most = static_cast<int>(std::min(open_files.rlim_cur, most_looked_at));
  for (int each = last + 1; each < most; ++each) {
    if (each != told) close(each);
  }
  return told;
}

[[noreturn]] void become(const preparation& from) noexcept {
  setsid();  // a group of its own, and no terminal of ours to type into
  // Whatever it starts yields to the calls: a page may have hundreds of threads that compute.
  base::yield_to_answers();
  raised_walls walls;
  if (from.walls != nullptr) walls = raise_walls(*from.walls);
  // After the walls, since a change of credentials would forget it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  if (from.what->cpu_seconds != 0) limit(RLIMIT_CPU, from.what->cpu_seconds);
  if (from.what->file_bytes != 0) limit(RLIMIT_FSIZE, from.what->file_bytes);
  int problem = walls.problem;
  if (problem == 0 && chdir(from.what->folder.c_str()) != 0) problem = errno;
  const char mark = walls.own_tmp ? 'w' : '-';
  if (write(from.report, &mark, 1) != 1) problem = EPIPE;
  const int told = place_files(from);
  // A parent that died before prctl() would never be noticed.
  if (problem == 0 && getppid() != from.parent) problem = ESRCH;
  if (problem == 0) {
    // Last: what a sanitizer maps in this copy of us is none of the program's.
    if (from.what->address_space != 0) limit(RLIMIT_AS, from.what->address_space);
    if (from.walls != nullptr) problem = filter_calls(*from.walls);
  }
  if (problem == 0) {
    execve(from.arguments.front(), from.arguments.data(), from.environment.data());
    problem = errno;
  }
  const auto written = write(told, &problem, sizeof problem);
  _exit(written > 0 ? exec_failed : exec_failed - 1);
}

preparation prepare(const command_line& command, std::span<const inherited_file> files) {
  preparation made;
  made.what = &command;
  made.files = files;
  made.arguments.push_back(text_of(command.program));
  for (const std::string& each : command.arguments) made.arguments.push_back(text_of(each));
  made.arguments.push_back(nullptr);
  for (const std::string& each : command.environment) made.environment.push_back(text_of(each));
  made.environment.push_back(nullptr);
  made.parent = getpid();
  return made;
}

std::chrono::nanoseconds time_of(const timeval& of) noexcept {
  return std::chrono::seconds(of.tv_sec) + std::chrono::microseconds(of.tv_usec);
}

ending ending_of(int status, const rusage& used) noexcept {
  const auto processor = time_of(used.ru_utime) + time_of(used.ru_stime);
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status), processor};
  return {WEXITSTATUS(status), 0, processor};
}

/// What the child says of its start: null if it has become the program.
struct report {
  bool walled = false;
  int problem = 0;
};

report read_report(int from) noexcept {
  report out;
  char text[1 + sizeof(int)] = {};
  std::size_t length = 0;
  while (length < sizeof text) {
    const ssize_t got = read(from, text + length, sizeof text - length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  out.walled = length > 0 && text[0] == 'w';
  if (length == sizeof text) std::memcpy(&out.problem, text + 1, sizeof out.problem);
  if (length == 0) out.problem = EAGAIN;  // it died before it could say anything
  return out;
}

}  // namespace

result<child> child::start(const command_line& command, std::span<const inherited_file> files) {
  if (command.behind == nullptr) return fork_into(command, files, nullptr);
  if (auto fine = command.behind->check(); !fine) return fine.error();
  result<raising> walls = make_raising(command);
  if (!walls) return walls.error();
  if (command.behind->bubblewrap.empty()) return fork_into(command, files, &*walls);
  std::vector<inherited_file> more(files.begin(), files.end());
  int filter_number = STDERR_FILENO;
  for (const inherited_file& each : files) filter_number = std::max(filter_number, each.theirs);
  ++filter_number;
  if (command.behind->call_filter) more.push_back({walls->filter.file.number(), filter_number});
  return fork_into(through_bubblewrap(command, filter_number), more, &*walls);
}

result<child> child::fork_into(const command_line& command, std::span<const inherited_file> files,
                               const raising* walls) {
  result<pipe_ends> told = make_pipe();
  if (!told) return told.error();
  const file_descriptor nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  preparation ready = prepare(command, files);
  ready.walls = walls;
  ready.report = told->writing.number();
  ready.nowhere = nowhere.number();
  const pid_t id = fork();
  if (id == 0) become(ready);
  told->writing.close();
  if (id < 0) return error(errc::internal, "no process can be started: " + command.program);
  // It has a group of its own before it says anything.
  const report said = read_report(told->reading.number());
  child made(id, said.walled);
  if (said.problem != 0) {
    return error(errc::internal,
                 command.program + " cannot be started: " + std::strerror(said.problem));
  }
  return made;
}

child::child(child&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      walled_(other.walled_),
      killed_(other.killed_),
      ended_(other.ended_) {}

child& child::operator=(child&& other) noexcept {
  if (this == &other) return *this;
  kill();
  id_ = std::exchange(other.id_, -1);
  walled_ = other.walled_;
  killed_ = other.killed_;
  ended_ = other.ended_;
  return *this;
}

child::~child() { kill(); }

std::optional<ending> child::poll() noexcept {
  if (ended_ || id_ < 0) return ended_;
  int status = 0;
  rusage used{};
  const pid_t got = wait4(id_, &status, WNOHANG, &used);
  if (got == id_) ended_ = ending_of(status, used);
  // Somebody else has reaped it: a host that waits for any child.
  if (got < 0 && errno == ECHILD) ended_ = ending{0, SIGKILL, {}};
  return ended_;
}

std::optional<ending> child::wait(milliseconds longest) noexcept {
  const auto until = std::chrono::steady_clock::now() + longest;
  while (!poll() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(reap_pause);
  }
  return ended_;
}

void child::kill() noexcept {
  if (id_ < 0 || killed_) return;
  killed_ = true;
  std::vector<pid_t> family;
  if (!ended_) {
    // Stopped first, so that nothing new is started behind our look. Unreaped, its number is its
    // own, and so is its group's.
    ::kill(-id_, SIGSTOP);
    family = descendants(id_);
  }
  for (const pid_t each : family) ::kill(each, SIGKILL);
  ::kill(-id_, SIGKILL);
  wait(reap_patience);
  // Orphans come to us where we are the first process, as in a container, or a subreaper; elsewhere
  // they are not ours to reap.
  const auto until = std::chrono::steady_clock::now() + reap_patience;
  for (const pid_t each : family) {
    while (waitpid(each, nullptr, WNOHANG) == 0 && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(reap_pause);
    }
  }
}

}  // namespace freshet::process
