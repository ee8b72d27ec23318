// The system calls that a child behind walls is refused: those by which it could look into other
// processes, change the machine or reach a network or a socket's file. A filter of the kernel's.
#pragma once

#include <linux/filter.h>

#include <freshet/result.hpp>
#include <process/file_descriptor.hpp>
#include <vector>

namespace freshet::process {

/// A filter's program, in both forms in which it is wanted: for ourselves and for bubblewrap.
struct call_filter {
  std::vector<sock_filter> program;
  file_descriptor file;
};

/// `nests`: for a browser, which may make user namespaces for its own sandbox, and a local socket.
/// Refused calls fail with EPERM; those of another architecture end the child. Error: internal.
[[nodiscard]] result<call_filter> make_call_filter(bool nests);

}  // namespace freshet::process
