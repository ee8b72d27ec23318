// A process and all that it has started, as /proc shows them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace freshet::process {

/// Processes that one look takes in; the rest of a machine full of more is not seen.
inline constexpr std::size_t max_processes = 65'536;

/// The descendants of a process, without itself, parents first. Those whose parents have ended are
/// no longer among them.
[[nodiscard]] std::vector<pid_t> descendants(pid_t root);

/// The memory of a process and its descendants that is theirs alone or shared between them on
/// purpose: without mapped files, which would count once for each.
[[nodiscard]] std::uint64_t resident_bytes(pid_t root);

}  // namespace freshet::process
