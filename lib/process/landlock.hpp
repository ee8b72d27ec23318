// Landlock: what a process may do with files from now on, kept by the kernel for it and for all
// that it starts, without privileges. The set of rules is made before a fork, and closed over after
// it.
#pragma once

#include <process/file_descriptor.hpp>
#include <span>
#include <string>

namespace freshet::process {

/// The version of the kernel's Landlock; 0 where it has none.
[[nodiscard]] int landlock_version() noexcept;

/// Rules by which what lies beneath `readable` can be read and run, what lies beneath `devices`
/// read and written, and nothing else. Closed where the kernel makes none. What does not exist is
/// passed over.
[[nodiscard]] file_descriptor make_landlock(int version, std::span<const std::string> readable,
                                            std::span<const std::string> devices) noexcept;

/// Lets everything be done beneath `folder`. Allocates nothing, as befits a child after its fork.
bool allow_beneath(int rules, const char* folder, int version) noexcept;
/// From now on the rules hold for this thread and what it starts; it can gain no privileges by then
/// (PR_SET_NO_NEW_PRIVS). Allocates nothing.
bool enter_landlock(int rules) noexcept;

}  // namespace freshet::process
