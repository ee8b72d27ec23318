// The order is the matter: namespaces while there are privileges for them, then the user, then what
// needs no privileges and can never be undone.
#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <process/landlock.hpp>
#include <process/raising.hpp>

namespace freshet::process {
namespace {

constexpr int own_namespaces = CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC;
/// Processes and threads of the children's own user, together: no fork without end.
constexpr rlim_t most_processes = 4'096;

bool write_file(const char* path, const char* text) noexcept {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = write(file, text, std::strlen(text)) > 0;
  close(file);
  return written;
}

bool mount_tmp(const raising& with) noexcept {
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  return mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, with.mount_options.c_str()) == 0;
}

/// By way of a user namespace in which it stays who it is.
bool unshare_as_user(const raising& with) noexcept {
  return unshare(CLONE_NEWUSER | own_namespaces) == 0 &&
         write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", with.user_map.c_str()) &&
         write_file("/proc/self/gid_map", with.group_map.c_str());
}

int become_user(uid_t user) noexcept {
  const rlimit processes{most_processes, most_processes};
  setrlimit(RLIMIT_NPROC, &processes);
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 ||
      setresuid(user, user, user) != 0) {
    return errno;
  }
  prctl(PR_SET_DUMPABLE, 1);  // what it writes of itself under /proc is else the superuser's
  return 0;
}

void show(command_line& line, const char* how, const std::string& text) {
  line.arguments.insert(line.arguments.end(), {how, text, text});
}

/// An empty folder over a hidden one, under every name under which `place` would show it: /lib is
/// often a name of /usr/lib.
void mask(command_line& line, const std::string& hidden, const std::string& place) {
  std::error_code missing;
  const std::string real = std::filesystem::canonical(place, missing).string();
  if (missing || !is_beneath(hidden, real)) return;
  const std::string name = place + hidden.substr(real.size());
  line.arguments.insert(line.arguments.end(),
                        {"--size", "4096", "--tmpfs", name, "--remount-ro", name});
}

/// The superuser without a user for its children keeps them from looking into other processes: what
/// it may, its programs may again. For others these calls fail and are not needed.
void drop_capabilities() noexcept {
  constexpr int most_capabilities = 64;
  for (int each = 0; each < most_capabilities; ++each) prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
}

}  // namespace

result<raising> make_raising(const command_line& command) {
  raising made;
  made.behind = command.behind;
  made.folder = command.folder;
  const walls& with = *command.behind;
  const std::string beside = folder_beside(command.program);
  if (with.call_filter) {
    auto filter = make_call_filter(command.nests);
    if (!filter) return filter.error();
    made.filter = std::move(*filter);
  }
  if (!with.bubblewrap.empty()) return made;
  const auto itself = [](auto id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  const uid_t user = with.user.value_or(geteuid());
  const gid_t group = with.user ? *with.user : getegid();
  made.user_map = itself(user);
  made.group_map = itself(group);
  made.mount_options = "mode=0700,size=" + std::to_string(command.wall_bytes) +
                       ",uid=" + std::to_string(user) + ",gid=" + std::to_string(group);
  if (with.landlock == 0) return made;
  std::vector<std::string> readable = readable_places();
  readable.emplace_back("/proc");
  if (!beside.empty()) {
    for (const std::string& each : with.hidden) {
      if (!is_beneath(each, beside)) continue;
      return error(errc::invalid_configuration, command.program +
                                                    " lies beside what is hidden from it, " + each +
                                                    ": move the program, or install bubblewrap");
    }
    readable.push_back(beside);
  }
  std::vector<std::string> writable = open_devices();
  // Where a sandbox of its own says who is who. The superuser would write more than that there.
  if (command.nests && user != 0) writable.emplace_back("/proc");
  made.rules = make_landlock(with.landlock, readable, writable);
  if (!made.rules.is_open()) return error(errc::internal, "Landlock makes no rules");
  return made;
}

command_line through_bubblewrap(const command_line& command, int filter_number) {
  command_line out = command;
  const walls& with = *command.behind;
  out.program = with.bubblewrap;
  out.folder = "/";
  out.arguments = {"--unshare-all", "--die-with-parent", "--cap-drop", "ALL"};
  std::vector<std::string> shown = readable_places();
  if (auto beside = folder_beside(command.program); !beside.empty()) shown.push_back(beside);
  for (const std::string& each : shown) show(out, "--ro-bind-try", each);
  const std::string size = std::to_string(command.wall_bytes);
  out.arguments.insert(out.arguments.end(), {"--proc", "/proc", "--dev", "/dev", "--perms", "0700",
                                             "--size", size, "--tmpfs", "/tmp"});
  for (const std::string& each : with.hidden) {
    for (const std::string& place : shown) mask(out, each, place);
  }
  if (command.folder != "/") {
    out.arguments.insert(out.arguments.end(), {"--perms", "0700", "--dir", command.folder});
  }
  // Its root and its devices are memory, too, of which there is no bound but this.
  out.arguments.insert(out.arguments.end(),
                       {"--remount-ro", "/dev", "--remount-ro", "/", "--chdir", command.folder});
  if (with.call_filter) {
    out.arguments.insert(out.arguments.end(), {"--seccomp", std::to_string(filter_number)});
  }
  out.arguments.insert(out.arguments.end(), {"--", command.program});
  out.arguments.insert(out.arguments.end(), command.arguments.begin(), command.arguments.end());
  return out;
}

raised_walls raise_walls(const raising& with) noexcept {
  raised_walls out;
  const walls& asked = *with.behind;
  // What a service manager gave the server is not its children's; bubblewrap refuses to have any.
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (!asked.bubblewrap.empty()) {
    if (asked.user) out.problem = become_user(*asked.user);
    out.own_tmp = true;
    return out;
  }
  out.own_tmp = unshare(own_namespaces) == 0 && mount_tmp(with);
  if (asked.user) out.problem = become_user(*asked.user);
  if (out.problem != 0) return out;
  if (!out.own_tmp) out.own_tmp = unshare_as_user(with) && mount_tmp(with);
  // What was there when it was tried is there: nothing goes on with less.
  if (asked.own_network && !out.own_tmp) out.problem = EPERM;
  if (out.own_tmp) mkdir(with.folder.c_str(), S_IRWXU);  // if it lay under the /tmp outside
  if (chdir(with.folder.c_str()) != 0) out.problem = errno;
  drop_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) out.problem = errno;
  if (asked.landlock == 0 || out.problem != 0) return out;
  const char* own = out.own_tmp ? "/tmp" : with.folder.c_str();
  // A program that works nowhere in particular has nothing to write.
  const bool writes = out.own_tmp || std::strcmp(own, "/") != 0;
  if (writes && !allow_beneath(with.rules.number(), own, asked.landlock)) out.problem = errno;
  if (out.problem == 0 && !enter_landlock(with.rules.number())) out.problem = errno;
  return out;
}

int filter_calls(const raising& with) noexcept {
  if (!with.behind->call_filter || !with.behind->bubblewrap.empty()) return 0;
  sock_fprog program{};
  program.len = static_cast<unsigned short>(with.filter.program.size());
  program.filter = const_cast<sock_filter*>(with.filter.program.data());
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
}

}  // namespace freshet::process
