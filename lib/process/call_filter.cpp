// A list of refusals, not of permissions: Chromium and poppler change what they call with each
// version, and what must be kept from them is known.
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <process/call_filter.hpp>

namespace freshet::process {
namespace {

constexpr std::array refused_calls = {
    // Other processes.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    // The tree of files.
    "mount", "umount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at", "quotactl",
    "quotactl_fd", "setns",
    // The kernel and its keys.
    "add_key", "keyctl", "request_key", "bpf", "perf_event_open", "userfaultfd", "kexec_load",
    "kexec_file_load", "init_module", "finit_module", "delete_module", "syslog", "acct", "reboot",
    "swapon", "swapoff", "iopl", "ioperm", "lookup_dcookie", "vhangup",
    // The clock and the name.
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "sethostname",
    "setdomainname",
    // Networks, and sockets that are files; a pair of them leads nowhere else and is left. A ring
    // would make these calls past the filter.
    "connect", "io_uring_setup", "io_uring_enter", "io_uring_register"};

using context = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

bool refuse(const context& context, const char* name, int answer) {
  const int number = seccomp_syscall_resolve_name(name);
  // Names that this architecture has not, or that libseccomp does not know yet.
  if (number == __NR_SCMP_ERROR) return true;
  const int added =
      seccomp_rule_add(context.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(answer)), number, 0);
  return added == 0 || number < 0;
}

/// What a child with a terminal could type into it.
bool refuse_typing(const context& in) {
  constexpr scmp_datum_t low_half = 0xffffffff;  // all that the kernel reads of it
  bool done = true;
  for (const unsigned long request : {TIOCSTI, TIOCLINUX}) {
    done = done && seccomp_rule_add(in.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                                    SCMP_A1(SCMP_CMP_MASKED_EQ, low_half, request)) == 0;
  }
  return done;
}

/// A browser makes a socket that is a file in its profile, by which a second one would find it, and
/// ends without. It may listen; to connect is refused to all, and so are sockets that need no
/// connection.
bool refuse_all_but_local(const context& in) {
  constexpr scmp_datum_t types = 0xf;
  bool done = seccomp_rule_add(in.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                               SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0)) == 0;
  for (const int type : {SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET}) {
    done = done && seccomp_rule_add(
                       in.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                       SCMP_A1(SCMP_CMP_MASKED_EQ, types, static_cast<scmp_datum_t>(type))) == 0;
  }
  return done;
}

bool refuse_nesting(const context& in) {
  const bool cloned =
      seccomp_rule_add(in.get(), SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                       SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)) == 0;
  // Its flags are in memory, where no filter sees them; the C library takes clone() then.
  return cloned && refuse(in, "unshare", EPERM) && refuse(in, "clone3", ENOSYS);
}

}  // namespace

result<call_filter> make_call_filter(bool nests) {
  const error none(errc::internal, "no filter of system calls can be made");
  const context rules(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  if (rules == nullptr) return none;
  for (const char* each : refused_calls) {
    if (!refuse(rules, each, EPERM)) return none;
  }
  const bool sockets = nests ? refuse_all_but_local(rules) : refuse(rules, "socket", EPERM);
  if (!sockets || !refuse_typing(rules) || (!nests && !refuse_nesting(rules))) return none;
  call_filter made;
  made.file = file_descriptor(memfd_create("filter", MFD_CLOEXEC));
  if (!made.file.is_open() || seccomp_export_bpf(rules.get(), made.file.number()) != 0) return none;
  const off_t length = lseek(made.file.number(), 0, SEEK_END);
  if (length <= 0) return none;
  made.program.resize(static_cast<std::size_t>(length) / sizeof(sock_filter));
  if (pread(made.file.number(), made.program.data(), static_cast<std::size_t>(length), 0) !=
          length ||
      lseek(made.file.number(), 0, SEEK_SET) != 0) {
    return none;
  }
  return made;
}

}  // namespace freshet::process
